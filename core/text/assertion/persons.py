"""Whose a finding is: words for relatives, and the findings that a sentence gives to them.

A relative has a finding as the subject of its clause ("her mother had epilepsy"), as what it is told with
("a brother with autism", "Mother: asthma") or where it is placed ("cataract in his father"). A relative who
reports, brings the child or passes on a variant has none. Two sisters who are described are patients:
siblings and children are relatives only where a word says whose ("his sister", "a brother of the patient").
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from core.text.assertion.tables import words_of
from core.text.spans import Words

KIN = words_of("kin", "siblings", "members", "sides")
"""Words without which nobody else is spoken of."""
_PHRASE = 6
"""Words of a noun phrase before its noun: "the patient's older maternal half-brother"."""
_AHEAD = 14
"""Words between a relative and its verb."""
_OWNED = 5
"""Words from an owner to behind what it owns at most."""
_TOLD = ("with", "having", "affected", "suffering", "diagnosed")

_Place = tuple[int, int]


def kindred(found: Words, near: Sequence[_Place], clauses: Sequence[int]) -> list[_Place]:
    """The mentions, given in order, that a sentence tells of relatives.

    Args:
        clauses: the words that begin a clause of the sentence, and the word behind its end.
    """
    told: list[_Place] = []
    for i in range(clauses[0], clauses[-1]):
        if found.words[i] not in KIN:
            continue
        at = bisect_right(clauses, i)
        begin, end = clauses[at - 1], _still(found, i, at, clauses)
        if found.words[i] in words_of("sides"):
            told += [m for m in near if m[0] == i + 1 and found.gaps[i + 1] == " "]
            branch = not _BRANCHES.isdisjoint(found.words[i + 1 : i + 2])  # "common on the paternal side"
            if branch and not _patient_before(found, begin, clauses[at]):
                told += [m for m in near if begin <= m[0] < clauses[at]]
        elif any(first <= i <= last for first, last in near):
            continue
        elif _related(found, i, begin) or _beside(found, i, begin, clauses):
            told += _behind(found, near, i, begin, end)
            told += _before(found, near, i, begin)
            told += _owned(found, near, i)
    return told


def _still(found: Words, i: int, at: int, clauses: Sequence[int]) -> int:
    """Where the relative at `i` ceases to be spoken of: clauses go on with a pronoun that is not the
    patient's, as in "her brother has no ataxia, although his speech is slurred"."""
    words = found.words
    owner = next((w for w in reversed(words[clauses[at - 1] : i]) if w in ("his", "her")), None)
    male, female = words[i] in words_of("male"), words[i] in words_of("female")
    own = {"he", "his"} if male else {"she", "her"} if female else _BOTH if words[i] == "parents" else set()
    light = words_of("joins", "strong", "fillers") - _BOTH
    while at + 1 < len(clauses) and owner not in own:
        first = next((w for w in words[clauses[at] : clauses[-1]] if w not in light), "")
        if first not in own:
            break
        at += 1
    return clauses[at]


def _related(found: Words, i: int, begin: int) -> bool:
    """Whether the word at `i` is a relative of the patient, not the patient."""
    words = found.words
    word = words[i]
    if words[i + 1 : i + 2] == ["s"] and not words_of("pregnancy").isdisjoint(words[i + 2 : i + 4]):
        return False  # "the mother's pregnancy" tells of the patient before birth
    first = _phrase(found, i, begin)
    lead = words[first:i]
    if word in words_of("members"):
        return i > begin and words[i - 1] in ("family", "household") and "affected" not in lead
    told = words[begin:first]
    if word in _OFFSPRING and not (_PARENTS.isdisjoint(told) or words_of("informs").isdisjoint(told)):
        return False  # "his mother saw a rash in her son"
    if word in words_of("far") or not words_of("owners", "sides").isdisjoint(lead):
        return True
    has = first > begin and words[first - 1] in _OWNS  # "he has a brother with autism"
    if word in words_of("kin"):
        counted = words[i + 2 : i + 3] and words[i + 2] in words_of("numbers")
        beside = words[i + 1 : i + 4] if counted else words[i + 1 : i + 3]
        pair = beside[:1] == ["and"] and beside[-1] in words_of("siblings")  # "the mother and daughter"
        before = words[first - 1] if first > begin else ""
        placed = before in words_of("placed")  # "the child of a mother with"
        led = before in words_of("led")  # "born to a mother with diabetes"
        return has or led or not (pair or (words[first] in ("a", "an") and not placed))
    if first > begin + 1 and words[first - 1] == "and" and words[first - 2] in words_of("siblings"):
        return _related(found, first - 2, begin)  # "two brothers and a sister"
    behind = words[i + 2 : i + 5] if words[i + 1 : i + 2] == ["of"] else ["a"]
    return has or _single(found, i, begin) or (behind[:1] != ["a"] and _BEARERS.isdisjoint(behind))


