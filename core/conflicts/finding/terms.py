"""The words of claims that say what they are about, as stems; and outcomes that people want or fear."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.normalise import stem

_WORD = re.compile(r"[^\W\d_][\w'-]*[^\W_]")

_EMPTY = """
a about above after against all also among an and any are as at be been before being below between both but by
can could did do does during each either first for found from had has have high higher however if in into is
it its less level low lower may mean median might more most no nor not of on only or other our over per rate
remain respectively same second should showed shown significant significantly since some such than that the
their them then there these they this those through to together total two three four five six under up using
value was we were when where whereas which while who with within without would yet compared comparison versus
vs group groups patient patients participant participants subject subjects study studies trial trials result
results effect effects difference differences increase increased decrease decreased reduce reduced reduction
associated association risk incidence prevalence frequency likelihood odds proportion percentage number
numbers score scores hazard ratio confidence interval intervals ci relative analysis arm arms adjusted
treatment treatments treated therapy therapies control controls placebo baseline intervention interventions
use used day days week weeks month months year years time follow-up point points unit units one better worse
improved improvement change changes changed outcome outcomes people person persons individuals adults cases
case standard deviation evidence data finding findings observed seen found reported suggest suggests based
overall toward towards trend tendency among amongst daily twice once every weekly additional alone combined
receiving received given
"""
EMPTY = frozenset(stem(word) for word in _EMPTY.split())
"""Words that two claims may share without being about the same."""

_SAME = (
    "mortality death deaths died fatal fatality survival survived survivors surviving",
    "relapse relapsed recurrence recurrent recurred",
    "heart cardiac cardiovascular coronary",
    "kidney renal",
    "cancer carcinoma tumour tumor tumours neoplasm malignancy",
    "infant infants newborn newborns neonate neonates neonatal",
    "children child paediatric pediatric childhood",
    "covid-19 sars-cov-2 coronavirus ncov",
    "hypertension pressure",
    "admission admitted hospitalisation hospitalization hospitalised hospitalized",
)
_ONE = {stem(word): stem(family.split()[0]) for family in _SAME for word in family.split()}

_GOOD = """
survival survived adherence cure cured responders remission recovery function quality healing success
efficacy satisfaction clearance protection performance growth strength tolerance resolution eradication
abstinence pregnancy sensitivity accuracy wellbeing well-being effectiveness knowledge
"""
_BAD = """
mortality death deaths pain relapse recurrence failure symptom symptoms infection infections complication
complications event events fall falls fracture fractures bleeding severity progression disease cancer stroke
diarrhoea vomiting nausea fever hospitalisation hospitalization admission readmission depression anxiety
fatigue disability toxicity injury injuries dementia diabetes hypertension pneumonia sepsis transmission
burden resistance adverse stress inflammation decline loss psychopathology tension anger confusion dyspnoea
dyspnea swelling irritability delirium agitation cough itching pruritus hypotension shivering insomnia
distress cholesterol
"""


_GENERIC = """
postoperative preoperative intraoperative operation operative surgery surgical procedure experimental ii
iii iv first second third end addition length hospital stay severity duration early late short long term
level levels placebo mg kg ml min hour hours dose doses medication clinical efficacy safety
effectiveness rate rates new different various all parameters variables index scale questionnaire test
tests mean week safe effective response responses present current significance statistical statistically
respectively total sample size method methods conclusion background objective purpose aim randomised
controlled trial double-blind men women male female girl girls boy boys infant infants adolescents
"""
GENERIC = frozenset(stem(word) for word in _GENERIC.split())
"""Words that name no intervention or exposure, besides `EMPTY`: two claims that share no others may be about
anything."""


def content(text: str) -> frozenset[str]:
    """Stems of the words that say what a text is about; words of one family are one."""
    return _content(text[:2_000])


@lru_cache(50_000)
def _stem(word: str) -> str:
    return stem(word)


@lru_cache(50_000)
def _told(word: str) -> str:
    """The stem that stands for a word; none where it tells nothing."""
    found = _stem(word)
    return "" if found in EMPTY else _ONE.get(found, found)


@lru_cache(4_096)
def _content(text: str) -> frozenset[str]:
    return frozenset(map(_told, _WORD.findall(text))) - {""}


def wanted(text: str) -> tuple[bool, bool]:
    """Whether a text names an outcome that people want, and one that they fear."""
    stems = {_stem(word) for word in _WORD.findall(text[:2_000])}
    return bool(stems & _GOOD_STEMS), bool(stems & _BAD_STEMS)


_GOOD_STEMS = frozenset(stem(word) for word in _GOOD.split())
_BAD_STEMS = frozenset(stem(word) for word in _BAD.split())
