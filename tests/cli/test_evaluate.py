"""touchstone evaluate and touchstone metrics, as people script them."""

import gzip
import json
from pathlib import Path

import pytest

from core.metrics import BESIDE, FAMILIES, METRICS, PAIR_FAMILIES
from tests.cli.test_flow import DEMO, done, refused, run

OBO = DEMO / "hpo-demo.obo"
GOLD = DEMO / "passages.json"
PAIRS = DEMO / "abstract_pairs.jsonl"


@pytest.fixture(scope="module")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that nothing may make."""
    return tmp_path_factory.mktemp("none") / "none.db"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evaluate") / "demo.db"
    done(path, "ontology", "add", OBO, "--name", "hpo-demo")
    done(path, "corpus", "add", GOLD, "--name", "demo")
    done(path, "annotate", "--corpus", "demo", "--ontology", "hpo-demo", "--run", "first")
    return path


def test_every_family_on_plain_files_with_an_ontology_file(nowhere: Path) -> None:
    words = ("evaluate", GOLD, "--gold", GOLD, "--families", "all", "--ontology", OBO, "--bootstrap", 100)
    found = done(nowhere, *words)
    assert not nowhere.exists()
    assert found["families"].keys() == FAMILIES.keys()
    assert found["scope"] == "hpo-demo.obo@demo-1"
    values = {
        (family, name): estimate["value"]
        for family, result in found["families"].items()
        for name, estimate in result["estimates"].items()
    }
    # a file against itself: everything that is matched is right
    for key in (("assertions", "joint_f1"), ("relaxed", "f1"), ("spans", "strict_f1")):
        assert values[key] == 1.0, key
    # what files cannot tell is absent, and the sentence says what to give
    assert "training set" in found["families"]["mem_syn_con"]["absent"]
    assert "label tree" in found["families"]["unseen"]["absent"]
    assert "workspace" in found["families"]["attribution"]["absent"]
    assert found["families"]["slices"]["tables"]


def test_the_same_run_from_a_workspace_and_from_its_export(demo: Path, tmp_path: Path) -> None:
    out = tmp_path / "silver.jsonl"
    done(demo, "export", "proposals", "--run", "first", "--out", out)
    options = ("--families", "assertions,relaxed,spans,bounds", "--bootstrap", 100)
    inside = done(demo, "evaluate", "first", "--gold", "imported:demo", *options)["families"]
    outside = done(demo, "evaluate", out, "--gold", GOLD, "--ontology", OBO, *options)["families"]
    crossed = done(demo, "evaluate", out, "--gold", "imported:demo", "--ontology", "hpo-demo", *options)
    against = done(demo, "evaluate", "first", "--gold", GOLD, *options)
    for family in ("assertions", "relaxed", "spans", "bounds"):
        for name, estimate in inside[family]["estimates"].items():
            for other in (outside, crossed["families"], against["families"]):
                value = other[family]["estimates"][name]["value"]
                assert value == pytest.approx(estimate["value"], abs=1e-9), (family, name)


def test_a_report_shows_the_template_unless_families_are_chosen(demo: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.md"
    done(demo, "evaluate", "first", "--gold", "imported:demo", "--report", report, "--bootstrap", 100)
    headings = [line[3:] for line in report.read_text("utf-8").splitlines() if line.startswith("## ")]
    wanted = ["Configuration", "Corpus statistics: first", "Primary metrics (macro-averaged)"]
    wanted += ["Aggregation comparison"]
    wanted += [f.title for n, f in FAMILIES.items() if n in ("assertions", "relaxed", "thresholds", "auprc")]
    assert headings[: len(wanted)] == wanted
    done(demo, "evaluate", "first", "--gold", "imported:demo", "--report", report, "--families", "corpus")
    assert FAMILIES["relaxed"].title not in report.read_text("utf-8")


def test_options_reach_what_they_are_for(demo: Path) -> None:
    words = ("evaluate", "first", "--gold", "imported:demo", "--bootstrap", 100)
    found = done(
        demo, *words, "--families", "relaxed,bounds", "--by", "length", "--similarity", "lineage",
        "--information", "corpus", "--alike", 0.9, "--sure", 0.5, "--seed", 7,
    )  # fmt: skip
    chosen = found["settings"]
    assert chosen["by"] == ["length"]
    assert (chosen["similarity"], chosen["information"]) == ("lineage", "corpus")
    assert (chosen["alike"], chosen["sure"], chosen["seed"]) == (0.9, 0.5, 7)
    assert found["families"].keys() == {"corpus", "relaxed", "bounds", "slices"}
    loose = done(demo, *words, "--families", "relaxed", "--alike", 0.51, "--similarity", "lineage")
    exact = found["families"]["relaxed"]["estimates"]["f1"]["value"]
    assert loose["families"]["relaxed"]["estimates"]["f1"]["value"] >= exact


def tagged(path: Path, rows: str) -> Path:
    path.write_bytes(gzip.compress(rows.encode()))
    return path


def test_tags_with_ids_and_training(nowhere: Path, tmp_path: Path) -> None:
    """Three mentions: one seen by name (found), one whose id was seen (found), one new (missed); and one
    spurious: P 2/3, R 2/3."""
    tokens = ("skin", "tumour", "is", "not", "rickets", ".", "lupus", "here", "now")
    gold = ("B", "I", "O", "O", "B", "O", "B", "O", "O")
    said = ("B", "I", "O", "O", "B", "O", "O", "O", "B")
    ids = ("D1", "-", "-", "-", "D2", "-", "D3", "-", "-")
    files = {
        name: tagged(
            tmp_path / f"{name}.txt.gz", "".join(f"{t} {v}\n" for t, v in zip(tokens, column, strict=True))
        )
        for name, column in {"gold": gold, "said": said, "ids": ids}.items()
    }
    names = tagged(tmp_path / "names.txt.gz", "Skin-Tumour\nsomething\n")
    known = tagged(tmp_path / "known.txt.gz", "D1\nD2|D9\n")
    found = done(
        nowhere, "evaluate", files["said"], "--gold", files["gold"], "--gold-ids", files["ids"],
        "--training", names, "--training-ids", known, "--bootstrap", 0,
    )  # fmt: skip
    values = {name: e["value"] for name, e in found["families"]["mem_syn_con"]["estimates"].items()}
    assert [values[f"recall:{split}"] for split in ("MEM", "SYN", "CON")] == [1.0, 1.0, 0.0]
    assert values["precision"] == pytest.approx(2 / 3, abs=1e-9)
    assert not nowhere.exists()
    shown = run(nowhere, "evaluate", files["said"], "--gold", files["gold"], "--bootstrap", 0)
    assert shown.returncode == 0
    assert "training set" in shown.stdout


@pytest.mark.shared_data
def test_ncbi_disease_by_one_command(nowhere: Path, shared_data: Path) -> None:
    """Sizes and recalls that the data's own manifest states for the stored predictions."""
    ncbi = shared_data / "bioner" / "NCBI-disease"
    found = done(
        nowhere, "evaluate", ncbi / "biobert" / "predictions.txt.gz", "--gold", ncbi / "test.txt.gz",
        "--gold-ids", ncbi / "test_cuis.txt.gz", "--training", ncbi / "mention_dictionary.txt.gz",
        "--training-ids", ncbi / "cui_dictionary.txt.gz", "--families", "mem_syn_con", "--bootstrap", 0,
    )["families"]["mem_syn_con"]  # fmt: skip
    (splits,) = [t for t in found["tables"].values() if "split" in t["columns"]]
    sizes = {row[0]: row[1] for row in splits["rows"]}
    assert (sizes["MEM"], sizes["SYN"], sizes["CON"]) == (599, 196, 165)
    values = {name: e["value"] for name, e in found["estimates"].items()}
    recalls = [round(100 * values[f"recall:{s}"], 1) for s in ("MEM", "SYN", "CON")]
    assert recalls == [95.0, 81.1, 83.6]
    overall = [round(100 * values[m], 1) for m in ("precision", "recall", "f1")]
    assert overall == [85.9, 90.2, 88.0]