def _beside(found: Words, i: int, begin: int, clauses: Sequence[int]) -> bool:
    """Whether a sibling is told from the patient: "the younger sister had, whereas our patient did not", "the
    affected brother"."""
    words = found.words
    first = _phrase(found, i, begin)
    lead = words[first:i]
    if words[i] not in _ALONE or words[first] != "the":
        return False
    named = not _INDEX.isdisjoint(words[clauses[0] : clauses[-1]])
    return not _APART.isdisjoint(lead) or (named and not _COMPARED.isdisjoint(lead))


def _single(found: Words, i: int, begin: int) -> bool:
    """Whether the word at `i` is a brother or sister that no word of the patient's owns: "an older brother",
    "a sister, aged 5," as a subject or behind "family history", and "Sister with ataxia" in a note."""
    words = found.words
    first = _phrase(found, i, begin)
    counted = words[first] in ("a", "an") or words[first] in words_of("numbers")
    if counted and not _COMPARED.isdisjoint(words[first:i]):
        return True
    opens = first == begin or not _CASES.isdisjoint(words[max(0, first - _AHEAD) : first])
    if words[i] not in _ALONE or not opens:
        return False
    noted = first == i and words[i + 1 : i + 2] == ["with"]
    return noted or (words[first] in ("a", "another", "one") and words[i + 1 : i + 2] != ["and"])


_CHILDREN = words_of("siblings") | frozenset(("offspring", "product", "baby", "infant", "boy", "girl"))
_BEARERS = frozenset(("parents", "couple"))
_BOTH = frozenset(("both", "neither"))
_COMPARED = frozenset(("older", "younger", "elder", "half", "twin", "eldest", "oldest", "youngest"))
_ALONE = frozenset(("brother", "sister", "sibling", "sib"))
_CASES = frozenset(("family", "but"))
_APART = frozenset(("affected", "unaffected", "healthy", "deceased", "late"))
_INDEX = frozenset(("proband", "patient", "propositus", "proposita", "index"))
_OFFSPRING = frozenset(("son", "daughter", "child", "baby"))
_PARENTS = frozenset(("mother", "father", "parents", "mom", "mum", "dad"))
_BRANCHES = frozenset(("side", "family", "line", "branch", "relatives"))
_OWNS = frozenset(("has", "had", "have"))
_SAID = (["said", "to"], ["reported", "to"], ["thought", "to"], ["believed", "to"], ["found", "to"])


def _phrase(found: Words, i: int, begin: int) -> int:
    """The first word of the noun phrase that ends at `i`: "his older maternal half" of "brother"."""
    stops = words_of("led", "placed", "joins", "finite", "relative", "strong", "informs") - {"whose"}
    first = i
    while first > begin and i - first < _PHRASE and found.words[first - 1] not in stops:
        if found.gaps[first] not in (" ", "-", "'", "’"):
            break
        first -= 1
    return first


def _behind(found: Words, near: Sequence[_Place], i: int, begin: int, end: int) -> list[_Place]:
    """Mentions that a relative has, as the subject of its clause or as what it is told with."""
    ahead = [m for m in near if i < m[0] < end]
    if not ahead:
        return []
    words, gaps = found.words, found.gaps
    first = _phrase(found, i, begin)
    if first - 2 >= begin and words[first - 1] == "of" and words[first - 2] in words_of("numbers"):
        first -= 2  # "and two of her cousins"
    lead = words[first - 1] if first > begin else ""
    listed = "," in gaps[i + 1] and ahead[0][0] == i + 1  # "FHx: grandmother, stroke at 52"
    if listed and not _verb(found, begin - 1, i) and not _verb(found, i, end):
        return [m for m in ahead if m[0] < _noted_until(found, i + 1, end)]
    if i + 1 < end and (words[i + 1] in _TOLD or ":" in gaps[i + 1] or gaps[i + 1] in (" - ", " – ", " (")):
        if lead in words_of("led", "placed"):  # else it is a note: "father with myopia, mother with asthma"
            end = _told_until(found, i + 2, end)
            end = next((k for k in range(i + 2, end) if words[k] in _OWNS), end)
        return [m for m in ahead if m[0] < end]
    said = i
    if words[i + 1 : i + 2] == ["who"]:  # "his sister, who has ataxia, "
        within = _told_until(found, i + 2, end)
        if _verb(found, i, end) and any(m[0] < within for m in ahead):
            return [m for m in ahead if m[0] < within]
        said = within  # "the father, who had never been seen, had ataxia"
    if "whose" in words[first:i]:
        end = _told_until(found, i + 1, end)
        ahead = [m for m in ahead if m[0] < end]
    if (
        lead in ("in", "among") and first - 1 == begin and "," in gaps[i + 1]
    ):  # "in his mother, ataxia was seen"
        return [m for m in ahead if m[0] < _patient_behind(found, i, end)]
    if lead in words_of("led", "placed") or "not" in (lead, words[first]):
        return []
    if lead in ("and", "nor") and (
        _patient_before(found, begin, first) or words[first - 2] in words_of("siblings")
    ):
        return []
    if lead == "of" and words[first - 2] in _CHILDREN:  # "a boy, the first child of healthy parents, had"
        return []
    if not ahead or not (_verb(found, i, ahead[0][0]) or _verb(found, said - 1, ahead[0][0])):
        return []
    until = min(_patient_behind(found, i, end), _telling(found, i, end))
    return [m for m in ahead if m[0] < until]


