"""Files made to harm: nothing outside is read or asked for, and every one ends in a sentence."""

import gzip
import json
import os
import random
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest

from core.errors import InputError
from core.ontology import repair
from core.ontology.lineage import Lineage
from core.ontology.load import Limits, load
from tests.ontology import tiny

HEAD = "format-version: 1.2\n"
ENTITY_HEAD = tiny.OWL_HEAD.partition("?>\n")[2]


@pytest.fixture
def asked():
    """(address of a server on this machine, the paths it was asked for)."""
    paths = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            body = tiny.OBO.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    thread.join()
    server.server_close()


# --- imports ----------------------------------------------------------------------------------------------


def test_imports_are_listed_and_never_followed(write, asked, tmp_path):
    address, paths = asked
    write("beside.obo", f"{HEAD}\n[Term]\nid: SECRET:1\nname: from a local file\n")
    imports = [
        f"{address}/a.obo",
        f"{address}/b.owl",
        f"{address}/c.json",
        "beside",
        "beside.obo",
        "./beside.obo",
        "../beside.obo",
        str(tmp_path / "beside.obo"),
        f"file://{tmp_path / 'beside.obo'}",
        "/etc/passwd",
    ]
    obo = HEAD + "".join(f"import: {i}\n" for i in imports) + "\n[Term]\nid: X:1\nname: x\n"
    elements = "".join(f'<owl:imports rdf:resource="{i}"/>' for i in imports)
    owl = tiny.OWL.replace("</owl:Ontology>", f"{elements}</owl:Ontology>")
    graph = tiny.graph()
    graph["graphs"] += [{"id": i, "nodes": [], "edges": []} for i in imports]
    for name, text in (("a.obo", obo), ("a.owl", owl), ("a.json", json.dumps(graph))):
        ontology = load(write(name, text), name="x")
        (finding,) = [f for f in ontology.findings if f.kind == "import_ignored"]
        assert "Imports are not followed: 10 listed" in finding.message
        assert not any(c.curie.startswith("SECRET") for c in ontology.concepts)
    assert paths == []


# --- XML --------------------------------------------------------------------------------------------------


def with_doctype(doctype, label):
    owl = tiny.OWL.partition("?>\n")[2].replace(
        "<rdfs:label>All</rdfs:label>", f"<rdfs:label>{label}</rdfs:label>"
    )
    return f'<?xml version="1.0"?>\n{doctype}\n{owl}'


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
UNSAFE = {
    "file": ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>', "&x;"),
    "http": ('<!DOCTYPE r [<!ENTITY x SYSTEM "{address}/x">]>', "&x;"),
    "public": ('<!DOCTYPE r [<!ENTITY x PUBLIC "p" "{address}/x">]>', "&x;"),
    "unused file": ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>', "All"),
    "outside type": ('<!DOCTYPE r SYSTEM "{address}/x.dtd">', "All"),
    "public type": ('<!DOCTYPE r PUBLIC "p" "{address}/x.dtd">', "All"),
    "outside type, entity": ('<!DOCTYPE r SYSTEM "{address}/x.dtd">', "&x;"),
    "parameter": ('<!DOCTYPE r [<!ENTITY % x SYSTEM "{address}/x.dtd"> %x;]>', "All"),
    "parameter inside": ('<!DOCTYPE r [<!ENTITY % x "y"> ]>', "All"),
    "unparsed": (
        '<!DOCTYPE r [<!NOTATION n SYSTEM "n"><!ENTITY x SYSTEM "{address}/x" NDATA n>]>',
        "All",
    ),
    "laughs": (f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]>', "&l9;"),
    "laughs, unused": (f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]>', "All"),
    "laughs, encoded": ('<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&#38;a;&#38;a;">]>', "&b;"),
    "quadratic": (f'<!DOCTYPE r [<!ENTITY x "{"y" * 50_000}">]>', "&x;" * 50_000),
    "quadratic, short": (f'<!DOCTYPE r [<!ENTITY x "{"y" * 250}">]>', "&x;" * 400_000),
    "markup": ('<!DOCTYPE r [<!ENTITY x "<owl:Class/>">]>', "&x;"),
    "encoded markup": ('<!DOCTYPE r [<!ENTITY x "&#60;owl:Class/>">]>', "&x;"),
    "undeclared": ("<!DOCTYPE r [<!ENTITY x 'y'>]>", "&z;"),
}


