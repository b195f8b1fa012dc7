"""Words brought to a common form: what must fall together and what must stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.normalise import fold, lower, singular, stem


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("haemorrhage", "hemorrhage"),
        ("oedema", "edema"),
        ("diarrhoea", "diarrhea"),
        ("oesophagus", "esophagus"),
        ("foetal", "fetal"),
        ("tumour", "tumor"),
        ("behavioural", "behavioral"),
        ("generalised", "generalized"),
        ("neovascularisation", "neovascularization"),
        ("fibre", "fiber"),
        ("centre", "center"),
        ("sulphate", "sulfate"),
        ("leucocyte", "leukocyte"),
        ("grey", "gray"),
        ("connexion", "connection"),
        ("fontanelle", "fontanel"),
        ("paralysed", "paralyzed"),
    ],
)
def test_british_and_american_spelling_fold_together(british: str, american: str) -> None:
    assert fold(british) == fold(american) == american


@pytest.mark.parametrize("word", ["aerobic", "toes", "shoe", "four", "hour", "aorta", "does"])
def test_words_that_only_look_british_are_left_alone(word: str) -> None:
    assert fold(word) == word


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Sjögren", "sjogren"),
        ("café", "cafe"),
        ("cafe\u0301", "cafe"),
        ("Hæmangioma", "hemangioma"),
        ("α", "alpha"),
        ("β", "beta"),
        ("\u00b5", "mu"),
        ("naïve", "naive"),
        ("ﬁbrosis", "fibrosis"),
    ],
)
def test_accents_ligatures_and_greek_letters(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(
    "family",
    [
        "hypoplasia hypoplasias hypoplastic",
        "stenosis stenoses stenotic",
        "fibrosis fibrotic",
        "atrophy atrophic atrophied",
        "dilatation dilatations dilated dilation",
        "duplication duplicated duplicate",
        "calcification calcified calcifications",
        "kidney kidneys",
        "vertebra vertebrae vertebral",
        "fistula fistulae fistulas",
        "nevus nevi naevus",
        "phalanx phalanges phalangeal",
        "foot feet",
        "tooth teeth",
        "cornea corneas corneal",
        "muscle muscles muscular",
        "mandible mandibles mandibular",
        "patella patellae patellar",
        "cerebellum cerebellar",
        "larynx laryngeal",
        "abnormal abnormality abnormalities abnormally",
        "malformation malformed malformations",
        "prominent prominence",
        "delay delayed delays",
        "weakness weak",
        "obesity obese",
        "ataxia ataxic",
        "epilepsy epileptic",
        "microphthalmia microphthalmos microphthalmic",
        "hamartoma hamartomas hamartomata hamartomatous",
        "deficiency deficient deficiencies",
        "ossification ossified",
        "ulcer ulcers ulceration",
        "thickened thickening thick thickness",
    ],
)
def test_inflection_and_regular_derivation_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "strangers",
    [
        "septum sepsis",
        "tract traction",
        "rate ration",
        "colon colony colic",
        "branch branchial",
        "limb limbic",
        "nose nos",
        "coma com",
        "genital gene genetic",
        "radius radiation",
        "organ organism",
        "person personality",
        "globe global",
        "man mania many",
        "severe several",
        "concentration concentric",
        "hypoplasia hyperplasia",
        "hypertension hypotension",
    ],
)
def test_words_that_only_look_alike_keep_their_own_stems(strangers: str) -> None:
    words = strangers.split()
    assert len({stem(word) for word in words}) == len(words)


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("cysts", "cyst"),
        ("anomalies", "anomaly"),
        ("reflexes", "reflex"),
        ("abscesses", "abscess"),
        ("ribs", "rib"),
    ],
)
def test_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert singular(one) == one


@pytest.mark.parametrize("word", ["pelvis", "nevus", "kyphos", "loss", "is"])
def test_singular_leaves_other_endings_in_s(word: str) -> None:
    assert singular(word) == word


def test_words_with_digits_and_short_words_are_only_folded() -> None:
    assert stem("22q11") == "22q11"
    assert stem("A1") == "a1"
    assert stem("EYE") == "eye"


@given(st.text())
def test_lower_case_keeps_every_offset(text: str) -> None:
    lowered = lower(text)
    assert len(lowered) == len(text)
    assert all(a == b or b.lower() == a for a, b in zip(lowered, text, strict=True))


def test_a_letter_whose_lower_case_is_longer_stays() -> None:
    assert len("İ".lower()) == 2
    assert lower("İSTANBUL") == "İstanbul"


@given(st.text(min_size=1))
def test_stemming_any_word_ends(word: str) -> None:
    assert isinstance(stem(word), str)
