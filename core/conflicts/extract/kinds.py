"""Which of the eight types a claim is (paper 004, Table 23), by words that tell them.

A claim is of the first type, in the order below, whose words it has; efficacy asks for words of a treatment and
of an effect, and in the abstract of a trial groups compared are treatments compared.
"""

from __future__ import annotations

import re

from core.records import ClaimType


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w])", re.IGNORECASE)


_TRIAL = _words(
    r"randomi[sz]ed|randomly|randomi[sz]ation|placebo|double-blind|controlled trial|clinical trial|crossover trial|"
    r"allocated to|trial"
)
_RECOMMENDATION = _words(
    r"should(?! be noted)|recommend\w*|ought to|is (?:not |probably |likely )*(?:indicated|warranted|justified|advisable|"
    r"necessary|unnecessary|required)|are (?:not |probably )*(?:indicated|justified|unnecessary|advisable)|unnecessary|"
    r"(?:can|may|could|might|must) (?:safely |also |therefore |thus )*be (?:used|considered|an? (?:\w+,? ){0,3}(?:option|"
    r"alternative|strategy|approach|choice|tool|candidate|treatment)|offered|implemented|avoided|recommended|preferred|"
    r"adopted|preferable|the preferred)|(?:viable|useful|promising|good|attractive|valuable|reasonable|suitable|"
    r"potential(?: \w+)?) (?:option|alternative|strategy|approach|choice|tool|candidate|treatment|therapy)s?|do(?:es)? not "
    r"(?:justify|support)(?: \w+){0,4} use|clinicians? (?:must|need)|index of suspicion"
)
_MECHANISM = _words(
    r"mechanisms?|pathways?|mediat(?:ed|es|ing|or|ors)|signal(?:l)?ing|phosphorylat\w*|up-?regulat\w*|down-?regulat\w*|"
    r"apoptosis|gene expression|mRNA|protein expression|expression of|transcription\w*|receptor binding|binds? to|agonism|"
    r"inhibit(?:s|ed|ing)? (?:the )?(?:expression|activation|growth|proliferation|synthesis|production|secretion)|"
    r"activation of|oxidative stress|implicate\w*|metabolic pathway|pathophysiolog\w*|pathogenesis|immune dysregulation|"
    r"through (?:the )?(?:\w+ ){0,2}(?:inhibition|activation|modulation|reduction|suppression|increase)|regulat(?:es|ed|ing)"
)
_PROGNOSIS = _words(
    r"predict(?:s|ed|or|ors|ive of|ive value for|ing)?|prognos\w+|risk factors?|risk of|risk for|hazard ratio|"
    r"independent(?:ly)?(?: \w+){0,3} (?:associated|factor|determinant|predict\w*)|odds of|mortality risk|increased risk|"
    r"moderat(?:e|ed|es|or|ors) (?:the )?(?:effects?|response|outcome|treatment)|survival rates?|recurrence rates?|"
    r"(?:died|survived)"
)
_CORRELATION = _words(
    r"associat(?:ed|ion|ions|es) (?:with|between|of|was|were|to)|associations?|correlat\w+|relat(?:ed|ionship|ionships|ion) "
    r"(?:to|between|with|of|was)|linked to|link between|proportional to|depend(?:s|ed|ent) on|covari\w+|"
    r"(?:more|less) (?:common|frequent|prevalent|likely)(?: \w+){0,3} (?:in|among|to)|regression|concordan\w+"
)
_PREVALENCE = _words(
    r"prevalence|incidence|frequency|seropositiv\w*|occurrence|proportion of|percentage of|majority of|most (?:common|"
    r"frequent|prevalent)|(?:resistance|infection|detection|colonization|carriage) rates?|"
    r"(?:\d+ ?(?:\([\d.]+ ?%\)|%)|\d+(?:\.\d+)? ?%|\w+ \(\d+(?:\.\d+)?%\)) (?:of )?(?:\w+ ){0,6}(?:had|were|was|presented|"
    r"reported|experienced|showed|developed|of|suffered|carried|harbou?red)|(?:was|were) (?:found|present|detected|seen|"
    r"identified|observed|diagnosed|positive|reported) in \w+(?: \w+){0,3} ?\(?\d|(?:patients|women|cases|children|"
    r"subjects|participants|isolates|samples|men|deliveries|infants)(?: \w+){0,3},? \d+ \(\d|of \d+ \w+(?: \w+){0,5},? \d+"
)
_CAUSE = _words(
    r"caus(?:e|es|ed|ing|al|ally)|led to|leads? to|leading to|result(?:s|ed|ing)? (?:in|from)|resulting|result of|due to|"
    r"induc(?:e|es|ed|ing)|attributable to|responsible for|contribut(?:e|es|ed|ing) to|because of|consequence\w*|"
    r"influenc(?:e|es|ed|ing)|affect(?:s|ed|ing)?|driven by|trigger\w*|produc(?:es|ed)|effects? of|effects? on|impact (?:of|on)"
)
_TREATMENT = _words(
    r"treat(?:ment|ments|ed|ing)|therap(?:y|ies|eutic)|interventions?|placebo|drugs?|dos(?:e|es|ing|age)|medication\w*|"
    r"supplement\w*|train(?:ing|ed)|program(?:me)?s?|regimens?|surger(?:y|ies)|surgical|vaccin\w+|immuni[sz]ation|"
    r"chemotherapy|radiotherapy|exercise|counsel\w+|administ(?:ered|ration)|inject\w+|arms?|control groups?|controls?|"
    r"prophyla\w+|infus\w+|procedures?|techniques?|diets?|anesth\w+|anaesth\w+|analges\w+|\w+(?:mab|nib|statin|pril|sartan|"
    r"olol|azole|cillin|mycin|oxacin|dipine|gliptin|gliflozin|glutide|tinib|vir|caine|pam|lam|setron|parin|xaban|prazole|"
    r"sone|solone|oxetine|opram|platin|taxel|rubicin|cycline|penem|formin|glitazone)|usual care|education\w*|acupuncture|"
    r"rehabilitation|physiotherapy|massage|implant\w*|stent\w*|transplant\w*|graft\w*|screening|extracts?|oil|insulin|laser|"
    r"device|stimulation|coping|mindfulness|CBT|groups?"
)
_EFFECT = _words(
    r"improv\w*|reduc\w*|increas\w*|decreas\w*|effect\w*|efficac\w*|differ\w*|better|worse|superior|inferior|non-?inferior\w*|"
    r"safe\w*|tolera\w*|adverse|side effects?|benefi\w*|higher|lower|greater|fewer|less|more|shorter|longer|similar|"
    r"comparable|significant\w*|respon(?:se|ses|ded|ders?)|cure\w*|prevent\w*|declin\w*|reliev\w*|relief|alleviat\w*|"
    r"enhanc\w*|equivalent|success\w*|complications?|change[sd]?|faster|slower|remission|earlier|accelerat\w*|healing|"
    r"reached|achieved|larger|smaller|lessen\w*|advantage\w*|perform\w+|feasib\w*|acceptab\w*"
)
_SAFETY = _words(
    r"adverse (?:events?|effects?|reactions?)|side effects?|well[- ]tolerated|safe|safety|tolerab\w+|treatment-related|"
    r"drug-related"
)
_COMPARED = _words(
    r"(?:between|than|compared|versus|vs|both|two|three|all|in|for|from|the)(?: \w+){0,6} (?:groups?|arms?|treatments?|placebo|"
    r"controls?|conditions?|regimens?)|placebo"
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
