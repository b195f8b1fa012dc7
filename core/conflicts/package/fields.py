"""What each column of a release means, for its card and its metadata; sides a and b are told of once."""

from __future__ import annotations

FIELDS: dict[str, str] = {
    "example_id": "Id of the row.",
    "pair_id": "Id of the pair: names both claims by article, text and place.",
    "domain": "Field of medicine; pairs are mined within one.",
    "claim_{s}_id": "Id of the claim.",
    "claim_{s}_text": "The claim, word for word as in the abstract.",
    "claim_{s}_type": "One of eight types of claim.",
    "claim_{s}_article_uid": "Id of its article.",
    "claim_{s}_start": "Where the claim begins in the abstract, in code points.",
    "claim_{s}_end": "Where it ends, exclusive.",
    "claim_{s}_sentence_start": "Where its sentence begins.",
    "claim_{s}_sentence_end": "Where its sentence ends, exclusive.",
    "claim_{s}_section": "Section of a structured abstract.",
    "claim_{s}_direction": "What it says happened to the outcome.",
    "claim_{s}_negated": "Whether the claim denies something.",
    "claim_{s}_entities": "Names of diseases, drugs and the like in it.",
    "claim_{s}_slots": "Population, intervention, comparator, outcome and numbers, in its words.",
    "claim_{s}_confidence": "How sure the rule is that it is a claim, 0 to 1.",
    "title_{s}": "Title of the article.",
    "abstract_{s}": "The text that offsets count in.",
    "journal_{s}": "Journal.",
    "pub_year_{s}": "Year of publication.",
    "doi_{s}": "DOI.",
    "pmid_{s}": "PubMed id.",
    "licence_{s}": "Licence of the text, as its file names it; null: unknown.",
    "entities": "Entities of either claim.",
    "similarity": "Cosine of the claims' vectors.",
    "disagreement_score": "How strongly the wording disagrees, 0 to 1.",
    "entity_overlap": "Shared entities over all, 0 to 1.",
    "type_compatibility": "Whether the types of claim can disagree, 0 to 1.",
    "year_penalty": "Subtracted for the years between both.",
    "combined_score": "Weighted sum of these five.",
    "conflict_likelihood": "How likely the claims disagree, 0 to 1; null: not estimated.",
    "disagreement_signals": "What the disagreement score rests on.",
    "tier": "Queue: pilot, development or full.",
    "comparable": "Whether both can be held against each other.",
    "conflict_type": "The label: one of six types.",
    "divergence_axes": "Along which of thirteen axes both differ.",
    "dominant_confounder": "The axis that explains most; one of divergence_axes, or null.",
    "reconciliation": "How both can hold, in words.",
    "evidence_spans": "The words that the label rests on, with offsets in the frame they name.",
    "confidence": "Of whoever made the label, 0 to 1; null of a person.",
    "notes": "Remarks of the annotator.",
    "label_origin": "Who made the label: model, heuristic or person.",
    "annotator_id": "Model or tool; curators are not named.",
    "repaired": "Whether an answer outside the schema was made to fit.",
    "repairs": "What was made to fit.",
    "seen_by_person": "Whether a person judged this pair.",
    "machine_labels": "What each machine annotator said, whoever made the label of the row.",
    "run": "The run that labelled it.",
    "provenance": "Where an imported row came from.",
}


def described(column: str) -> str:
    """What a column of a release means."""
    return FIELDS[_family(column)]


def families(columns: list[str]) -> list[tuple[str, list[str]]]:
    """(words, columns) in the order of the columns, both sides together."""
    found: dict[str, list[str]] = {}
    for column in columns:
        found.setdefault(_family(column), []).append(column)
    return [(FIELDS[family], held) for family, held in found.items()]


def _family(column: str) -> str:
    if column in FIELDS:
        return column
    for side in ("a", "b"):
        for family in (
            column.replace(f"claim_{side}_", "claim_{s}_"),
            f"{column.removesuffix(f'_{side}')}_{{s}}",
        ):
            if family in FIELDS:
                return family
    raise KeyError(f"No words describe the column {column}: add it to core.conflicts.package.fields.")
