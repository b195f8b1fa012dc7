"""XML that is meant to harm: refused in a sentence, nothing expanded, nothing fetched, nothing read."""

from __future__ import annotations

import io
import socket
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats import pubmed, read_documents
from tests.formats.article_examples import record

BODY = "<PubmedArticleSet>" + record("1", "<AbstractText>&x;</AbstractText>") + "</PubmedArticleSet>"
PLAIN = "<PubmedArticleSet>" + record("1") + "</PubmedArticleSet>"


@pytest.fixture(scope="module")
def visits() -> Iterator[tuple[str, list[bytes]]]:
    """A server on this machine, and what was asked of it."""
    asked: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            with client:
                asked.append(client.recv(1000))
                client.sendall(b"HTTP/1.0 200 OK\r\n\r\n<!ENTITY x 'fetched'>")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


def laughs(levels: int, width: int) -> str:
    names = [f'<!ENTITY x{i} "{f"&x{i - 1};" * width if i else "ha" * 100}">' for i in range(levels)]
    return "\n".join([*names, f'<!ENTITY x "&x{levels - 1};">'])


DECLARED = {
    "an internal entity": '<!ENTITY x "words">',
    "a billion laughs": laughs(10, 10),
    "a few laughs": laughs(3, 3),
    "quadratic": f'<!ENTITY x "{"a" * 100_000}">',
    "a file": '<!ENTITY x SYSTEM "file:///etc/passwd">',
    "a file by path": '<!ENTITY x SYSTEM "/etc/passwd">',
    "a file beside": '<!ENTITY x SYSTEM "secret.txt">',
    "a URL": '<!ENTITY x SYSTEM "URL/x">',
    "a public URL": '<!ENTITY x PUBLIC "p" "URL/x">',
    "FTP": '<!ENTITY x SYSTEM "ftp://127.0.0.1/x">',
    "a device": '<!ENTITY x SYSTEM "file:///dev/zero">',
    "PHP": '<!ENTITY x SYSTEM "php://filter/resource=/etc/passwd">',
    "JAR": '<!ENTITY x SYSTEM "jar:URL/x.jar!/x">',
    "a parameter entity": '<!ENTITY % p SYSTEM "URL/p.dtd"> %p;',
    "an internal parameter entity": "<!ENTITY % p \"<!ENTITY x 'words'>\"> %p;",
    "out of band": '<!ENTITY % f SYSTEM "file:///etc/passwd"><!ENTITY % d SYSTEM "URL/d.dtd"> %d;',
    "a parameter laugh": '<!ENTITY % a "ha"><!ENTITY % b "&#37;a;&#37;a;"> %b;',
    "an unparsed entity": '<!NOTATION n SYSTEM "n"><!ENTITY x SYSTEM "URL/x.gif" NDATA n>',
    "itself": '<!ENTITY x "&x;">',
    "each other": '<!ENTITY y "&x;"><!ENTITY x "&y;">',
    "markup": '<!ENTITY x "<AbstractText>forged</AbstractText>">',
    "a default attribute": f'<!ATTLIST AbstractText Label CDATA "{"A" * 10_000}">',
    "an attribute entity": '<!ATTLIST AbstractText Label ENTITY "x">',
    "an element": "<!ELEMENT PubmedArticleSet ANY>",
    "a notation": '<!NOTATION n SYSTEM "URL/n">',
    "a comment": "<!-- only a comment -->",
    "a conditional section": "<![INCLUDE[ <!ENTITY x 'y'> ]]>",
    "a standard entity anew": '<!ENTITY lt "&#38;#60;"><!ENTITY x "y">',
}
OUTSIDE = {
    "an external type": '<!DOCTYPE PubmedArticleSet SYSTEM "URL/t.dtd">',
    "a public type": '<!DOCTYPE PubmedArticleSet PUBLIC "p" "URL/t.dtd">',
    "a type from a file": '<!DOCTYPE PubmedArticleSet SYSTEM "file:///etc/passwd">',
    "a style sheet": '<?xml-stylesheet href="URL/x.xsl" type="text/xsl"?>',
}
_XI = 'xmlns:xi="http://www.w3.org/2001/XInclude"'
INSIDE = {
    "XInclude": f'<xi:include {_XI} href="URL/x" parse="text"/>',
    "XInclude of a file": f'<xi:include {_XI} href="/etc/passwd" parse="text"/>',
    "a schema": '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="u URL/x"/>',
    "an instruction": '<?php readfile("/etc/passwd") ?>',
}


