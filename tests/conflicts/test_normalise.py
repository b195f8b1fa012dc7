"""Stage 2: what leaves a text, what stays, which articles are one, and where each character comes from."""

from __future__ import annotations

import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.conflicts.normalise import normalised_span, original_span, run
from core.conflicts.normalise.clean import clean
from core.conflicts.normalise.duplicates import content, doi, pmid
from core.conflicts.normalise.offsets import differences, edited, unchanged
from core.errors import InputError
from core.records import Article, Left, Normalised, Section
from core.records.claims import OffsetMap

FILLER = "Of the patients who were given the drug most were alive after a year."


def article(uid: str, text: str = FILLER, **fields: object) -> Article:
    return Article(uid=uid, text=text, domain="trials", **fields)  # type: ignore[arg-type]


# --- what a text becomes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # encoding: UTF-8 read as Windows-1252, as Latin-1, twice; beside signs that are right
        ("TNF-Î± fell â‰¤ 5 Â± 2", "TNF-α fell ≤ 5 ± 2"),
        ("5Â mg dailyâ€”or naïve “placebo”", "5 mg daily—or naïve “placebo”"),
        ("SjÃƒÂ¶gren", "Sjögren"),
        ("half \ud83e\uddec a helix, \ud83e alone", "half 🧬 a helix, \ufffd alone"),
        # what looks odd and is right
        ("5′-UTR, β-lactam, p ≤ 0.05, ±2 °C, Ångström, “as is”, 3–5", None),
        # NFKC and signs that stand for others
        ("10⁹ CFU, CO₂, ﬁbrosis, 5 µg, ½ dose, WOMAC™", "109 CFU, CO2, fibrosis, 5 μg, 1⁄2 dose, WOMACTM"),
        ("e\u0301 and 37˚C, Student´s", "é and 37°C, Student's"),
        ("double\u2010blind, ob\u00adjec\u00adtive", "double-blind, objective"),
        ("\u1112\u1161\u11ab", "한"),
        # tags and entities
        ("p &lt; 0.05 &amp;amp; n &amp;gt; 3 &beta; &#945; &nosuch;", "p < 0.05 & n > 3 β α &nosuch;"),
        ("<i>E. coli</i> H<sub>2</sub>O <b class=\"x\">now</b>", "E. coli H2O now"),
        ("<jats:title>Results</jats:title><jats:p>It fell.</jats:p>", "Results: It fell."),
        ("<p>One.</p><p>Two.</p>", "One. Two."),
        ("a <e1>gene</e1> and <Disease id='D1'>gout</Disease>", "a gene and gout"),
        ("if a<b and c>d, p<0.001 and p <i and j> or <unclosed> go", None),
        ("<!-- note -->kept <![CDATA[too]]>", "kept too"),
        # citations and what is none
        ("as shown [1], known [2,3-5] and seen [12–14].", "as shown, known and seen."),
        ("small and not randomised [1, 2]. Next", "small and not randomised. Next"),
        ("median 64 years [54-72], 5 [3], IQR [2, 4], 95% CI [1, 5], SRI[4]", None),
        ("[18F]FDG, calix[4]arene, benzo[a]pyrene, [3H] and level [2]", None),
        ("as previously described (12), by Alpha et al. (3, 4)", "as previously described, by Alpha et al."),
        ("of patients (12) and (3) controls; (1) first", None),
        ("care (Alpha et al., 2016; Beta et al. 2017) and (Texas, 2010)", "care and (Texas, 2010)"),
        # white space
        ("  one\n\ttwo\u00a0three \u2003 four\r\n", "one two three four"),
        ("\u200b\ufeff \u202e", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_what_a_text_becomes(text: str, expected: str | None) -> None:
    assert clean(text)[0] == (text if expected is None else expected)


@pytest.mark.parametrize("table", ["latin-1", "cp1252"])
@pytest.mark.parametrize("said", ["naïve", "α-synuclein", "β₂-agonist", "≥ 5", "5 µg", "Sjögren’s", "x—y"])
def test_text_read_by_a_wrong_table_is_repaired(said: str, table: str) -> None:
    """By Python's own tables; a table that lacks a sign cannot have been the wrong one."""
    try:
        damaged = said.encode("utf-8").decode(table)
    except UnicodeDecodeError:
        pytest.skip(f"{said!r} cannot be read as {table}")
    assert clean(f"It was {damaged} again")[0] == clean(f"It was {said} again")[0]


def test_where_a_text_comes_from() -> None:
    text = "TNFÎ±  rose <i>10</i>⁹-fold [1] &lt; 5"
    made, offsets = clean(text)
    assert made == "TNFα rose 109-fold < 5"
    for part, origin in [
        ("α", "Î±"),
        (" ", "  "),
        ("rose", "rose"),
        ("10", "10"),
        ("9", "⁹"),
        ("109", "10</i>⁹"),
        ("fold <", "fold [1] &lt;"),
    ]:
        start = made.index(part)
        source, source_end = original_span(offsets, start, start + len(part))
        assert text[source:source_end] == origin
        assert normalised_span(offsets, source, source_end) == (start, start + len(part))
    tag = text.index("<i>")
    assert normalised_span(offsets, tag, tag + 3) is None


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 2), (0, 99)])
def test_spans_outside_a_text(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="no span"):
        original_span(unchanged("text"), start, end)


