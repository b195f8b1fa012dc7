"""Regular derivation between single words: "ataxic" says ataxia, "phosphorylated" phosphorylation.

Names of one word are matched by their stems only where the two endings stand in a table: stems alone would
take "mile" for milia. A pair is there because labels and exact synonyms of HPO or GO differ by it, and no two
concepts do.

A verb says the act wherever it stands: "the gene regulates growth". An adjective counts only where it
describes no other noun than a person: "he was ataxic", but "hamartomatous polyps" are polyps.
"""

from __future__ import annotations

from functools import cache
from itertools import takewhile

from core.concepts.lexicon.vocabulary import COORDINATORS, STOP_WORDS, listed
from core.text.normalise import fold, singular
from core.text.spans import Words

_LEAST = 4
"""Letters that both words begin with."""
_NOUNS = """
ion: e ed es ing ive ional ory - | ation: ed es ing e ative atory | ment: ed es ing al mental - | al: e ed ing
ysis: yze yzed yzing | ia: ic is ous us os ed | a: ic atous al tic | sis: tic sed | is: ic ed | asm: astic
y: ic ical | psy: ptic | ity: e - | ability: able | iness: y | lessness: less | idism: id | ism: ic istic
um: ous | us: ic ous | e: ous | ency: ent | ence: ent | ance: ant | or: oral | our: oral | ium: ious
"""
"""Ending of a noun: endings of words that say the same."""
_VERBAL = ("ing", "yze", "ate", "ates", "es")
"""Endings of words that are no adjectives."""
_WORDS = """
tremor trembling tremulous | deafness deaf | unconsciousness unconscious | dementia demented
itching itch itchy | wheezing wheeze | scarring scar | flushing flush flushed
vomiting vomit vomited | splicing spliced splice | bloating bloated | sneezing sneeze | fatigue fatigued
jaundice jaundiced | fever febrile
transcription transcribe transcribed transcribing | induction induce induced inducing
enhancement enhance enhanced enhancing | synthesis synthesize synthesized synthesizing
secretion secrete secreted secreting | adhesion adhere adhered adhering
exocytosis exocytic exocytose | endocytosis endocytic endocytose
cleavage cleave cleaved cleaving | invasion invade invaded invading | growth grow growing
"""
"""Whole words that belong together."""
_OTHERS = listed(
    "aggressive aspirate aspired aspirant clonic conjugated conjugate depressing formed forming formative "
    "translated tropics"
)
"""Words that mostly speak of something else: an aggressive tumour, a marrow aspirate."""
_AROUND = (
    STOP_WORDS
    | COORDINATORS
    | listed(
        "but with without nor as since when while who which that not no then after before during if because "
        "so he she they patient patients child children boy girl man woman infant baby neonate person people "
        "spell spells episode episodes attack attacks event events crisis crises "
        "individual individuals subject subjects male female mother father brother sister today again"
    )
)
"""Words behind an adjective that it describes as a person or not at all."""


@cache
def _endings() -> frozenset[tuple[str, str]]:
    pairs = set()
    for row in _NOUNS.strip().replace("\n", "|").split("|"):
        noun, _, others = row.partition(":")
        for other in others.split():
            one, two = noun.strip(), other.replace("-", "")
            pairs |= {(one, two), (two, one)}
    return frozenset(pairs)


_TOGETHER = frozenset(
    frozenset((one, two))
    for row in _WORDS.strip().replace("\n", "|").split("|")
    for one in row.split()
    for two in row.split()
    if one != two
)


@cache
def derived(word: str, other: str) -> bool:
    """Whether two words of one stem are related by a regular derivation: "ataxic" and "ataxia"."""
    one, two = singular(fold(word)), singular(fold(other))
    if one in _OTHERS or two in _OTHERS:
        return False
    if frozenset((one, two)) in _TOGETHER:
        return True
    places = takewhile(lambda at: one[:at] == two[:at], range(_LEAST, len(one) + 1))
    return any((one[at:], two[at:]) in _endings() for at in places)


def describes(found: Words, i: int) -> bool:
    """Whether a word is an adjective before the noun it belongs to, or before another adjective of it."""
    words, gaps = found.words, found.gaps
    if words[i].endswith(_VERBAL):
        return False
    if i + 2 < len(words) and (gaps[i + 1] == ", " or (words[i + 1] in COORDINATORS and gaps[i + 1] == " ")):
        i += 1 if "," in gaps[i + 1] else 2
        if words[i] in _AROUND:
            return False
    return not ends_phrase(found, i)


def ends_phrase(found: Words, i: int) -> bool:
    """Whether nothing that a word could describe stands right behind it."""
    return not (
        i + 1 < len(found.words) and found.gaps[i + 1] in (" ", "-") and found.words[i + 1] not in _AROUND
    )
