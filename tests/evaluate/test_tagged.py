"""Tags against tags: values by hand, and the published figures of NCBI-disease by one command."""

import contextlib
import gzip
import io
import json
import re

import pytest

from core.errors import InputError
from core.evaluate.inputs.tagged_tokens import evaluate_tagged
from core.evaluate.settings import Settings

EXACT = 1e-9
GOLD = "Skin B\ntumour I\nand O\nAT B\n\nnew B\nname I\nin O\nAT B\n\nother B\n"
SAID = "Skin B\ntumour I\nand O\nAT O\n\nnew B\nname I\nin B\nAT B\n\nother O\n"
IDS = "Skin D1\ntumour -\nand -\nAT D2\n\nnew D1|D9\nname -\nin -\nAT -1\n\nother D9\n"
# AT was seen: MEM, missed in the first sentence and found in the second; Skin tumour (D1): SYN, found;
# new name (D1|D9): SYN, found; other (D9): CON, missed. Spurious: in.


@pytest.fixture
def files(tmp_path):
    def make(**texts):
        paths = {}
        for name, text in texts.items():
            paths[name] = tmp_path / f"{name}.txt"
            paths[name].write_text(text, encoding="utf-8")
        return paths

    return make


def values(found, family="mem_syn_con"):
    return {name: e.value for name, e in found.families[family].estimates.items()}


def about(value):
    return pytest.approx(value, abs=EXACT)


def test_values_by_hand(files):
    f = files(said=SAID, gold=GOLD, gold_ids=IDS, names="at\n", ids="D1\n")
    found = evaluate_tagged(
        f["said"], f["gold"], gold_ids=f["gold_ids"], training=[f["names"]], training_ids=[f["ids"]]
    )
    value = values(found)
    assert {k: value[k] for k in ("recall:MEM", "recall:SYN", "recall:CON")} == {
        "recall:MEM": about(1 / 2),
        "recall:SYN": about(1),
        "recall:CON": about(0),
    }
    assert (value["precision"], value["recall"], value["f1"]) == (about(3 / 4), about(3 / 5), about(6 / 9))
    assert found.beside == {"sentences": 3, "gold": 5, "predicted": 4}
    assert values(found, "names")["abbreviation_recall:MEM"] == about(1 / 2)
    opened = found.families["mem_syn_con"].open("missed:CON")
    assert [(i.doc_id, i.id, i.outcome, i.detail) for i in opened] == [
        ("sentence 3", "D9", "fn", "“other” at 0 to 5; CON")
    ]
    (spurious,) = found.families["mem_syn_con"].open("spurious")
    assert (spurious.doc_id, spurious.detail) == ("sentence 2", "“in” at 9 to 11")


def test_strict_spans_agree_with_the_overall_values(files):
    f = files(said=SAID, gold=GOLD, names="at\n")
    found = evaluate_tagged(f["said"], f["gold"], training=[f["names"]])
    overall, spans = values(found), values(found, "spans")
    strict = {name: value for name, value in spans.items() if "strict" in name}
    assert set(strict.values()) >= {overall["precision"], overall["recall"], overall["f1"]}


def test_without_ids_what_is_new_is_uns(files):
    f = files(said=SAID, gold=GOLD, names="at\n", ids="D1\n")
    found = evaluate_tagged(f["said"], f["gold"], training=[f["names"]], training_ids=[f["ids"]])
    assert values(found)["recall:UNS"] == about(2 / 3)
    assert "recall:SYN" not in values(found)
    assert any("no concept ids" in note for note in found.notes)


def test_without_a_training_set_the_family_says_what_to_give(files):
    f = files(said=SAID, gold=GOLD)
    found = evaluate_tagged(f["said"], f["gold"])
    assert "training set" in found.families["mem_syn_con"].absent
    assert values(found, "names")["abbreviation_recall"] == about(1 / 2)


def test_only_the_families_that_were_asked_for(files):
    f = files(said=SAID, gold=GOLD)
    found = evaluate_tagged(f["said"], f["gold"], Settings(families=("names", "corpus")))
    assert list(found.families) == ["names"]


def test_types_are_part_of_a_mention(files):
    f = files(said="a B-X\n\nb B-X\n", gold="a B-X\n\nb B-Y\n", names="a\n")
    found = evaluate_tagged(f["said"], f["gold"], training=[f["names"]])
    assert values(found)["precision"] == about(1 / 2)


def typed(tags, kinds):
    """Tags with a type each: `kinds` names the type of every mention in turn."""
    names, lines = iter(kinds), []
    for line in tags.splitlines():
        word, _, tag = line.partition(" ")
        if tag == "B":
            kind = next(names)
        lines.append(f"{word} {tag}-{kind}" if tag in ("B", "I") else line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("said_types", "gold_types"),
    [
        (["MISC"] * 4, None),  # published predictions bear one type, the gold none
        (None, ["Disease"] * 5),
        (["MISC"] * 4, ["Disease"] * 5),
        (["MISC"] * 4, ["Disease", "Gene", "Gene", "Disease", "Gene"]),
        (["Disease", "Gene", "Gene", "Gene"], None),
    ],
)
def test_without_a_common_type_one_type_or_none_is_matched_by_place(files, said_types, gold_types):
    """The same 3 of 4 predictions and 3 of 5 gold mentions as without any type, and a note that says so."""
    said = typed(SAID, said_types) if said_types else SAID
    gold = typed(GOLD, gold_types) if gold_types else GOLD
    f = files(said=said, gold=gold, names="at\n")
    found = evaluate_tagged(f["said"], f["gold"], training=[f["names"]])
    value = values(found)
    assert (value["precision"], value["recall"]) == (about(3 / 4), about(3 / 5))
    assert values(found, "spans")["strict_f1"] == about(6 / 9)
    (note,) = [note for note in found.notes if "by place" in note]
    for names, side in ((gold_types, "Gold"), (said_types, "predictions")):
        assert f"{side} ({', '.join(repr(n) for n in sorted(set(names))) if names else 'no type'})" in note