# --- properties -------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *(" ", "  ", "\n", "a", "word", "7", "[1]", "[2, 3]", "(4)", "et al.", "previously described"),
        *("<i>", "</i>", "<jats:p>", "</jats:title>", "<", "&lt;", "&amp;", "&", "Î±", "â‰¥", "Ã©", "Â "),
        *("ﬁ", "e\u0301", "\u0301", "\u00ad", "α", "⁹", "™", "½", "¨", "\ud83e\uddec", "\ud83e", "㍿"),
        *("\u1112", "\u1161", "\u11ab", "\u0345", "\u0f71\u0f72"),
    ]
)
EDITS = st.tuples(st.integers(0, 12), st.integers(1, 3), st.text("xy", max_size=3))
TEXTS = st.lists(PIECES | st.characters(), max_size=40).map("".join)


def sound(text: str, made: str, offsets: OffsetMap) -> None:
    """Runs cover the text without a gap, their originals ascend without overlap, and a map never lies: what
    maps character by character has the same meaning on both sides."""
    assert [run[0] for run in offsets] == [0, *(run[1] for run in offsets)][: len(offsets)]
    assert (offsets[-1][1] if offsets else 0) == len(made)
    last = 0
    for start, end, source, source_end in offsets:
        assert start < end
        assert last <= source < source_end <= len(text)
        last = source_end
        assert original_span(offsets, start, end) == (source, source_end)
        assert normalised_span(offsets, source, source_end) == (start, end)


@settings(deadline=None, max_examples=400)
@given(TEXTS)
@example("e\u0301â‰¥ﬁﬁﬁ")  # three signs lose a place, three win one: in all as long as before
def test_every_map_is_sound(text: str) -> None:
    made, offsets = clean(text)
    sound(text, made, offsets)
    assert unicodedata.is_normalized("NFKC", made)
    assert made == " ".join(made.split())
    for start in range(len(made)):
        source, source_end = original_span(offsets, start, start + 1)
        origin = text[source:source_end]
        if len(origin) == 1 and origin.isascii() and origin.isalnum():
            assert made[start] in unicodedata.normalize("NFKC", origin)
        back = normalised_span(offsets, source, source_end)
        assert back is not None
        assert back[0] <= start < back[1]


@settings(deadline=None)
@given(st.text("ab ", max_size=12), st.lists(st.lists(EDITS, max_size=4), max_size=4))
def test_edits_are_applied_as_they_say(text: str, rounds: list[list[tuple[int, int, str]]]) -> None:
    """Against plain replacement, last edit first."""
    original, offsets = text, unchanged(text)
    for wanted in rounds:
        edits: list[tuple[int, int, str]] = []
        for start, length, instead in sorted(wanted):
            if start + length <= len(text) and (not edits or edits[-1][1] <= start):
                edits.append((start, start + length, instead))
        plain = text
        for start, end, instead in reversed(edits):
            plain = plain[:start] + instead + plain[end:]
        text, offsets = edited(text, offsets, edits)
        assert text == plain
        sound(original, text, offsets)


