"""README and guide say what is so: every command runs on the demo, every link leads somewhere."""

from __future__ import annotations

import gzip
import json
import os
import re
import runpy
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from typer.exceptions import TyperException
from typer.main import get_command
from typer.testing import CliRunner

from core.cli import cli
from core.cli.app import build_demo
from core.records import Action, ItemKind
from core.review import Filters, PairFilters
from core.store import decisions, open_workspace, queue
from pages.widgets import guide
from tests.conflicts.libraries import EuropePMCLibrary, PubMedLibrary, serving, studies
from tests.kinds.contract import Case, Page, Saying
from tests.llm.server import scripted_server
from tests.pipeline import ward
from tests.pipeline.conflicts import lab

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
GUIDE = [guide.FOLDER / name for name in guide.titles().values()]
BENCHMARKS = ROOT / "tests" / "benchmarks"
NAMES = [path.relative_to(ROOT).as_posix() for path in (README, *GUIDE, ROOT / "data/README.md")]
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
OLLAMA = "http://127.0.0.1:11434/v1"
"""The address of a local model that the guide names; here the scripted server stands in its place."""
OF_PEOPLE = re.compile(r"curator=you|decisions|agreement")
"""What can only be asked once people have decided something."""
ONLY_PARSED = {
    "demo": "starts a server, which tests/browser does on every page",
    "app": "starts a server, which tests/browser does on every page",
}
"""Verb -> why it is only checked that the command line knows it and its options."""
ONLY_THERE = {
    "tests/benchmarks/": "a benchmark takes minutes",
    "tests/compare/": "two checkouts take minutes; tests/compare/test_checkouts.py runs it",
}
"""Scripts -> why it is only checked that they are there."""


def documents(annotated: bool) -> bytes:
    """The demo's passages, one a line."""
    found = json.loads((ROOT / "data/demo/passages.json").read_text("utf-8"))["documents"]
    kept = ("doc_id", "text", *(["annotations"] if annotated else []))
    rows = ({name: row[name] for name in kept} for row in found)
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def noted(*concepts: list[str]) -> bytes:
    """Documents that hold just these concepts, one list each."""
    rows = (
        {"doc_id": f"d{n}", "text": "A text.", "annotations": [{"concept_id": one} for one in held]}
        for n, held in enumerate(concepts)
    )
    return json.dumps({"documents": list(rows)}).encode()


def release(without: str | None = None) -> bytes:
    """The demo's ontology, but for a concept that has nothing below it."""
    stanzas = (ROOT / "data/demo/hpo-demo.obo").read_text("utf-8").split("\n\n")
    return "\n\n".join(one for one in stanzas if f"id: {without}\n" not in one).encode()


SEIZURE = {"concept_id": "HP:0001250", "text_span": "Seizure", "start_offset": 0, "end_offset": 7}
TAGS = "Skin B\ntumour I\nand O\nAT B\n\nnew B\nname I\n"
IDS = "Skin D1\ntumour -\nand -\nAT D2\n\nnew D9\nname -\n"
FILES: dict[str, dict[str, Callable[[], bytes]]] = {
    "README.md": {
        "hp.obo": lambda: (ROOT / "data/demo/hpo-demo.obo").read_bytes(),
        "passages.jsonl": lambda: documents(annotated=False),
        "silver.jsonl": lambda: documents(annotated=True),
    },
    "data/guide/labelling.md": {
        "rules.md": lambda: b"# Rules\n\nAnnotate every finding that is named.\n",
        "edited.md": lambda: b"1. Annotate what is named, and nothing else.\n",
    },
    "data/guide/generalisation.md": {
        "test.json": lambda: noted(["HP:0001251", "HP:0001250"], ["HP:0001290"]),
        "said.json": lambda: noted(["HP:0001251"], ["HP:0001250"]),
        "said-more.json": lambda: noted(["HP:0001251", "HP:0001250"], []),
        "train-1.json": lambda: noted(["HP:0001251"]),
        "train-2.json": lambda: noted(["HP:0001251"], ["HP:0001251"]),
    },
    "data/guide/numbers.md": {
        "tags.txt.gz": lambda: gzip.compress(TAGS.replace("AT B", "AT O").encode()),
        "test.txt.gz": lambda: gzip.compress(TAGS.encode()),
        "test_ids.txt.gz": lambda: gzip.compress(IDS.encode()),
        "train_mentions.txt.gz": lambda: gzip.compress(b"AT\n"),
        "train_ids.txt.gz": lambda: gzip.compress(b"D1\n"),
        "mentions.jsonl": lambda: lines(
            {"mention_id": "m1", "doc_id": "d1", "concept_id": "HP:0001250"},
            {"mention_id": "m2", "doc_id": "d2", "concept_id": "HP:9999999"},
        ),
        "linked.jsonl": lambda: lines(
            {"mention_id": "m1", "concept_id": "HP:0001250"}, {"mention_id": "m2", "concept_id": "NIL"}
        ),
        "older.obo": lambda: release(without="HP:0000822"),
        "newer.obo": lambda: release(),
        "pool.jsonl": lambda: lines(
            *({"doc_id": f"p{n}", "text": f"Seizure {n}.", "annotations": [SEIZURE]} for n in range(210))
        ),
        "pairs.csv": lambda: b"first,second,same\nHP:0001250,HP:0002121,yes\nHP:0001250,HP:0000518,no\n",
    },
}
"""Page -> the files of their own that a reader must have, all made for this test."""


