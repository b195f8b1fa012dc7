"""What `verify` notices and what it does not: each edit is made, so that what we say of it is true."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.records import Action, Annotation, Assertion, Span
from core.records.learned import Gain, Known, LearnedSet
from core.records.trees import Recipe
from core.review.frames import Wanted, open_frame
from core.store import corpora, decisions, guidelines, learned, open_workspace, runs, trees
from core.store.chain import verify
from core.store.connect import connect
from core.store.schema import APPEND_ONLY
from core.store.unproven import NOT_PROVEN, UNPROVEN
from tests.store import pathway
from tests.store.making import furnish, new, say
from tests.store.pairing import RUN as PAIRS
from tests.store.pairing import pair_up
from tests.store.tampering import problems, tampering
from tests.store.test_chain import COLUMNS

GUIDE = (Path(__file__).parents[2] / "data/guide/safety.md").read_text("utf-8")

NOTICED = {
    "what was decided": "UPDATE decisions SET action = 'unsure' WHERE number = 1",
    "under whose id": "UPDATE decisions SET curator_id = 'beta' WHERE number = 1",
    "when": "UPDATE decisions SET decided_at = '2020-01-01T00:00:00+00:00' WHERE number = 1",
    "with what note": "UPDATE decisions SET payload = json_set(payload, '$.note', 'x') WHERE number = 1",
    "that it was decided at all": "DELETE FROM decisions WHERE number = 1",
    "the id of a curator who decided": "UPDATE curators SET id = 'gone' WHERE id = 'alpha'",
    "what a machine proposed": "UPDATE proposals SET answer = json_set(answer, '$.label', 'x') WHERE id = 1",
    "how sure it was": "UPDATE proposals SET confidence = 0.1 WHERE id = 2",
    "what it quoted": "UPDATE evidence SET quote = 'x' WHERE proposal_id = 1",
    "a text": "UPDATE texts SET body = body || '.' WHERE id = 1",
    "a document's id": "UPDATE passages SET doc_id = doc_id || 'x' WHERE id = 1",
    "a corpus's name": "UPDATE corpora SET name = name || 'x' WHERE id = 1",
    "gold": "UPDATE annotations SET assertion = 'negated'",
    "that gold is there": "DELETE FROM annotations",
    "why a stage dropped a concept": "UPDATE stage_records SET verdict = 'kept', reason = 'x'",
    "settings of a finished run": "UPDATE runs SET settings = '{}' WHERE id = 'five-stages'",
    "a model's answer that a run used": "UPDATE calls SET raw = raw || ' '",
    "what a call cost": "UPDATE calls SET price = 0",
    "a pair's label": "UPDATE proposals SET answer = json_set(answer, '$.reconciliation', 'x')"
    " WHERE annotator IS NOT NULL",
    "who made a pair's label": "UPDATE proposals SET origin = 'person' WHERE origin = 'model'",
    "the form of a decision": "UPDATE decisions SET form = 1 WHERE number = 1",
    "the form of a run": "UPDATE runs SET form = 1 WHERE id = 'five-stages'",
    "a pair's evidence": "UPDATE evidence SET role = 'x' WHERE side IS NOT NULL",
    "a pair's score": "UPDATE pairs SET score = 0",
    "a claim": "UPDATE claims SET direction = 'increased', section = 'x'",
    "the name of a concept": "UPDATE concepts SET name = name || 'x' WHERE curie = 'HP:0001250'",
    "a name that search finds": "UPDATE names SET text = text || 'x'",
    "an ontology's version": "UPDATE ontologies SET version = '2'",
    "what a frame was drawn with": "UPDATE frames SET seed = 'x'",
    "what a frame holds": "UPDATE frame_units SET q = 2",
    "what is asked about among its blind units": "UPDATE frame_decoys SET item_id = beside",
    "what was learned": "UPDATE learned_sets SET body = json_set(body, '$.corpus', 'x')",
    "a label tree": "UPDATE label_trees SET body = json_set(body, '$.A', json('[1]'))",
    "that a table is append-only": "DROP TRIGGER decisions_no_update",
}


LEARNED = LearnedSet(
    ontology="hp@1",
    ontology_sha256="0" * 64,
    root=None,
    gold="imported:notes@1",
    corpus="notes",
    documents=("1" * 64,),
    known=(Known(concept="HP:0001250", words="fit", kept=1, seen=2, name="fits", by=("alpha",)),),
    gain=Gain(documents=1, folds=0),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a row in every table: verified, closed."""
    path = tmp_path_factory.mktemp("whole") / "w.db"
    with open_workspace(path) as opened:
        at = pathway.fill(opened)
        pair_up(opened)
        house = furnish(opened)
        say(opened, "alpha", Action.REJECT, house.item())
        decisions.append(opened, [new("beta", Action.UNSURE, house.item(1))])
        with opened.write() as db:
            runs.finish_run(db, PAIRS)
            said = Annotation(pathway.SEIZURE, "Seizure", Assertion.AFFIRMED, Span(6, 10, "fell"))
            corpora.add_annotation_set(
                db, "notes", "1", 1, [(at["p1"], said)], exhaustive=True, sha256="0" * 64
            )
            guidelines.add_guideline(db, "hpa", "Absent findings are left out.", origin="person")
            learned.add(db, "names", LEARNED)
            learned.mute(db, "names", "cold")
            trees.add(db, "osi", {"HP:0001250": (0,)}, Recipe(kind="osi"))
            for statement in (
                "INSERT INTO collections (corpus_id, source, query, updated_at) VALUES (1, 's', 'q', 'now')",
                "INSERT INTO leases VALUES (1, 0, 'tab', 'alpha', 1.0)",
                "INSERT INTO run_sessions VALUES ('five-stages', 1, 'h', 1, 1, 0, 0, 1, 0, 0, NULL, 0)",
                "INSERT INTO vectors VALUES ('m', '" + "0" * 64 + "', x'00')",
                "INSERT INTO alt_ids VALUES (1, 'HP:0002279', 'HP:0001250')",
                "INSERT INTO logical_definitions VALUES (1, 'HP:0001250', 0, NULL, 'HP:0000118')",
                "INSERT INTO ontology_findings VALUES (1, 1, 'k', 'm')",
            ):
                db.execute(statement)
        open_frame(opened, Wanted("five-stages", "pilot", blind=1.0))
        found = verify(opened)
        assert found.problems == found.skipped == ()
        assert found.not_proven == NOT_PROVEN
    return path