def read(content: str) -> list[object]:
    return list(pubmed.documents(io.BytesIO(content.encode()), "page 1"))


@pytest.mark.parametrize("kind", DECLARED)
def test_a_file_that_declares_anything_is_refused_unread(visits, kind: str) -> None:
    url, asked = visits
    content = f"<!DOCTYPE PubmedArticleSet [{DECLARED[kind].replace('URL', url)}]>{BODY}"
    before = len(asked)
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as caught:
            read(content)
        assert tracemalloc.get_traced_memory()[1] < 50 << 20
    finally:
        tracemalloc.stop()
    assert "unsafe XML" in str(caught.value)
    assert "root:" not in str(caught.value)
    assert len(asked) == before


@pytest.mark.parametrize("kind", DECLARED)
def test_neither_does_a_type_with_an_address(visits, kind: str) -> None:
    url, asked = visits
    content = f'<!DOCTYPE PubmedArticleSet SYSTEM "{url}/t.dtd" [{DECLARED[kind].replace("URL", url)}]>{BODY}'
    with pytest.raises(InputError, match="unsafe XML"):
        read(content)
    assert asked == []


@pytest.mark.parametrize("kind", OUTSIDE)
def test_nothing_outside_is_fetched(visits, kind: str) -> None:
    url, asked = visits
    head = OUTSIDE[kind].replace("URL", url)
    (document,) = read(head + PLAIN)
    assert document.text == "Rats slept."
    with pytest.raises(InputError, match="undefined entity"):
        read(head + BODY)
    assert asked == []


@pytest.mark.parametrize("kind", INSIDE)
def test_instructions_in_the_text_are_no_instructions(visits, kind: str) -> None:
    url, asked = visits
    (document,) = read(PLAIN.replace("slept", INSIDE[kind].replace("URL", url)))
    assert document.text == "Rats ."
    assert asked == []


@pytest.mark.parametrize("depth", [250, 20_000, 500_000])
def test_deep_nesting(depth: int) -> None:
    nested = "<i>" * depth + "</i>" * depth
    with pytest.raises(InputError, match="record 1: tags are nested more than 200 levels deep"):
        read(PLAIN.replace("slept", nested))


def test_formulas_are_not_too_deep() -> None:
    nested = "<i>" * 100 + "so" + "</i>" * 100
    (document,) = read(PLAIN.replace("slept", nested))
    assert document.text == "Rats so."


@pytest.mark.parametrize(
    "markup",
    [
        "<![CDATA[<PubmedArticle> & </PubmedArticle>]]>",
        "<!-- <PubmedArticle> -->",
        "<a b='&lt;PubmedArticle &gt;'/>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ],
)
def test_markup_as_text_is_text(markup: str) -> None:
    two = PLAIN.replace("slept", markup).replace("</PubmedArticleSet>", record("2") + "</PubmedArticleSet>")
    first, second = read(two)
    assert (first.doc_id, second.doc_id) == ("PMID1", "PMID2")
    assert first.text in (
        "Rats <PubmedArticle> & </PubmedArticle>.",
        "Rats .",
        "Rats <script>alert(1)</script>.",
    )


def test_a_refused_file_is_named_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "x\u202e.xml"
    path.write_text(f'<!DOCTYPE a [<!ENTITY x "y">]>{BODY}')
    with pytest.raises(InputError, match=r"^x\\u202e\.xml is unsafe XML"):
        list(read_documents(path))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "latin-1"])
def test_declarations_in_any_encoding_are_seen(encoding: str) -> None:
    content = f"<!DOCTYPE PubmedArticleSet [{DECLARED['a billion laughs']}]>{BODY}"
    with pytest.raises(InputError, match="unsafe XML"):
        list(pubmed.documents(io.BytesIO(content.encode(encoding)), "page 1"))
    (document,) = pubmed.documents(io.BytesIO(PLAIN.encode(encoding)), "page 1")
    assert document.doc_id == "PMID1"


def test_declarations_far_from_their_beginning_are_seen() -> None:
    content = f'<!DOCTYPE PubmedArticleSet SYSTEM "x"{" " * 200_000}[{DECLARED["a billion laughs"]}]>{BODY}'
    with pytest.raises(InputError, match="unsafe XML"):
        read(content)
    content = f"<!-- {'x' * 200_000} --><!DOCTYPE PubmedArticleSet [{DECLARED['a billion laughs']}]>{BODY}"
    with pytest.raises(InputError, match="unsafe XML"):
        read(content)