@settings(deadline=None)
@given(st.text("ab α", max_size=15), st.text("ab α", max_size=15))
def test_differences_make_the_other_text(before: str, after: str) -> None:
    if before:
        assert edited(before, unchanged(before), differences(before, after))[0] == after


def test_sections_go_along() -> None:
    text = "  <b>Aim</b>  To see [1].\n\nIt   fell in many of the patients who were given the drug. <i></i>"
    at = text.index
    sections = (
        Section("AIM", at("To"), at("\n\n") + 1),
        Section("Results ", at("It"), at("<i>")),
        Section("NONE", at("<i>"), len(text)),
    )
    (kept,) = run([article("a", text, sections=sections)])
    assert isinstance(kept, Normalised)
    said = [(s.label, kept.article.text[s.start : s.end]) for s in kept.article.sections]
    assert said == [
        ("AIM", "To see."),
        ("Results ", "It fell in many of the patients who were given the drug."),
    ]
    assert kept.original == text


# --- which articles are one -------------------------------------------------------------------------------


def told(*articles: Article, **options: int) -> list[str]:
    return [
        f"{r.article.uid} {r.reason} {r.into}" if isinstance(r, Left) else r.article.uid
        for r in run(articles, **options)
    ]


def test_what_leaves_and_why() -> None:
    second = FILLER + " Others were not."
    assert told(
        article("a", doi="10.1000/ABC"),
        article("b", second, doi="https://doi.org/10.1000/abc", pmid="7"),
        article("c", "Too short.", doi="10.1000/x"),
        article("d", "<p> </p>"),
        article("e", FILLER + " E.", pmid="PMID: 0007"),  # by the PMID of b, which is a
        article("f", second.upper().replace(" ", "  ")),  # by the text of b
        article("g", FILLER + " G.", doi="10.1000/x"),  # c left no id behind
        article("h", FILLER + " H.", doi="n/a", pmid="unknown"),
        article("i", FILLER + " I.", doi="n/a", pmid="unknown"),
    ) == ["a", "b doi a", "c too_short None", "d empty None", "e pmid a", "f content a", "g", "h", "i"]


def shared(*articles: Article) -> dict[str, tuple[tuple[str, str], ...]]:
    return {r.article.uid: r.shared for r in run(articles) if isinstance(r, Left)}


def test_one_that_shares_with_two_makes_one_of_all() -> None:
    given = (
        article("a", doi="10.1000/1"),
        article("b", FILLER + " B.", pmid="2"),
        article("c", FILLER + " C.", doi="10.1000/1", pmid="2"),
        article("d", FILLER + " D.", pmid="2"),
        article("e", FILLER + " B."),
        article("f", FILLER + " F.", doi="10.1000/2"),
    )
    assert told(*given) == ["a", "b pmid a", "c doi a", "d pmid a", "e content a", "f"]
    assert shared(*given) == {
        "b": (("pmid", "c"), ("content", "e")),
        "c": (("doi", "a"), ("pmid", "b")),
        "d": (("pmid", "b"),),
        "e": (("content", "b"),),
    }


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(" 123"), st.sampled_from(" 456"), st.sampled_from("ABCDEF")), max_size=7
    ).flatmap(lambda drawn: st.tuples(st.just(drawn), st.permutations(range(len(drawn)))))
)
def test_what_is_one_does_not_hang_on_the_order(drawn: tuple[list[tuple[str, str, str]], list[int]]) -> None:
    """Against components by networkx, an article and what it has joined. The first of each stays."""
    things, order = drawn
    graph = nx.Graph()
    for number, (doi_, pmid_, text) in enumerate(things):
        named = zip(("doi", "pmid", "text"), (doi_, pmid_, text), strict=True)
        graph.add_edges_from((number, thing) for thing in named if thing[1] != " ")
    given = {
        n: article(str(n), f"{FILLER} {text}", doi=f"10.1000/{doi_}", pmid=pmid_)
        for n, (doi_, pmid_, text) in enumerate(things)
    }
    first: dict[int, int] = {}
    for group in nx.connected_components(graph):
        members = [n for n in order if n in group]
        first |= dict.fromkeys(members, members[0])
    for result in run([given[n] for n in order]):
        number = int(result.article.uid)
        into = result.into if isinstance(result, Left) else result.article.uid
        assert into == str(first[number])
        if isinstance(result, Left):
            assert result.reason == result.shared[0][0]
            assert {int(uid) for _, uid in result.shared} <= set(first) - {number}


