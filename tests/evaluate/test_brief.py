"""The second demonstration corpus, from abstracts to a brief: the whole offline path, encoder included."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError
from core.evaluate.brief import Side, brief, brief_html
from core.evaluate.brief.sides import study_size
from core.exchange import add_corpus, export
from core.pipeline.conflicts import ConflictsSettings, run_conflicts
from core.records import Action, Axis, ConflictType, NewDecision, PairAnswer
from core.store import Workspace, open_workspace, pairs
from core.store.decisions import add_curator, append

DEMO = Path(__file__).parents[2] / "data" / "demo" / "topic.json"
PLANTED = [{f"topic-{n:02}", f"topic-{n + 1:02}"} for n in (1, 3, 5, 7)]


@pytest.fixture(scope="module")
def topic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with open_workspace(tmp_path_factory.mktemp("topic") / "w.db") as workspace:
        add_corpus(workspace, DEMO, name="topic")
        run_conflicts(workspace, ConflictsSettings(corpus="topic", run="r", offline=True))
        yield workspace


def test_the_four_planted_contradictions_come_first(topic: Workspace, tmp_path: Path) -> None:
    export(topic, "proposals", tmp_path / "p.jsonl", run="r", order="likelihood")
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text("utf-8").splitlines()]
    first = [{row["claim_a_article_uid"], row["claim_b_article_uid"]} for row in rows[:4]]
    assert sorted(map(sorted, first)) == [sorted(one) for one in PLANTED]
    assert all(row["conflict_type"] != "no_conflict" for row in rows[:4])


@pytest.mark.parametrize(
    ("question", "found_for", "found_against", "sizes"),
    [
        ("does vitamin D reduce falls", "topic-01", "topic-02", (412, 1180)),
        ("probiotics antibiotic-associated diarrhoea", "topic-03", "topic-04", (246, 2930)),
        ("omega-3 depressive symptoms", "topic-05", "topic-06", (122, 540)),
    ],
)
def test_a_brief_has_each_side_with_study_size_and_year(
    topic: Workspace, question: str, found_for: str, found_against: str, sizes: tuple[int, int]
) -> None:
    found = brief(topic, "topic", question)
    sides = {one: [line.article for line in of] for one, of in found.sides.items()}
    assert sides[Side.FOR] == [found_for]
    assert sides[Side.AGAINST] == [found_against]
    told = (found.sides[Side.FOR][0], found.sides[Side.AGAINST][0])
    assert (told[0].n, told[1].n) == sizes
    assert all(line.year and line.study for line in told)
    assert [p.other for p in told[0].pairs] == [told[1].quote]
    assert "People have not settled 1 of 1 pairs." in found.missing


def test_a_brief_tells_what_people_decided(topic: Workspace) -> None:
    found = brief(topic, "topic", "zinc lozenges common cold")
    assert found.decided == (("nobody decided yet", len(found.items)),)
    add_curator(topic, "alpha", "Alpha")
    first = next(one for one in pairs.pairs(topic, "r") if one.item_id == found.items[0])
    answer = PairAnswer(
        first.pair_id,
        True,
        ConflictType.CONTEXTUAL_CONTRADICTION,
        (Axis.POPULATION_COHORT,),
        Axis.POPULATION_COHORT,
        "In our words.",
    )
    append(topic, [NewDecision("c1", "alpha", Action.FIX, item_id=first.item_id, answer=answer)])
    again = brief(topic, "topic", "zinc lozenges common cold")
    assert dict(again.decided)["contextual contradiction"] == 1
    assert (again.splits[0].axis, again.splits[0].pairs) == ("population", 1)
    (line,) = [one for one in again.sides[Side.FOR] if one.article in PLANTED[3]]
    assert line.pairs[0].decided == "contextual contradiction (population)"


def test_the_page_asks_nothing_of_the_network_and_shows_texts_as_text(topic: Workspace) -> None:
    page = brief_html(brief(topic, "topic", "does vitamin D reduce falls <b>"))
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|<script|src=", page)
    assert "falls &lt;b&gt;" in page
    for words in ("For (1)", "Against (1)", "n = 412", "2019", "What is missing"):
        assert words in page


@pytest.mark.parametrize(
    ("about", "error", "said"),
    [
        ("of the", InputError, "No word of"),
        ("unicorn horns", InputError, "No claim of run r is about"),
        ("HP:0001250", NotFoundError, "HP:0001250"),
    ],
)
def test_what_cannot_be_asked_is_told(
    topic: Workspace, about: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        brief(topic, "topic", about)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("In 2014 we randomised 1,180 adults over 70.", 1180),
        ("Of 611 women, 94% were cured (n = 23 missing).", 611),
        ("Rates rose from 2010 patients wise unknown to more.", None),
        ("No number stands here.", None),
    ],
)
def test_the_size_of_a_study_is_read_from_its_abstract(text: str, size: int | None) -> None:
    assert study_size(text) == size