def commands(block: str) -> Iterator[list[str]]:
    """The words of each line; one that ends with a backslash goes on."""
    for line in block.replace("\\\n", " ").splitlines():
        if words := shlex.split(line, comments=True):
            yield words


def command_of(words: Sequence[str]) -> tuple[Any, list[str]]:
    """The command that a line names, and the words behind its name. KeyError: there is none."""
    command, rest = get_command(cli), list(words)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    return command, rest


class Reader:
    """Somebody who types what a page says, in a folder of their own."""

    def __init__(self, served: str, patch: pytest.MonkeyPatch):
        self.served, self.patch = served, patch

    def follow(self, text: str) -> None:
        for _, language, block in BLOCK.findall(text):
            if language == "sh":
                for words in commands(block.replace(OLLAMA, self.served)):
                    self.do(words)
            elif language == "python":
                Path("script.py").write_text(block, "utf-8")
                runpy.run_path("script.py")

    def do(self, words: list[str]) -> None:
        match words:
            case ["export", setting]:
                self.patch.setenv(*setting.split("=", 1))
            case ["source", ".venv/bin/activate"]:
                pass
            case ["./dev", verb, *_]:
                assert f"./dev {verb}" in (ROOT / "dev").read_text("utf-8").split('"""')[1]
            case ["python", script, *_] if script.startswith(tuple(ONLY_THERE)):
                assert (ROOT / script).is_file()
            case ["touchstone", *rest]:
                self.touchstone(rest)
            case _:
                pytest.fail(f"nobody knows what to do with {shlex.join(words)}")

    def touchstone(self, words: list[str]) -> None:
        if words[0] in ONLY_PARSED:
            command, rest = command_of(words)
            command.make_context(words[0], rest)
            return
        if OF_PEOPLE.search(shlex.join(words)):
            review()
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, (words, done.output[-2000:], done.exception)


def review() -> None:
    """What readers do on the pages in between: with somebody else they accept two proposals a corpus."""
    with open_workspace(Path(os.environ["TOUCHSTONE_WORKSPACE"])) as workspace:
        if "you" in {one.id for one in decisions.list_curators(workspace)}:
            return
        for kind, filters in ((ItemKind.CONCEPT, Filters), (ItemKind.PAIR, PairFilters)):
            for corpus in {run.corpus for run in queue.run_names(workspace, kind)}:
                case = Case(lambda _: None, filters(corpus, answers=2), corpus, Saying(Action.REJECT))
                for curator in ("you", "colleague"):
                    decisions.add_curator(workspace, curator, curator)
                    page = Page(workspace, kind, case, curator)
                    page.sent = len(decisions.standing(workspace))
                    first = page.serve(want=9)
                    items = {one["id"]: one for sheet in first["passages"] for one in sheet["items"]}
                    told = [items[one] for one in first["page"] if items[one]["proposals"]]  # not blind
                    for item in told[:2]:
                        page.do(item, "accept")


