"""CoNLL files: tokens, tags, ids, alignment, and what is wrong with a file that cannot be read."""

import gzip

import pytest

from core.errors import InputError
from core.formats.conll import (
    check_aligned,
    holds_ids,
    holds_tags,
    mentions_of,
    read_tokens,
    regrouped,
    text_of,
)


def mentions(path):
    """(document, start, end, type, text) of every mention."""
    file = read_tokens(path)
    return [(d, *m[:4]) for d, sentences in file.documents.items() for m in mentions_of(file.name, sentences)]


def test_a_sentence_is_a_text_of_its_tokens(write):
    file = read_tokens(write("a.txt", "skin B\ntumour I\n. O\n\n\nAT B\n"))
    assert {name: text_of(document) for name, document in file.documents.items()} == {
        "sentence 1": "skin tumour .",
        "sentence 2": "AT",
    }
    assert file.unit == "sentence"


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ("B I O", [(0, 4)]),
        ("B B O", [(0, 1), (2, 4)]),  # B ends what is open
        ("O I I", [(2, 7)]),  # I where nothing is open begins a mention
        ("O O O", []),
        ("I O B", [(0, 1), (5, 7)]),
        ("O O B", [(5, 7)]),  # the end of a sentence ends a mention
        ("B-X I-Y I-Y", [(0, 1), (2, 7)]),  # another type is another mention
        ("B-X I-X O", [(0, 4)]),
        ("S O S", [(0, 1), (5, 7)]),  # single tokens
        ("S S E", [(0, 1), (2, 4), (5, 7)]),
        ("B I E", [(0, 7)]),
        ("B L U", [(0, 4), (5, 7)]),
        ("B E I", [(0, 4), (5, 7)]),  # nothing is open after an end
    ],
)
def test_tags_mark_mentions(write, tags, found):
    rows = "".join(f"{token} {tag}\n" for token, tag in zip(("a", "bc", "de"), tags.split(), strict=True))
    assert [m[1:3] for m in mentions(write("a.txt", rows))] == found


def test_the_type_is_what_follows_the_sign(write):
    assert [m[3:] for m in mentions(write("a.txt", "a B-Some-Disease\nb B\n"))] == [
        ("Some-Disease", "a"),
        ("", "b"),
    ]


def test_mentions_do_not_run_across_sentences(write):
    assert mentions(write("a.txt", "a B\n\nb I\n")) == [
        ("sentence 1", 0, 1, "", "a"),
        ("sentence 2", 0, 1, "", "b"),
    ]


def test_documents_are_those_that_the_file_marks(write):
    path = write("a.txt", "-DOCSTART- -X- O O\n\na X B\nb X I\n\nc X B\n\n-DOCSTART- -X- O O\n\nd X B\n")
    file = read_tokens(path)
    assert file.unit == "document"
    assert mentions(path) == [
        ("document 1", 0, 3, "", "a b"),
        ("document 1", 4, 5, "", "c"),  # sentences are joined by a line feed
        ("document 2", 0, 1, "", "d"),
    ]


def test_columns_between_token_and_tag_are_passed_over(write):
    assert mentions(write("a.txt", "a\tNN\tx\tB\nb NN  x I\n"))[0][1:3] == (0, 3)


def test_gzip_and_other_line_ends(write):
    assert mentions(write("a.txt.gz", gzip.compress(b"a B\r\nb I\r\n\r\nc B\r\n"))) == [
        ("sentence 1", 0, 3, "", "a b"),
        ("sentence 2", 0, 1, "", "c"),
    ]


def test_tokens_may_hold_any_character_but_the_columns_own(write):
    assert mentions(write("a.txt", "naïve\u00a0x B\n𝛼 I\n"))[0] == ("sentence 1", 0, 9, "", "naïve\u00a0x 𝛼")


def test_ids_stand_on_the_first_token(write):
    file = read_tokens(write("ids.txt", "a D1|D2\nb -\nc -\n"))
    assert [row.value for row in file.documents["sentence 1"][0]] == ["D1|D2", "-", "-"]


@pytest.mark.parametrize(
    ("text", "tags", "ids"),
    [
        ("a B\nb O\n", True, False),
        ("a D1\nb -\nc -\n", False, True),
        ("skin tumour\ncancer\n", False, False),
        ("breast cancer\nskin cancer\n", False, False),
        ("1|t|Title\n1|a|Text\n", False, False),
        ("\n\n", False, False),
        ("a B\n" * 300 + "a ?\n", True, False),  # judged by the first lines
    ],
)
def test_what_a_file_holds(write, text, tags, ids):
    path = write("a.txt", text)
    assert (holds_tags(path), holds_ids(path)) == (tags, ids)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a B\nb\n", "line 2: 'b' stands alone"),
        ("\n \n", "holds no token"),
        ("", "is empty"),
    ],
)
def test_files_that_are_no_tokens(write, text, message):
    with pytest.raises(InputError, match=message):
        read_tokens(write("a.txt", text))


def test_a_value_that_is_no_tag_is_named(write):
    with pytest.raises(InputError, match=r"a\.txt, line 2: 'Q' is no tag\. Known: B, I, O"):
        mentions(write("a.txt", "a B\nb Q\n"))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("a O\nx O\n", r"'b' \(line 2\) in the first is 'x' \(line 2\) in the second"),
        ("a O\n", "'b'.* is the end of a sentence"),
        ("a O\n\nb O\n", "'b'.* is the end of a sentence"),
        ("a O\nb O\n\nc O\n", "the end of a sentence in the first is 'c'"),
    ],
)
def test_other_tokens_are_refused_where_they_begin(write, other, message):
    one = read_tokens(write("one.txt", "a B\nb I\n"))
    with pytest.raises(InputError, match=message):
        check_aligned(one, read_tokens(write("other.txt", other)))


def test_the_same_tokens_are_aligned_whatever_marks_documents(write):
    marked = read_tokens(write("one.txt", "-DOCSTART- O\n\na B\n\nb I\n"))
    plain = read_tokens(write("other.txt", "a O\n\n\nb O\n"))
    check_aligned(marked, plain)
    (document,) = regrouped(plain, marked).values()
    assert [[row.token for row in sentence] for sentence in document] == [["a"], ["b"]]
