"""Which of the eight types a claim is (paper 004, Table 23), by words that tell them.

Words of recommendation come first, then those of prediction, safety, risk, mechanism, correlation, cause,
effect, frequency and influence. Efficacy asks for words of a treatment and of an effect; in the abstract of a
trial, groups that are compared are treatments compared.
"""

from __future__ import annotations

import re

from core.records import ClaimType


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w])", re.IGNORECASE)


_TRIAL = _words(
    r"randomi[sz]ed|randomly|randomi[sz]ation|placebo|double[- ]blind|controlled trial|clinical trial|trial|"
    r"cross-?over|allocated to|(?:experimental|intervention|treatment|control) groups?|divided into"
)
_RECOMMENDATION = _words(
    r"should(?! be noted)|(?:is|are|be|we|authors|strongly|therefore|cannot|not) recommend(?:ed)?|"
    r"recommended (?:for|as|that|in)|to recommend|recommend that|ought to|is (?:not |probably |"
    r"likely )*(?:indicated|warranted|justified|advisable|necessary|unnecessary|required)|are (?:not |"
    r"probably )*(?:indicated|justified|unnecessary|advisable)|unnecessary|(?:can|may|could|might|"
    r"must) (?:safely |also |therefore |thus )*be (?:used|considered|an? (?:\w+,? ){0,3}(?:option|"
    r"alternative|strategy|approach|choice|tool|candidate|treatment)|offered|implemented|avoided|"
    r"recommended|preferred|adopted|preferable|the preferred)|(?:viable|useful|promising|good|attractive|"
    r"valuable|reasonable|suitable|potential(?: \w+)?) (?:option|alternative|strategy|approach|choice|tool|"
    r"candidate|treatment|therapy)s?|do(?:es)? not (?:justify|support)(?: \w+){0,4} use|clinicians? (?:must|"
    r"need)|index of suspicion"
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
_PREDICTION = _words(
    r"predict(?:s|ed|or|ors|ive of|ive value for|ing)?|prognos\w+|(?:independent|significant|important|"
    r"major|known|strong|an?|was|were|are) risk factors?|risk factors? for|"
    r"independent(?:ly)?(?: \w+){0,3} (?:associated|factor|determinant|predict\w*)|(?:moderat|modifi)(?:e|"
    r"ed|es|or|ors|ers?) (?:the |of )*(?:effects?|response|outcome|treatment)"
)
_RISK = _words(
    r"risk of|risk for|hazard ratio|odds of|mortality risk|(?:increased|higher|lower) risk|survival rates?|"
    r"recurrence rates?|(?:died|survived|survival)|odds ratio|relative risks?|(?-i:a?OR|a?HR|RR)"
)
_CORRELATION = _words(
    r"correlat\w+|associations?|relationship|relation (?:to|between|with)|related to|linked to|link between|"
    r"proportional to|depend(?:s|ed|ent) on|covari\w+|concordan\w+|(?:more|less) (?:common|frequent|"
    r"prevalent)(?: \w+){0,3} (?:in|among)|more likely to|less likely to"
)
_ASSOCIATED = _words(r"associated with")
_APART = _words(
    r"(?:higher|lower|greater|more|less|fewer|shorter|longer|smaller|larger|younger|older|better|worse|"
    r"poorer|increased|reduced|elevated|differ\w*|similar|comparable)(?: [^ ]+){0,14} (?:than|compared|"
    r"between|versus|vs|among|as those)"
)
_PREVALENCE = _words(
    r"prevalence|incidence|frequency|seropositiv\w*|occurrence|proportion of|percentage of|majority of|"
    r"most (?:common|frequent|prevalent)|(?:resistance|infection|detection|colonization|carriage) rates?|"
    r"(?:\d+ ?(?:\([\d.]+ ?%\)|%)|\d+(?:\.\d+)? ?%|\w+ \(\d+(?:\.\d+)?%\)) (?:of )?(?:\w+ ){0,6}(?:had|were|"
    r"was|presented|reported|experienced|showed|developed|of|suffered|carried|harbou?red)|(?:was|"
    r"were) (?:found|present|detected|seen|identified|observed|diagnosed|positive|"
    r"reported) in \w+(?: \w+){0,3} ?\(?\d|(?:patients|women|cases|children|subjects|participants|isolates|"
    r"samples|men|deliveries|infants)(?: \w+){0,3},? \d+ \(\d|of \d+ \w+(?: \w+){0,5},? \d+|"
    r"\d+ (?:out )?of (?:the |all )?\d+|(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|\w+teen|\w+ty(?:-\w+)?) (?:other )?(?:patients?|cases|women|men|children|infants|subjects|"
    r"participants|isolates) (?:had|showed|developed|presented|experienced|reported)|per ?cent (?:of|\()|"
    r"(?:half|third|quarter|most) of"
)
_CAUSE = _words(
    r"caus(?:e|es|ed|ing|al|ally)|induc(?:e|es|ed|ing)|attributable to|responsible for|contribut(?:e|es|ed|"
    r"ing) to|trigger\w*|due to|result of|driven by"
)
_INFLUENCE = _words(
    r"led to|leads? to|leading to|result(?:s|ed|ing)? (?:in|from)|resulting|because of|consequence\w*|"
    r"influenc(?:e|es|ed|ing)|affect(?:s|ed|ing)?|produc(?:es|ed)|effects? of|effects? on|impact (?:of|on)|"
    r"by the use of"
)
_TREATMENT = _words(
    r"treat(?:ment|ments|ed|ing)|therap(?:y|ies|eutic)|interventions?|placebo|drugs?|dos(?:e|es|ing|age)|"
    r"medication\w*|supplement\w*|train(?:ing|ed)|program(?:me)?s?|regimens?|surger(?:y|ies)|surgical|"
    r"vaccin\w+|immuni[sz]ation|chemotherapy|radiotherapy|exercise|counsel\w+|administ(?:ered|ration)|"
    r"inject\w+|prophyla\w+|infus\w+|procedures?|techniques?|diets?|anesth\w+|anaesth\w+|analges\w+|"
    r"\w+(?:mab|nib|statin|pril|sartan|olol|azole|cillin|mycin|oxacin|dipine|gliptin|gliflozin|glutide|"
    r"tinib|vir|caine|pam|lam|setron|parin|xaban|prazole|sone|solone|oxetine|opram|platin|taxel|rubicin|"
    r"cycline|penem|formin|glitazone)|usual care|education\w*|acupuncture|rehabilitation|physiotherapy|"
    r"massage|implant\w*|stent\w*|transplant\w*|graft\w*|screening|extracts?|oil|insulin|laser|device|"
    r"stimulation|coping|mindfulness|CBT|arms|control groups?|placebo groups?"
)
_GROUPS = _words(r"groups?|arms?|controls?|conditions?|baseline|placebo")
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
    effect = bool(_EFFECT.search(claim))
    treated = effect and bool(compared or _TREATMENT.search(claim) or (trial and _GROUPS.search(claim)))
    if _RECOMMENDATION.search(claim):
        return ClaimType.RECOMMENDATION
    if _PREDICTION.search(claim):
        return ClaimType.PROGNOSTIC
    if _SAFETY.search(claim):
        return ClaimType.EFFICACY
    if _RISK.search(claim) and not (compared or (treated and (trial or not _ASSOCIATED.search(claim)))):
        return ClaimType.PROGNOSTIC
    if _MECHANISM.search(claim) and not compared:
        return ClaimType.MECHANISTIC
    if _CORRELATION.search(claim) and not compared:
        return ClaimType.CORRELATIONAL
    if _ASSOCIATED.search(claim) and not (trial and treated):
        return ClaimType.CORRELATIONAL
    if _CAUSE.search(claim) and not (trial and (effect or compared)):
        return ClaimType.CAUSAL
    if trial and (effect or compared):
        return ClaimType.EFFICACY
    if _PREVALENCE.search(claim):
        return ClaimType.PREVALENCE
    if treated:
        return ClaimType.EFFICACY
    if _APART.search(claim):
        return ClaimType.CORRELATIONAL
    if _INFLUENCE.search(claim):
        return ClaimType.CAUSAL
    return ClaimType.EFFICACY if trial and _GROUPS.search(claim) else ClaimType.FACTUAL
