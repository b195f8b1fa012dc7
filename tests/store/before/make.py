"""Makes the stored workspaces of a schema that is no more, and writes down what each of them says.

    cd CHECKOUT && PYTHONPATH=$PWD python NEWER/tests/store/before/make.py

CHECKOUT is one that still has that schema (for `m003_conflicts`: cefc5c3), whose code and test builders run;
the files go beside this one. All labels and decisions in them are made up.
"""

from __future__ import annotations

import importlib.util
import json
import lzma
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.exchange import add_decisions, add_pairs, add_proposals, export
from core.records import Action, Assertion, ConceptClass, Draft, Evidence, PairAnswer, Span
from core.store import Workspace, open_workspace, runs
from tests.exchange.test_pair_origins import ROW
from tests.pipeline.conflicts import lab
from tests.store import making, pairing, pathway
from tests.store.making import CONCEPTS, answer, furnish, say

HERE = Path(__file__).parent
Build = Callable[[Workspace, Path], Any]


def begin(db: Any, run: str, settings: dict[str, Any]) -> None:
    fields = {"kind": "concepts", "source": "x", "corpus_id": 1, "ontology_id": None, "fingerprint": "f"}
    runs.begin_run(db, run, settings=settings, **fields)


def decided(workspace: Workspace, curator: str = "alpha", corpus: str = "cases", run: str = "run-1") -> None:
    """Every action there is, on what a run proposes."""
    house = furnish(workspace, 3, corpus=corpus, run=run)
    judge(workspace, house, curator)


def judge(workspace: Workspace, house: making.Furniture, curator: str) -> None:
    shown = {n: (house.proposals[house.item(0, n)],) for n in range(4)}
    say(
        workspace, curator, Action.ACCEPT, house.item(0, 0), shown=shown[0], answer=answer(), milliseconds=900
    )
    fixed = answer(CONCEPTS[3], Assertion.UNCERTAIN, ConceptClass.LOGICALLY_IMPLICIT)
    say(workspace, curator, Action.FIX, house.item(0, 1), shown=shown[1], answer=fixed, note="“Röntgen” 🧠")
    rejected = say(workspace, curator, Action.REJECT, house.item(0, 2), shown=shown[2])
    say(workspace, curator, Action.UNSURE, house.item(0, 3), shown=shown[3], blind=True)
    say(workspace, curator, Action.UNDO, undoes=rejected)
    say(workspace, curator, Action.REJECT, house.item(0, 2), shown=shown[2])
    say(workspace, curator, Action.NOTE, house.item(1, 0), note="look again")
    added = answer("HP:0000252")
    say(workspace, curator, Action.ADD, passage_id=house.passages[1], concept="HP:0000252", answer=added)
    say(workspace, curator, Action.CLOSE, passage_id=house.passages[0])
    say(workspace, curator, Action.REOPEN, passage_id=house.passages[0])
    say(workspace, curator, Action.CLOSE, passage_id=house.passages[2])


def two_curators(workspace: Workspace, _: Path) -> None:
    house = furnish(workspace, 2)
    for curator in ("alpha", "beta"):
        for n in range(4):
            action = Action.REJECT if (n, curator) == (2, "beta") else Action.ACCEPT
            given = {} if action is Action.REJECT else {"answer": answer(CONCEPTS[n])}
            say(
                workspace,
                curator,
                action,
                house.item(0, n),
                shown=(house.proposals[house.item(0, n)],),
                **given,
            )
        say(workspace, curator, Action.CLOSE, passage_id=house.passages[0])
    say(workspace, "gamma", Action.ADJUDICATE, house.item(0, 2), answer=answer(CONCEPTS[2]))


def second_run(workspace: Workspace, _: Path) -> None:
    house = furnish(workspace, 2)
    texts = {p: making.TEXT.format(n=n) for n, p in enumerate(house.passages)}
    with workspace.write() as db:
        making.add_run(db, house.corpus_id, "run-2", texts, CONCEPTS[1:])
    item = house.item(1, 1)
    both = tuple(r[0] for r in workspace.db.execute("SELECT id FROM proposals WHERE item_id = ?", (item,)))
    say(workspace, "alpha", Action.ACCEPT, item, shown=both, answer=answer(CONCEPTS[1]))


