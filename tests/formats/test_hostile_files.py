"""Files that are damaged, mistaken or meant to harm: each gets a sentence, none a traceback."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats import FORMATS, RowError, format_of, read_documents
from core.formats.source import Source

TEXT = "Krampfanfälle 😀 und Fieber."
DOCUMENTS = [
    {
        "doc_id": f"d{i}",
        "text": TEXT,
        "annotations": [{"hpo_id": "HP:0001945", "assertion_status": "affirmed", "text_span": "Fieber"}],
    }
    for i in range(3)
]
FILES = {
    "a.json": json.dumps({"metadata": {"version": "1"}, "documents": DOCUMENTS}, ensure_ascii=False),
    "a.jsonl": "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in DOCUMENTS),
    "a.csv": "doc_id,text,hpo_id,text_span\n"
    + "".join(f'd{i},"{TEXT}",HP:0001945,Fieber\n' for i in range(3)),
    "a.pubtator": "".join(f"d{i}|t|{TEXT}\nd{i}\t20\t26\tFieber\tX\tHP:0001945\n\n" for i in range(3)),
}


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.json", content)
    return packed.getvalue()


DAMAGES = {
    "empty": lambda b: b"",
    "white space": lambda b: b" \n\t\r\n",
    "a web page": lambda b: b"<!DOCTYPE html>\n<html><body>404 Not Found</body></html>",
    "a web page after a mark": lambda b: b"\xef\xbb\xbf \n<html></html>",
    "latin-1": lambda b: b.decode().replace("😀", "").encode("latin-1"),
    "utf-16": lambda b: b.decode().encode("utf-16"),
    "utf-16 without a mark": lambda b: b.decode().encode("utf-16-le"),
    "utf-32": lambda b: b.decode().encode("utf-32"),
    "a NUL": lambda b: b[:40] + b"\0" + b[40:],
    "half a letter": lambda b: b[: b.index("😀".encode()) + 2],
    "an encoded surrogate": lambda b: b.replace("😀".encode(), b"\xed\xa0\xbd"),
    "overlong": lambda b: b.replace(b"Fieber", b"F\xc1\xa9eber"),
    "a zip archive": zipped,
    "gzip cut off": lambda b: gzip.compress(b)[:-12],
    "gzip without its sum": lambda b: gzip.compress(b)[:-8] + b"\0" * 8,
    "gzip scrambled": lambda b: gzip.compress(b)[:12] + b"\xff" * 40,
    "gzip twice": lambda b: gzip.compress(gzip.compress(b)),
    "gzip of nothing": lambda b: gzip.compress(b""),
    "a pickle": lambda b: b"\x80\x04\x95" + b,
    "a database": lambda b: b"SQLite format 3\x00" + b"\0" * 100,
    "a PDF": lambda b: b"%PDF-1.7\n" + b,
    "bytes": lambda b: bytes(range(256)) * 8,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_refused_in_a_sentence(write, name: str, damage: str) -> None:
    path = write(name, DAMAGES[damage](FILES[name].encode()))
    with pytest.raises(InputError) as caught:
        list(read_documents(path))
    message = str(caught.value)
    assert message.startswith(("a.", name))
    assert message.endswith(".")
    assert "\x00" not in message


def test_each_encoding_fault_names_its_line(write) -> None:
    content = "\n".join(['{"doc_id": "a", "text": "x"}', '{"doc_id": "b", "text": "é"}']).encode("latin-1")
    for name in ("a.jsonl", "a.json"):
        with pytest.raises(InputError, match=r"line 2: byte 0xE9 at position 26 is not valid UTF-8"):
            list(read_documents(write(name, content)))
    with pytest.raises(InputError, match="line 3: a NUL"):
        list(read_documents(write("b.jsonl", '{"doc_id": "a", "text": "x"}\n\n{"doc_id": "\0"}')))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", ["mark", "crlf", "mark and crlf", "gzip", "gzip under a plain name"])
def test_harmless_differences_read_the_same(write, read, name: str, change: str) -> None:
    content = FILES[name].encode()
    expected = read(write(name, content)).documents
    assert [len(d.annotations) for d in expected] == [1, 1, 1]
    if "crlf" in change:
        content = content.replace(b"\n", b"\r\n")
    if "mark" in change:
        content = b"\xef\xbb\xbf" + content
    if "gzip" in change:
        content = gzip.compress(content)
    found = read(write(name + (".gz" if change == "gzip" else ""), content))
    assert found.errors == []
    assert found.documents == expected


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_off_anywhere_raises_nothing_else(write, name: str) -> None:
    """A JSON object is then always refused; a line-based file yields whole documents and errors only."""
    content = FILES[name].encode()
    whole = {row.doc_id: row for row in read_documents(write(name, content))}
    for at in range(0, len(content) - 1, 3):
        path = write(name, content[:at])
        try:
            rows = list(read_documents(path))
        except InputError:
            continue
        assert name != "a.json" or content[at:].strip() in (b"", b"}")
        for row in rows:
            if not isinstance(row, RowError) and row != whole[row.doc_id]:
                # the one thing a reader cannot know: a last row or mention that ends where it may end
                assert row in rows[-2:]
                assert name in ("a.csv", "a.pubtator")


def test_a_bomb_stops_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(200):
            file.write((b"x" * 999 + b"\n") * 300)
    assert path.stat().st_size < 150_000  # 60 MB inside
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="expands beyond 5 MB"):
            for _ in Source(path, max_expanded=5 << 20).lines():
                pass
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
        tracemalloc.reset_peak()
        with pytest.raises(InputError, match="expands beyond 5 MB"):
            Source(path).whole(5 << 20)
        assert tracemalloc.get_traced_memory()[1] < 12 << 20
    finally:
        tracemalloc.stop()


def test_a_line_without_end_stops_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.csv.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b"doc_id,text\nd1,")
        for _ in range(40):
            file.write(b"a" * (1 << 20))
    with pytest.raises(InputError, match="line 2: the line is longer than 32 MB"):
        list(read_documents(path))


@pytest.mark.parametrize(
    "name", ["no", "a.pkl", "a.exe", "a.json.zip", ".json.txt.bin", "a\n.x\u202e", "a.gz"]
)
def test_an_unknown_extension_lists_the_known_ones(name: str) -> None:
    with pytest.raises(InputError) as caught:
        format_of(Path(name))
    assert all(known in str(caught.value) for known in FORMATS)
    assert "\n" not in str(caught.value)
    assert "\u202e" not in str(caught.value)


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="json, jsonl, csv, pubtator, paper003"):
        format_of(Path("a.json"), "xml")


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file gone\.json"):
        read_documents(tmp_path / "gone.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        read_documents(tmp_path / "folder.json")
