"""History altered by as little as one byte is found, wherever it is."""

from __future__ import annotations

import random
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, WorkspaceError
from core.records import Action, Annotation, Span
from core.store import Workspace, corpora, decisions, open_workspace
from core.store.chain import LISTED, verify
from core.store.connect import connect, sqlite3
from core.store.digest import digest_of
from core.store.link import GENESIS, chain_link
from core.store.runs import run_digest
from core.store.schema import APPEND_ONLY
from tests.repeats import times
from tests.store.making import CONCEPTS, CURATORS, add_run, answer, furnish, new, say, span_of
from tests.store.tampering import problems, tampering
from tests.store.writers import Writing, furnished

PASSAGES = 250
"""With four concepts each: a thousand decisions, proposals and pieces of evidence."""


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thousand decisions of every kind; verified, closed."""
    path = tmp_path_factory.mktemp("sealed") / "w.db"
    chance = random.Random(3)
    with open_workspace(path) as opened:
        house = furnish(opened, PASSAGES)
        texts = dict(
            opened.db.execute(
                "SELECT p.id, t.body FROM passages p JOIN texts t ON t.id = p.text_id"
            ).fetchall()
        )
        batch = []
        for n, ((passage, concept), item) in enumerate(house.items.items()):
            given = answer(concept, spans=(span_of(texts[passage], concept),))
            action = (Action.ACCEPT, Action.REJECT, Action.UNSURE, Action.FIX)[n % 4]
            shown = () if n % 5 == 0 else (house.proposals[item],)
            batch.append(
                new(
                    CURATORS[n % 3],
                    action,
                    item,
                    shown=shown,
                    answer=given if action in (Action.ACCEPT, Action.FIX) else None,
                    note=f"note {n}" if n % 7 == 0 else None,
                    blind=not shown,
                    milliseconds=chance.randrange(9000),
                    guideline_revision="g-1",
                )
            )
        assert all(o.refused is None for o in decisions.append(opened, batch))
        say(opened, "alpha", Action.UNDO, undoes=1)
        say(opened, "alpha", Action.CLOSE, passage_id=house.passages[0])
        found = verify(opened)
        assert found.problems == found.skipped == ()
        assert (found.number, found.decisions, found.runs, found.open_runs, found.gold_sets, found.texts) == (
            1002,
            1002,
            1,
            0,
            1,
            PASSAGES,
        )
    return path


def altered(value: Any, chance: random.Random) -> list[Any]:
    """The same value but for one byte or digit; several, for where another row has that value already."""
    if isinstance(value, str) and value:
        at = chance.randrange(len(value))
        return [value[:at] + other + value[at + 1 :] for other in "01xyz" if other != value[at]]
    if isinstance(value, float):
        return [value / 2]
    if isinstance(value, int):
        return [1 - value] if value in (0, 1) else [value + 1, value + 64, value + 4096]
    return ["x" if value == "" else 7]


COLUMNS = {
    "decisions": (
        *("client_id", "item_id", "curator_id", "base", "action", "payload", "blind", "milliseconds"),
        *("decided_at", "guideline_revision", "link", "number"),
    ),
    "items": ("passage_id", "subject"),
    "proposals": (
        *("run_id", "item_id", "origin", "annotator", "answer", "confidence", "reason", "stage", "repaired"),
        *("repairs", "grounded", "call_id", "after_decision"),
    ),
    "evidence": ("quote", "start", "end", "grounded", "text_id", "position"),
    "texts": ("sha256", "body"),
    "passages": ("doc_id", "text_id"),
    "annotations": ("concept", "label", "assertion", "start", "end", "quote", "passage_id", "set_id"),
    "annotation_sets": ("digest",),
    "stage_records": ("verdict", "payload", "stage"),
    "runs": ("source", "settings", "fingerprint", "digest", "started_at", "kind"),
    "acknowledgements": ("client_id",),
    "corpora": ("name",),
}


def changed(db: sqlite3.Connection, statement: str, values: tuple[Any, ...]) -> bool:
    """Whether it changed a row; an answer that is no JSON any more is no value that SQLite takes."""
    try:
        return db.execute(statement, values).rowcount > 0
    except sqlite3.OperationalError:
        return False


ROWS_EACH = times(1, 20)
"""Rows sampled for every column."""


@pytest.mark.parametrize("table", COLUMNS)
def test_one_altered_byte_in_any_row_is_found(sealed: Path, tmp_path: Path, table: str) -> None:
    chance = random.Random(table)
    for column in COLUMNS[table]:
        for _ in range(ROWS_EACH):
            with tampering(sealed, tmp_path) as db:
                db.execute("PRAGMA ignore_check_constraints = ON")
                count = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                row = db.execute(
                    f"SELECT * FROM {table} LIMIT 1 OFFSET ?", (chance.randrange(count),)
                ).fetchone()
                keys = [r["name"] for r in db.execute(f"PRAGMA table_info({table})").fetchall() if r["pk"]]
                statement = f'UPDATE OR IGNORE {table} SET "{column}" = ? WHERE ' + " AND ".join(
                    f'"{key}" = ?' for key in keys
                )
                other = next(
                    value
                    for value in altered(row[column], chance)
                    if changed(db, statement, (value, *(row[key] for key in keys)))
                )
            assert problems(tmp_path), f"{table}.{column}: {row[column]!r} became {other!r} unnoticed"


def test_problem_names_the_decision(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        db.execute("UPDATE decisions SET action = 'reject' WHERE number = 501")
    found = problems(tmp_path)
    assert len(found) == 1
    assert found[0].startswith("Decision 501 was altered")


@pytest.mark.parametrize("kind", ["raw byte", "invalid UTF-8"])
def test_byte_changed_in_the_file_itself_is_found(sealed: Path, tmp_path: Path, kind: str) -> None:
    content = sealed.read_bytes()
    at = content.index(b'"note": "note 490"') + 9
    changed = b"N" if kind == "raw byte" else b"\xff"
    (tmp_path / "tampered.db").write_bytes(content[:at] + changed + content[at + 1 :])
    found = problems(tmp_path)
    assert found
    assert any("Decision 491" in p or "cannot be read" in p for p in found)


def test_deleted_inserted_and_swapped_decisions_are_found(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        db.execute("DELETE FROM acknowledgements WHERE number = 700")
        db.execute("DELETE FROM decisions WHERE number = 700")
    assert any("after number 699 comes 701" in p for p in problems(tmp_path))

    with tampering(sealed, tmp_path) as db:
        row = dict(db.execute("SELECT * FROM decisions WHERE number = 1002").fetchone())
        row |= {"number": 1003, "client_id": "forged", "base": "forged", "link": "0" * 64}
        db.execute(f"INSERT INTO decisions VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    assert any("Decision 1003" in p for p in problems(tmp_path))

    with tampering(sealed, tmp_path) as db:
        for a, b in ((10, -1), (11, 10), (-1, 11)):
            db.execute("UPDATE decisions SET number = ? WHERE number = ?", (b, a))
    assert any("Decision 10 " in p for p in problems(tmp_path))


def cut_tail(db: sqlite3.Connection, last: int, *, tidy: bool) -> None:
    db.execute("DELETE FROM acknowledgements WHERE number > ?", (last,))
    db.execute("DELETE FROM decisions WHERE number > ?", (last,))
    if tidy:
        db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'decisions'", (last,))


def test_cut_off_tail_is_found_by_an_anchored_head(sealed: Path, tmp_path: Path) -> None:
    with open_workspace(sealed) as opened:
        heads = {d.number: d.link for d in decisions.decisions(opened)}
        assert verify(opened, head=heads[1002]).problems == ()
        assert verify(opened, head=heads[3].upper()).problems == ()
        assert verify(opened, head=GENESIS).problems == ()
    with tampering(sealed, tmp_path) as db:
        cut_tail(db, 900, tidy=True)
    assert problems(tmp_path) == ()  # a chain alone cannot see it
    assert problems(tmp_path, head=heads[900]) == ()
    for number in (901, 1002):
        [problem] = problems(tmp_path, head=heads[number])
        assert heads[number] in problem


def test_careless_cut_is_found_without_an_anchor(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        cut_tail(db, 900, tidy=False)
    assert any("given up to 1002, the log ends at 900" in p for p in problems(tmp_path))


def test_history_written_anew_is_found_by_an_anchored_head(sealed: Path, tmp_path: Path) -> None:
    """Whoever recomputes every link has a sound chain again, but not the one that was written down."""
    with open_workspace(sealed) as opened:
        anchor = decisions.chain_head(opened)[1]
    with tampering(sealed, tmp_path) as db:
        db.execute("UPDATE decisions SET action = 'reject', payload = '{}' WHERE number = 501")
        previous = GENESIS
        for row in db.execute("SELECT * FROM decisions ORDER BY number").fetchall():
            previous = chain_link(db, previous, row)
            db.execute("UPDATE decisions SET link = ? WHERE number = ?", (previous, row["number"]))
    assert problems(tmp_path) == ()
    assert any(anchor in p for p in problems(tmp_path, head=anchor))


def test_changed_schema_is_found(sealed: Path, tmp_path: Path) -> None:
    path = tmp_path / "tampered.db"
    for statement, expected in (
        ("DROP TRIGGER decisions_no_update", "trigger decisions_no_update is missing"),
        ("DROP INDEX items_identity", "index items_identity is missing"),
        ("CREATE TRIGGER spy AFTER INSERT ON decisions BEGIN SELECT 1; END", "trigger spy does not belong"),
        ("CREATE TABLE notes (x)", "table notes does not belong"),
        ("ALTER TABLE leases ADD COLUMN x TEXT", "table leases was changed"),
    ):
        shutil.copy(sealed, path)
        db = connect(path)
        db.execute(statement)
        db.close()
        assert any(expected in p for p in problems(tmp_path)), statement


def test_every_append_only_table_is_guarded_in_the_schema(sealed: Path) -> None:
    with open_workspace(sealed) as opened:
        names = {r[0] for r in opened.db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    assert {f"{t}_no_{verb}" for t in APPEND_ONLY for verb in ("update", "delete")} <= names


def test_search_index_that_went_astray_is_found(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        db.execute("INSERT INTO texts_fts (rowid, body) VALUES (77, 'never written anywhere')")
    assert any("Search index texts_fts" in p for p in problems(tmp_path))


def test_title_that_search_does_not_know_is_found(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        db.execute("UPDATE passages SET title = 'Another title' WHERE id = 1")
    assert any("Search index titles_fts" in p for p in problems(tmp_path))


def test_broken_reference_and_damaged_index_are_found(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        db.execute("DELETE FROM curators WHERE id = 'beta'")
    assert any("refers to a row of curators that is not there" in p for p in problems(tmp_path))
    content = bytearray(sealed.read_bytes())
    db = connect(sealed, "ro")
    root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'decisions_of_curator'").fetchone()[0]
    db.close()
    content[(root - 1) * 4096 : root * 4096] = bytes(4096)
    (tmp_path / "tampered.db").write_bytes(content)
    assert any("SQLite finds the file damaged" in p for p in problems(tmp_path))


def test_many_problems_are_counted_not_all_spelled_out(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        db.execute("UPDATE decisions SET milliseconds = 1 WHERE number <= 200")
    found = problems(tmp_path)
    assert len(found) == LISTED + 1
    assert found[-1] == f"And {200 - LISTED} more problems of this kind."


def test_what_is_no_head_is_refused(workspace: Workspace) -> None:
    for head in ("", "abc", "g" * 64, "0" * 63, "0" * 65, "'; DROP TABLE decisions"):
        with pytest.raises(InputError, match="no chain head"):
            verify(workspace, head=head)


def test_empty_workspace_verifies(workspace: Workspace) -> None:
    found = verify(workspace)
    assert (found.number, found.head, found.problems) == (0, GENESIS, ())


def test_verifying_changes_nothing_and_works_read_only(
    sealed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "w.db"
    shutil.copy(sealed, path)
    with open_workspace(path) as opened:
        key = opened.key()
        verify(opened)
        assert opened.key() == key
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    with open_workspace(path) as opened:
        found = verify(opened)
    assert found.problems == ()
    assert "search indexes were not compared" in found.skipped[0]
    assert path.read_bytes() == sealed.read_bytes()


def test_open_run_is_counted_and_a_finished_one_is_sealed(workspace: Workspace) -> None:
    house = furnish(workspace, 1)
    text = workspace.db.execute("SELECT body FROM texts").fetchone()[0]
    with workspace.write() as db:
        add_run(db, house.corpus_id, "later", {house.passages[0]: text}, CONCEPTS[:1])
        db.execute("UPDATE runs SET status = 'running', digest = NULL WHERE id = 'later'")
    found = verify(workspace)
    assert (found.runs, found.open_runs, found.problems) == (2, 1, ())
    with workspace.write() as db:
        db.execute("UPDATE runs SET status = 'done' WHERE id = 'later'")
    assert any("marked as done" in p for p in verify(workspace).problems)
    with workspace.write() as db:
        db.execute("UPDATE runs SET digest = ? WHERE id = 'later'", (run_digest(db, "later"),))
    assert verify(workspace).problems == ()


def test_verifying_while_others_write_reports_no_false_problem(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    items = furnished(path, 10)
    with Writing(path, items) as acknowledged, open_workspace(path) as opened:
        seen = set()
        while len(seen) < 8:
            found = verify(opened)
            assert found.problems == ()
            assert found.number == found.decisions
            seen.add(found.number)
        assert len(acknowledged()) >= len(seen)


def test_quote_that_was_wrong_from_the_start_is_found(workspace: Workspace) -> None:
    """Sealed by its digest like any other, and still not what stands in the text."""
    house = furnish(workspace, 1)
    passage = house.passages[0]
    text = workspace.db.execute("SELECT body FROM texts").fetchone()[0]
    with workspace.write() as db:
        add_run(db, house.corpus_id, "later", {passage: "no ataxia here: seizure"}, CONCEPTS[:1])
        corpora.add_annotation_set(
            db,
            "wrong",
            "1",
            house.corpus_id,
            [(passage, Annotation(CONCEPTS[0], span=Span(0, 4, "Cage")))],
            exhaustive=False,
            sha256="0" * 64,
        )
    found = verify(workspace).problems
    assert len(found) == 2
    assert "quotes 'seizure', which does not stand at 16 to 23" in found[0]
    assert "quotes 'Cage', which does not stand at 0 to 4" in found[1]
    assert text[16:23] != "seizure"


def test_text_altered_outside_every_quote_is_found_by_its_sha256(sealed: Path, tmp_path: Path) -> None:
    with tampering(sealed, tmp_path) as db:
        db.execute("UPDATE texts SET body = replace(body, 'since May', 'since Max') WHERE id = 7")
        db.execute("INSERT INTO texts_fts (texts_fts) VALUES ('rebuild')")
    assert problems(tmp_path) == ("Text 7 was altered: its sha256 does not fit.",)


def test_link_is_the_sha256_of_what_the_documentation_says(workspace: Workspace) -> None:
    """Recomputed here from the rows alone, so that nobody changes the recipe by accident."""
    import hashlib
    import json

    house = furnish(workspace, 1)
    item = house.item()
    say(workspace, "alpha", Action.REJECT, item, shown=(house.proposals[item],), milliseconds=5)
    [stored] = decisions.decisions(workspace)
    text = workspace.db.execute("SELECT body, sha256 FROM texts").fetchone()
    span = span_of(text["body"], CONCEPTS[0])
    proposal = [
        house.proposals[item],
        "run-1",
        "rule",
        None,
        '{"label": "Seizure", "assertion": "affirmed", "class": "explicit"}',
        0.875,
        "named as 'seizure'",
        "lexicon",
        0,
        None,
        1,
        None,
        0,
    ]
    evidence = [house.proposals[item], 0, "seizure", span.start, span.end, 1, *[None] * 4]
    content = [
        "0" * 64,
        ["concept", "cases", "doc-0", hashlib.sha256(text["body"].encode()).hexdigest(), CONCEPTS[0]],
        [[proposal], [evidence]],
        [
            1,
            stored.client_id,
            item,
            "alpha",
            stored.base,
            "reject",
            "{}",
            None,
            0,
            5,
            stored.decided_at,
            None,
            2,
        ],
    ]
    spelled = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert stored.link == hashlib.sha256(spelled.encode()).hexdigest()


def test_digest_tells_rows_and_parts_apart() -> None:
    assert digest_of([["a", "b"]]) != digest_of([["a"], ["b"]])
    assert digest_of([["a"]], [["b"]]) != digest_of([["a"], ["b"]])
    assert digest_of([["a"]], []) != digest_of([["a"]])
    assert digest_of([["1"]]) != digest_of([[1]])


def test_damaged_file_is_reported_not_raised(sealed: Path, tmp_path: Path) -> None:
    """Wherever a page was destroyed, verifying ends with a list."""
    content = sealed.read_bytes()
    chance = random.Random(5)
    for _ in range(12):
        page = chance.randrange(1, len(content) // 4096) * 4096
        path = tmp_path / "tampered.db"
        path.write_bytes(content[:page] + chance.randbytes(4096) + content[page + 4096 :])
        with suppress(WorkspaceError):  # so badly damaged that it does not open
            assert problems(tmp_path)
