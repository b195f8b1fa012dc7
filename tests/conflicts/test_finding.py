"""What is read off sentences of trials: expected directions by reading the sentences, which are made up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conflicts.finding import Effect, read
from core.conflicts.finding.arms import by_numbers
from core.conflicts.finding.direction import is_negated
from core.conflicts.finding.tried import tried
from core.records import Direction
from core.text.normalise import stem

UP, DOWN, SAME, UNCLEAR = Direction.INCREASED, Direction.DECREASED, Direction.UNCHANGED, Direction.UNCLEAR


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        # who has it: told of the control, it is turned; named as what one is compared with, it is not
        ("Nausea was more frequent in patients who had placebo.", DOWN),
        ("The control group had a longer stay than the early group.", DOWN),
        ("Compared with usual care, coaching increased adherence.", UP),
        ("Bleeding was significantly less with the sealant than in the control arm.", DOWN),
        ("Participants given zinc versus placebo had lower scores.", DOWN),
        ("The new diet gave better glucose control in the study group.", UP),
        # nouns of change, and what is said of them
        ("The reduction in pain was greater with the patch than with placebo.", DOWN),
        ("Patients on the drug showed greater improvement in depression.", DOWN),
        ("The fold change of the marker was significantly lower with the statin.", DOWN),
        ("A greater proportion of women achieved the target with the app.", UP),
        # changes within groups, and between them
        ("Weight fell in both groups, with no difference between the groups.", SAME),
        ("Counts were similar at baseline, but on day 7 they were higher with the factor.", UP),
        ("Strength increased (P = 0.03), but comparison with the control group failed to differ.", SAME),
        # an aim is none where a finding follows, nor is what nobody knows
        ("Lidocaine mixed with the drug to prevent pain did not affect blood pressure.", SAME),
        ("Zinc given to reduce fever increased nausea.", UP),
        ("Masks are a way to reduce the spread.", DOWN),
        ("Zinc was shown to reduce fever.", DOWN),
        ("We found no direct evidence on whether masks are better than cloth.", UNCLEAR),
        ("It remains unclear whether the drug increased survival.", UNCLEAR),
        # denials of what may be, and short ones
        ("Masks may not greatly slow down the epidemic.", SAME),
        ("Animals don't spread the virus.", SAME),
        # numbers, where no word tells
        ("Mean score was 4.6 in the study group and 7.1 in the control group (P = 0.001).", DOWN),
        ("Mean score was 7.1 in the control group and 4.6 in the study group (P = 0.001).", DOWN),
        ("Scores for the study group and control group were 13.8 and 17.5, respectively (P = 0.04).", DOWN),
        ("Goitre came back in 1 (0.6%) versus 15 (8.6%) patients (P < 0.001).", DOWN),
        ("Uptake was 34.7% in one arm and 30.1% in the other (P = 0.42).", SAME),
        ("There was a significant difference in cost (mean difference -3.1, 95% CI -5.0 to -1.2).", DOWN),
        # negations that deny nothing
        ("Not only did weight increase.", UP),
        ("The isolate was resistant to colistin.", UNCLEAR),
    ],
)
def test_the_direction_of_an_outcome(text: str, direction: Direction) -> None:
    assert read(text).direction is direction


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("or 0.58 (95% ci 0.34 to 0.97)", Effect.DOWN),
        ("or 0.58 (95% ci 0.34 to 1.97)", Effect.NONE),
        ("overall survival, hr 0.58 (95% ci 0.34 to 0.97)", Effect.UP),
        ("mean difference 2.0 (95% ci -1.0 to 5.0)", Effect.NONE),
        ("at 12 weeks and 24 weeks", None),
    ],
)
def test_the_direction_of_numbers(text: str, effect: Effect | None) -> None:
    assert by_numbers(text) is effect


def test_the_two_sides_of_a_comparison() -> None:
    found = read("Pain was lower with ketamine than with morphine.")
    assert (*found.bearer, *found.against) == (stem("ketamine"), stem("morphine"))


@given(st.text(max_size=120) | st.text(alphabet="0123456789.,()/%-−·± vscipor=<>", max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read(text: str) -> None:
    found = read(text)
    assert 0 <= found.start <= found.end <= len(text)
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("The drug was associated with an increased in-hospital mortality.", "in-hospital mortality"),
        ("The patch reduced symptoms (pain, nausea and fever).", "symptoms (pain, nausea and fever)"),
        ("The patch reduced symptoms (p = 0.03).", "symptoms"),
    ],
)
def test_where_the_outcome_stands(text: str, outcome: str) -> None:
    assert text[slice(*read(text).places[1])].strip(" .") == outcome


def test_what_nobody_knows_is_not_denied() -> None:
    assert not is_negated("We found no direct evidence on whether masks are better than cloth.")
    assert is_negated("We found no evidence that masks are better than cloth.")


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Effect of zinc on recovery from pneumonia: a randomised trial", "zinc"),
        ("Yoga for low back pain", "Yoga"),
        ("Exposure to wood smoke increases arterial stiffness", "Exposure to wood smoke"),
        ("Comparing two laryngoscopes in infants", "two laryngoscopes"),
        ("A trial of aspirin to prevent stroke", "aspirin"),
        ("Pain", "Pain"),
        ("", ""),
    ],
)
def test_what_a_title_says_was_tried(title: str, words: str) -> None:
    assert tried(title).strip() == words
