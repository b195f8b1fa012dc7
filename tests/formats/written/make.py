"""Makes the files beside it with the libraries that define their formats, and reads ours with them.

    uv run --no-project --with bioc==2.1 --with phenopackets==2.0.2.post5 tests/formats/written/make.py
    uv run ... tests/formats/written/make.py FILE.json     read a Cohort that we wrote, by the schema
    uv run ... --with FastHPOCR==0.1.4 --with pronto tests/formats/written/make.py hp.index

The libraries are not installed with the project: `bioc` brings seven packages, `phenopackets` needs an older
protobuf than Streamlit's. The texts are made up.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
TITLE = "Seizures in \u03b2-thalassaemia \U0001f600."  # a letter outside ASCII, one outside the basic plane
TEXT = (
    "The boy had global developmental\ndelay, seizures \U0001f600 and short stature. "
    "No microcephaly or hearing loss."
)
ABSTRACT = "No fever. Short and broad thumbs, perhaps ataxia."


def annotation(bioc, number, text, places, **infons):
    made = bioc.BioCAnnotation()
    made.id, made.text, made.infons = str(number), text, infons
    for start, size in places:
        made.add_location(bioc.BioCLocation(start, size))
    return made


def collection(bioc):
    behind = len(TITLE) + 1
    title, abstract = bioc.BioCPassage.of_text(TITLE, 0), bioc.BioCPassage.of_text(ABSTRACT, behind)
    title.infons, abstract.infons = {"type": "title"}, {"type": "abstract"}
    title.add_annotation(annotation(bioc, 1, "Seizures", [(0, 8)], type="Phenotype", identifier="HP:0001250"))
    start = TITLE.index("\u03b2")
    disease = {"type": "Disease", "identifier": "D017086|OMIM:613985"}
    title.add_annotation(annotation(bioc, 2, "\u03b2-thalassaemia", [(start, 14)], **disease))
    fever = {"type": "Phenotype", "identifier": "HP_0001945", "negated": "true", "score": "0.9"}
    abstract.add_annotation(annotation(bioc, 3, "fever", [(behind + 3, 5)], **fever))
    thumb = "http://purl.obolibrary.org/obo/HP_0009778"
    two = [(behind + 10, 5), (behind + 26, 6)]
    abstract.add_annotation(annotation(bioc, 4, "Short thumbs", two, identifier=thumb, note="two parts"))
    ataxia = {"identifier": "HP:0001251", "assertion": "uncertain", "score": "7"}
    abstract.add_annotation(annotation(bioc, 5, "ataxia", [(behind + 42, 6)], **ataxia))
    abstract.add_annotation(annotation(bioc, 6, "No", [(behind, 2)], type="Phenotype", identifier="-"))
    relation = bioc.BioCRelation()
    relation.id = "R1"
    relation.add_node(bioc.BioCNode("1", "cause"))
    abstract.add_relation(relation)
    document = bioc.BioCDocument()
    document.id, document.infons = "7", {"journal": "Made up"}
    document.add_passage(title)
    document.add_passage(abstract)
    second = bioc.BioCDocument()
    second.id = "8"
    passage = bioc.BioCPassage()
    passage.offset = 0
    for at, text in ((0, "One sentence."), (14, "Another, with fever.")):
        passage.add_sentence(bioc.BioCSentence.of_text(text, at))
    found = annotation(bioc, 1, "fever", [(28, 5)], identifier="HP:0001945")
    passage.sentences[1].add_annotation(found)
    second.add_passage(passage)
    made = bioc.BioCCollection.of_documents(document, second)
    made.source, made.date, made.key, made.encoding = "tests", "2024", "none", "utf-8"
    return made


def of_bioc():
    import bioc
    from bioc import biocjson, biocxml, pubtator

    made = collection(bioc)
    bioc.validate(bioc.BioCCollection.of_documents(made.documents[1]))  # parts of a mention it cannot check
    (HERE / "bioc.xml").write_text(biocxml.dumps(made), "utf-8")
    (HERE / "bioc.json").write_text(biocjson.dumps(made, indent=1), "utf-8")
    with biocjson.iterwriter(str(HERE / "bioc.jsonl")) as lines:
        for document in made.documents:
            lines.write(document)
    document = pubtator.PubTator("7", TITLE, ABSTRACT)
    behind = len(TITLE) + 1
    document.add_annotation(pubtator.PubTatorAnn("7", 0, 8, "Seizures", "Phenotype", "HP:0001250"))
    document.add_annotation(
        pubtator.PubTatorAnn("7", behind + 42, behind + 48, "ataxia", "Phenotype", "HP:0001251")
    )
    (HERE / "bioc.pubtator").write_text(pubtator.dumps([document]) + "\n", "utf-8")


def of_phenopackets():
    import phenopackets as pp
    from google.protobuf.json_format import MessageToJson

    def feature(concept, label, **more):
        return pp.PhenotypicFeature(type=pp.OntologyClass(id=concept, label=label), **more)

    cited = pp.Evidence(
        evidence_code=pp.OntologyClass(id="ECO:0000033", label="author statement"),
        reference=pp.ExternalReference(id="PMID:1", description="A title"),
    )
    features = [
        feature("HP:0001250", "Seizure", onset=pp.TimeElement(age=pp.Age(iso8601duration="P2Y"))),
        feature("HP:0001945", "Fever", excluded=True, evidence=[cited]),
    ]
    disease = pp.Disease(term=pp.OntologyClass(id="OMIM:613985", label="beta-Thalassemia"))
    meta = pp.MetaData(created_by="tests", phenopacket_schema_version="2.0")
    one = pp.Phenopacket(
        id="p1",
        subject=pp.Individual(id="7"),
        phenotypic_features=features,
        diseases=[disease],
        meta_data=meta,
    )
    other = pp.Phenopacket(id="p2", subject=pp.Individual(id="8"), phenotypic_features=features[1:])
    family = pp.Family(id="f", proband=one, relatives=[other])
    for name, message in {
        "phenopacket": one,
        "cohort": pp.Cohort(id="c", members=[one, other]),
        "family": family,
    }.items():
        (HERE / f"{name}.json").write_text(MessageToJson(message), "utf-8")


def of_fasthpocr(index):
    """With an index of data/demo/hpo-demo.obo with `includeTopLevelCategory`; it takes minutes to make."""
    from FastHPOCR.HPOAnnotator import HPOAnnotator

    annotator = HPOAnnotator(index)
    found = annotator.annotate(TEXT)
    annotator.serialize(found, str(HERE / "fasthpocr.txt"), includeCategoriesIfPresent=True)
    annotator.serialize(found, str(HERE / "fasthpocr_plain.txt"))


def read_ours(path):
    import phenopackets as pp
    from google.protobuf.json_format import Parse

    found = Parse(Path(path).read_text("utf-8"), pp.Cohort())
    for member in found.members:
        print(member.id, [(f.type.id, f.excluded, len(f.evidence)) for f in member.phenotypic_features])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        (of_fasthpocr if sys.argv[1].endswith(".index") else read_ours)(sys.argv[1])
    else:
        of_bioc()
        of_phenopackets()
