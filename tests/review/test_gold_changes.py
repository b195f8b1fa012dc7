"""From a missing concept to corrected gold, by hand: who may confirm, what holds, and what every reader says.

The workspace is that of the audit tests: hypotonia and cataract are proposed in d2 and d3, and gold lacks
them. Precision of the run against imported gold: of five proposals in scope the seizure of d2 alone is right.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError, NotFoundError
from core.evaluate import (
    evaluate_file,
    evaluation_tables,
    read_statuses,
    report_markdown,
    score_several,
)
from core.evaluate.inputs.gold import corpus_of, gold_of_workspace
from core.evaluate.reviewed import evaluate_run
from core.evaluate.settings import Settings
from core.exchange import export
from core.kinds.gold_change import change_of
from core.pipeline import oracle
from core.records import Action, Answer, Assertion, ConceptClass, ErrorType, NewDecision, Span
from core.review.audit import Audit, audited, draw_audit
from core.review.changes import all_changes
from core.store import Workspace, decisions, ontologies
from core.store.curators import add_curator
from core.store.gold import gold_set, list_references
from tests.review.auditing import GOLD, change, drawn, item, say, with_gold
from tests.review.clinic import CATARACT, FOCAL, HYPOTONIA, SEIZURE, add_run, draft

CORRECTED = "corrected@{}:ward@1"
WARD = "the imported gold ward, version 1"


@pytest.fixture
def found(workspace: Workspace) -> dict[str, int]:
    """Alpha says that gold lacks the hypotonia of d2; decision 1."""
    places = with_gold(workspace)
    add_curator(workspace, "gamma", "Gamma")
    drawn(workspace)
    assert say(workspace, "alpha", item(workspace, "d2", HYPOTONIA), ErrorType.MISSING_GOLD) == 1
    return places


def undo(workspace: Workspace, curator: str, number: int) -> int:
    log = len(list(decisions.decisions(workspace)))
    (done,) = decisions.append(workspace, [NewDecision(f"u{log}", curator, Action.UNDO, undoes=number)])
    assert done.number is not None
    return done.number


def subjects(workspace: Workspace, items: list[int]) -> list[str]:
    return [
        workspace.db.execute("SELECT subject FROM items WHERE id = ?", (one,)).fetchone()[0] for one in items
    ]


def test_a_change_waits_for_everybody_else(workspace: Workspace, found: dict[str, int]) -> None:
    assert all_changes(workspace, "ward", "alpha") == []  # nobody confirms what only they found
    waiting = all_changes(workspace, "ward", "beta")
    assert subjects(workspace, waiting) == [change_of(GOLD, HYPOTONIA)]
    assert all_changes(workspace, "ward", "gamma") == waiting == all_changes(workspace, "ward", "beta")
    change(workspace, "beta", found["d2"], HYPOTONIA, Action.REJECT)
    change(workspace, "gamma", found["d2"], HYPOTONIA, Action.ACCEPT)
    assert all_changes(workspace, "ward", "beta") == all_changes(workspace, "ward", "gamma") == waiting
    with pytest.raises(NotFoundError, match="ward"):
        all_changes(workspace, "none", "beta")


def test_whoever_only_reads_makes_no_item(workspace: Workspace, found: dict[str, int]) -> None:
    workspace.read_only = True
    assert all_changes(workspace, "ward", "beta") == []
    workspace.read_only = False
    assert len(all_changes(workspace, "ward", "beta")) == 1


def test_two_who_found_the_same_may_each_confirm_the_other(
    workspace: Workspace, found: dict[str, int]
) -> None:
    say(workspace, "beta", item(workspace, "d2", HYPOTONIA), ErrorType.MISSING_GOLD)
    assert len(all_changes(workspace, "ward", "alpha")) == len(all_changes(workspace, "ward", "beta")) == 1
    change(workspace, "alpha", found["d2"], HYPOTONIA, Action.ACCEPT)
    assert HYPOTONIA in gold_set(workspace, CORRECTED.format("now"), "ward").documents["d2"]


def test_corrected_gold_is_imported_gold_with_what_two_curators_hold(
    workspace: Workspace, found: dict[str, int]
) -> None:
    """Decisions: 1 missing (alpha), 2 accepted by alpha, 3 by beta as uncertain, 4 undone, 5 again affirmed,
    6 alpha takes the 1 back."""
    assert list_references(workspace, "ward") == [GOLD]
    change(workspace, "alpha", found["d2"], HYPOTONIA, Action.ACCEPT)
    answer = Answer(
        HYPOTONIA, "Hypotonia", Assertion.UNCERTAIN, ConceptClass.EXPLICIT, (Span(27, 36, "Hypotonia"),)
    )
    subject = change_of(GOLD, HYPOTONIA)
    decisions.append(
        workspace,
        [NewDecision("b", "beta", Action.ACCEPT, passage_id=found["d2"], subject=subject, answer=answer)],
    )
    assert list_references(workspace, "ward") == [GOLD, CORRECTED.format("now")]
    assert undo(workspace, "beta", 3) == 4
    assert list_references(workspace, "ward") == [GOLD]
    change(workspace, "beta", found["d2"], HYPOTONIA, Action.ACCEPT)
    assert undo(workspace, "alpha", 1) == 6

    def held(number: object) -> Assertion | None:
        gold = gold_set(workspace, CORRECTED.format(number), "ward")
        assert gold.reference == CORRECTED.format(6 if number == "now" else number)
        assert gold.recall_documents == {"d1", "d2", "d3"}
        imported = gold_set(workspace, GOLD, "ward").documents
        assert {d: held for d, held in gold.documents.items() if d != "d2"} == {
            d: held for d, held in imported.items() if d != "d2"
        }
        assert gold.documents["d2"][SEIZURE] is Assertion.AFFIRMED
        return gold.documents["d2"].get(HYPOTONIA)

    assert [held(number) for number in range(7)] == [
        *(None, None, None, Assertion.UNCERTAIN, None, Assertion.AFFIRMED, None),
    ]
    assert held("now") is None


def test_every_reader_of_gold_takes_it(workspace: Workspace, found: dict[str, int], tmp_path: Path) -> None:
    """Against imported gold 1 of 5 proposals in scope is right, against the corrected one 2 of 5."""
    answer = Answer(
        HYPOTONIA, "Hypotonia", Assertion.AFFIRMED, ConceptClass.EXPLICIT, (Span(27, 36, "Hypotonia"),)
    )
    subject = change_of(GOLD, HYPOTONIA)
    decisions.append(
        workspace,
        [NewDecision("b", "beta", Action.ACCEPT, passage_id=found["d2"], subject=subject, answer=answer)],
    )
    result = evaluate_run(workspace, "alpha", CORRECTED.format("now"), Settings(bootstrap=0))
    assert result.before.gold == CORRECTED.format(2)
    assert result.before.exhaustive is True
    assert result.before.estimate("micro_precision").value == pytest.approx(2 / 5)
    assert result.uncorrected is not None
    assert result.uncorrected.gold == GOLD
    assert result.uncorrected.estimate("micro_precision").value == pytest.approx(1 / 5)
    plain = evaluate_run(workspace, "alpha", GOLD, Settings(bootstrap=0))
    assert plain.uncorrected is None
    assert result.uncorrected.families["corpus"].estimates == plain.before.families["corpus"].estimates
    titles = [table.title for table in evaluation_tables(result)]
    corrected = f"alpha against {WARD}, with confirmed changes, up to decision 2"
    assert titles[:2] == [corrected, f"alpha against {WARD}"]
    report = report_markdown(result)
    assert f"alpha against {WARD}\n" in report
    assert CORRECTED.format(2) in report

    mentions = gold_of_workspace(workspace, CORRECTED.format("now"), "ward").mentions()
    assert [(m.concept, m.start, m.end) for m in mentions["d2"]] == [
        (SEIZURE, None, None),
        (HYPOTONIA, 27, 36),
    ]

    export(workspace, "gold", tmp_path / "gold.json", gold=CORRECTED.format("now"))
    written = json.loads((tmp_path / "gold.json").read_text("utf-8"))
    assert written["metadata"]["version"] == CORRECTED.format(2)
    again = read_statuses(tmp_path / "gold.json")
    assert again.documents == gold_set(workspace, CORRECTED.format("now"), "ward").documents
    export(workspace, "gold", tmp_path / "plain.json", gold=GOLD)
    assert read_statuses(tmp_path / "plain.json").documents == gold_set(workspace, GOLD, "ward").documents

    assert corpus_of(workspace, CORRECTED.format("now")) == "ward"
    by_file = evaluate_file(workspace, tmp_path / "gold.json", CORRECTED.format("now"), Settings(bootstrap=0))
    assert by_file.gold == CORRECTED.format(2)
    assert by_file.estimate("micro_f1").value == 1.0
    several = score_several(workspace, ["alpha"], CORRECTED.format("now"), Settings(bootstrap=0))
    assert several.gold == CORRECTED.format(2)
    chosen = oracle.choose(workspace, "ward", "sentences", CORRECTED.format("now"))
    assert chosen is not None
    asked = oracle.read(workspace, "ward", ontologies.list_ontologies(workspace)[0].id, chosen)
    assert asked.places == {"d2": {HYPOTONIA: [Span(27, 36, "Hypotonia")]}}

    draw_audit(workspace, Audit("alpha", CORRECTED.format("now"), 3, name="next"))
    assert {(one.doc_id, one.concept) for one in audited(workspace, "next")} == {
        *(("d1", SEIZURE), ("d1", HYPOTONIA), ("d3", CATARACT)),
    }
    says = say(workspace, "gamma", item(workspace, "d3", CATARACT, "next"), ErrorType.MISSING_GOLD)
    assert subjects(workspace, all_changes(workspace, "ward", "alpha")) == [change_of(GOLD, CATARACT)]
    change(workspace, "alpha", found["d3"], CATARACT, Action.ACCEPT)
    assert CATARACT in gold_set(workspace, CORRECTED.format("now"), "ward").documents["d3"]
    assert CATARACT not in gold_set(workspace, CORRECTED.format(says), "ward").documents["d3"]


def test_a_change_gives_a_concept_another_status(
    workspace: Workspace, found: dict[str, int], tmp_path: Path
) -> None:
    """The cataract of d1 is negated in gold; a file of corrected gold holds the new status alone."""
    add_run(workspace, {found["d1"]: [draft(CATARACT)]}, "beta")
    draw_audit(workspace, Audit("beta", GOLD, 1, name="b"))
    say(workspace, "alpha", item(workspace, "d1", CATARACT, "b"), ErrorType.MISSING_GOLD)
    change(workspace, "beta", found["d1"], CATARACT, Action.ACCEPT)
    gold = gold_set(workspace, CORRECTED.format("now"), "ward")
    assert gold.documents["d1"] == {FOCAL: Assertion.AFFIRMED, CATARACT: Assertion.AFFIRMED}
    export(workspace, "gold", tmp_path / "gold.jsonl", gold=gold.reference)
    assert read_statuses(tmp_path / "gold.jsonl").documents == gold.documents
    mentions = gold_of_workspace(workspace, gold.reference, "ward").mentions()["d1"]
    assert [m.assertion for m in mentions if m.concept == CATARACT] == [Assertion.AFFIRMED]


def test_other_forms_are_refused_by_name(workspace: Workspace, found: dict[str, int]) -> None:
    with pytest.raises(NotFoundError, match=r"'none@1'.*Known: corrected@now:ward@1"):
        gold_set(workspace, "corrected@now:none@1", "ward")
    with pytest.raises(NotFoundError, match="9"):
        gold_set(workspace, CORRECTED.format(9), "ward")
    with pytest.raises(InputError, match="corrected@NUMBER:NAME@VERSION"):
        gold_set(workspace, "corrected@x:ward@1", "ward")
    with pytest.raises(InputError, match=r"is no gold reference\. Write imported:NAME@VERSION, corrected@"):
        gold_set(workspace, "ward@1", "ward")
    with pytest.raises(InputError, match="asked what people decided: write reviewed@NUMBER:POLICY"):
        evaluate_run(workspace, "alpha", GOLD, review=CORRECTED.format("now"))


def test_whoever_only_audits_has_no_reviewed_gold(workspace: Workspace, found: dict[str, int]) -> None:
    change(workspace, "beta", found["d2"], HYPOTONIA, Action.ACCEPT)
    assert list_references(workspace, "ward") == [GOLD, CORRECTED.format("now")]
    assert evaluate_run(workspace, "alpha", GOLD, Settings(bootstrap=0)).after is None


def test_by_the_command_line(workspace: Workspace, found: dict[str, int]) -> None:
    change(workspace, "beta", found["d2"], HYPOTONIA, Action.ACCEPT)

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, ["--workspace", str(workspace.path), *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    words = ("evaluate", "alpha", "--gold", CORRECTED.format("now"), "--bootstrap", "0")
    made = json.loads(run(*words, "--json"))
    assert (made["gold"], made["uncorrected"]["gold"]) == (CORRECTED.format(2), GOLD)
    said = run(*words)
    assert f"alpha against {WARD}, with confirmed changes, up to decision 2" in said
    assert f"alpha against {WARD}\n" in said
    assert FOCAL not in said