def answer(body: dict[str, Any]) -> str:
    """What the scripted model writes. It is no model: its answers are made of the words that it is given."""
    if "rules" in str(body["response_format"]):
        return json.dumps({"rules": ["Annotate every finding that is named."]})
    data = ward.data_of(body)
    of_pairs = isinstance(data, dict) and {"a", "b"} <= data.keys()
    return lab.scripted(body) if of_pairs else ward.scripted(body)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    build_demo(path)
    return path


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, str]]:
    """What stands in the place of the network: variable -> address."""
    with ExitStack() as stack:
        model = stack.enter_context(scripted_server(answer))
        pubmed = stack.enter_context(serving(PubMedLibrary(studies(3))))
        europepmc = stack.enter_context(serving(EuropePMCLibrary(studies(3))))
        yield {
            "OPENAI_BASE_URL": model.url,
            "TOUCHSTONE_EUTILS_URL": pubmed.url,
            "TOUCHSTONE_EUROPEPMC_URL": europepmc.url,
            "TOUCHSTONE_COLLECT_PER_SECOND": "1000",
            "OPENAI_API_KEY": "nobody's",
        }


@pytest.fixture
def reader(tmp_path: Path, demo: Path, served: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Reader:
    """In a folder that looks like a checkout in which the demo was opened once."""
    for name in [name for name in os.environ if name.startswith(("TOUCHSTONE", "OPENAI", "NCBI"))]:
        monkeypatch.delenv(name)
    for name, value in served.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "data" / "workspaces").mkdir(parents=True)
    for path in (ROOT / "data").iterdir():
        if path.name != "workspaces" and ".db" not in path.name:
            (tmp_path / "data" / path.name).symlink_to(path)
    shutil.copy(demo, tmp_path / "data" / "workspaces")
    monkeypatch.chdir(tmp_path)
    return Reader(served["OPENAI_BASE_URL"], monkeypatch)


@pytest.mark.parametrize("where", [name for name in NAMES if "```sh" in (ROOT / name).read_text("utf-8")])
def test_every_command_of_a_page_runs_on_the_demo_in_its_order(where: str, reader: Reader) -> None:
    """A page of the guide goes on where the list of its pages ends."""
    for name, made in FILES.get(where, {}).items():
        Path(name).write_bytes(made())
    if (ROOT / where).parent == guide.FOLDER and Path(where).name != guide.LIST:
        reader.follow((guide.FOLDER / guide.LIST).read_text("utf-8"))
    reader.follow((ROOT / where).read_text("utf-8"))


# --- what is named ------------------------------------------------------------------------------------------


def misnamed(text: str) -> list[str]:
    """Commands and options that stand in the middle of a sentence, and that there are not."""
    everywhere = set().union(*map(options_of, every_command()))
    found = []
    for code in INLINE.findall(BLOCK.sub("", text)):
        words = code.split()
        known = everywhere
        if words[0] == "touchstone":
            try:
                command, words = command_of(words[1:])
            except KeyError:
                found.append(code)
                continue
            known = options_of(command)
        elif not words[0].startswith("--"):
            continue
        found += [code for word in words if word.startswith("--") and word not in known]
    return found


def options_of(command: Any) -> set[str]:
    return {"--help"}.union(*((*row.opts, *row.secondary_opts) for row in command.params))


def every_command(command: Any = None) -> Iterator[Any]:
    command = command or get_command(cli)
    yield command
    for one in getattr(command, "commands", {}).values():
        yield from every_command(one)


@pytest.mark.parametrize("where", NAMES)
def test_commands_and_options_in_a_sentence_are_those_of_the_command_line(where: str) -> None:
    assert misnamed((ROOT / where).read_text("utf-8")) == []


@pytest.mark.parametrize("where", NAMES)
def test_no_command_hides_outside_of_a_block(where: str) -> None:
    rest = BLOCK.sub("", (ROOT / where).read_text("utf-8"))
    command = r"^ *(?:(?:touchstone|python|source|\./dev) |export [A-Z_]+=).*"
    assert re.findall(command, rest, re.MULTILINE) == []


def test_every_benchmark_is_listed() -> None:
    listed = (guide.FOLDER / "contributing.md").read_text("utf-8")
    there = {path.name for kind in ("bench", "quality") for path in BENCHMARKS.glob(f"{kind}_*.py")}
    assert set(re.findall(r"benchmarks/(\w+\.py)", listed)) == there


# --- links --------------------------------------------------------------------------------------------------

OUTSIDE = {"http://127.0.0.1:8501", "https://hpo.jax.org", "https://hpo.jax.org/license"}
"""Addresses that no test asks for."""
ADDRESS = re.compile(r"<(\w+://[^>]+)>")
PICTURE = re.compile(r"!\[[^\]]+\]\(([^()\s]+)\)")


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.MULTILINE)
    return {heading.lower().replace(" ", "-") for heading in headings}