def test_claim_pairs_are_scored_as_pairs(nowhere: Path, tmp_path: Path) -> None:
    families = "conflict_types,divergence_axes,confounders,conflict_spans"  # without words to encode
    words = ("evaluate", PAIRS, "--gold", PAIRS, "--families", families, "--bootstrap", 100)
    found = done(nowhere, *words, "--report", tmp_path / "pairs.md")
    assert found["pairs"] == len(PAIRS.read_text("utf-8").splitlines())
    assert list(found["families"]) == families.split(",")
    assert found["families"]["conflict_types"]["estimates"]["accuracy"]["value"] == 1.0
    text = (tmp_path / "pairs.md").read_text("utf-8")
    assert PAIR_FAMILIES["divergence_axes"].title in text
    assert not nowhere.exists()
    refused(run(nowhere, "evaluate", PAIRS, "--gold", PAIRS, "--families", "relaxed"), "relaxed")
    one = ("evaluate", PAIRS, "--gold", PAIRS, "--families", "reconciliation", "--encoder", "none")
    found = done(nowhere, *one, "--domain", "oncology", "--bootstrap", 100)
    chosen = found["settings"]
    assert (found["pairs"], chosen["domain"], chosen["encoder"]) == (2, "oncology", None)
    assert not any(name.startswith("semsim") for name in found["families"]["reconciliation"]["estimates"])
    refused(run(nowhere, *one, "--domain", "botany"), "botany", "oncology")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("first", "--gold", "imported:demo", "--families", "magic"), ("magic", "assertions")),
        (("first", "--gold", "imported:demo", "--by", "colour"), ("colour", "branch")),
        (("first", "--gold", "imported:demo", "--similarity", "cosine"), ("cosine", "lin")),
        (("first", "--gold", "imported:demo", "--alike", "0.4"), ("0.5", "0.4")),
        (("first", "--gold", "imported:demo", "--sure", "2"), ("2",)),
        (("first", "--gold", "imported:demo", "--training", "none.json"), ("none.json",)),
        (("first", "--gold", "imported:demo", "--index", "none.json"), ("none.json",)),
        (("first", "--gold", "imported:demo", "--ontology", "none.obo"), ("no file none.obo",)),
        (("first", "--gold", "imported:demo", "--ontology", "mondo"), ("mondo", "hpo-demo")),
        (("first", "--gold", "imported:demo", "--index", str(GOLD)), ("passages.json",)),
        (("second", "--gold", "imported:demo"), ("second", "first")),
        ((str(GOLD), "--gold", "imported:nobody"), ("nobody",)),
        ((str(GOLD), "--gold", str(PAIRS)), ("abstract_pairs.jsonl",)),
    ],
)
def test_bad_options_are_refused_in_a_sentence(
    demo: Path, words: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    refused(run(demo, "evaluate", *words), *parts)


def test_metrics_lists_the_registry_and_explains_one(nowhere: Path) -> None:
    found = done(nowhere, "metrics")["metrics"]
    assert [m["name"] for m in found] == list(METRICS)
    assert {m["name"].partition(".")[0] for m in found} == {*FAMILIES, *PAIR_FAMILIES, *BESIDE}
    (one,) = done(nowhere, "metrics", "corpus.macro_f1")["metrics"]
    assert one["formula"] == METRICS["corpus.macro_f1"].formula
    assert {m["name"].partition(".")[0] for m in done(nowhere, "metrics", "spans")["metrics"]} == {"spans"}
    said = run(nowhere, "metrics", "corpus.macro_f1").stdout
    assert METRICS["corpus.macro_f1"].question in said
    assert not nowhere.exists()
    refused(run(nowhere, "metrics", "corpus.magic"), "corpus.magic", "assertions")
    assert json.dumps(found, allow_nan=False)


def test_mentions_that_an_older_ontology_lacks(nowhere: Path, tmp_path: Path) -> None:
    """Two of three right: the one whose gold concept the ontology file does not hold was called NIL."""
    gold = [("m1", "HP:9999999"), ("m2", "HP:0001250"), ("m3", "HP:0001250")]
    said = [("m1", "NIL"), ("m2", "HP:0001250"), ("m3", "NIL")]
    for name, rows in {"gold": gold, "said": said}.items():
        lines = (json.dumps({"mention_id": m, "doc_id": m, "concept_id": c}) for m, c in rows)
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    words = ("evaluate", tmp_path / "said.jsonl", "--gold", tmp_path / "gold.jsonl", "--ontology", OBO)
    found = done(nowhere, *words, "--report", tmp_path / "r.html", "--bootstrap", 100)
    values = found["families"]["discovery"]["estimates"]
    assert values["accuracy"]["value"] == pytest.approx(2 / 3, abs=1e-9)
    assert values["nil_precision"]["value"] == 0.5
    assert "out-of-KB (NIL)" in (tmp_path / "r.html").read_text("utf-8")
    assert not nowhere.exists()
