"""Which of the eight types a claim is (paper 004, Table 23), by words that tell them.

Words of recommendation come first, then those of prognosis, safety, mechanism, correlation, efficacy,
prevalence and cause. Efficacy asks for words of a treatment and of an effect; in the abstract of a trial,
groups that are compared are treatments compared.
"""

from __future__ import annotations

import re

from core.records import ClaimType


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w])", re.IGNORECASE)


_TRIAL = _words(
    r"randomi[sz]ed|randomly|randomi[sz]ation|placebo|double-blind|controlled trial|clinical trial|"
    r"crossover trial|allocated to|trial"
)
_RECOMMENDATION = _words(
    r"should(?! be noted)|recommend\w*|ought to|is (?:not |probably |likely )*(?:indicated|warranted|"
    r"justified|advisable|necessary|unnecessary|required)|are (?:not |probably )*(?:indicated|justified|"
    r"unnecessary|advisable)|unnecessary|(?:can|may|could|might|must) (?:safely |also |therefore |"
    r"thus )*be (?:used|considered|an? (?:\w+,? ){0,3}(?:option|alternative|strategy|approach|choice|tool|"
    r"candidate|treatment)|offered|implemented|avoided|recommended|preferred|adopted|preferable|"
    r"the preferred)|(?:viable|useful|promising|good|attractive|valuable|reasonable|suitable|"
    r"potential(?: \w+)?) (?:option|alternative|strategy|approach|choice|tool|candidate|treatment|"
    r"therapy)s?|do(?:es)? not (?:justify|support)(?: \w+){0,4} use|clinicians? (?:must|need)|"
    r"index of suspicion"
)
_MECHANISM = _words(
    r"mechanisms?|pathways?|mediat(?:ed|es|ing|or|ors)|signal(?:l)?ing|phosphorylat\w*|up-?regulat\w*|"
    r"down-?regulat\w*|apoptosis|gene expression|mRNA|protein expression|expression of|transcription\w*|"
    r"receptor binding|binds? to|agonism|inhibit(?:s|ed|ing)? (?:the )?(?:expression|activation|growth|"
    r"proliferation|synthesis|production|secretion)|activation of|oxidative stress|implicate\w*|"
    r"metabolic pathway|pathophysiolog\w*|pathogenesis|immune dysregulation|"
    r"through (?:the )?(?:\w+ ){0,2}(?:inhibition|activation|modulation|reduction|suppression|increase)|"
    r"regulat(?:es|ed|ing)"
)
_PROGNOSIS = _words(
    r"predict(?:s|ed|or|ors|ive of|ive value for|ing)?|prognos\w+|risk factors?|risk of|risk for|"
    r"hazard ratio|independent(?:ly)?(?: \w+){0,3} (?:associated|factor|determinant|predict\w*)|odds of|"
    r"mortality risk|increased risk|moderat(?:e|ed|es|or|ors) (?:the )?(?:effects?|response|outcome|"
    r"treatment)|survival rates?|recurrence rates?|(?:died|survived)"
)
_CORRELATION = _words(
    r"associat(?:ed|ion|ions|es) (?:with|between|of|was|were|to)|associations?|correlat\w+|relat(?:ed|"
    r"ionship|ionships|ion) (?:to|between|with|of|was)|linked to|link between|proportional to|depend(?:s|ed|"
    r"ent) on|covari\w+|(?:more|less) (?:common|frequent|prevalent|likely)(?: \w+){0,3} (?:in|among|to)|"
    r"regression|concordan\w+"
)
_PREVALENCE = _words(
    r"prevalence|incidence|frequency|seropositiv\w*|occurrence|proportion of|percentage of|majority of|"
    r"most (?:common|frequent|prevalent)|(?:resistance|infection|detection|colonization|carriage) rates?|"
    r"(?:\d+ ?(?:\([\d.]+ ?%\)|%)|\d+(?:\.\d+)? ?%|\w+ \(\d+(?:\.\d+)?%\)) (?:of )?(?:\w+ ){0,6}(?:had|were|"
    r"was|presented|reported|experienced|showed|developed|of|suffered|carried|harbou?red)|(?:was|"
    r"were) (?:found|present|detected|seen|identified|observed|diagnosed|positive|"
    r"reported) in \w+(?: \w+){0,3} ?\(?\d|(?:patients|women|cases|children|subjects|participants|isolates|"
    r"samples|men|deliveries|infants)(?: \w+){0,3},? \d+ \(\d|of \d+ \w+(?: \w+){0,5},? \d+"
)
_CAUSE = _words(
    r"caus(?:e|es|ed|ing|al|ally)|led to|leads? to|leading to|result(?:s|ed|ing)? (?:in|from)|resulting|"
    r"result of|due to|induc(?:e|es|ed|ing)|attributable to|responsible for|contribut(?:e|es|ed|ing) to|"
    r"because of|consequence\w*|influenc(?:e|es|ed|ing)|affect(?:s|ed|ing)?|driven by|trigger\w*|"
    r"produc(?:es|ed)|effects? of|effects? on|impact (?:of|on)"
)
_TREATMENT = _words(
    r"treat(?:ment|ments|ed|ing)|therap(?:y|ies|eutic)|interventions?|placebo|drugs?|dos(?:e|es|ing|age)|"
    r"medication\w*|supplement\w*|train(?:ing|ed)|program(?:me)?s?|regimens?|surger(?:y|ies)|surgical|"
    r"vaccin\w+|immuni[sz]ation|chemotherapy|radiotherapy|exercise|counsel\w+|administ(?:ered|ration)|"
    r"inject\w+|arms?|control groups?|controls?|prophyla\w+|infus\w+|procedures?|techniques?|diets?|"
    r"anesth\w+|anaesth\w+|analges\w+|\w+(?:mab|nib|statin|pril|sartan|olol|azole|cillin|mycin|oxacin|"
    r"dipine|gliptin|gliflozin|glutide|tinib|vir|caine|pam|lam|setron|parin|xaban|prazole|sone|solone|"
    r"oxetine|opram|platin|taxel|rubicin|cycline|penem|formin|glitazone)|usual care|education\w*|"
    r"acupuncture|rehabilitation|physiotherapy|massage|implant\w*|stent\w*|transplant\w*|graft\w*|screening|"
    r"extracts?|oil|insulin|laser|device|stimulation|coping|mindfulness|CBT|groups?"
)
_EFFECT = _words(
    r"improv\w*|reduc\w*|increas\w*|decreas\w*|effect\w*|efficac\w*|differ\w*|better|worse|superior|"
    r"inferior|non-?inferior\w*|safe\w*|tolera\w*|adverse|side effects?|benefi\w*|higher|lower|greater|"
    r"fewer|less|more|shorter|longer|similar|comparable|significant\w*|respon(?:se|ses|ded|ders?)|cure\w*|"
    r"prevent\w*|declin\w*|reliev\w*|relief|alleviat\w*|enhanc\w*|equivalent|success\w*|complications?|"
    r"change[sd]?|faster|slower|remission|earlier|accelerat\w*|healing|reached|achieved|larger|smaller|"
    r"lessen\w*|advantage\w*|perform\w+|feasib\w*|acceptab\w*"
)
_SAFETY = _words(
    r"adverse (?:events?|effects?|reactions?)|side effects?|well[- ]tolerated|safe|safety|tolerab\w+|"
    r"treatment-related|drug-related"
)
_COMPARED = _words(
    r"(?:between|than|compared|versus|vs|both|two|three|all|in|for|from|the)(?: \w+){0,6} (?:groups?|arms?|"
    r"treatments?|placebo|controls?|conditions?|regimens?)|placebo"
)


