"""One small ontology, written out in each of the three formats that can be loaded."""

from __future__ import annotations

from typing import Any

OBO_IRI = "http://purl.obolibrary.org/obo/"
IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
OBO = """\
format-version: 1.2
data-version: tiny/releases/2024-02-08
ontology: tiny
default-namespace: tiny_phenotype
synonymtypedef: layperson "layperson term"
property_value: http://purl.org/dc/elements/1.1/title "A tiny ontology" xsd:string

[Term]
id: TY:0000001
name: All

[Term]
id: TY:0000002
name: Abnormal heart
namespace: organ
alt_id: TY:0000009
def: "A heart that differs from the norm." [TY:curator]
synonym: "Bad heart" EXACT layperson [TY:curator]
synonym: "Cardiac anomaly" NARROW []
is_a: TY:0000001 ! All
intersection_of: PATO:0000001 ! quality
intersection_of: inheres_in UBERON:0000948 ! heart
relationship: part_of TY:0000004

[Term]
id: TY:0000003
name: obsolete Sick heart
is_obsolete: true
replaced_by: TY:0000002

[Term]
id: TY:0000004
name: Café finding
is_a: TY:0000001
is_a: TY:0000002

[Typedef]
id: part_of
name: part of
"""


def graph() -> dict[str, Any]:
    """The same as OBO Graph JSON, with the fields that current releases write."""
    part_of, inheres_in = OBO_IRI + "BFO_0000050", OBO_IRI + "RO_0000052"

    def node(number: int, label: str, **meta: Any) -> dict[str, Any]:
        return {"id": f"{OBO_IRI}TY_{number:07}", "lbl": label, "type": "CLASS", "meta": meta}

    def edge(child: int, relation: str, parent: int) -> dict[str, str]:
        return {"sub": f"{OBO_IRI}TY_{child:07}", "pred": relation, "obj": f"{OBO_IRI}TY_{parent:07}"}

    def relation(iri: str, short: str) -> dict[str, Any]:
        named = {"basicPropertyValues": [{"pred": f"{IN_OWL}shorthand", "val": short}]}
        return {"id": iri, "type": "PROPERTY", "meta": named}

    return {
        "graphs": [
            {
                "id": f"{OBO_IRI}tiny.owl",
                "meta": {
                    "version": f"{OBO_IRI}tiny/releases/2024-02-08/tiny.owl",
                    "basicPropertyValues": [
                        {"pred": "http://purl.org/dc/elements/1.1/title", "val": "A tiny ontology"},
                        {"pred": f"{IN_OWL}hasDefaultNamespace", "val": "tiny_phenotype"},
                    ],
                },
                "nodes": [
                    node(1, "All"),
                    node(
                        2,
                        "Abnormal heart",
                        definition={"val": "A heart that differs from the norm.", "xrefs": ["not an; id"]},
                        synonyms=[
                            {
                                "pred": "hasExactSynonym",
                                "val": "Bad heart",
                                "synonymType": f"{OBO_IRI}tiny#layperson",
                                "xrefs": ["TY:curator"],
                            },
                            {"pred": "hasNarrowSynonym", "val": "Cardiac anomaly"},
                        ],
                        xrefs=[{"val": "KEGG COMPOUND:1"}],
                        basicPropertyValues=[
                            {"pred": f"{IN_OWL}hasAlternativeId", "val": "TY:0000009"},
                            {"pred": f"{IN_OWL}hasOBONamespace", "val": "organ"},
                        ],
                    ),
                    node(
                        3,
                        "obsolete Sick heart",
                        deprecated=True,
                        basicPropertyValues=[
                            {"pred": f"{OBO_IRI}IAO_0100001", "val": f"{OBO_IRI}TY_0000002"}
                        ],
                    ),
                    node(4, "Caf\u00e9 finding"),
                    relation(part_of, "part_of"),
                    relation(inheres_in, "inheres_in"),
                ],
                "edges": [
                    edge(2, "is_a", 1),
                    edge(4, "is_a", 1),
                    edge(4, "is_a", 2),
                    edge(2, part_of, 4),
                ],
                "logicalDefinitionAxioms": [
                    {
                        "definedClassId": f"{OBO_IRI}TY_0000002",
                        "genusIds": [f"{OBO_IRI}PATO_0000001"],
                        "restrictions": [{"propertyId": inheres_in, "fillerId": f"{OBO_IRI}UBERON_0000948"}],
                    }
                ],
            }
        ]
    }


OWL_HEAD = """\
<?xml version="1.0"?>
<rdf:RDF xmlns="http://purl.obolibrary.org/obo/tiny.owl#"
     xmlns:obo="http://purl.obolibrary.org/obo/"
     xmlns:owl="http://www.w3.org/2002/07/owl#"
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
     xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
     xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:oboInOwl="http://www.geneontology.org/formats/oboInOwl#">
    <owl:Ontology rdf:about="http://purl.obolibrary.org/obo/tiny.owl">
        <owl:versionIRI rdf:resource="http://purl.obolibrary.org/obo/tiny/releases/2024-02-08/tiny.owl"/>
        <dc:title>A tiny ontology</dc:title>
        <oboInOwl:hasDefaultNamespace>tiny_phenotype</oboInOwl:hasDefaultNamespace>
        <oboInOwl:date>not a date</oboInOwl:date>
    </owl:Ontology>
"""