def test_several_types_on_both_sides_and_none_in_common_are_refused(files):
    f = files(
        said=typed(SAID, ["GENE", "GENE", "DISEASE", "GENE"]),
        gold=typed(GOLD, ["Disease", "Gene", "Gene", "Disease", "Gene"]),
    )
    with pytest.raises(InputError, match="'Disease', 'Gene', the predictions 'DISEASE', 'GENE'"):
        evaluate_tagged(f["said"], f["gold"])


def test_types_on_one_side_only_are_named(files):
    """By hand: `a` and `b` are right; `c` is a Drug on one side, a Gene on the other: 2 of 3."""
    f = files(said="a B-X\n\nb B-Y\n\nc B-Drug\n", gold="a B-X\n\nb B-Y\n\nc B-Gene\n", names="a\n")
    found = evaluate_tagged(f["said"], f["gold"], training=[f["names"]])
    assert values(found)["precision"] == about(2 / 3)
    (note,) = [note for note in found.notes if "one side only" in note]
    assert "'Gene' in the gold; 'Drug' in the predictions" in note


def test_the_same_types_and_no_mention_at_all_need_no_note(files):
    for said in (typed(SAID, ["X", "Y", "X", "Y"]), SAID.replace(" B", " O").replace(" I", " O")):
        f = files(said=said, gold=typed(GOLD, ["X", "Y", "X", "Y", "X"]))
        assert not [note for note in evaluate_tagged(f["said"], f["gold"]).notes if "type" in note]


def test_other_tokens_are_refused(files):
    f = files(said="a B\n", gold="b B\n")
    with pytest.raises(InputError, match="do not hold the same tokens"):
        evaluate_tagged(f["said"], f["gold"])


def test_every_key_of_every_table_opens(files):
    f = files(said=SAID, gold=GOLD, gold_ids=IDS, names="at\n", ids="D1\n")
    found = evaluate_tagged(
        f["said"], f["gold"], gold_ids=f["gold_ids"], training=[f["names"]], training_ids=[f["ids"]]
    )
    for result in found.families.values():
        keys = {key for table in result.tables for row in table.opens for key in row if key}
        for key in keys | result.estimates.keys():
            result.open(key)
        with pytest.raises(KeyError):
            result.open("nonsense:CON")
    json.dumps(found.to_json(), allow_nan=False)


def test_counts_in_tables_are_as_many_as_the_items_they_open(files):
    f = files(said=SAID, gold=GOLD, gold_ids=IDS, names="at\n", ids="D1\n")
    found = evaluate_tagged(
        f["said"], f["gold"], gold_ids=f["gold_ids"], training=[f["names"]], training_ids=[f["ids"]]
    )
    checked = 0
    for family in ("mem_syn_con", "names"):
        for table in found.families[family].tables:
            for row, keys in zip(table.rows, table.opens, strict=False):
                for cell, key in zip(row, keys, strict=True):
                    if key and isinstance(cell, int):
                        assert len(found.families[family].open(key)) == cell, (table.name, key)
                        checked += 1
    assert checked > 50


@pytest.mark.shared_data
def test_ncbi_disease_by_one_command(shared_data):
    """Sizes 599 / 196 / 165 and recalls 95.0 / 81.1 / 83.6 of the stored predictions; overall P 85.9, R 90.2,
    F1 88.0; 15.2 % of CON have name regularity (MEM / SYN / CON, table 1 and section 5)."""
    from core.cli import main

    folder = shared_data / "bioner" / "NCBI-disease"
    options = {
        "--gold": "test.txt.gz",
        "--gold-ids": "test_cuis.txt.gz",
        "--training": "mention_dictionary.txt.gz",
        "--training-ids": "cui_dictionary.txt.gz",
    }
    words = [str(word) for option, name in options.items() for word in (option, folder / name)]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(["evaluate", str(folder / "biobert/predictions.txt.gz"), *words, "--bootstrap", "0", "--json"])
    families = json.loads(out.getvalue())["families"]
    found = {name: e["value"] for name, e in families["mem_syn_con"]["estimates"].items()}
    assert [found[f"mentions:{s}"] for s in ("MEM", "SYN", "CON")] == [599, 196, 165]
    assert [round(100 * found[f"recall:{s}"], 1) for s in ("MEM", "SYN", "CON")] == [95.0, 81.1, 83.6]
    assert [round(100 * found[m], 1) for m in ("precision", "recall", "f1")] == [85.9, 90.2, 88.0]
    assert found["recall"] == about(866 / 960)
    assert found["precision"] == about(866 / 1008)
    looks = {name: e["value"] for name, e in families["names"]["estimates"].items()}
    assert looks["regular_share:CON"] == about(25 / 165)


@pytest.mark.shared_data
def test_published_predictions_with_a_type_score_as_without(shared_data, files):
    """B-MISC for B: the same 866 of 1,008 and of 960 (MEM / SYN / CON, stored predictions)."""
    folder = shared_data / "bioner" / "NCBI-disease"
    text = gzip.decompress((folder / "biobert/predictions.txt.gz").read_bytes()).decode("utf-8")
    typed = re.sub(r"([ \t][BI])$", r"\1-MISC", text, flags=re.MULTILINE)
    found = evaluate_tagged(files(said=typed)["said"], folder / "test.txt.gz", Settings(bootstrap=0))
    strict = values(found, "spans")
    assert strict["strict_precision"] == about(866 / 1008)
    assert strict["strict_recall"] == about(866 / 960)