def is_trial(abstract: str) -> bool:
    """Whether an abstract is of a study that gave people something and compared."""
    return bool(_TRIAL.search(abstract))


def claim_type_of(claim: str, *, trial: bool = False) -> ClaimType:
    """The type of a claim.

    Args:
        trial: whether its study compared treatments, see `is_trial`.
    """
    compared = bool(trial and _COMPARED.search(claim))
    treated = bool(_EFFECT.search(claim)) and bool(_TREATMENT.search(claim) or compared)
    if _RECOMMENDATION.search(claim):
        return ClaimType.RECOMMENDATION
    if _PROGNOSIS.search(claim) and not (treated and (compared or _SAFETY.search(claim))):
        return ClaimType.PROGNOSTIC
    if _SAFETY.search(claim):
        return ClaimType.EFFICACY
    if _MECHANISM.search(claim) and not compared:
        return ClaimType.MECHANISTIC
    if _CORRELATION.search(claim) and not compared:
        return ClaimType.CORRELATIONAL
    if treated and (trial or not _PREVALENCE.search(claim)):
        return ClaimType.EFFICACY
    if _PREVALENCE.search(claim) and not (trial and _EFFECT.search(claim)):
        return ClaimType.PREVALENCE
    if _CAUSE.search(claim):
        return ClaimType.CAUSAL
    return ClaimType.EFFICACY if trial and _EFFECT.search(claim) else ClaimType.FACTUAL
