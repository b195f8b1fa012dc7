"""Review of concept labels: filters above, the desk below."""

from __future__ import annotations

from core import review
from core.kinds.names import NAMES
from core.records import Assertion, ConceptClass
from pages.widgets import state
from pages.widgets.desk import chosen, concept_desk, doubts
from pages.widgets.desk.chosen import ANY
from pages.widgets.desk.review_page import Choice, ReviewPage

CLASSES = {ANY: "Any class", **{c.value: c.value.replace("_", " ").capitalize() for c in ConceptClass}}
BANDS = {ANY: "Any confidence", **{b.value: f"{b.value.capitalize()} confidence" for b in review.Band}}
STATUSES = {ANY: "Any status", **{a.value: NAMES[a] for a in Assertion}}
ORDERS = {
    review.Order.DOCUMENT.value: "As in the documents",
    review.Order.CONFIDENCE.value: "Least confident first",
    review.Order.DISAGREEMENT.value: "Where runs differ first",
}


def choices(workspace: state.Workspace, corpus: str) -> dict[str, Choice]:
    ontology = review.ontology_of(workspace, corpus)
    branches = dict(review.terms_of(workspace, ontology).top_branches()) if ontology else {}
    return {
        "class": Choice("Class", CLASSES, "concept_class", ConceptClass),
        "status": Choice("Status", STATUSES, "assertion", Assertion),
        "branch": Choice("Concept branch", {ANY: "All branches", **branches}, "branch"),
        "confidence": Choice("Confidence", BANDS, "band", review.Band),
    }


ReviewPage(
    name="concept_labels",
    title="Concept labels",
    empty="There is nothing to review yet. Make proposals with `touchstone annotate`, or bring labels that"
    " another tool made with `touchstone proposals add`.",
    filters=review.Filters,
    choices=choices,
    places=(
        ("class", "status", "answers", "repeats"),
        ("confidence", "document", "overlap"),
        ("show", "branch"),
    ),
    document="Document",
    shown=chosen.SHOWN,
    answers="Curators per item",
    orders=ORDERS,
    order=review.Order,
    caption="Quotes that are not in the text and repaired proposals always come first.",
    desk=concept_desk.desk,
    desk_key=state.DESK,
    session_key=state.SESSION,
    tell=doubts.tell,
).run()
