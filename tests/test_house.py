"""The rules of the house that no linter knows. Each guard is run twice: on this checkout, where it must find
nothing, and on a small tree made to offend, where it must find something."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
STATE = "pages/widgets/state.py"
TRANSACTIONS = tuple(f"core/store/{stem}.py" for stem in ("workspace", "migrate", "backup"))
HEAVY = ("torch", "sentence_transformers", "faiss", "openai", "pronto", "plotly", "pandas")
VAGUE = {"utils", "helpers", "common", "misc", "manager", "base", "constants"}
CODE_FROM_DATA = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}

Guard = Callable[[Path], list[str]]


def named(root: Path, *patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in root.glob(pattern) if path.is_file())


def product(root: Path) -> list[Path]:
    """Every Python file a user runs."""
    return named(root, "app.py", "pages/**/*.py", "core/**/*.py")


def shown(root: Path) -> list[Path]:
    return named(root, "app.py", "pages/**/*.py")


@cache
def parsed(path: Path) -> tuple[ast.AST, ...]:
    """Every syntax node of a file, which no guard changes."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def nodes(root: Path, paths: list[Path], *kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """(file:line to report, node) of every syntax node, or of every one of some kinds."""
    for path in paths:
        name = path.relative_to(root).as_posix()
        for node in parsed(path):
            if not kinds or isinstance(node, kinds):
                yield f"{name}:{getattr(node, 'lineno', 0)}", node


def strings(root: Path, paths: list[Path]) -> Iterator[tuple[str, str]]:
    for place, node in nodes(root, paths, ast.Constant):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield place, node.value


def imports(root: Path, paths: list[Path]) -> Iterator[tuple[str, str]]:
    for place, node in nodes(root, paths, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            yield from ((place, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield place, node.module or "."
            yield from ((place, f"{node.module}.{alias.name}") for alias in node.names)


def method(node: ast.AST) -> str | None:
    """`name` of a call `anything.name(...)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr
    return None


def opening(node: ast.AST) -> str | None:
    """A string literal, or the literal that an f-string or a concatenation begins with."""
    while isinstance(node, ast.JoinedStr | ast.BinOp):
        node = node.left if isinstance(node, ast.BinOp) else (node.values or [ast.Constant("")])[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


# --- pages --------------------------------------------------------------------------------------------------


def no_file_directly_in_pages(root: Path) -> list[str]:
    """Streamlit would make a page of it beside app.py's own."""
    return [path.name for path in named(root, "pages/*.py")]


def page_files(root: Path) -> list[Path]:
    return [path for path in named(root, "pages/*/*.py") if path.parent.name != "widgets"]


def page_names_are_unique(root: Path) -> list[str]:
    """The file's name is the page's address, whatever the section."""
    return [stem for stem, count in Counter(path.stem for path in page_files(root)).items() if count > 1]


def pages_are_in_the_table(root: Path) -> list[str]:
    table = {text for _, text in strings(root, named(root, "app.py"))}
    pages = (path.relative_to(root).as_posix() for path in page_files(root))
    return [page for page in pages if table and page not in table]


def no_sql_in_pages(root: Path) -> list[str]:
    words = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|PRAGMA)\b")
    found = [f"{place} {text[:40]!r}" for place, text in strings(root, shown(root)) if words.search(text)]
    calls = {"execute", "executemany", "executescript"}
    return found + [
        f"{place} .{method(node)}()" for place, node in nodes(root, shown(root)) if method(node) in calls
    ]


def session_keys_live_in_state(root: Path) -> list[str]:
    """Elsewhere a key is a name from state.py, so that no two pages claim the same one."""
    found = []
    for place, node in nodes(root, [path for path in shown(root) if path != root / STATE]):
        keys: list[ast.AST] = []
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("session_state"):
            keys = [node.slice]
        elif method(node) and ast.unparse(node.func.value).endswith("session_state"):
            keys = node.args[:1]
        elif method(node) and ast.unparse(node.func).startswith("st."):
            keys = [keyword.value for keyword in node.keywords if keyword.arg == "key"]
        found += [f"{place} {opening(key)!r}" for key in keys if opening(key)]
    return found


def state_names_its_page(root: Path) -> list[str]:
    tree = ast.parse((root / STATE).read_text("utf-8")) if (root / STATE).exists() else ast.Module([], [])
    keys = [opening(node.value) for node in tree.body if isinstance(node, ast.Assign)]
    return [key for key in keys if key and not re.fullmatch(r"[a-z_]+\.[a-z_]*", key)]


def app_is_only_a_router(root: Path) -> list[str]:
    allowed = {"__future__", "pathlib", "pages", "pages.widgets"}
    found = imports(root, named(root, "app.py"))
    return [
        f"{place} {name}"
        for place, name in found
        if name not in allowed
        and name.rpartition(".")[0] not in allowed
        and name.partition(".")[0] != "streamlit"
    ]


def no_raw_markup(root: Path) -> list[str]:
    """Text from outside must never become HTML or a script."""
    words = re.compile(
        r"unsafe_allow_html|unsafe_allow_javascript|components\.html|components\.v1|st\.html\("
    )
    return [path.name for path in product(root) if words.search(path.read_text("utf-8"))]


# --- core ---------------------------------------------------------------------------------------------------


def transactions_are_in_workspace(root: Path) -> list[str]:
    """Every write goes through `Workspace.write()`. BEGIN and ROLLBACK around reads store nothing."""
    paths = [path for path in product(root) if path.relative_to(root).as_posix() not in TRANSACTIONS]
    sql = re.compile(r"\s*(BEGIN (IMMEDIATE|EXCLUSIVE)|COMMIT|END)( TRANSACTION)?[\s;]*")
    calls = {"commit", "atomic", "executescript"}
    found = [f"{place} {text!r}" for place, text in strings(root, paths) if sql.fullmatch(text)]
    return found + [
        f"{place} .{method(node)}()" for place, node in nodes(root, paths) if method(node) in calls
    ]


def writes_use_what_write_yields(root: Path) -> list[str]:
    """`workspace.db.execute("INSERT ...")` would commit at once, outside any transaction of ours."""
    paths = [path for path in product(root) if path.relative_to(root).as_posix() not in TRANSACTIONS]
    verbs = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER)\b", re.IGNORECASE)
    return [
        place
        for place, node in nodes(root, paths)
        if method(node) in {"execute", "executemany"}
        and ast.unparse(node.func.value).endswith(".db")
        and verbs.match(opening(node.args[0]) or "")
    ]


def nothing_runs_code_from_data(root: Path) -> list[str]:
    found = [
        f"{place} {name}"
        for place, name in imports(root, product(root))
        if name.partition(".")[0] in CODE_FROM_DATA
    ]
    calls = r"(torch|yaml|numpy|np)\.(load|load_all|unsafe_load|full_load)|\w+\.read_pickle|eval|exec"
    for place, node in nodes(root, product(root)):
        if isinstance(node, ast.Call) and re.fullmatch(calls, ast.unparse(node.func)):
            found.append(f"{place} {ast.unparse(node.func)}()")
    return found


def core_imports_light(root: Path) -> list[str]:
    """Importing all of core must not load a heavy library: the app starts fast, each loads when needed."""
    names = [path.relative_to(root).with_suffix("").parts for path in named(root, "core/**/*.py")]
    modules = [".".join(parts).removesuffix(".__init__") for parts in names if parts[-1] != "__main__"]
    lines = ["import importlib, sys", f"for name in {modules!r}: importlib.import_module(name)"]
    lines.append(f"print(*[name for name in {HEAVY!r} if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=root, capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else [done.stderr]


def no_import_circles(root: Path) -> list[str]:
    """No module is reached from what it imports, under TYPE_CHECKING either."""
    paths = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in named(root, "core/**/*.py", "pages/**/*.py")
    }
    graph: dict[str, set[str]] = {module: set() for module in paths}
    for module, path in paths.items():
        for _, node in nodes(root, [path], ast.Import, ast.ImportFrom):
            whole = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for name in (f"{whole}{alias.name}" for alias in node.names):
                graph[module].add(name if name in paths else whole.rstrip("."))
        graph[module] &= paths.keys() - {module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def functions_stay_short(root: Path) -> list[str]:
    """At most 60 lines, docstring included, and 10 parameters; the parameters of a verb are its options."""
    found = []
    paths = named(root, "core/**/*.py", "pages/**/*.py")
    for place, node in nodes(root, paths, ast.FunctionDef, ast.AsyncFunctionDef):
        lines, given = node.end_lineno - node.lineno + 1, node.args
        taken = len(given.posonlyargs + given.args + given.kwonlyargs)
        many = taken > 10 and not place.startswith("core/cli/")
        if lines > 60 or many:
            found.append(f"{place} {node.name} has {lines} lines and {taken} parameters")
    return found


# --- files --------------------------------------------------------------------------------------------------


def files_stay_small(root: Path) -> list[str]:
    found = []
    for path in named(
        root, *(f"{top}/**/*.{kind}" for top in ("core", "pages") for kind in ("py", "js", "css"))
    ):
        ceiling = 450 if path.parent == root / "core/store" else 300
        count = len(path.read_text("utf-8").splitlines())
        if count > ceiling:
            found.append(f"{path.relative_to(root)} has {count} lines, over {ceiling}")
    return found


def words_stay_whole(root: Path) -> list[str]:
    """A list of words is not cut into pieces that only together make its words."""
    found = []
    for path in product(root):
        pieces: list[tokenize.TokenInfo] = []
        with path.open(encoding="utf-8") as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.STRING:
                    pieces.append(token)
                elif token.type not in (tokenize.NL, tokenize.COMMENT):
                    if len(pieces) > 9 and sum(len(piece.string) for piece in pieces) < 10 * len(pieces):
                        found.append(f"{path.relative_to(root)}:{pieces[0].start[0]}")
                    pieces = []
    return found


def names_say_something(root: Path) -> list[str]:
    return [path.name for path in [*product(root), *named(root, "tests/**/*.py")] if path.stem in VAGUE]


def tracked(root: Path) -> list[Path]:
    if not (root / ".git").exists():
        return named(root, "**/*")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listing = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return [root / name for name in listing.split("\0") if name and (root / name).is_file()]


def no_machine_paths(root: Path) -> list[str]:
    path_here = re.compile(rb"(?<![\w.~-])/(work|root|opt|home/\w+|Users/\w+)/")
    return [path.name for path in tracked(root) if path_here.search(path.read_bytes())]


def lock_is_portable(root: Path) -> list[str]:
    """No CUDA, nothing from an address or a folder, a hash for all, and whatever pyproject.toml asks."""
    text = (root / "requirements.lock").read_text("utf-8")
    bad = re.compile(r"nvidia|cuda|triton|://|^-|^file:| @ ", re.IGNORECASE)
    found = [line for line in text.splitlines() if bad.search(line)]
    blocks = re.findall(r"^([\w.-]+)==([\w.+!]+)(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    found += [f"{name} has no hash" for name, _, rest in blocks if "--hash=sha256:" not in rest]
    pinned = {canonicalize_name(name): version for name, version, _ in blocks}
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    asked = [*project["project"]["dependencies"], *project.get("dependency-groups", {}).get("dev", [])]
    for requirement in map(Requirement, asked):
        version = pinned.get(canonicalize_name(requirement.name))
        if version is None or version not in requirement.specifier:
            found.append(f"{requirement} is locked as {version}; run ./dev lock")
    return found


PROJECT = '[project]\ndependencies = ["six>=1.17"]\n'
LOCKED = "six==1.17.0 \\\n    --hash=sha256:00\n"
OFFENCES: list[tuple[Guard, dict[str, str]]] = [
    (no_file_directly_in_pages, {"pages/metrics.py": ""}),
    (page_names_are_unique, {"pages/a/review.py": "", "pages/b/review.py": ""}),
    (
        pages_are_in_the_table,
        {"app.py": "PAGES = 'pages/a/one.py'", "pages/a/one.py": "", "pages/a/two.py": ""},
    ),
    (no_sql_in_pages, {"pages/a/one.py": "q = f'SELECT {x}'"}),
    (no_sql_in_pages, {"pages/a/one.py": "db.execute(q)"}),
    (session_keys_live_in_state, {"pages/a/one.py": "st.session_state['x'] = 1"}),
    (session_keys_live_in_state, {"pages/a/one.py": "st.session_state.get(f'one.{n}')"}),
    (session_keys_live_in_state, {"pages/a/one.py": "st.button('Go', key='go')"}),
    (state_names_its_page, {STATE: "RUN = 'run'"}),
    (app_is_only_a_router, {"app.py": "from core.store import open_workspace"}),
    (app_is_only_a_router, {"app.py": "import pandas"}),
    (no_raw_markup, {"pages/a/one.py": "st.markdown(text, unsafe_allow_html=True)"}),
    (transactions_are_in_workspace, {"core/review.py": "db.execute('BEGIN IMMEDIATE')"}),
    (transactions_are_in_workspace, {"core/store/runs.py": "workspace.db.commit()"}),
    (writes_use_what_write_yields, {"core/store/runs.py": "workspace.db.execute(f'INSERT INTO {t}')"}),
    (nothing_runs_code_from_data, {"core/encode.py": "import pickle"}),
    (nothing_runs_code_from_data, {"core/encode.py": "torch.load(path)"}),
    (core_imports_light, {"core/__init__.py": "", "core/charts.py": "import pandas"}),
    (core_imports_light, {"core/__init__.py": "", "core/broken.py": "import core.missing"}),
    (
        no_import_circles,
        {
            "core/plan.py": "from core import settings",
            "core/settings.py": "if TYPE_CHECKING:\n    from core.plan import Plan",
        },
    ),
    (functions_stay_short, {"core/long.py": "def long():\n" + "    print()\n" * 60}),
    (functions_stay_short, {"core/many.py": f"def many({', '.join('abcdefghijk')}): ..."}),
    (files_stay_small, {"core/long.py": "\n" * 301}),
    (files_stay_small, {"core/store/long.py": "\n" * 451}),
    (files_stay_small, {"pages/widgets/long.js": "\n" * 301}),
    (words_stay_whole, {"core/text/genes.py": "GENES = (" + "'EG' 'FR' ' K' 'RA' 'S ' " * 2 + ")"}),
    (names_say_something, {"core/text/utils.py": ""}),
    (no_machine_paths, {"data/readme.txt": "see /" + "work/here"}),
    (
        lock_is_portable,
        {"pyproject.toml": PROJECT, "requirements.lock": LOCKED + "nvidia-nccl==2 --hash=sha256:00"},
    ),
    (lock_is_portable, {"pyproject.toml": PROJECT, "requirements.lock": LOCKED + "a @ https://b.org/a.whl"}),
    (lock_is_portable, {"pyproject.toml": PROJECT, "requirements.lock": "six==1.17.0\n"}),
    (lock_is_portable, {"pyproject.toml": PROJECT, "requirements.lock": LOCKED.replace("1.17", "1.16")}),
]


@pytest.fixture(scope="module", autouse=True)
def forget() -> Iterator[None]:
    yield
    parsed.cache_clear()


@pytest.mark.parametrize(
    "guard", dict.fromkeys(guard for guard, _ in OFFENCES), ids=lambda guard: guard.__name__
)
def test_the_house_keeps_its_rules(guard: Guard) -> None:
    assert guard(ROOT) == []


@pytest.mark.parametrize(("guard", "files"), OFFENCES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_guard_bites(guard: Guard, files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert guard(tmp_path)
