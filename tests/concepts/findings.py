"""A small ontology, made for the tests of the annotator, and what is found with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.concepts.lexicon import Lexicon
from core.records import Concept, Draft, Synonym

ROOT = "T:0"
_ROWS = """
T:1   | Abnormality of the kidney        | T:0  | Renal anomaly
T:2   | Renal hypoplasia                 | T:1  | Hypoplastic kidney
T:3   | Renal cyst                       | T:1  |
T:4   | Hepatic cysts                    | T:0  |
T:5   | Hearing impairment               | T:0  | Hearing loss; Deafness
T:6   | Sensorineural hearing impairment | T:5  | Sensorineural hearing loss
T:7   | Palmar pits                      | T:0  |
T:8   | Plantar pits                     | T:0  |
T:9   | Parathyroid adenoma              | T:0  |
T:10  | Parathyroid hyperplasia          | T:0  |
T:11  | Atrial septal defect             | T:0  | ASD; Auricular septal defect
T:12  | Carcinoma                        | T:0  |
T:13  | Basal cell carcinoma             | T:0  |
T:14  | Mania                            | T:0  |
T:15  | Short thumb                      | T:0  |
T:16  | Broad thumb                      | T:0  |
T:17  | Vitamin A deficiency             | T:0  |
T:18  | Vitamin D deficiency             | T:0  |
T:19  | Protein S deficiency             | T:0  |
T:20  | Cleft lip/palate                 | T:0  | Cleft lip and palate
T:21  | Cleft palate                     | T:0  |
T:22  | Preauricular pit                 | T:0  |
T:23  | Intellectual disability, mild    | T:25 |
T:24  | Intellectual disability, severe  | T:25 |
T:25  | Intellectual disability          | T:0  | Mental retardation
T:26  | Hemorrhage                       | T:0  | Bleeding
T:27  | Abnormality of the eye           | T:0  |
T:28  | Obesity                          | T:0  |
T:29  | Raynaud phenomenon               | T:0  |
T:30  | Gastric ulcer                    | T:0  |
T:31  | Alpha thalassemia                | T:0  |
T:32  | Ear lobe crease                  | T:0  | Earlobe crease
T:33  | Cafe-au-lait spot                | T:0  |
T:34  | Neoplasm of the skin             | T:0  |
T:35  | Sjogren phenomenon               | T:0  |
T:36  | Abnormality of the ear           | T:0  |
T:37  | Abnormality of the outer ear     | T:36 | Ear anomalies
T:38  | Nausea and vomiting              | T:0  |
T:39  | Vomiting                         | T:0  |
T:40  | Hypoplasia of the radius         | T:0  |
T:41  | Hypoplasia of the ulna           | T:0  |
T:42  | Gastroesophageal reflux          | T:0  |
T:43  | Arteriovenous fistula            | T:0  |
"""


def concepts() -> list[Concept]:
    made = [Concept(ROOT, "All findings")]
    for row in _ROWS.strip().splitlines():
        curie, name, parent, synonyms = (part.strip() for part in row.split("|"))
        known = tuple(Synonym(text.strip(), "EXACT") for text in synonyms.split(";") if text.strip())
        made.append(Concept(curie, name, synonyms=known, parents=(parent,)))
    made.append(Concept("T:90", "Old finding", parents=(ROOT,), obsolete=True))
    made.append(Concept("X:1", "Elsewhere"))
    return made


LEXICON = Lexicon.build(concepts(), root=ROOT)


def lexicon_of(
    rows: Sequence[tuple[str, str, tuple[str, ...]]],
    above: Mapping[str, str] | None = None,
    definitions: Mapping[str, str] | None = None,
) -> Lexicon:
    """Of concepts given as (curie, name, exact synonyms), the root first, which is the parent of all others
    but for those that `above` gives another one."""
    root = rows[0][0]
    parents, defined = {root: None, **(above or {})}, definitions or {}
    made = []
    for curie, name, synonyms in rows:
        parent = parents.get(curie, root)
        known = tuple(Synonym(text, "EXACT") for text in synonyms)
        upper = () if parent is None else (parent,)
        made.append(Concept(curie, name, definition=defined.get(curie), synonyms=known, parents=upper))
    return Lexicon.build(made, root=root)


def found(text: str, lexicon: Lexicon = LEXICON) -> dict[str, list[str]]:
    """Concept -> its quotes."""
    return {d.concept: [e.quote for e in d.evidence] for d in lexicon.annotate(text)}


def draft(text: str, concept: str, lexicon: Lexicon = LEXICON) -> Draft:
    return next(d for d in lexicon.annotate(text) if d.concept == concept)
