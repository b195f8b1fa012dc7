"""Status of findings in sentences written by hand: every rule, its reach and its limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Assertion
from core.text.assertion import REACH, normal, statuses, strongest, unchanged
from core.text.spans import words

A, N, U, O = Assertion  # noqa: E741


def status(text: str, *findings: str) -> list[Assertion]:
    """The status of each finding, which must stand in the text once."""
    found = words(text)
    places = []
    for finding in findings:
        assert text.count(finding) == 1, finding
        start = text.index(finding)
        first = found.starts.index(start)
        last = next(i for i in range(first, len(found.words)) if found.end(i) == start + len(finding))
        places.append((first, last))
    return statuses(found, places)


@pytest.mark.parametrize(
    "text",
    [
        "No seizures were seen.",
        "She has never had seizures.",
        "There was no evidence of seizures.",
        "Without seizures so far.",
        "He denied seizures.",
        "The history was negative for seizures.",
        "They did not have seizures.",
        "They did not develop seizures.",
        "He never developed seizures.",
        "He didn't have seizures.",
        "Absence of seizures was noted.",
        "The patient was free of seizures.",
        "Neither fever nor seizures were reported.",
        "MRI showed no seizures in either child.",
        "There was no family history of seizures.",
    ],
)
def test_negated_by_what_stands_before(text: str) -> None:
    assert status(text, "seizures") == [N]


@pytest.mark.parametrize(
    "text",
    [
        "Seizures were not observed.",
        "Seizures were excluded.",
        "Seizures have not been reported.",
        "Tests for seizures were negative.",
        "Seizures were absent.",
        "The presence of seizures was ruled out.",
        "Seizures were not a feature of the disease.",
        "Seizures did not occur.",
        "Seizures could be excluded.",
        "Seizures were never present.",
        "Seizures could not be demonstrated.",
        "Seizures failed to develop.",
    ],
)
def test_negated_by_what_stands_behind(text: str) -> None:
    assert status(text, "Seizures" if "Seizures" in text else "seizures") == [N]


@pytest.mark.parametrize(
    "text",
    [
        "Possible seizures.",
        "Seizures are suspected.",
        "The spells may represent seizures.",
        "Suspicion of seizures was raised.",
        "Children at risk for seizures were followed.",
        "He was screened for seizures.",
        "EEG was done to exclude seizures.",
        "The spells could be seizures.",
        "The features are suggestive of seizures.",
        "The child was thought to have seizures.",
        "A possibility of seizures was raised.",
        "Seizures cannot be excluded.",
        "The disease may or may not include seizures.",
        "It is unknown whether seizures occur.",
    ],
)
def test_uncertain(text: str) -> None:
    assert status(text, "Seizures" if "Seizures" in text else "seizures") == [U]


@pytest.mark.parametrize(
    "text",
    [
        "She had seizures.",
        "Her mother reported seizures.",
        "Not only seizures were seen.",
        "There was no change in seizures.",
        "No fever above 39 °C. Seizures followed.",
        "Absence of the gene causes seizures.",
        "Patients with seizures were excluded from the trial.",
        "There was no increase in seizures.",
        "Seizures with or without fever.",
        "Gram negative sepsis led to seizures.",
        "No doubt these were seizures.",
        "Seizures were not associated with fever.",
        "No treatment for seizures was given.",
        "The cause is not known, but he had seizures.",
    ],
)
def test_affirmed_in_spite_of_what_looks_like_a_cue(text: str) -> None:
    assert status(text, "Seizures" if "Seizures" in text else "seizures") == [A]


def test_a_negation_reaches_over_a_list() -> None:
    text = "There were no plantar pits, facial anomalies, scoliosis or macrocephaly."
    assert status(text, "plantar pits", "facial anomalies", "scoliosis", "macrocephaly") == [N] * 4


def test_a_list_may_hold_things_that_are_no_findings() -> None:
    text = "There was no history of trauma to the knees, fever, diarrhoea or steatorrhoea."
    assert status(text, "fever", "diarrhoea", "steatorrhoea") == [N, N, N]


@pytest.mark.parametrize(
    ("text", "negated", "affirmed"),
    [
        ("No ataxia but tremor was present.", "ataxia", "tremor"),
        ("There was no ataxia, however tremor persisted.", "ataxia", "tremor"),
        ("He had no ataxia and presented with tremor.", "ataxia", "tremor"),
        ("No ataxia was seen; tremor was marked.", "ataxia", "tremor"),
        ("No ataxia was seen. Tremor was marked.", "ataxia", "Tremor"),
        ("There was no ataxia because tremor masked it.", "ataxia", "tremor"),
        ("Normal colon without polyps, and tremor of the hands.", "polyps", "tremor"),
        ("Ataxia was not observed although tremor was.", "Ataxia", "tremor"),
        ("He showed tremor, which worsened, and ataxia was absent.", "ataxia", "tremor"),
    ],
)
def test_a_new_clause_ends_the_reach(text: str, negated: str, affirmed: str) -> None:
    assert status(text, negated, affirmed) == [N, A]


def test_a_negated_verb_without_a_finding_stops_at_the_comma() -> None:
    assert status("The patient did not improve, and right ear pain increased.", "pain") == [A]
    assert status("Without treatment, progression to blindness follows.", "blindness") == [A]


def test_a_cue_reaches_only_so_far() -> None:
    near = "no " + "dull " * (REACH - 1) + "pain"
    far = "no " + "dull " * REACH + "pain"
    assert status(near, "pain") == [N]
    assert status(far, "pain") == [A]


def test_a_cue_behind_reaches_the_nearest_findings_only() -> None:
    text = "Scoliosis led the mother of this boy to us where fever was excluded."
    assert status(text, "Scoliosis", "fever") == [A, N]


def test_a_cue_inside_a_finding_belongs_to_it() -> None:
    assert status("Absent thumbs were found.", "Absent thumbs") == [A]
    assert status("He had no permanent teeth.", "no permanent teeth") == [A]
    assert status("No absent thumbs were found.", "absent thumbs") == [N]


def test_a_negation_outweighs_a_doubt() -> None:
    assert status("There was no suspicion of seizures.", "seizures") == [N]


def test_each_mention_has_its_own_status() -> None:
    text = "Cataracts were common. Those without the gene did not have cataracts."
    assert status(text, "Cataracts", "cataracts") == [A, N]


@pytest.mark.parametrize(
    ("text", "findings", "expected"),
    [
        ("Rheumatoid factor came back negative.", ["Rheumatoid factor"], [N]),
        ("Fever and cough have also been excluded.", ["Fever", "cough"], [N, N]),
        ("Fever was looked for but was not found.", ["Fever"], [N]),
        ("Fever: absent. Cough: none.", ["Fever", "Cough"], [N, N]),
        ("Negative: fever, cough. Positive: rash.", ["fever", "cough", "rash"], [N, N, A]),
        ("Fever may be present, but was not seen.", ["Fever"], [N]),
        ("Fever was suspected and later confirmed.", ["Fever"], [A]),
        ("Fever was suspected but then ruled out.", ["Fever"], [N]),
        ("He was thought to have fever, but this was later ruled out.", ["fever"], [N]),
        ("MRI was done because of fever, and it was normal.", ["fever"], [A]),
        ("Fever was not ruled out.", ["Fever"], [U]),
        ("Fever remains to be excluded.", ["Fever"], [U]),
        ("Fever has not been reported before.", ["Fever"], [N]),
        ("He remained seizure-free.", ["seizure"], [N]),
        ("None of the ten children developed fever or rash.", ["fever", "rash"], [N, N]),
        ("She was not found to have fever.", ["fever"], [N]),
        ("It is unclear whether he had fever.", ["fever"], [U]),
        ("Should fever develop, call us.", ["fever"], [U]),
        ("A child with fever should drink.", ["fever"], [A]),
        ("If untreated, fever follows.", ["fever"], [A]),
        ("Fever - no; cough - yes.", ["Fever", "cough"], [N, A]),
        ("Fever (-), cough (+), rash(\u2212).", ["Fever", "cough", "rash"], [N, A, N]),
        ("Fever, described before, was not confirmed.", ["Fever"], [N]),
        ("Fever has been proposed.", ["Fever"], [U]),
        ("Without treatment, blindness may develop.", ["blindness"], [U]),
        ("The cultures argued against fever.", ["fever"], [N]),
        ("Fever: 0/5; cough: 4/5; rash in 0 of 5.", ["Fever", "cough", "rash"], [N, A, N]),
        ("Fever - never. Cough: denies.", ["Fever", "Cough"], [N, N]),
        ("Fever was never a problem.", ["Fever"], [N]),
        ("Fever has not yet developed.", ["Fever"], [N]),
        ("Fever was absent even at night.", ["Fever"], [N]),
        ("Fever occurred in no patient.", ["Fever"], [N]),
        ("Of ten, none had fever and three had cough.", ["fever", "cough"], [N, A]),
        ("Without surgery, ataxia would worsen.", ["ataxia"], [A]),
        ("Children with ataxia may develop fever.", ["ataxia", "fever"], [A, U]),
        ("Fever may develop in children with ataxia.", ["Fever", "ataxia"], [U, A]),
        ("The suspicion of fever was confirmed.", ["fever"], [A]),
        ("The suspicion of fever remains to be confirmed.", ["fever"], [U]),
        ("He was misdiagnosed with fever.", ["fever"], [N]),
        ("Suspected fever, to be confirmed.", ["fever"], [U]),
        ("Chest film: ?fever.", ["fever"], [U]),
        ("Fever is very unlikely, and cough is less likely.", ["Fever", "cough"], [U, U]),
        ("Exclusion criteria were fever and cough.", ["fever", "cough"], [N, N]),
        ("No fever, mild cough.", ["fever", "cough"], [N, A]),
        ("No fever, mild cough or rash.", ["fever", "cough", "rash"], [N, N, N]),
        ("It is doubtful that he had fever.", ["fever"], [U]),
        ("A scan was done to look for fever.", ["fever"], [U]),
        ("He had none of the following: fever, cough, rash.", ["fever", "cough", "rash"], [N, N, N]),
        ("Positive findings: fever. Negative findings: cough, rash.", ["fever", "cough", "rash"], [A, N, N]),
        ("Other causes of fever were excluded.", ["fever"], [A]),
        ("Fever is a possible complication.", ["Fever"], [U]),
        ("Fever was noticed neither at home nor at school.", ["Fever"], [N]),
        ("Fever did not accompany the rash.", ["Fever", "rash"], [N, A]),
        ("Fever was ruled out as the cause of the rash.", ["Fever", "rash"], [N, A]),
        ("Doctors feared fever, which seemed improbable.", ["fever"], [U]),
    ],
)
def test_what_a_predicate_or_an_opening_says(
    text: str, findings: list[str], expected: list[Assertion]
) -> None:
    assert status(text, *findings) == expected


@pytest.mark.parametrize(
    ("text", "findings", "expected"),
    [
        ("No weakness, trouble in breathing or swallowing, ataxia or tremor.", ["ataxia", "tremor"], [N, N]),
        ("He has no ataxia, a high palate and tremor.", ["ataxia", "palate", "tremor"], [N, A, A]),
        ("He had ataxia and tremor was absent.", ["ataxia", "tremor"], [A, N]),
        ("He had ataxia, and tremor and chorea were absent.", ["ataxia", "tremor", "chorea"], [A, N, N]),
        ("No cause was found, and she had ataxia.", ["ataxia"], [A]),
        ("MRI was done because of ataxia and was normal.", ["ataxia"], [A]),
        ("Apart from ataxia, the examination was normal.", ["ataxia"], [A]),
        ("No other sign apart from ataxia was seen.", ["ataxia"], [A]),
        ("No fever after the seizure, rash or cough.", ["fever", "seizure", "rash"], [N, A, N]),
        ("Without any other sign of the disease, such as ataxia and tremor.", ["ataxia", "tremor"], [N, N]),
        ("He did not develop ataxia until the age of five.", ["ataxia"], [A]),
        ("He did not develop ataxia until now.", ["ataxia"], [N]),
        ("There were no significant group differences in ataxia.", ["ataxia"], [A]),
        ("The drug did not have any effect on ataxia.", ["ataxia"], [A]),
        ("The lack of fever does not exclude malaria.", ["fever", "malaria"], [N, U]),
        ("Nothing suggested ataxia.", ["ataxia"], [N]),
        ("Mild ataxia could have been overlooked.", ["ataxia"], [U]),
        ("There was a suggestion of ataxia.", ["ataxia"], [U]),
        ("He had no other symptoms than ataxia.", ["ataxia"], [A]),
        ("Despite the absence of ataxia, tremor was marked.", ["ataxia", "tremor"], [N, A]),
        ("Instead of ataxia, tremor was found.", ["ataxia", "tremor"], [N, A]),
        (
            "In the absence of ataxia, tremor or chorea, he came home.",
            ["ataxia", "tremor", "chorea"],
            [N] * 3,
        ),
        ("The absence of ataxia and the presence of tremor were noted.", ["ataxia", "tremor"], [N, A]),
        ("MRI was normal, excluding malformations as the cause of her ataxia.", ["ataxia"], [A]),
        ("Possible causes of the ataxia were sought.", ["ataxia"], [A]),
    ],
)
def test_where_a_reach_ends(text: str, findings: list[str], expected: list[Assertion]) -> None:
    assert status(text, *findings) == expected


@pytest.mark.parametrize(
    ("text", "findings", "expected"),
    [
        ("Her mother had ataxia.", ["ataxia"], [O]),
        ("His father does not have ataxia.", ["ataxia"], [O]),
        ("His sister is reported to be ataxic.", ["ataxic"], [O]),
        ("Ataxia was less marked than in his father.", ["Ataxia"], [A]),
        ("The father was said to have had ataxia.", ["ataxia"], [O]),
        ("Neither the patient nor his parents had ataxia.", ["ataxia"], [N]),
        ("A boy, the first child of healthy parents, had ataxia.", ["ataxia"], [A]),
        ("A brother died of ataxia.", ["ataxia"], [O]),
        ("The patient and two of her cousins have ataxia.", ["ataxia"], [A]),
        ("A family history of ataxia was recorded.", ["ataxia"], [O]),
        ("Family history: father with ataxia, mother with tremor.", ["ataxia", "tremor"], [O, O]),
        ("No family history of ataxia.", ["ataxia"], [N]),
        ("The family history was negative for ataxia.", ["ataxia"], [N]),
        ("Mother: ataxia. Child: tremor.", ["ataxia", "tremor"], [O, A]),
        ("She has a brother with ataxia.", ["ataxia"], [O]),
        ("Ataxia was diagnosed in the grandmother.", ["Ataxia"], [O]),
        ("The boy has tremor, and his older brother has ataxia.", ["tremor", "ataxia"], [A, O]),
        ("His sister, who is 9 years old, also has ataxia.", ["ataxia"], [O]),
        ("In contrast to his sister, who has ataxia, he has tremor.", ["ataxia", "tremor"], [O, A]),
        ("A boy, whose mother has tremor, presented with ataxia.", ["tremor", "ataxia"], [O, A]),
        ("Born to a mother with tremor at term, she had ataxia.", ["tremor", "ataxia"], [O, A]),
        ("Her brother has no tremor, although his ataxia is severe.", ["tremor", "ataxia"], [O, O]),
        ("His brother has tremor, but his ataxia is severe.", ["tremor", "ataxia"], [O, A]),
        ("The mother noticed ataxia.", ["ataxia"], [A]),
        ("The parents did not notice any ataxia.", ["ataxia"], [N]),
        ("The parents were healthy and denied ataxia in the family.", ["ataxia"], [N]),
        ("His father's severe ataxia began early.", ["ataxia"], [O]),
        ("His mother's report of ataxia was confirmed.", ["ataxia"], [A]),
        ("The parents are well, but an elder brother died of ataxia.", ["ataxia"], [O]),
        ("According to the mother, he has ataxia.", ["ataxia"], [A]),
        ("Like his father, the patient has ataxia.", ["ataxia"], [A]),
        ("The patient and her brother have ataxia.", ["ataxia"], [A]),
        ("We describe two sisters with ataxia.", ["ataxia"], [A]),
        ("All affected family members had ataxia.", ["ataxia"], [A]),
        ("The mother and daughter had ataxia.", ["ataxia"], [A]),
        ("Maternal fever was treated; the child had ataxia.", ["fever", "ataxia"], [O, A]),
    ],
)
def test_whose_a_finding_is(text: str, findings: list[str], expected: list[Assertion]) -> None:
    assert status(text, *findings) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hearing, vision and gait were normal.", ["Hearing", "vision", "gait"]),
        ("She has a normal gait and tremor.", ["gait", "tremor"]),
        ("Normal gait, tone and vision.", ["gait", "tone", "vision"]),
        ("Normal gait, tremor.", ["gait"]),
        ("He had ataxia, and hearing was unremarkable.", ["hearing"]),
        ("Speech: normal.", ["Speech"]),
        ("Hearing was not normal.", []),
        ("The hearing test showed normal results.", ["The hearing test"]),
        ("Vision and hearing are unaffected.", ["Vision", "hearing"]),
        ("His half-normal hearing.", []),
        ("A normal glucose-tolerant adult.", ["glucose-tolerant adult"]),
        ("Apart from ataxia, gait was normal.", []),
    ],
)
def test_what_is_said_to_be_normal(text: str, said: list[str]) -> None:
    found = words(text)
    assert [found.span(*place).quote for told in normal(found) for place in told.places] == said


def test_what_is_said_not_to_be_changed() -> None:
    found = words("Liver and spleen were not enlarged. Fever was not seen, and urea was raised.")
    assert [(found.span(*place).quote, found.words[at]) for place, at in unchanged(found)] == [
        ("spleen were", "enlarged"),
        ("Liver", "enlarged"),
    ]
    assert status("Seizures were not increased.", "Seizures") == [A]


def test_a_finding_that_is_normal_is_negated() -> None:
    assert status("Sucking reflexes were normal.", "Sucking reflexes") == [N]
    assert status("Normal reflexes but weak legs.", "reflexes", "weak legs") == [N, A]
    assert status("Normal pressure hydrocephalus.", "hydrocephalus") == [A]


def test_of_several_mentions_the_strongest_stands() -> None:
    assert [strongest(held) for held in ((O, N, U, A), (O, N, U), (O, N), (O,))] == [A, U, N, O]


def test_no_mentions() -> None:
    assert statuses(words("No seizures."), []) == []


@given(st.text(alphabet="no t.,;yA but", max_size=60), st.data())
def test_any_text_gives_one_status_for_each_mention(text: str, data: st.DataObject) -> None:
    found = words(text)
    if not found.words:
        return
    index = st.integers(0, len(found.words) - 1)
    mentions = data.draw(st.lists(st.tuples(index, index).map(lambda p: (min(p), max(p))), max_size=5))
    assert len(statuses(found, mentions)) == len(mentions)


@pytest.mark.parametrize(
    ("text", "finding", "expected"),
    [
        ("Microcephaly was ruled out by serial measurements.", "Microcephaly", N),
        ("Hepatosplenomegaly was not palpable.", "Hepatosplenomegaly", N),
        ("Polydactyly was not seen.", "Polydactyly", N),
        ("Ataxia was marked, whereas chorea, dystonia and tremor were absent.", "chorea", N),
        ("Ataxia was marked, whereas chorea, dystonia and tremor were absent.", "Ataxia", A),
        ("He had no tremor, and chorea and ataxia were marked.", "chorea", A),
        ("The rash was thought to represent eczema.", "eczema", U),
        ("The mass was felt to be a lipoma.", "lipoma", U),
    ],
)
def test_nouns_in_ly_lists_behind_whereas_and_what_is_thought(
    text: str, finding: str, expected: Assertion
) -> None:
    assert status(text, finding) == [expected]


@pytest.mark.parametrize(
    ("text", "findings", "expected"),
    [
        ("No further seizures occurred.", ["seizures"], [A]),
        ("Not all had seizures.", ["seizures"], [A]),
        ("Ataxia versus chorea remains open.", ["Ataxia", "chorea"], [U, U]),
        ("Seizures vs. possible syncope.", ["Seizures", "syncope"], [U, U]),
        ("Patients with ataxia versus those with chorea.", ["ataxia", "chorea"], [A, U]),
        ("Tremor was seen in 5% versus 3%.", ["Tremor"], [A]),
        ("Anemia was excluded as a cause of syncope.", ["Anemia", "syncope"], [N, A]),
        ("Anemia was excluded with a blood count.", ["Anemia"], [N]),
        ("He was ruled out for anemia.", ["anemia"], [N]),
        ("The lungs were clear of edema.", ["edema"], [N]),
        ("The picture was inconsistent with ataxia.", ["ataxia"], [N]),
        ("The film was worrisome for pneumonia.", ["pneumonia"], [U]),
        ("Lack of the protein and subsequent ataxia.", ["ataxia"], [A]),
        ("A half-sister had ataxia; he has tremor.", ["ataxia", "tremor"], [O, A]),
        ("The mother's pregnancy was complicated by polyhydramnios.", ["polyhydramnios"], [A]),
    ],
)
def test_phrases_with_fillers_either_of_two_and_pregnancies(
    text: str, findings: list[str], expected: list[Assertion]
) -> None:
    assert status(text, *findings) == expected


@pytest.mark.parametrize(
    ("text", "findings", "expected"),
    [
        ("Seizures: denies.", ["Seizures"], [N]),
        ("Ataxia has not been a problem.", ["Ataxia"], [N]),
        ("There was nothing in the history to suggest ataxia.", ["ataxia"], [N]),
        ("Examination failed to disclose ataxia.", ["ataxia"], [N]),
        ("Ataxia had already been ruled out.", ["Ataxia"], [N]),
        ("He has been seizure free for years.", ["seizure"], [N]),
        ("The clinical impression was that of ataxia.", ["ataxia"], [U]),
        ("It cannot be excluded that she has ataxia.", ["ataxia"], [U]),
        ("The findings favor ataxia.", ["ataxia"], [U]),
        ("Ataxia was considered the most likely diagnosis.", ["Ataxia"], [U]),
        ("A diagnosis of ataxia was entertained.", ["ataxia"], [U]),
        ("Ataxia is not likely.", ["Ataxia"], [U]),
        ("The spells were thought to be seizures.", ["seizures"], [U]),
        ("Ataxia is thought to be present.", ["Ataxia"], [U]),
        ("Doubtful ataxia.", ["ataxia"], [U]),
        ("She was suspected of having ataxia.", ["ataxia"], [U]),
        ("The cause of her ataxia remains unclear.", ["ataxia"], [A]),
        ("The cause of the fever was not found.", ["fever"], [A]),
        ("No evidence of worsening of the ataxia.", ["ataxia"], [A]),
        ("He is not on treatment for ataxia.", ["ataxia"], [A]),
        ("Without aids, his ataxia is severe.", ["ataxia"], [A]),
        ("He has not had any further seizures.", ["seizures"], [A]),
        ("There is insufficient evidence for ataxia.", ["ataxia"], [U]),
        ("Presumptive diagnosis: ataxia.", ["ataxia"], [U]),
        ("Fasting may trigger seizures.", ["seizures"], [U]),
        ("They were told to call if apnea or cyanosis occurs.", ["apnea", "cyanosis"], [U, U]),
        ("No ataxia, and chorea or tremor was seen.", ["ataxia", "chorea", "tremor"], [N, A, A]),
        ("Ataxia or chorea? He has tremor.", ["Ataxia", "chorea", "tremor"], [U, U, A]),
        ("?Ataxia, fever.", ["Ataxia", "fever"], [U, A]),
        ("None had ataxia, but two had tremor.", ["ataxia", "tremor"], [N, A]),
        ("Tests for ataxia and tremor gave negative results.", ["ataxia", "tremor"], [N, N]),
        ("Spots should be looked for in patients with ataxia.", ["ataxia"], [A]),
        ("Ataxia was mild and tremor nonexistent.", ["Ataxia", "tremor"], [A, N]),
        ("Ataxia could be neither confirmed nor excluded.", ["Ataxia"], [U]),
        ("The rash resembled eczema.", ["rash", "eczema"], [A, U]),
        ("Ataxia: no. Tremor: never.", ["Ataxia", "Tremor"], [N, N]),
        ("History: no ataxia.", ["ataxia"], [N]),
        ("He came w/o fever.", ["fever"], [N]),
        ("There was no stenosis to account for the fever.", ["stenosis", "fever"], [N, A]),
        ("He was tested for ataxia in view of his tremor.", ["ataxia", "tremor"], [U, A]),
        ("It is not known whether he had ataxia.", ["ataxia"], [U]),
        ("Whether the ataxia belongs to the syndrome is unclear.", ["ataxia"], [A]),
        ("Ataxia failed to appear.", ["Ataxia"], [N]),
        ("Ataxia was considered a likely explanation.", ["Ataxia"], [U]),
        ("EEG gave no indication of ataxia.", ["ataxia"], [N]),
        (
            "Ataxia was absent in our series, as were tremor and chorea.",
            ["Ataxia", "tremor", "chorea"],
            [N, N, N],
        ),
        ("Ataxia was absent, as was expected, and tremor was seen.", ["Ataxia", "tremor"], [N, A]),
        ("Ataxia was absent, as was chorea, but tremor was seen.", ["Ataxia", "chorea", "tremor"], [N, N, A]),
        ("The ataxia described in the classical form was lacking.", ["ataxia"], [N]),
        ("Ataxia was only questionable.", ["Ataxia"], [U]),
        ("Ataxia and tremor were each excluded.", ["Ataxia", "tremor"], [N, N]),
        ("The picture was suggestive, but not diagnostic, of ataxia.", ["ataxia"], [U]),
        ("Children should have audiometry for deafness.", ["deafness"], [U]),
        ("We will screen him for ataxia.", ["ataxia"], [U]),
        ("Ataxia has not been reported to date.", ["Ataxia"], [N]),
        ("It is possible that his severe ataxia reflects chorea.", ["ataxia", "chorea"], [A, U]),
        ("It is possible that the boy has ataxia.", ["ataxia"], [U]),
    ],
)
def test_more_of_what_texts_deny_and_doubt(text: str, findings: list[str], expected: list[Assertion]) -> None:
    assert status(text, *findings) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The family history revealed a brother who died of ataxia.", O),
        ("A brother, aged 5 years, has ataxia.", O),
        ("She has two healthy brothers and a sister with ataxia.", O),
        ("Two brothers and a sister had ataxia.", A),
        ("We describe a brother and a sister with ataxia.", A),
        ("The father and two sons had ataxia.", A),
        ("His mother saw ataxia in her son.", A),
        ("Ataxia is common on the paternal side.", O),
        ("He is the first child of a 28-year-old mother with ataxia.", O),
        ("Sister with ataxia.", O),
        ("The brother of the index patient died with ataxia.", O),
        ("In his mother, mild ataxia was noted.", O),
        ("She, but not her brother, has ataxia.", A),
        ("Her mother's sister was said to have ataxia.", O),
        ("The mother was asked about ataxia.", A),
        ("Ataxia was seen in the mother and daughter.", A),
        ("The younger sister has had ataxia, whereas our patient has not.", O),
        ("The younger sister had ataxia.", A),
        ("The affected brother had ataxia.", O),
        ("Two older brothers had died of ataxia.", O),
        ("The 45-year-old father, who had never been seen by a doctor, was found to have ataxia.", O),
        ("FHx: maternal grandmother, ataxia at 52.", O),
        ("The mother, a carrier, was well, but her ataxia was severe.", O),
        ("The parents are cousins; neither showed ataxia.", O),
    ],
)
def test_siblings_sons_and_sides_of_a_family(text: str, expected: Assertion) -> None:
    assert status(text, "Ataxia" if "Ataxia" in text else "ataxia") == [expected]