def odd_words(workspace: Workspace, _: Path) -> None:
    house = furnish(workspace, 1)
    odd = Draft(
        "HP:0000252",
        'A "quoted" label, a\\backslash,\ta tab, \u202ebackwards, 🧠 and é',
        Assertion.UNCERTAIN,
        ConceptClass.PRAGMATICALLY_IMPLICIT,
        None,
        "",
        (Evidence("nowhere", None, None, False), Evidence("near", 3, 7, False, Assertion.NEGATED)),
        repaired=True,
    )
    with workspace.write() as db:
        runs.begin_run(
            db,
            "odd",
            kind="concepts",
            source="x",
            corpus_id=1,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
        runs.add_proposals(db, "odd", [(house.passages[0], [odd])])
        runs.finish_run(db, "odd")
    row = workspace.db.execute("SELECT item_id, id FROM proposals WHERE run_id = 'odd'").fetchone()
    say(workspace, "beta", Action.REJECT, row[0], shown=(row[1],))


def half_done(workspace: Workspace, _: Path) -> None:
    house = furnish(workspace, 2)
    with workspace.write() as db:
        runs.begin_run(
            db,
            "half",
            kind="concepts",
            source="x",
            corpus_id=1,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
        draft = making.draft(making.TEXT.format(n=0), CONCEPTS[0])
        runs.add_proposals(db, "half", [(house.passages[0], [draft])])


def imported(workspace: Workspace, folder: Path) -> None:
    furnish(workspace, 2)
    file = folder / "silver.jsonl"
    row = {
        "doc_id": "doc-0",
        "annotations": [
            {"concept_id": CONCEPTS[0], "label": "Seizure", "text_span": "seizure", "confidence": 0.5},
            {"concept_id": "HP:0000252", "label": "Microcephaly", "assertion_status": "negated"},
        ],
    }
    file.write_text(json.dumps(row) + "\n", "utf-8")
    add_proposals(workspace, file, run="theirs", source="their tool", corpus="cases")
    say(workspace, "alpha", Action.ACCEPT, 1, shown=(1,), answer=answer())


def pairs_decided(workspace: Workspace, curators: tuple[str, ...] = ("alpha",)) -> None:
    paired = pairing.pair_up(workspace)
    first, second = paired.pairs
    shown = tuple(sorted(paired.labels[f"{first.pair_id}:{o}"] for o in ("model", "heuristic")))
    at = pairing.NORMALISED[1].index("Peru")
    said = pairing.answer(first, spans_b=(Span(at, at + 4, "Peru"),))
    for curator in curators:
        say(workspace, curator, Action.FIX, first.item_id, shown=shown, answer=said, note="Adults, children")
        number = say(workspace, curator, Action.REJECT, second.item_id, blind=True)
        say(workspace, curator, Action.UNDO, undoes=number)
        say(workspace, curator, Action.UNSURE, second.item_id)
    if len(curators) > 1:
        ruling = PairAnswer(second.pair_id, True, pairing.ConflictType.NO_CONFLICT)
        say(workspace, "gamma", Action.ADJUDICATE, second.item_id, answer=ruling)


def curators(workspace: Workspace) -> None:
    for name in making.CURATORS:
        making.decisions.add_curator(workspace, name, name.title())


def pairs_alone(workspace: Workspace, *who: str) -> None:
    curators(workspace)
    pairs_decided(workspace, who or ("alpha",))


def both_kinds(workspace: Workspace, _: Path) -> None:
    """Ids of proposals and of labels overlap."""
    decided(workspace)
    pairs_decided(workspace, ("alpha", "beta"))
    with workspace.write() as db:
        runs.finish_run(db, pairing.RUN)


def by_people(workspace: Workspace, folder: Path, *, twice: bool = False) -> None:
    """Three pairs: one by a person (`twice`: and by rules), one by a model, one by rules."""
    person = {"label_origin": "person", "annotator_id": "alpha"}
    rules = {"label_origin": "heuristic", "annotator_id": "rules", "conflict_type": "no_conflict"}
    rules |= {"divergence_axes": [], "dominant_confounder": None}
    model = {"pair_id": "theirs-2", "claim_b_text": "nobody was able to say why", "evidence_spans": []}
    third = {"pair_id": "theirs-3", "claim_a_text": "Nothing else changed in any of the groups."}
    third["evidence_spans"] = []
    rows = [ROW | person, *([ROW | rules] if twice else []), ROW | model, ROW | rules | third]
    path = folder / "mixed.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    add_pairs(workspace, path, run="mixed", source="elsewhere", corpus="theirs")


def by_people_decided(workspace: Workspace, folder: Path) -> None:
    curators(workspace)
    by_people(workspace, folder)
    pairs = workspace.db.execute("SELECT id, concept FROM items WHERE kind = 'pair'").fetchall()
    for item, pair in pairs:
        labels = workspace.db.execute("SELECT id FROM pair_labels WHERE item_id = ?", (item,)).fetchall()
        given = PairAnswer(pair, False, pairing.ConflictType.NO_CONFLICT)
        say(workspace, "beta", Action.FIX, item, shown=tuple(row[0] for row in labels), answer=given)


def offline_pairs(workspace: Workspace, _: Path) -> None:
    curators(workspace)
    lab.fill(workspace, 12)
    lab.label(workspace)


def half_done_pairs(workspace: Workspace, folder: Path) -> None:
    offline_pairs(workspace, folder)
    with workspace.write() as db:
        runs.reopen_run(db, "r")


def log_from_elsewhere(workspace: Workspace, folder: Path) -> None:
    with open_workspace(folder / "other.db") as other:
        decided(other)
        pairs_decided(other)
        export(other, "decisions", folder / "log.jsonl")
    furnish(workspace, 3)
    pairing.pair_up(workspace)
    add_decisions(workspace, folder / "log.jsonl")


def two_corpora(workspace: Workspace, _: Path) -> None:
    decided(workspace)
    decided(workspace, "beta", "notes", "run-notes")


def asked(workspace: Workspace, _: Path) -> None:
    curators(workspace)
    pathway.fill(workspace)
    item, proposal = workspace.db.execute("SELECT item_id, id FROM proposals ORDER BY id").fetchone()
    say(workspace, "alpha", Action.REJECT, item, shown=(proposal,))


def oracle(workspace: Workspace, _: Path) -> None:
    house = furnish(workspace, 1)
    settings = {"oracle": "sentences", "gold": "imported:cases@1"}
    with workspace.write() as db:
        begin(db, "seen", settings)
        runs.add_proposals(
            db, "seen", [(house.passages[0], [making.draft(making.TEXT.format(n=0), CONCEPTS[2])])]
        )
        runs.finish_run(db, "seen")
        db.execute("UPDATE runs SET status = 'failed' WHERE id = 'seen'")


WORKSPACES: dict[str, Build] = {
    "empty": lambda workspace, _: None,
    "proposed": lambda workspace, _: furnish(workspace, 3),
    "decided": lambda workspace, _: decided(workspace),
    "two_curators": two_curators,
    "second_run": second_run,
    "odd_words": odd_words,
    "half_done": half_done,
    "imported": imported,
    "two_corpora": two_corpora,
    "asked": asked,
    "oracle": oracle,
    "pairs": lambda workspace, _: pairing.pair_up(workspace),
    "pairs_decided": lambda workspace, _: pairs_alone(workspace),
    "pairs_two_curators": lambda workspace, _: pairs_alone(workspace, "alpha", "beta"),
    "both_kinds": both_kinds,
    "by_people": by_people,
    "by_people_decided": by_people_decided,
    "person_and_rules": lambda workspace, folder: by_people(workspace, folder, twice=True),
    "offline_pairs": offline_pairs,
    "half_done_pairs": half_done_pairs,
    "log_from_elsewhere": log_from_elsewhere,
}


def main() -> None:
    spec = importlib.util.spec_from_file_location("said", HERE / "said.py")
    assert spec is not None
    assert spec.loader is not None
    reading = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reading)
    told: dict[str, Any] = {}
    for name, build in WORKSPACES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.db"
            with open_workspace(path) as workspace:
                build(workspace, Path(folder))
                told[name] = reading.said(workspace, Path(folder))
                workspace.db.execute("VACUUM")
                workspace.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (HERE / f"{name}.db.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))
        print(
            f"{name}: {len(told[name]['links'])} decisions, {len(told[name]['runs'])} runs", file=sys.stderr
        )
    (HERE / "said.json").write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