def _owned(found: Words, near: Sequence[_Place], i: int) -> list[_Place]:
    """Mentions of which a relative is the owner: "his father's severe epilepsy"."""
    words, gaps = found.words, found.gaps
    if words[i + 1 : i + 2] != ["s"] or gaps[i + 1] not in ("'", "’"):
        return []
    stop = next((k for k in range(i + 2, min(i + _OWNED, len(words))) if not _plain(found, k)), i + _OWNED)
    return [m for m in near if i + 2 <= m[0] < stop]


def _plain(found: Words, k: int) -> bool:
    """Whether a noun phrase may go on with word `k`."""
    others = words_of("led", "placed", "joins", "finite", "relative", "strong", "informs")
    return found.gaps[k] in (" ", "-") and found.words[k] not in others and found.words[k] != "of"


def _noted_until(found: Words, i: int, end: int) -> int:
    """The next relative or semicolon behind word `i`, or `end`."""
    return next((k for k in range(i, end) if found.words[k] in KIN or ";" in found.gaps[k]), end)


def _told_until(found: Words, i: int, end: int) -> int:
    """The comma behind word `i`, or `end`."""
    return next((k for k in range(i, end) if "," in found.gaps[k]), end)


def _verb(found: Words, i: int, before: int) -> bool:
    """Whether a relative does or has something, other than telling it, ahead of word `before`."""
    words, finite, informs = found.words, words_of("finite"), words_of("informs")
    for k in range(i + 1, min(before, i + _AHEAD)):
        if words[k] in informs:
            return False
        if words[k] in finite:
            light = words_of("fillers", "auxiliaries", "copulas", "denials")
            beyond = next((j for j in range(k + 1, min(k + 5, len(words))) if words[j] not in light), k)
            return words[beyond] not in informs or words[beyond : beyond + 2] in _SAID
    return False


def _telling(found: Words, i: int, end: int) -> int:
    """The word with which a relative begins to tell: "the parents are healthy and denied seizures"."""
    words, joins, informs = found.words, words_of("joins"), words_of("informs")
    return next((k for k in range(i + 2, end) if words[k] in informs and words[k - 1] in joins), end)


def _patient_before(found: Words, begin: int, end: int) -> bool:
    """Whether the patient is spoken of among these words."""
    return any(_patient(found, k) for k in range(begin, end))


def _patient(found: Words, k: int) -> bool:
    """Whether word `k` is the patient, not an owner ("the patient's mother", "mother of the patient")."""
    words, gaps = found.words, found.gaps
    if words[k] not in words_of("patients"):
        return False
    owner = k + 1 < len(words) and words[k + 1] == "s" and gaps[k + 1] in ("'", "’")
    return not owner and "of" not in words[max(0, k - 3) : k]


def _patient_behind(found: Words, i: int, end: int) -> int:
    """The first word behind a relative with which the patient becomes the subject again."""
    words = found.words
    female = words[i] in words_of("female")
    male = words[i] in words_of("male")
    for k in range(i + 1, end):
        if words[k] in ("he", "she"):
            if (words[k] == "he" and not male) or (words[k] == "she" and not female):
                return k
        elif (
            _patient(found, k) and words[k - 1] not in words_of("relative") and words[k + 1 : k + 2] != ["of"]
        ):
            lead = words[max(0, k - 2) : k]
            if words_of("led", "placed").isdisjoint(lead):
                return k
    return end


def _before(found: Words, near: Sequence[_Place], i: int, begin: int) -> list[_Place]:
    """Mentions that are placed in a relative: "cataract was diagnosed in the grandmother"."""
    words, gaps = found.words, found.gaps
    first = _phrase(found, i, begin)
    if first == begin or words[first - 1] not in words_of("placed") or words[first - 2] == "than":
        return []
    told: list[_Place] = []
    edge = first - 1
    for mention in sorted((m for m in near if begin <= m[0] and m[1] < edge), key=lambda m: -m[1]):
        if edge - mention[1] - 1 > 4 or any("," in gaps[k] for k in range(mention[1] + 1, first)):
            break
        has = _patient_before(found, begin, mention[0])
        if has and words_of("informs").isdisjoint(words[begin : mention[0]]):
            break
        told.append(mention)
        edge = min(edge, mention[0])
    return told
