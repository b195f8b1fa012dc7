"""Gold references as a reader meets them."""

import pytest

from core.evaluate.references import in_words


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("imported:gsc@1", "the imported gold gsc, version 1"),
        ("imported:a@b@2017", "the imported gold a@b, version 2017"),
        ("corrected@7:gsc@1", "the imported gold gsc, version 1, with confirmed changes, up to decision 7"),
        ("corrected@now:gsc@1", "the imported gold gsc, version 1, with confirmed changes"),
        ("reviewed@25:any", "what people decided, up to decision 25"),
        ("reviewed@25:agreed", "what curators agree on, up to decision 25"),
        (
            "reviewed@now:adjudicated",
            "what curators agree on or an adjudicator settled",
        ),
        ("reviewed@6:curator=ada", "what ada decided, up to decision 6"),
        ("estimated@9:pilot", "the estimate from frame pilot, up to decision 9"),
        ("gold.json", "gold.json"),
        ("reviewed@", "reviewed@"),
    ],
)
def test_a_reference_is_part_of_a_sentence(reference: str, words: str) -> None:
    assert in_words(reference) == words
