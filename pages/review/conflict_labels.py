"""Review of conflict labels: filters above, the desk of claim pairs below."""

from __future__ import annotations

from core import review
from core.kinds.names import called
from core.records import ConflictType, Origin, Tier
from pages.widgets import state
from pages.widgets.desk import chosen, pair_desk
from pages.widgets.desk.chosen import ANY
from pages.widgets.desk.review_page import Choice, ReviewPage

TYPES = {ANY: "Any type", **{row["value"]: row["name"] for row in review.pair_guide()["types"]}}
TIERS = {ANY: "Any tier", **{tier.value: tier.value.capitalize() for tier in Tier}}
ORIGINS = {
    ANY: "Any origin",
    Origin.MODEL.value: "A model's label",
    Origin.PERSON.value: "A person's label",
    Origin.HEURISTIC.value: "Heuristic only",
}
ORDERS = {
    review.PairOrder.LIKELIHOOD.value: "Likeliest conflict first",
    review.PairOrder.TIER.value: "Tier by tier",
    review.PairOrder.SCORE.value: "Best score first",
    review.PairOrder.CONFIDENCE.value: "Least confident first",
    review.PairOrder.DISAGREEMENT.value: "Where annotators differ first",
}


def choices(workspace: state.Workspace, corpus: str) -> dict[str, Choice]:
    found = review.pair_index(workspace).domains(corpus)
    domains = {ANY: "All domains", **{domain: called(domain) for domain in found}}
    return {
        "domain": Choice("Domain", domains, "domain"),
        "tier": Choice("Tier", TIERS, "tier", Tier),
        "origin": Choice("Origin", ORIGINS, "origin", Origin),
        "type": Choice(
            "Conflict type", TYPES, "conflict_type", ConflictType, said=lambda value: TYPES[value].lower()
        ),
    }


ReviewPage(
    name="conflict_labels",
    title="Conflict labels",
    empty="There are no claim pairs to review yet. Find and label some with `touchstone run conflicts`, or"
    " bring pairs that another tool labelled with `touchstone proposals add`.",
    filters=review.PairFilters,
    choices=choices,
    places=(("domain", "tier", "answers", "repeats"), ("type", "origin", "overlap"), ("show", "document")),
    document="Article",
    shown={value: name for value, name in chosen.SHOWN.items() if value != review.Show.ADDED},
    answers="Curators per pair",
    orders=ORDERS,
    order=review.PairOrder,
    caption="Repaired labels and quotes that are not in the text always come first. One claim comes at most"
    " five times in fifty pairs. Type and origin are those of the model's label, or of"
    " the heuristic's where there is no other.",
    desk=pair_desk.desk,
    desk_key=state.PAIR_DESK,
    session_key=state.PAIR_SESSION,
).run()
