"""The guide speaks of the command line as it is."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.cli.reference import END, START, table, verbs

GUIDE = (Path(__file__).parents[2] / "data/guide/command-line.md").read_text(encoding="utf-8")
VERBS = list(verbs(cli))


def test_the_guide_prints_every_verb_with_its_help() -> None:
    block = GUIDE.split(START)[1].split(END)[0].strip()
    assert block == table(cli), "run: python -m core.cli.reference, and paste it between the marks"


@pytest.mark.parametrize("name", [name for name, _ in VERBS])
def test_every_verb_answers_help_and_says_what_it_does(name: str) -> None:
    result = CliRunner().invoke(cli, [*name.split(), "--help"])
    assert result.exit_code == 0
    about = dict(VERBS)[name]
    assert about.endswith(".")
    assert len(about) > 20
    assert about.split()[0] in result.output


def test_every_verb_of_the_contract_is_there() -> None:
    contract = {
        "demo", "app", "ontology add", "ontology list", "ontology show", "ontology search", "ontology diff",
        "corpus add", "corpus list", "corpus show", "proposals add", "annotate", "runs list", "runs show",
        "runs compare", "export", "evaluate", "verify", "backup", "restore", "doctor",
    }  # fmt: skip
    assert contract <= {name for name, _ in VERBS}