@pytest.mark.parametrize("what", NOTICED)
def test_an_edit_that_is_noticed(whole: Path, tmp_path: Path, what: str) -> None:
    if NOTICED[what].startswith("DROP"):
        shutil.copy(whole, tmp_path / "tampered.db")
        db = connect(tmp_path / "tampered.db")
        db.execute(NOTICED[what])
        db.close()
    else:
        with tampering(whole, tmp_path) as db:
            assert db.execute(NOTICED[what]).rowcount > 0
    assert problems(tmp_path)


def other(column: str, kind: str) -> str:
    """Another value that the column may hold, as SQL."""
    if column in ("confidential", "exhaustive", "obsolete", "done", "muted"):
        return f"1 - {column}"
    if column in ("meta", "replaced_by", "offset_map", "recipe"):
        return "'[1]'"
    if column in ("original_id", "origin", "source"):
        return {"original_id": "1", "origin": "'model'", "source": "'added'"}[column]
    said = {"INTEGER": f'ifnull("{column}", 0) + 1', "REAL": f'"{column}" + 1', "BLOB": "x'01'"}
    return said.get(kind, f"""ifnull("{column}", '') || hex(randomblob(4))""")


def test_edits_that_are_not_noticed_are_said_to_be_so(whole: Path, tmp_path: Path) -> None:
    """All of them together: one that `verify` notices by now must be taken off the list."""
    with tampering(whole, tmp_path) as db:
        for tables in UNPROVEN.values():
            for table, columns in tables.items():
                kinds = {r["name"]: r["type"] for r in db.execute(f"PRAGMA table_info({table})")}
                values = {column: other(column, kinds[column]) for column in columns}
                changes = ", ".join(f'"{column}" = {value}' for column, value in values.items())
                assert db.execute(f"UPDATE {table} SET {changes}").rowcount > 0, f"{table} has no row"
    assert problems(tmp_path) == ()


def test_every_table_is_proven_or_said_not_to_be(whole: Path) -> None:
    with open_workspace(whole) as opened:
        tables = {
            row[0]
            for row in opened.db.execute("SELECT name FROM pragma_table_list WHERE type = 'table'")
            if not row[0].startswith(("sqlite_", "_sqlite"))
        }
        columns = {t: [r["name"] for r in opened.db.execute(f"PRAGMA table_info({t})")] for t in tables}
    noticed = {statement.split()[1 + (" FROM " in statement)] for statement in NOTICED.values()}
    unproven = {table: set(named) for group in UNPROVEN.values() for table, named in group.items()}
    vocabulary = {"actions", "item_kinds"}
    assert tables - vocabulary == (noticed | unproven.keys() | COLUMNS.keys()) & tables
    assert all(named <= set(columns[table]) for table, named in unproven.items())
    assert not {(t, c) for t, named in unproven.items() for c in named if c in COLUMNS.get(t, ())}
    assert set(APPEND_ONLY) <= tables


def test_guide_help_and_output_say_what_is_not_proven(whole: Path) -> None:
    runner = CliRunner()
    help_text = " ".join(runner.invoke(cli, ["verify", "--help"], env={"COLUMNS": "400"}).output.split())
    said = " ".join(runner.invoke(cli, ["--workspace", str(whole), "verify"]).output.split())
    guide = " ".join(GUIDE.split())
    for words in NOT_PROVEN:
        for where, text in (("help", help_text), ("output", said), ("guide", guide)):
            assert words in text, f"{where} does not say: {words}"
    for where in (GUIDE, runner.invoke(cli, ["decisions", "add", "--help"]).output):
        assert "taken on trust" in " ".join(where.split())