def test_passages_of_an_article_are_not_duplicates_of_each_other() -> None:
    assert told(
        article("a", doi="10.1000/1", pmid="1"),
        article("a", FILLER + " Part two.", doi="10.1000/1", pmid="1"),
        article("a", FILLER.casefold(), doi="10.1000/1"),
        article("b", FILLER + " Part three.", doi="10.1000/1"),
    ) == ["a", "a", "a content a", "b doi a"]


def test_passages_that_two_articles_share_do_not_make_them_one() -> None:
    """Such as a declaration of interests. A text that is all of its article is one with what holds it; a
    passage of a merged article that has no id of its own goes along."""
    two, three = FILLER + " Part two.", FILLER + " Part three."
    assert told(
        article("a", doi="10.1000/1"),
        article("a", two, doi="10.1000/1"),
        article("b", doi="10.1000/2"),
        article("b", three, doi="10.1000/2"),
        article("c", two, pmid="3"),
        article("d", FILLER + " D.", pmid="3"),
        article("d", FILLER + " Not said."),
    ) == ["a", "a", "b content a", "b", "c pmid a", "d pmid a", "d article a"]


def test_the_shortest_text_that_stays() -> None:
    text = "x" * 50
    assert told(article("a", text), article("b", text[:49])) == ["a", "b too_short None"]
    assert told(article("a", "x"), article("b", " "), shortest=0) == ["a", "b empty None"]


@pytest.mark.parametrize(
    ("read", "given", "expected"),
    [
        (doi, " HTTPS://DX.DOI.ORG/10.1000/Ab(1)2 ", "10.1000/ab(1)2"),
        (doi, "doi:10.1000/x.", "10.1000/x"),
        (doi, "https://doi.org/10.1000%2Fx", "10.1000/x"),
        (doi, "10.1/x", None),
        (doi, "pending", None),
        (doi, None, None),
        (pmid, "PMID:00123", "123"),
        (pmid, "https://pubmed.ncbi.nlm.nih.gov/123/", "123"),
        (pmid, "PMC123", None),
        (pmid, "0", None),
        (pmid, "", None),
    ],
)
def test_ids(read: Callable[[str | None], str | None], given: str | None, expected: str | None) -> None:
    assert read(given) == expected


def test_texts_that_say_the_same() -> None:
    assert content("The β-blocker: “safe”.") == content("the Β blocker SAFE")
    assert content("a-b") == content("A b")
    assert content("a b") != content("a c")
    assert content("?!") != content("!?")


def test_more_articles_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """They lie in a file meanwhile, and come back in their order, as they came."""
    monkeypatch.setattr("core.conflicts.normalise.normalise.HELD", 1_000)
    texts = [f"{FILLER} {number} α &lt; β \ud83e\uddec \n\udc00" for number in range(50)]
    results = run(article(str(number), text) for number, text in enumerate(texts))
    for number, (result, text) in enumerate(zip(results, texts, strict=True)):
        assert isinstance(result, Normalised)
        assert (result.article.uid, result.original) == (str(number), text)
        assert result.article.text == f"{FILLER} {number} α < β 🧬 \ufffd"


def test_no_room_for_articles_laid_aside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    monkeypatch.setattr("core.conflicts.normalise.normalise.HELD", 1)
    with pytest.raises(InputError, match="TMPDIR"):
        list(run([article("a")]))
