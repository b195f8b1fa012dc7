"""Tags against tags: values by hand, and the published figures of NCBI-disease by one command."""

import contextlib
import io
import json

import pytest

from core.errors import InputError
from core.evaluate.settings import Settings
from core.evaluate.tagged import evaluate_tagged

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
    assert found.counts == {"sentences": 3, "gold": 5, "predicted": 4}
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
    assert "--training" in found.families["mem_syn_con"].absent
    assert values(found, "names")["abbreviation_recall"] == about(1 / 2)


def test_only_the_families_that_were_asked_for(files):
    f = files(said=SAID, gold=GOLD)
    found = evaluate_tagged(f["said"], f["gold"], Settings(families=("names", "corpus")))
    assert list(found.families) == ["names"]


def test_types_are_part_of_a_mention(files):
    f = files(said="a B-X\n\nb B-X\n", gold="a B-X\n\nb B-Y\n", names="a\n")
    found = evaluate_tagged(f["said"], f["gold"], training=[f["names"]])
    assert values(found)["precision"] == about(1 / 2)


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