@pytest.mark.parametrize("kind", UNSAFE)
def test_unsafe_xml_is_refused_at_once(read, asked, kind):
    address, paths = asked
    doctype, label = UNSAFE[kind]
    memory = psutil.Process().memory_info().rss
    with pytest.raises(InputError, match=r"unsafe XML|not well-formed XML"):
        read(with_doctype(doctype.replace("{address}", address), label))
    assert psutil.Process().memory_info().rss - memory < 50 << 20
    assert paths == []


def test_short_entities_may_not_take_a_file_past_its_limit(read):
    doctype = f'<!DOCTYPE r [<!ENTITY x "{"y" * 250}">]>'
    with pytest.raises(InputError, match=r"with its entities replaced it could exceed 4\.0 MB"):
        read(with_doctype(doctype, "&x;" * 20_000), cap=4 << 20)
    assert read(with_doctype(doctype, "&x;" * 20), cap=4 << 20)["by_id"]["TY:0000001"][1] == "y" * 5000


def test_namespace_abbreviations_as_editors_write_them_are_allowed(read):
    doctype = '<!DOCTYPE rdf:RDF [\n<!ENTITY obo "http://purl.obolibrary.org/obo/" >\n]>'
    owl = tiny.OWL.replace('"http://purl.obolibrary.org/obo/TY_', '"&obo;TY_').partition("?>\n")[2]
    answer = read(f'<?xml version="1.0"?>\n{doctype}\n{owl}')
    assert answer["concepts"] == read(tiny.OWL)["concepts"]


# --- size -------------------------------------------------------------------------------------------------


def test_gzip_bomb_stops_at_the_limit(write, read):
    bomb = gzip.compress(HEAD.encode() + b" " * (300 << 20), compresslevel=6)
    assert len(bomb) < 1 << 20
    memory = psutil.Process().memory_info().rss
    with pytest.raises(InputError, match="expands beyond 16 MB"):
        read(bomb, cap=16 << 20)
    assert psutil.Process().memory_info().rss - memory < (16 + 50) << 20
    with pytest.raises(InputError, match="expands beyond 16 MB"):
        load(write("bomb.obo.gz", bomb), name="x", limits=Limits(unpacked_bytes=16 << 20))


def test_nested_and_damaged_archives(read):
    packed = gzip.compress(tiny.OBO.encode())
    with pytest.raises(InputError, match="compressed twice"):
        read(gzip.compress(packed))
    with pytest.raises(InputError, match="damaged or cut-off gzip"):
        read(packed[:-20])
    with pytest.raises(InputError, match="damaged or cut-off gzip"):
        read(packed[:40] + b"\xff\xff\xff" + packed[43:])
    joined = gzip.compress(tiny.OBO[:300].encode()) + gzip.compress(tiny.OBO[300:].encode())
    assert read(joined)["concepts"] == read(tiny.OBO)["concepts"]  # gzip allows several members


def test_a_chain_20_000_deep(write):
    depth = 20_000
    stanzas = (f"\n[Term]\nid: X:{n}\nname: n{n}\nis_a: X:{n - 1}\n" for n in range(1, depth))
    ontology = load(write("deep.obo", f"{HEAD}\n[Term]\nid: X:0\nname: n0\n{''.join(stanzas)}"), name="x")
    assert ontology.root == "X:0"
    lineage = Lineage.of(ontology)
    last = f"X:{depth - 1}"
    assert lineage.distance("X:0", last) == lineage.depth(last) == depth - 1
    assert len(lineage.ancestors(last)) == len(lineage.path(last, "X:1")) == depth - 1


