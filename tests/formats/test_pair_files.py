"""Files of claim pairs: what goes out comes back, other names are read, faults name line and field."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from core.errors import InputError
from core.formats import RowError, schemas
from core.formats.pairs import EvidencePart, PairRow, SlotsPart, read_pairs, write_pairs
from core.formats.rows import Notes
from core.records import Axis, ClaimType, ConflictType, Direction, Tier
from tests.formats.examples import EXAMPLES, MAYBE, TEXTS

DEMO = Path(__file__).parents[2] / "data" / "demo" / "abstract_pairs.jsonl"
A = "Background. Alpha lowered beta in 12 mice. Nothing else changed."
B = "Alpha raised beta in 30 rats."
ROW: dict[str, Any] = {
    "pair_id": "p1",
    "domain": "genomics",
    "claim_a_text": "Alpha lowered beta in 12 mice.",
    "claim_a_article_uid": "u1",
    "claim_b_text": "Alpha raised beta in 30 rats.",
    "claim_b_article_uid": "u2",
    "abstract_a": A,
    "abstract_b": B,
    "conflict_type": "contextual_contradiction",
    "divergence_axes": ["organism_strain_lineage"],
    "dominant_confounder": "organism_strain_lineage",
    "evidence_spans": [{"article_uid": "u1", "text": "12 mice"}],
}


def lines(write, *rows: Any) -> Path:
    return write("pairs.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def one(path: Path, **options: Any) -> PairRow:
    (row,) = read_pairs(path, **options)
    assert isinstance(row, PairRow), str(row)
    return row


def fault(path: Path, **options: Any) -> RowError:
    (row,) = read_pairs(path, **options)
    assert isinstance(row, RowError)
    return row


def test_the_demonstration_pairs_are_read_whole() -> None:
    notes = Notes()
    rows = list(read_pairs(DEMO, notes))
    assert [type(row) for row in rows] == [PairRow] * 12
    assert notes.sentences() == []
    first = rows[0]
    assert isinstance(first, PairRow)
    assert (first.claim_a_start, first.claim_a_end) == (515, 681)  # as the file has its sentence
    assert first.label_origin == "person"
    assert {span.side for span in first.evidence_spans} == {"a", "b"}


def test_what_has_no_offsets_is_located(write) -> None:
    notes = Notes()
    row = one(lines(write, ROW), notes=notes)
    # counted by hand: "Background. " has 12 characters, the claim 30; "Alpha lowered beta in " has 22
    assert (row.claim_a_start, row.claim_a_end) == (12, 42)
    assert (row.claim_b_start, row.claim_b_end) == (0, 29)
    (span,) = row.evidence_spans
    assert (span.side, span.frame, span.start, span.end) == ("a", "claim_text", 22, 29)
    assert notes.located == 3


def test_evidence_from_elsewhere_in_the_abstract_is_of_abstract_level(write) -> None:
    spans = [{"article_uid": "u1", "text": "Nothing else changed"}]
    (span,) = one(lines(write, ROW | {"evidence_spans": spans})).evidence_spans
    assert (span.frame, span.level, span.start, span.end) == ("abstract", "abstract", 43, 63)


def test_a_machines_wrong_quote_is_kept_and_a_persons_is_an_error(write) -> None:
    wrong = ROW | {"evidence_spans": [{"article_uid": "u1", "text": "gamma"}]}
    notes = Notes()
    (span,) = one(lines(write, wrong), notes=notes).evidence_spans
    assert (span.start, span.end, notes.ungrounded) == (None, None, 1)
    error = fault(lines(write, wrong | {"label_origin": "person"}))
    assert (error.line, error.field) == (1, "evidence_spans[0]")


def test_the_other_names_of_the_tables_are_read(write) -> None:
    nested = {
        "task_id": "t1",
        "pair_id": "p1",
        "domain": "genomics",
        "claim_a": {
            "claim_id": "c1",
            "article_uid": "u1",
            "claim_text": ROW["claim_a_text"],
            "claim_type": "causal",
            "sentence_start": 12,
            "sentence_end": 42,
            "pub_year": 2001,
            "journal": "Journal of Examples",
            "confidence": 0.5,
        },
        "claim_b_text": ROW["claim_b_text"],
        "article_uids": ["u1", "u2"],
        "abstract_a": A,
        "year_b": 2011,
        "annotator_id": "heuristic 1",
        "gold_labels": {"conflict_type": "no_conflict", "divergence_axes": []},
        "mining_scores": {"disagreement_score": 0.25},
        "evidence_spans_a": ["12 mice"],
        "evidence_spans_b": [{"text": "30 rats", "start": 21, "end": 28}],
        "mood": "good",
    }
    notes = Notes()
    row = one(lines(write, nested), notes=notes)
    assert row.example_id == "t1"
    assert (row.claim_a_id, row.claim_a_type, row.claim_a_confidence) == ("c1", ClaimType.CAUSAL, 0.5)
    assert (row.pub_year_a, row.journal_a, row.pub_year_b) == (2001, "Journal of Examples", 2011)
    assert (row.claim_b_article_uid, row.label_origin) == ("u2", "heuristic")
    assert (row.conflict_type, row.disagreement_score) == (ConflictType.NO_CONFLICT, 0.25)
    assert [(s.side, s.article_uid, s.start) for s in row.evidence_spans] == [
        ("a", "u1", 22),
        ("b", "u2", 21),
    ]
    assert notes.ignored == {"mood": 1}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pair_id": None}, "pair_id"),
        ({"claim_a_article_uid": ""}, "claim_a_article_uid"),
        ({"claim_a_text": "Alpha did nothing."}, "claim_a_text"),
        ({"claim_a_start": 11, "claim_a_end": 41}, "claim_a_start"),
        ({"claim_a_start": 12, "claim_a_end": 900}, "claim_a_end"),
        ({"claim_a_sentence_start": 0, "claim_a_sentence_end": 11}, "claim_a_sentence_start"),
        ({"claim_a_start": 12}, None),
        ({"claim_a_type": "rumour"}, "claim_a_type"),
        ({"conflict_type": "quarrel"}, "conflict_type"),
        ({"divergence_axes": ["weather"]}, "divergence_axes[0]"),
        ({"divergence_axes": "geography"}, "divergence_axes"),
        ({"dominant_confounder": "geography"}, None),
        ({"conflict_type": "no_conflict"}, None),
        ({"confidence": 1.5}, "confidence"),
        ({"pub_year_a": "2001"}, "pub_year_a"),
        ({"comparable": "yes"}, "comparable"),
        ({"evidence_spans": [{"article_uid": "u3", "text": "x"}]}, "evidence_spans[0].article_uid"),
        ({"evidence_spans": [{"article_uid": "u1", "text": ""}]}, "evidence_spans[0].text"),
        ({"evidence_spans": [{"article_uid": "u1", "text": "x", "start": 3}]}, "evidence_spans[0]"),
        ({"claim_text_a": "Something else."}, "claim_text_a"),
    ],
)
def test_a_fault_is_named_by_line_and_field(write, change: dict[str, Any], field: str | None) -> None:
    path = lines(write, ROW, ROW | change, ROW)
    good, error, after = read_pairs(path)
    assert isinstance(good, PairRow)
    assert isinstance(after, PairRow)
    assert isinstance(error, RowError)
    assert (error.file, error.line, error.field) == ("pairs.jsonl", 2, field)
    assert error.cause
    assert error.row == ROW | change


def test_a_line_that_is_no_json_is_the_error_of_that_line(write) -> None:
    rows = list(read_pairs(write("a.jsonl", json.dumps(ROW) + "\n{oops\n\n" + json.dumps([1]) + "\n")))
    assert isinstance(rows[0], PairRow)
    assert [row.line for row in rows if isinstance(row, RowError)] == [2, 4]


@pytest.mark.parametrize(
    "content",
    ["", "{}", '{"pairs": {}}', '{"pairs": [', '{"pairs": []}', "[]", '{"rows": []}', "<html>", "\x00"],
)
def test_a_file_that_holds_no_pairs_is_refused(write, content: str) -> None:
    with pytest.raises(InputError):
        list(read_pairs(write("a.json", content)))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (json.dumps(ROW).encode("utf-16"), "UTF-16"),
        (json.dumps(ROW).encode()[:-40] + b"\xff\xfe", "not valid UTF-8"),
        (b"PK\x03\x04rest", "zip archive"),
        (gzip.compress(json.dumps(ROW).encode())[:-9], "cut-off gzip"),
        (b"<html>not found</html>", "HTML"),
    ],
)
def test_what_is_no_file_of_pairs_is_refused_by_name(write, content: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        list(read_pairs(write("pairs.jsonl", content)))


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(ROW | {"confidence": 0.5}).replace("0.5", "NaN"),
        json.dumps(ROW | {"combined_score": 2}).replace('"combined_score": 2', '"combined_score": 1e400'),
        json.dumps(ROW)[:-1] + ', "pair_id": "again"}',
        json.dumps(ROW | {"notes": "\ud800"}),
        json.dumps(ROW | {"notes": "a\0b"}),
        json.dumps(ROW | {"pub_year_a": 1.5}),
        "[" * 100 + "]" * 100,
        "null",
    ],
)
def test_values_that_json_would_change_are_errors_of_their_line(write, line: str) -> None:
    good, bad = read_pairs(write("pairs.jsonl", f"{json.dumps(ROW)}\n{line}\n"))
    assert isinstance(good, PairRow)
    assert isinstance(bad, RowError)
    assert (bad.line, bool(bad.cause)) == (2, True)


def test_labels_of_machines_are_mended_on_request_and_say_so(write) -> None:
    off = ROW | {
        "conflict_type": "context_dependent",
        "divergence_axes": ["geography", "weather", "geography"],
        "dominant_confounder": "season",
    }
    assert fault(lines(write, off)).field == "conflict_type"
    row = one(lines(write, off), mend=True)
    assert (row.conflict_type, row.divergence_axes, row.dominant_confounder) == ("no_conflict", [], None)
    assert row.repaired
    assert len(row.repairs) == 4
    kept = one(
        lines(write, ROW | {"divergence_axes": ["geography", "x"], "dominant_confounder": "x"}), mend=True
    )
    assert (kept.divergence_axes, kept.dominant_confounder) == (["geography"], None)
    assert not one(lines(write, ROW), mend=True).repaired
    assert fault(lines(write, off | {"label_origin": "person"}), mend=True).field == "conflict_type"


# --- round trip -------------------------------------------------------------------------------------------

WORDS = TEXTS.filter(lambda text: text != "")


@st.composite
def pair_rows(draw: st.DrawFn) -> PairRow:
    value: dict[str, Any] = {
        "pair_id": draw(WORDS),
        "example_id": draw(st.none() | WORDS),
        "domain": draw(WORDS),
    }
    for s in "ab":
        claim, before, after = draw(WORDS), draw(MAYBE) or "", draw(MAYBE) or ""
        value |= {
            f"claim_{s}_text": claim,
            f"claim_{s}_article_uid": f"{s}-{draw(WORDS)}",
            f"claim_{s}_type": draw(st.none() | st.sampled_from(ClaimType)),
            f"claim_{s}_direction": draw(st.sampled_from(Direction)),
            f"claim_{s}_entities": draw(st.lists(WORDS, max_size=2)),
            f"claim_{s}_slots": SlotsPart(population=draw(MAYBE), numbers=draw(st.lists(WORDS, max_size=2))),
            f"claim_{s}_confidence": draw(st.none() | st.floats(0, 1)),
            f"pub_year_{s}": draw(st.none() | st.integers(1800, 2100)),
            f"journal_{s}": draw(MAYBE),
        }
        if draw(st.booleans()):
            start, end = len(before), len(before) + len(claim)
            value |= {
                f"abstract_{s}": before + claim + after,
                f"claim_{s}_start": start,
                f"claim_{s}_end": end,
                f"claim_{s}_sentence_start": start,
                f"claim_{s}_sentence_end": end,
            }
    no_conflict = draw(st.booleans())
    axes = [] if no_conflict else sorted(draw(st.sets(st.sampled_from(Axis))), key=list(Axis).index)
    origin = draw(st.sampled_from(["model", "heuristic", "person"]))
    side = draw(st.sampled_from("ab"))
    text = value[f"claim_{side}_text"]
    cut = draw(st.integers(0, len(text) - 1))
    span = EvidencePart(
        article_uid=value[f"claim_{side}_article_uid"], text=text[cut:], start=cut, end=len(text), side=side
    )
    return PairRow(
        **value,
        conflict_type=ConflictType.NO_CONFLICT if no_conflict else ConflictType.CONTEXTUAL_CONTRADICTION,
        divergence_axes=axes,
        dominant_confounder=draw(st.sampled_from([None, *axes])),
        reconciliation=draw(MAYBE) or "",
        evidence_spans=draw(st.sampled_from([[], [span]])),
        confidence=draw(st.none() | st.floats(0, 1)),
        combined_score=draw(st.none() | st.floats(-1, 1)),
        tier=draw(st.none() | st.sampled_from(Tier)),
        label_origin=origin,
        seen_by_person=origin == "person" or draw(st.booleans()),
        repaired=draw(st.booleans()),
    )


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(rows=st.lists(pair_rows(), min_size=1, max_size=3), packed=st.booleans())
@pytest.mark.parametrize("format", ["jsonl", "json"])
def test_what_is_written_is_read_back_equal_and_fits_the_schema(
    tmp_path_factory, format: str, rows: list[PairRow], packed: bool
) -> None:
    out = io.BytesIO()
    assert write_pairs(format, rows, out) == len(rows)
    path = tmp_path_factory.mktemp("pairs") / (f"a.{format}.gz" if packed else f"a.{format}")
    path.write_bytes(gzip.compress(out.getvalue()) if packed else out.getvalue())
    assert list(read_pairs(path)) == rows
    check = Draft202012Validator(schemas.schema("claim-pairs-line"))
    for row in rows:
        check.validate(json.loads(json.dumps(row.value())))


def test_a_whole_file_fits_its_schema() -> None:
    out = io.BytesIO()
    rows = [row for row in read_pairs(DEMO) if isinstance(row, PairRow)]
    write_pairs("json", rows, out)
    Draft202012Validator(schemas.schema("claim-pairs")).validate(json.loads(out.getvalue()))
    with pytest.raises(InputError, match="claim pairs"):
        write_pairs("csv", rows, out)