OWL = (
    OWL_HEAD
    + """
    <owl:AnnotationProperty rdf:about="http://purl.obolibrary.org/obo/tiny#layperson">
        <rdfs:label>layperson term</rdfs:label>
        <rdfs:subPropertyOf rdf:resource="http://www.geneontology.org/formats/oboInOwl#SynonymTypeProperty"/>
    </owl:AnnotationProperty>
    <owl:ObjectProperty rdf:about="http://purl.obolibrary.org/obo/BFO_0000050">
        <oboInOwl:shorthand>part_of</oboInOwl:shorthand>
    </owl:ObjectProperty>
    <owl:ObjectProperty rdf:about="http://purl.obolibrary.org/obo/RO_0000052">
        <oboInOwl:shorthand>inheres_in</oboInOwl:shorthand>
    </owl:ObjectProperty>
    <owl:Class rdf:about="http://purl.obolibrary.org/obo/TY_0000001">
        <rdfs:subClassOf rdf:resource="http://www.w3.org/2002/07/owl#Thing"/>
        <rdfs:label>All</rdfs:label>
    </owl:Class>
    <owl:Class rdf:about="http://purl.obolibrary.org/obo/TY_0000002">
        <owl:equivalentClass>
            <owl:Restriction>
                <owl:onProperty rdf:resource="http://purl.obolibrary.org/obo/BFO_0000051"/>
                <owl:someValuesFrom>
                    <owl:Class>
                        <owl:intersectionOf rdf:parseType="Collection">
                            <rdf:Description rdf:about="http://purl.obolibrary.org/obo/PATO_0000001"/>
                            <owl:Restriction>
                                <owl:onProperty rdf:resource="http://purl.obolibrary.org/obo/RO_0000052"/>
                                <owl:someValuesFrom rdf:resource="http://purl.obolibrary.org/obo/UBERON_0000948"/>
                            </owl:Restriction>
                        </owl:intersectionOf>
                    </owl:Class>
                </owl:someValuesFrom>
            </owl:Restriction>
        </owl:equivalentClass>
        <rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/TY_0000001"/>
        <rdfs:subClassOf>
            <owl:Restriction>
                <owl:onProperty rdf:resource="http://purl.obolibrary.org/obo/BFO_0000050"/>
                <owl:someValuesFrom rdf:resource="http://purl.obolibrary.org/obo/TY_0000004"/>
            </owl:Restriction>
        </rdfs:subClassOf>
        <obo:IAO_0000115>A heart that differs from the norm.</obo:IAO_0000115>
        <oboInOwl:creation_date>yesterday</oboInOwl:creation_date>
        <oboInOwl:hasAlternativeId>TY:0000009</oboInOwl:hasAlternativeId>
        <oboInOwl:hasDbXref>KEGG COMPOUND:1</oboInOwl:hasDbXref>
        <oboInOwl:hasExactSynonym>Bad heart</oboInOwl:hasExactSynonym>
        <oboInOwl:hasNarrowSynonym>Cardiac anomaly</oboInOwl:hasNarrowSynonym>
        <oboInOwl:hasOBONamespace>organ</oboInOwl:hasOBONamespace>
        <oboInOwl:id>TY:0000002</oboInOwl:id>
        <rdfs:label xml:lang="fr">Coeur anormal</rdfs:label>
        <rdfs:label xml:lang="en">Abnormal heart</rdfs:label>
    </owl:Class>
    <owl:Axiom>
        <owl:annotatedSource rdf:resource="http://purl.obolibrary.org/obo/TY_0000002"/>
        <owl:annotatedProperty rdf:resource="http://www.geneontology.org/formats/oboInOwl#hasExactSynonym"/>
        <owl:annotatedTarget>Bad heart</owl:annotatedTarget>
        <oboInOwl:hasSynonymType rdf:resource="http://purl.obolibrary.org/obo/tiny#layperson"/>
    </owl:Axiom>
    <owl:Axiom>
        <owl:annotatedSource rdf:resource="http://purl.obolibrary.org/obo/IAO_0000600"/>
        <owl:annotatedProperty rdf:resource="http://www.geneontology.org/formats/oboInOwl#hasDbXref"/>
        <owl:annotatedTarget>a source that pronto does not know</owl:annotatedTarget>
    </owl:Axiom>
    <owl:Class rdf:about="http://purl.obolibrary.org/obo/TY_0000003">
        <obo:IAO_0100001 rdf:resource="http://purl.obolibrary.org/obo/TY_0000002"/>
        <rdfs:label>obsolete Sick heart</rdfs:label>
        <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated>
    </owl:Class>
    <owl:Class rdf:about="http://purl.obolibrary.org/obo/TY_0000004">
        <rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/TY_0000001"/>
        <rdfs:subClassOf><owl:Class rdf:about="http://purl.obolibrary.org/obo/TY_0000002"/></rdfs:subClassOf>
        <rdfs:label>Caf\u00e9 finding</rdfs:label>
    </owl:Class>
</rdf:RDF>
"""
)
