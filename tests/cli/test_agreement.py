"""touchstone agreement: of two curators it prints what scikit-learn, statsmodels and krippendorff make of the
decisions that `export decisions` writes."""

import json
import random
from pathlib import Path

import krippendorff
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from core.records import Action, Answer, Assertion, Axis, ConceptClass, Document, Draft, NewDecision
from core.store import corpora, decisions, open_workspace, proposals, runs
from tests.cli.test_flow import done, refused, run
from tests.store import pairing

ITEMS = 30
CURATORS = ("alpha", "beta")
NEAR = 1e-9
CHANGED = {"alpha": (0.15, 0.3, 0.5), "beta": (0.1, 0.35, 0.6)}
"""Up to which chance a curator rejects, changes the status, changes the class; else accepts."""

MEANT = (ConceptClass.EXPLICIT, ConceptClass.LOGICALLY_IMPLICIT)


def concept(n: int) -> str:
    return f"HP:{n:07}"


def answered(curator: str, n: int, chance: random.Random) -> NewDecision:
    reject, status, meant = CHANGED[curator]
    drawn = chance.random()
    said = {
        "assertion": Assertion.NEGATED if reject <= drawn < status else Assertion.AFFIRMED,
        "concept_class": MEANT[status <= drawn < meant],
    }
    action = Action.REJECT if drawn < reject else Action.FIX if drawn < meant else Action.ACCEPT
    answer = None if drawn < reject else Answer(concept(n), f"concept {n}", **said)
    return NewDecision(f"{curator}-{n}", curator, action, passage_id=n, subject=concept(n), answer=answer)


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty passages with a proposal each, of which a second run made the first ten, too; two curators."""
    path = tmp_path_factory.mktemp("agreement") / "ward.db"
    chance = random.Random(11)
    with open_workspace(path) as workspace:
        with workspace.write() as db:
            corpus = corpora.create_corpus(db, "ward")
            documents = [Document(f"d{n:02}", f"Passage {n}.") for n in range(1, ITEMS + 1)]
            passages = [passage for passage, _ in corpora.insert_passages(db, corpus, documents)]
            assert passages == list(range(1, ITEMS + 1))
            for name, held in (("all-1", passages), ("some-1", passages[:10])):
                runs.begin_run(
                    db, name, kind="concepts", source="lexicon", corpus_id=corpus, ontology_id=None,
                    settings={}, fingerprint="f",
                )  # fmt: skip
                proposals.add(db, name, [(p, [Draft(concept(p), f"concept {p}")]) for p in held])
                runs.finish_run(db, name)
        for curator in CURATORS:
            decisions.add_curator(workspace, curator, curator.title())
            made = [answered(curator, n, chance) for n in passages]
            assert [o.refused for o in decisions.append(workspace, made)] == [None] * ITEMS
    return path


@pytest.fixture(scope="module")
def exported(annotated: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    out = tmp_path_factory.mktemp("exported") / "decisions.jsonl"
    done(annotated, "export", "decisions", "--out", out)
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def by_curator(exported: list[dict], field: str) -> dict[tuple[str, str], str]:
    return {(r["doc_id"], r["curator"]): r["answer"][field] if r["answer"] else "absent" for r in exported}


def said(exported: list[dict], field: str, documents: int = ITEMS) -> list[tuple[str, str]]:
    """What the two say of each item that one of them names, read from the exported rows alone."""
    of = by_curator(exported, field)
    names = [f"d{n:02}" for n in range(1, documents + 1)]
    both = [(of[name, "alpha"], of[name, "beta"]) for name in names]
    return [pair for pair in both if pair != ("absent", "absent")]


@pytest.mark.parametrize(
    ("words", "field", "documents"),
    [
        ((), "assertion", ITEMS),
        (("--field", "class"), "class", ITEMS),
        (("--run", "some-1"), "assertion", 10),
    ],
)
def test_values_are_those_of_the_libraries_on_the_exported_decisions(
    annotated: Path, exported: list[dict], words: tuple[str, ...], field: str, documents: int
) -> None:
    found = done(annotated, "agreement", "--corpus", "ward", *words)
    pairs = said(exported, field, documents)
    alpha, beta = zip(*pairs, strict=True)
    (row,) = found["tables"]["pairs"]["rows"]
    assert (row["items"], row["differ"]) == (len(pairs), sum(a != b for a, b in pairs))
    assert row["kappa"]["value"] == pytest.approx(cohen_kappa_score(alpha, beta), abs=NEAR)
    assert found["estimates"]["kappa:Alpha, Beta"] == row["kappa"]
    codes = {label: code for code, label in enumerate(sorted({*alpha, *beta}))}
    coded = [[codes[label] for label in side] for side in (alpha, beta)]
    expected = krippendorff.alpha(reliability_data=coded, level_of_measurement="nominal")
    assert found["estimates"]["alpha"]["value"] == pytest.approx(expected, abs=NEAR)
    table, _ = aggregate_raters(list(zip(*coded, strict=True)))
    assert found["estimates"]["fleiss"]["value"] == pytest.approx(fleiss_kappa(table), abs=NEAR)
    for value in (row["kappa"], row["alpha"], row["observed"], found["estimates"]["fleiss"]):
        assert value["low"] <= value["value"] <= value["high"]
        assert value["n"] == documents


def test_the_items_on_which_they_differ_stand_with_what_each_says(
    annotated: Path, exported: list[dict]
) -> None:
    found = done(annotated, "agreement", "--corpus", "ward", "--bootstrap", 0)
    assert [found[name] for name in ("corpus", "run", "kind", "field")] == [
        "ward",
        None,
        "concepts",
        "status",
    ]
    assert found["curators"] == [{"id": "alpha", "name": "Alpha"}, {"id": "beta", "name": "Beta"}]
    of = by_curator(exported, "assertion")
    expected = {
        name: {c: of[name, c] for c in CURATORS}
        for name in sorted({doc_id for doc_id, _ in of})
        if of[name, "alpha"] != of[name, "beta"]
    }
    assert {row["doc_id"]: row["said"] for row in found["differing"]} == expected
    assert expected


def test_pairs_are_asked_for_by_naming_their_run(tmp_path: Path) -> None:
    path = tmp_path / "pairs.db"
    with open_workspace(path) as workspace:
        one, two = pairing.pair_up(workspace).pairs
        for curator, third in (("alpha", Axis.GEOGRAPHY), ("beta", Axis.POPULATION_COHORT)):
            decisions.add_curator(workspace, curator, curator.title())
            answers = [pairing.answer(one), pairing.answer(two, axes=(third,), confounder=third)]
            made = [
                NewDecision(f"{curator}-{n}", curator, Action.FIX, item_id=pair.item_id, answer=answer)
                for n, (pair, answer) in enumerate(zip((one, two), answers, strict=True))
            ]
            assert [o.refused for o in decisions.append(workspace, made)] == [None, None]
    found = done(path, "agreement", "--corpus", pairing.CORPUS, "--run", pairing.RUN, "--field", "confounder")
    assert (found["run"], found["kind"]) == (pairing.RUN, "pairs")
    (row,) = found["differing"]
    assert (row["id"], row["said"]) == (two.pair_id, {"alpha": "geography", "beta": "population_cohort"})
    (table,) = found["tables"]["pairs"]["rows"]
    geography, both = "geography", ("geography", "geography")
    expected = cohen_kappa_score(both, (geography, "population_cohort"))
    assert table["kappa"]["value"] == pytest.approx(expected, abs=NEAR)
    fields = {row["answer"]: row["differ"] for row in found["tables"]["fields"]["rows"]}
    assert fields == {"confounder": 1, "axes": 1, "conflict type": 0, "comparable": 0}
    classes = {row["proposed_as"]: row["items"] for row in found["tables"]["classes"]["rows"]}
    assert classes == {"contextual contradiction": 1, "no conflict": 1}


def test_it_prints_what_the_page_shows(annotated: Path) -> None:
    shown = run(annotated, "agreement", "--corpus", "ward", "--bootstrap", 100)
    assert shown.returncode == 0, shown.stderr
    for part in (
        "All curators together",
        "Every two curators",
        "Alpha, Beta",
        "They differ on",
        "Curators are not asked how sure",
    ):
        assert part.lower() in shown.stdout.lower(), part


def test_what_is_undefined_is_null_and_says_why(tmp_path: Path, annotated: Path) -> None:
    copy = tmp_path / "one.db"
    with open_workspace(annotated) as workspace:
        workspace.db.execute("VACUUM INTO ?", (str(copy),))
    with open_workspace(copy) as workspace:
        decisions.add_curator(workspace, "gamma", "Gamma")
        answer = Answer(concept(99), "concept 99", Assertion.AFFIRMED, ConceptClass.EXPLICIT)
        new = NewDecision("g-1", "gamma", Action.ADD, passage_id=1, subject=concept(99), answer=answer)
        assert decisions.append(workspace, [new])[0].refused is None
    rows = done(copy, "agreement", "--corpus", "ward")["tables"]["pairs"]["rows"]
    (row,) = [row for row in rows if row["curators"] == "Alpha, Gamma"]
    assert (row["items"], row["kappa"]["value"], row["alpha"]["value"], row["observed"]["value"]) == (
        0,
        *[None] * 3,
    )
    assert row["kappa"]["reason"] == "No item was rated by both."


def test_one_curator_alone_and_wrong_words_are_told(annotated: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    with open_workspace(empty) as workspace, workspace.write() as db:
        corpora.create_corpus(db, "ward")
    found = done(empty, "agreement", "--corpus", "ward")
    assert "there is none" in found["absent"]
    assert (found["estimates"], found["tables"], found["differing"]) == ({}, {}, [])
    refused(run(annotated, "agreement", "--corpus", "clinic"), "clinic", "ward")
    refused(run(annotated, "agreement", "--corpus", "ward", "--kind", "words"), "'words'", "concepts, pairs")
    refused(run(annotated, "agreement", "--corpus", "ward", "--field", "axes"), "'axes'", "status")
    refused(run(annotated, "agreement", "--corpus", "ward", "--run", "none"), "none", "all-1")
