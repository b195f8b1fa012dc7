"""The demo workspace tells what `data/README.md` says of it, on every page."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from core import evaluate as scoring
from core import review
from core.cli.demo import OLDER, build_demo, is_older, is_used
from core.evaluate.estimated import estimated
from core.exchange import export
from core.ontology.versions import Kind
from core.records import Action, ConflictType, ErrorType, NewDecision
from core.review.audit import audited
from core.review.explore import difference
from core.store import Workspace, decisions, ontologies, open_workspace, pairs, runs
from core.store.chain import verify
from core.store.curators import add_curator
from core.store.gold import gold_set
from tests.pages import reader
from tests.review.seat import Seat

DATA = Path(__file__).parents[2] / "data" / "demo"
SILVER, LEXICON = "demo-silver", "lexicon-demo-hpo-demo"
IMPORTED, CORRECTED = "imported:demo@1", "corrected@now:demo@1"
LACKING = {("demo-033", "HP:0000421"), ("demo-035", "HP:0002019")}
"""Epistaxis and Constipation, which the texts support and the gold was made without."""
VISITOR = "visitor"
Found = set[tuple[str, str]]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("demo") / "demo.db"
    build_demo(built)
    with open_workspace(built) as workspace:
        add_curator(workspace, VISITOR, "Visitor")
    return built


@pytest.fixture
def demo(path: Path):
    with open_workspace(path) as workspace:
        yield workspace


def present(file: str) -> Found:
    """What a file of concept documents says is there, affirmed or uncertain, by plain reading."""
    documents = json.loads((DATA / file).read_text(encoding="utf-8"))["documents"]
    return {
        (d["doc_id"], a["concept_id"])
        for d in documents
        for a in d["annotations"]
        if a["assertion_status"] != "negated"
    }


def test_only_the_workspace_is_left_of_building_it(path: Path) -> None:
    assert [one.name for one in path.parent.iterdir() if ".part" in one.name] == []


def said(log: Path) -> list[dict[str, object]]:
    """Rows of a decision log without what names a place in one database."""
    rows = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return [{name: row[name] for name in row if name not in ("base", "link")} for row in rows]


# --- an older one -----------------------------------------------------------------------------------------


@pytest.fixture
def old(path: Path, tmp_path: Path) -> Path:
    """Built before a file of the demonstration was changed."""
    old = shutil.copy(path, tmp_path / "demo.db")
    with open_workspace(old) as workspace, workspace.write() as db:
        db.execute("UPDATE corpora SET sha256 = ? WHERE name = 'demo'", ("0" * 64,))
    return Path(old)


def test_one_of_today_is_not_older(demo: Workspace) -> None:
    assert not is_older(demo)
    assert not is_used(demo)


def test_an_older_one_that_nobody_used_is_built_anew(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build_demo(old, replace=False)
    with open_workspace(old) as workspace:
        assert is_older(workspace)
    assert OLDER in capsys.readouterr().err
    build_demo(old)
    with open_workspace(old) as workspace:
        assert not is_older(workspace)


def test_an_older_one_in_which_somebody_decided_is_kept_and_says_so(
    old: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_workspace(old) as workspace:
        item = workspace.db.execute("SELECT min(id) FROM items WHERE kind = 'concept'").fetchone()[0]
        new = NewDecision("mine", VISITOR, Action.REJECT, item_id=item)
        assert decisions.append(workspace, [new])[0].refused is None
    build_demo(old)
    assert OLDER in capsys.readouterr().err
    with open_workspace(old) as workspace:
        assert is_older(workspace)
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(old))
    assert [one.value for one in reader.open_page("pages/start/start.py").info] == [OLDER]


# --- what it says of itself -------------------------------------------------------------------------------


def test_every_run_is_the_offline_annotators_or_says_that_it_was_written_by_hand(demo: Workspace) -> None:
    sources = {run.id: run.source for run in runs.list_runs(demo)}
    assert sources.pop(LEXICON).startswith("lexicon ")
    assert sources.pop("lexicon-demo-abstracts-hpo-demo").startswith("lexicon ")
    assert sources == {
        "demo-pairs": "written by hand for the demonstration",
        "demo-silver-pairs": "written by hand for the demonstration, in the manner of a careless model",
        SILVER: "written by hand for the demonstration, in the manner of a careless model",
    }


def test_its_history_is_proven_and_is_that_of_the_file(demo: Workspace, tmp_path: Path) -> None:
    assert verify(demo).problems == verify(demo).skipped == ()
    export(demo, "decisions", tmp_path / "log.jsonl")
    assert said(tmp_path / "log.jsonl") == said(DATA / "decisions.jsonl")


# --- what a newcomer meets --------------------------------------------------------------------------------


def test_the_desk_opens_with_a_concept_that_is_inferred(demo: Workspace) -> None:
    seat = Seat(demo, VISITOR, review.Filters("demo"), lambda item: "accept")
    reply = seat.say(want=5)
    first = seat.views[seat.held[0]]
    model, annotator = first["proposals"]
    assert first["label"] == "Microcephaly"
    assert (model["class"], model["reason"]) == ("logically_implicit", "-3.4 SD is below -2 SD.")
    assert annotator["evidence"][0]["quote"] in model["evidence"][0]["quote"], "it reads the same number"
    # then a plain error, what the model overlooked, and two of the brother
    assert [seat.views[item]["label"] for item in seat.held[1:]] == [
        "Spasticity",
        "Abnormal reflex",
        "Delayed speech and language development",
        "Autism",
    ]
    assert reply["progress"]["settled"] < reply["progress"]["total"] / 3


@pytest.mark.parametrize(
    "filters",
    [
        review.PairFilters("demo-abstracts"),
        review.AdjudicationFilters("demo"),
        review.AdjudicationFilters("demo-abstracts", "pair"),
        review.ListingFilters("error", "demo", name="demo-audit"),
    ],
)
def test_every_other_desk_has_work(demo: Workspace, filters: review.AnyFilters) -> None:
    seat = Seat(demo, VISITOR, filters, lambda item: "accept")
    seat.say(want=3)
    assert seat.held


@pytest.mark.parametrize(
    "page",
    [
        "audit/error_taxonomy",
        "reports/metrics",
        "reports/conflict_metrics",
        "reports/generalisation",
        "reports/trees",
        "reports/agreement",
        "reports/runs",
        "explore/versions",
    ],
)
def test_no_report_is_empty(path: Path, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    opened = reader.open_page(f"pages/{page}.py", curator=VISITOR)
    assert not opened.error
    assert [*opened.metric, *opened.dataframe, *opened.get("plotly_chart")]


def test_where_errors_come_from_is_drawn_when_it_is_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    page = "pages/audit/error_taxonomy.py"
    assert len(reader.open_page(page).get("plotly_chart")) == 1
    opened = reader.open_page(page, open="error_taxonomy.by_class/class:")
    assert len(opened.get("plotly_chart")) > 1


def test_the_brief_opens_on_claims_that_disagree(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    opened = reader.open_page("pages/explore/brief.py")
    assert opened.text_input(key="brief.about").value == "home vitamin falls"
    assert [one.value for one in opened.header[:2]] == ["For (1)", "Against (1)"]
    opened = reader.checked(opened.button(key="brief.such1").click().run())
    assert opened.text_input(key="brief.about").value == "ciprofloxacin disk failure resistant isolate"
    assert [one.value for one in opened.header[:2]] == ["For (1)", "Against (1)"]
    assert not reader.choose(opened, brief__about="").header


def test_two_releases_differ_a_little_and_the_newer_one_is_in_force(demo: Workspace) -> None:
    assert ontologies.find_ontology(demo, "hpo-demo").version == "demo-1"
    found = difference(demo, "hpo-demo@demo-0", "hpo-demo@demo-1")
    changed = {(one.kind, one.curie) for one in found.changes}
    # read off `diff data/demo/hpo-demo-older.obo data/demo/hpo-demo.obo`
    assert changed == {
        (Kind.ADDED, "HP:0031936"),
        (Kind.ADDED, "HP:0040195"),
        (Kind.MERGED, "HP:0001318"),
        (Kind.RENAMED, "HP:0001250"),
        (Kind.RENAMED, "HP:0001252"),
        (Kind.MOVED, "HP:0000252"),  # below an inserted concept
        (Kind.MOVED, "HP:0002373"),
        (Kind.MOVED, "HP:0003391"),
        (Kind.MOVED_AWAY, "HP:0000716"),
        (Kind.EXTENDED, "HP:0000240"),
        (Kind.EXTENDED, "HP:0002194"),
        (Kind.REDEFINED, "HP:0003391"),
        (Kind.SYNONYMS, "HP:0002900"),
        (Kind.SYNONYMS, "HP:0001250"),  # the former names are synonyms now
        (Kind.SYNONYMS, "HP:0001252"),
    }


@pytest.mark.parametrize(
    ("page", "corpus"), [("concept_labels", "demo"), ("conflict_labels", "demo-abstracts")]
)
def test_desks_open_on_the_texts_of_the_story(
    path: Path, monkeypatch: pytest.MonkeyPatch, page: str, corpus: str
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    opened = reader.open_page(f"pages/review/{page}.py", curator=VISITOR)
    assert opened.selectbox(key=f"{page}.corpus").value == corpus


def test_two_runs_are_compared_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    opened = reader.open_page("pages/reports/runs.py", curator=VISITOR)
    opened = reader.choose(opened, runs__view="compare")
    assert [box.value for box in opened.selectbox if box.label.startswith("Run ")] == [LEXICON, SILVER]
    assert len(opened.dataframe) > 0
    assert [one.proto.label for one in opened.sidebar.get("download_button")] == ["Save as report"]


def test_metrics_open_with_the_run_that_people_review(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    assert reader.open_page("pages/reports/metrics.py").selectbox(key="metrics.run").value == SILVER
    conflicts = reader.open_page("pages/reports/conflict_metrics.py")
    assert conflicts.selectbox(key="conflict_metrics.run").value == "demo-silver-pairs"
    assert str(conflicts.selectbox(key="conflict_metrics.gold").value).startswith("imported:demo-pairs@")


# --- concepts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gold", [IMPORTED, CORRECTED])
def test_review_raises_the_score(demo: Workspace, gold: str) -> None:
    found = scoring.evaluate_run(demo, SILVER, gold, scoring.Settings(bootstrap=200))
    held = present("passages.json") | (LACKING if gold == CORRECTED else set())
    silver = present("silver.json")
    f1 = 2 * len(held & silver) / (len(held) + len(silver))
    assert found.before.estimate("micro_f1").value == pytest.approx(f1)
    for name in ("micro_f1", "macro_f1", "micro_precision", "micro_recall"):
        change = found.change("corpus", name)
        assert change is not None
        assert (change.low or 0) > 0, name


def test_gold_lacks_two_concepts_that_the_audit_found(demo: Workspace) -> None:
    imported, corrected = (gold_set(demo, gold, "demo").documents for gold in (IMPORTED, CORRECTED))
    added = {(d, c) for d, held in corrected.items() for c in held if c not in imported[d]}
    assert added == LACKING
    assert present("silver.json") >= LACKING


def test_forty_errors_of_all_types_are_audited_and_some_are_left(demo: Workspace) -> None:
    found = Counter(row.error for row in audited(demo, "demo-audit"))
    assert found.pop(None) == 8
    assert set(found) == set(ErrorType)
    assert found.total() == 40
    assert found[ErrorType.MISSING_GOLD] == len(LACKING)


def test_a_frame_of_sixty_decisions_tells_how_much_is_right(demo: Workspace) -> None:
    found = estimated(demo, "demo-frame")
    assert (found.frame.run, found.counted) == (SILVER, 60)
    assert found.answered_blind == found.blind > 0
    precision = found.figures["precision"]
    silver = present("silver.json")
    right = len(silver & (present("passages.json") | LACKING)) / len(silver)
    assert found.frame.size == len(silver)
    assert (precision.low or 1) < right < (precision.high or 0)


def test_two_runs_differ(demo: Workspace) -> None:
    one, other = (runs.predictions(demo, run) for run in (SILVER, LEXICON))
    differing = [doc_id for doc_id in one if one[doc_id].keys() != other[doc_id].keys()]
    assert len(differing) > 30


# --- curators ---------------------------------------------------------------------------------------------


def test_two_curators_agree_on_much_and_not_on_all(demo: Workspace) -> None:
    found = scoring.agreement_of(demo, "demo", "concepts", None)
    assert found.ratings.curators == ("curator-a", "curator-b")
    assert 0.4 < (found.result.estimates["fleiss"].value or 0) < 0.9
    assert any(table.name == "own" for table in found.overview)


def test_an_adjudicator_has_begun(demo: Workspace) -> None:
    gold = gold_set(demo, "reviewed@now:adjudicated", "demo")
    assert gold.recall_documents == {"demo-012", "demo-013", "demo-025"}
    # ruled: stage 5 is not stated, chronic kidney disease is
    assert gold.documents["demo-022"].keys() >= {"HP:0012622"}
    assert "HP:0003774" in gold.rejected["demo-022"]


# --- claim pairs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", ["demo-pairs", "demo-silver-pairs"])
def test_claim_pairs_are_of_all_six_types(demo: Workspace, run: str) -> None:
    assert {label.label.conflict_type for label in pairs.labels(demo, run)} == set(ConflictType)


def test_review_raises_the_score_of_pairs(demo: Workspace) -> None:
    gold = next(g for g in scoring.pair_gold_references(demo, "demo-silver-pairs") if "demo-pairs@" in g)
    settings = scoring.Settings(bootstrap=0, about="pairs")
    found = scoring.evaluate_pair_run(demo, "demo-silver-pairs", gold, settings)

    def types(file: str) -> dict[str, str]:
        lines = (DATA / file).read_text(encoding="utf-8").splitlines()
        return {row["pair_id"]: row["conflict_type"] for row in map(json.loads, lines)}

    gold_types, silver_types = types("abstract_pairs.jsonl"), types("silver_pairs.jsonl")
    right = sum(silver_types[pair] == gold_types[pair] for pair in gold_types)
    before = found.before.estimate("accuracy", "conflict_types").value
    assert before == pytest.approx(right / len(gold_types))
    change = found.change("conflict_types", "accuracy")
    assert change is not None
    assert change.value == pytest.approx(3 / 12)  # the second, the seventh and the last are put right
