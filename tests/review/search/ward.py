"""An ontology to search in: heart, eyes, head and kidneys, with the names that make a search hard."""

from __future__ import annotations

from core.records import Concept, Ontology, Synonym

ROWS = {
    "HP:0001629": ("Ventricular septal defect",),
    "HP:0011623": ("Muscular ventricular septal defect",),
    "HP:0011652": ("Double outlet right ventricle with ventricular septal defect", "DORV with committed VSD"),
    "HP:0001631": ("Atrial septal defect",),
    "HP:0000822": ("Hypertension",),
    "HP:0002092": ("Pulmonary arterial hypertension",),
    "HP:0002094": ("Dyspnea", "Shortness of breath"),
    "HP:0000252": ("Microcephaly", "Abnormally small skull"),
    "HP:0000253": ("Progressive microcephaly",),
    "HP:0000256": ("Macrocephaly",),
    "HP:0001250": ("Seizure", "Epileptic fit"),
    "HP:0002373": ("Febrile seizure",),
    "HP:0001252": ("Hypotonia", "Low muscle tone"),
    "HP:0002240": ("Hepatomegaly", "Enlarged liver"),
    "HP:0000508": ("Ptosis", "Drooping upper eyelid"),
    "HP:0010750": ("Dermatochalasis", "Droopy eyelid skin"),
    "HP:0000238": ("Hydrocephalus",),
    "HP:0000790": ("Hematuria", "Blood in urine"),
    "HP:0002664": ("Neoplasm", "Tumor"),
    "HP:0000369": ("Low-set ears",),
    "HP:0000107": ("Renal cyst",),
    "HP:0000175": ("Cleft palate",),
    "HP:0002020": ("Gastroesophageal reflux",),
    "HP:0001712": ("Left ventricular hypertrophy",),
    "HP:0000957": ("Cafe-au-lait spot",),
    "HP:0004467": ("Preauricular pit",),
}


def ontology() -> Ontology:
    concepts = [
        Concept(
            curie,
            own,
            synonyms=tuple(Synonym(text, "EXACT") for text in others),
            alt_ids=("HP:0009999",) if curie == "HP:0001250" else (),
        )
        for curie, (own, *others) in ROWS.items()
    ]
    return Ontology("ward", "1", None, "0" * 64, (*concepts, Concept("HP:1", "Old cyst", obsolete=True)))