def test_json_nested_too_deeply_and_numbers_too_long(read):
    with pytest.raises(InputError, match="nested too deeply"):
        read('{"graphs":' + "[" * 200_000)
    with pytest.raises(InputError, match="not an OBO Graph"):
        read('{"graphs":' + "9" * 5000 + "}")


# --- damage -----------------------------------------------------------------------------------------------


def kept(answer):
    return {(row[0], row[1], tuple(row[4])) for row in answer["concepts"]}


@pytest.mark.parametrize("kind", ["obo", "json", "owl"])
def test_a_file_cut_off_anywhere_is_refused_or_said_to_be_cut(read, kind):
    whole = {"obo": tiny.OBO, "json": json.dumps(tiny.graph()), "owl": tiny.OWL}[kind].encode()
    complete = kept(read(whole))
    chance = random.Random(43)
    cuts = {*chance.sample(range(1, len(whole) - 1), 60), len(whole) - 3}
    for cut in sorted(cuts):
        try:
            answer = read(whole[:cut])
        except InputError:
            continue
        assert kind == "obo", f"half a {kind} file was read"
        assert whole[:cut].endswith(b"\n") or "no_final_line_break" in {k for _, k in answer["noted"]}
        assert {curie for curie, _, _ in kept(answer)} <= {curie for curie, _, _ in complete}


def test_a_torn_last_line_is_not_mended(read):
    torn = tiny.OBO.partition("[Typedef]")[0] + 'synonym: "half of a syno'
    with pytest.raises(InputError, match=r"line 37: the file is cut off in this line"):
        read(torn)
    assert [kind for _, kind in read(torn + '"\n')["noted"]] == ["repaired"]


def outcome(read, content):
    """How many concepts were read, or the sentence that says why not; anything else raised is a fault."""
    try:
        return len(read(content)["concepts"])
    except InputError as error:
        return str(error)


def test_garbled_bytes_end_in_a_sentence_never_in_a_traceback(read):
    chance = random.Random(44)
    outcomes = []
    for text in (tiny.OBO, json.dumps(tiny.graph()), tiny.OWL):
        for _ in range(40):
            data = bytearray(text.encode())
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(data))
                data[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
            outcomes.append(outcome(read, bytes(data)))
    sentences = [o for o in outcomes if isinstance(o, str)]
    assert all(re.fullmatch(r"'given\.obo'.*\.", sentence, re.S) for sentence in sentences)
    assert 0 < len(sentences) < len(outcomes)  # some damage is harmless


def test_lines_in_any_order_end_in_a_sentence(read):
    chance = random.Random(45)
    lines = tiny.OBO.splitlines()
    outcomes = [outcome(read, "\n".join(chance.sample(lines, len(lines))) + "\n") for _ in range(60)]
    assert all("given.obo" in o for o in outcomes if isinstance(o, str))


def test_a_panic_of_the_parser_is_no_panic_here():
    # fastobo's Rust code panics at a comment line in a stanza, and a panic is no Exception
    assert repair.refusal("[Term]\nid: X:1\n! a comment\n") == (0, "fastobo stops without a reason")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file names")
def test_hostile_file_names_are_only_shown(write):
    for name in ("a\nb.obo", "a‮b.obo", "<b>.obo", "-rf.obo", "x" * 200 + ".obo"):
        with pytest.raises(InputError, match="holds no terms") as refused:
            load(write(name, HEAD), name="x")
        assert "\n" not in str(refused.value)
        assert "‮" not in str(refused.value)


def test_the_server_goes_on_while_a_child_is_stopped(write):
    """Threads of this process are not held up while a child works and is stopped."""
    stanzas = (f"\n[Term]\nid: X:{n}\nname: n{n}\n" for n in range(60_000))
    path = write("many.obo", HEAD + "".join(stanzas))
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.05):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(InputError, match="the limit"):
        load(path, name="x", limits=Limits(seconds=1.0))
    stop.set()
    thread.join()
    assert len(ticks) > 5
    assert not [c for c in psutil.Process().children() if "core.ontology.child" in " ".join(c.cmdline())]
