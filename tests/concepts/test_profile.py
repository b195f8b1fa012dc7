"""Task profiles: the two that ship, and files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from core.concepts import STAGES
from core.concepts.asking import terms
from core.concepts.profile import Hypernyms, Profile, load_profile, profiles
from core.errors import InputError
from core.records import ConceptClass

IMPLICIT = (ConceptClass.LOGICALLY_IMPLICIT, ConceptClass.PRAGMATICALLY_IMPLICIT)


def test_profiles_ship() -> None:
    assert sorted(profiles()) == ["go_bp", "hpa", "hpa_abstracts", "hpa_cases", "hpa_notes"]


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("hpa_abstracts", Hypernyms.KEEP),
        ("hpa_cases", Hypernyms.KEEP_NAMED_APART),
        ("hpa_notes", Hypernyms.KEEP_NAMED_APART),
    ],
)
def test_a_profile_like_another_says_what_differs(name: str, policy: Hypernyms) -> None:
    made, base = load_profile(name), load_profile("hpa")
    assert made.hypernyms is policy
    assert made.name == name
    same = {"name", "title", "hypernyms"}
    assert made.model_dump(exclude=same) == base.model_dump(exclude=same)


@pytest.mark.parametrize("name", ["go_bp", "hpa"])
def test_a_shipped_profile_is_whole(name: str) -> None:
    profile = load_profile(name)
    assert profile.name == name
    assert set(profile.class_examples) == set(ConceptClass)
    assert profile.classes == (ConceptClass.EXPLICIT, *IMPLICIT)
    assert len(profile.examples) >= 5
    assert len(profile.counter_examples) >= 3
    assert list(profile.default_stages) == [stage for stage in STAGES if stage in profile.default_stages]
    assert bool(profile.guideline) == ("guideline" in profile.default_stages)
    assert profile.claims_per_call == 8


def test_the_phenotype_profile_leaves_the_guideline_out() -> None:
    profile = load_profile("hpa")
    assert profile.root == "HP:0000118"
    assert profile.default_stages == ("generate", "classify", "relabel", "select")
    assert profile.hypernyms is Hypernyms.KEEP


def test_the_process_profile_runs_all_five_stages() -> None:
    profile = load_profile("go_bp")
    assert profile.root == "GO:0008150"
    assert profile.default_stages == STAGES


def test_terms_have_words_for_what_a_profile_leaves_out() -> None:
    bare = Profile(
        name="bare",
        title="Bare",
        kind="things",
        kind_singular="thing",
        description="Anything.",
        examples=(),
        default_stages=("generate",),
    )
    assert terms(bare)["examples"] == terms(bare)["counter_examples"] == "none given"
    assert len({terms(bare.model_copy(update={"hypernyms": one}))["hypernym_rule"] for one in Hypernyms}) == 3


def test_a_profile_of_one_s_own(tmp_path: Path) -> None:
    fields = yaml.safe_load(profiles()["hpa"].read_text("utf-8")) | {"name": "mine", "claims_per_call": 5}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(fields), "utf-8")
    mine = load_profile(tmp_path / "mine.yaml")
    assert (mine.name, mine.claims_per_call) == ("mine", 5)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"threshold": 2}, "threshold"),
        ({"classes": ["vague"]}, "classes"),
        ({"default_stages": ["guess"]}, "default_stages"),
        ({"surprise": 1}, "surprise"),
        ({"name": "Two Words"}, "name"),
        ({"hypernyms": "perhaps"}, "hypernyms"),
        ({"claims_per_call": 0}, "claims_per_call"),
    ],
)
def test_a_file_that_is_no_profile_says_where(change: dict[str, object], named: str, tmp_path: Path) -> None:
    fields = yaml.safe_load(profiles()["hpa"].read_text("utf-8")) | change
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(fields), "utf-8")
    with pytest.raises(InputError, match=named) as error:
        load_profile(tmp_path / "mine.yaml")
    assert "mine.yaml" in str(error.value)


@pytest.mark.parametrize("content", ["a: [", "\x00", "- just\n- a list\n", ""])
def test_a_file_that_is_no_yaml_object(content: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"mine\.yaml is no task profile"):
        load_profile(tmp_path / "mine.yaml")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"go_bp, hpa"):
        load_profile("hpb")