def broken_links(path: Path, text: str) -> list[str]:
    """Files, headings, pages of the app and addresses that are not there."""
    pages = {ROOT / name for name in re.findall(r'"(pages/.*?\.py)"', (ROOT / "app.py").read_text("utf-8"))}
    prose, found = BLOCK.sub("", text), []
    targets = (
        [target for _, target in guide.LINK.findall(prose)] + ADDRESS.findall(prose) + PICTURE.findall(prose)
    )
    for target in targets:
        file, _, anchor = target.partition("#")
        place = (path.parent / file).resolve() if file else path
        if "://" in target:
            right = target in OUTSIDE
        elif place.is_relative_to(ROOT / "pages"):
            right = place in pages and place.is_file()
        else:
            known = anchors(place.read_text("utf-8")) if anchor and place.is_file() else {""}
            right = place.exists() and place.is_relative_to(ROOT) and anchor in known
        if not right:
            found.append(target)
    return found


@pytest.mark.parametrize("where", NAMES)
def test_every_link_leads_somewhere(where: str) -> None:
    assert broken_links(ROOT / where, (ROOT / where).read_text("utf-8")) == []


@pytest.mark.parametrize("where", NAMES)
def test_an_anchor_is_the_same_in_the_repository_and_in_the_app(where: str) -> None:
    """Of letters, digits and spaces both make the same; of other signs each makes something else."""
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", (ROOT / where).read_text("utf-8")), re.MULTILINE)
    assert [heading for heading in headings if not re.fullmatch(r"[A-Za-z0-9 .]+", heading)] == []
    assert len(headings) == len(set(headings))


def test_every_page_of_the_guide_is_listed_there_and_in_the_readme() -> None:
    there = {path.name for path in guide.FOLDER.glob("*.md")}
    assert set(guide.titles().values()) == there
    linked = {Path(target).name for _, target in guide.LINK.findall(README.read_text("utf-8"))}
    assert there - {guide.LIST} <= linked


OFFENCES = [
    (misnamed, "Try `touchstone annotat --corpus x`."),
    (misnamed, "Try `touchstone annotate --copus x`."),
    (misnamed, "Give `--familys`."),
    (broken_links, "See [there](none.md)."),
    (broken_links, "See [there](numbers.md#none)."),
    (broken_links, "See [there](#none)."),
    (broken_links, "See [*there*](../../pages/reports/none.py)."),
    (broken_links, "See [there](../../../elsewhere)."),
    (broken_links, "See <https://example.org>."),
    (broken_links, "![a picture](pictures/none.png)"),
]


@pytest.mark.parametrize(("check", "text"), OFFENCES)
def test_a_check_bites(check: Callable[..., list[str]], text: str) -> None:
    assert check(*([guide.FOLDER / "curating.md"] if check is broken_links else []), text)


@pytest.mark.parametrize(
    "line", ["touchstone nothing", "touchstone app --prot 1", "touchstone runs show none", "./dev none", "ls"]
)
def test_a_command_that_fails_is_noticed(line: str, reader: Reader) -> None:
    with pytest.raises((AssertionError, KeyError, TyperException, pytest.fail.Exception)):
        reader.follow(f"```sh\nexport TOUCHSTONE_WORKSPACE=data/workspaces/demo.db\n{line}\n```\n")


# --- form ---------------------------------------------------------------------------------------------------


def test_the_readme_is_short() -> None:
    assert len(README.read_text("utf-8").split()) <= 900


@pytest.mark.parametrize("path", [README, *GUIDE], ids=lambda path: path.stem)
def test_lines_are_at_most_120_characters_long(path: Path) -> None:
    """But for rows of tables, which cannot be wrapped. The readme has no longer ones either."""
    lines, rows = path.read_text("utf-8").splitlines(), path != README
    assert [line for line in lines if len(line) > 120 and not (rows and line.startswith("|"))] == []


@pytest.mark.parametrize("path", GUIDE, ids=lambda path: path.stem)
def test_nothing_is_taken_for_a_sign_of_the_app(path: Path) -> None:
    """Streamlit takes dollars for formulas, and words between colons for pictures and colours."""
    prose = INLINE.sub("", BLOCK.sub("", path.read_text("utf-8")))
    assert re.findall(r"\$|:\w+:|:\w+\[", prose) == []
