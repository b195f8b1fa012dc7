"""`./dev` in a small checkout of its own: a real virtual environment, real pip, tiny packages."""

from __future__ import annotations

import ast
import hashlib
import importlib.machinery
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.interrupts import HEEDED

ROOT = Path(__file__).parents[1]
DEV = ROOT / "dev"
BACKEND = """
import pathlib, shutil
def build_editable(folder, config_settings=None, metadata_directory=None):
    built = next(pathlib.Path("wheels").glob("touchstone-*.whl"))
    shutil.copy(built, folder)
    return built.name
"""
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "touchstone"
version = "0"
"""
CHECKERS = {
    "ruff.py": "import sys; print('ruff', *sys.argv[1:]); sys.exit(0)",
    "mypy.py": "import sys; print('mypy', *sys.argv[1:]); sys.exit(0)",
    "importlinter/cli.py": "def lint_imports_command(): print('import-linter')",
    "pytest.py": "import sys; print('pytest', *sys.argv[1:]); print('1 passed'); sys.exit(0)",
    "core/cli.py": "import sys; print('touchstone', *sys.argv[1:])",
}


def wheel(folder: Path, name: str, version: str) -> Path:
    """A package of one empty module."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
    }
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return path


def pin(path: Path) -> str:
    name, version, _ = path.name.split("-", 2)
    return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture(scope="module")
def dev() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("dev", str(DEV))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("dev", loader))
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def checkout(dev: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copy(DEV, folder)
    wheels = folder / "wheels"
    wheels.mkdir()
    wheel(wheels, "touchstone", "0")
    wheel(wheels, "torch", f"{dev.TORCH}+cpu")
    (folder / "backend.py").write_text(BACKEND, "utf-8")
    (folder / "pyproject.toml").write_text(PROJECT, "utf-8")
    (folder / "requirements.lock").write_text(pin(wheel(wheels, "gold", "1")), "utf-8")
    for name, text in CHECKERS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def start(checkout: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """./dev ARGUMENTS with pip shut off from every index. PIP_TARGET must not lead astray."""
    closed = {
        "TOUCHSTONE_INSTALLER": "pip",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(checkout / "wheels"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_TARGET": str(checkout / "astray"),
    }
    command = [sys.executable, str(checkout / "dev"), *arguments]
    surroundings = {**os.environ, **closed, **environment}
    return subprocess.Popen(
        command,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=checkout.parent,
        preexec_fn=HEEDED,
    )


def call(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    with start(checkout, *arguments, **environment) as process:
        output, errors = process.communicate()
    return subprocess.CompletedProcess(arguments, process.returncode, output, errors)


def installed(checkout: Path) -> set[str]:
    return {path.name.removesuffix(".dist-info") for path in checkout.glob(".venv/[Ll]ib/**/*.dist-info")}


def test_setup_runs_once_and_then_again_only_for_a_reason(checkout: Path) -> None:
    first = call(checkout, "setup")
    assert first.returncode == 0, first.stderr
    assert "[1/5] a new .venv" in first.stdout
    assert {"gold-1", "touchstone-0"} <= installed(checkout)
    assert not (checkout / "astray").exists()

    second = call(checkout, "setup")
    assert second.returncode == 0
    assert "/5]" not in second.stdout

    lock = checkout / "requirements.lock"
    lock.write_text(pin(wheel(checkout / "wheels", "gold", "2")), "utf-8")
    third = call(checkout, "setup")
    assert third.returncode == 0, third.stderr
    assert "[4/4] Touchstone" in third.stdout
    assert "gold-2" in installed(checkout)
    assert "gold-1" not in installed(checkout)


def test_run_opens_the_demo(checkout: Path) -> None:
    done = call(checkout, "run", "--port", "9000")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "touchstone demo --port 9000")


def test_test_runs_every_check_and_pytest(checkout: Path, dev: ModuleType) -> None:
    done = call(checkout, "test", "-k", "gold")
    lines = [line for line in done.stdout.splitlines() if line and not line.startswith("===")]
    assert done.returncode == 0
    checks = ["ruff check", "ruff format --check", "import-linter"]
    side_by_side = " ".join(dev.PYTEST[1:])
    assert lines[-6:] == [*checks, f"{side_by_side} -k gold", "1 passed", "mypy"]


def test_bytecode_is_kept_whatever_the_machine_says(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the suite compiles each library in every process that it starts: twice the time."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in dev.environment()


@pytest.mark.parametrize("name", ["ruff.py", "mypy.py", "pytest.py"])
def test_one_failed_check_fails_the_whole_and_stops_nothing(checkout: Path, name: str) -> None:
    (checkout / name).write_text(
        CHECKERS[name].replace("exit(0)", "exit(33)"), "utf-8"
    )  # of another length: no bytecode fits both
    done = call(checkout, "test")
    (checkout / name).write_text(CHECKERS[name], "utf-8")
    assert done.returncode != 0
    assert "1 passed" in done.stdout.splitlines()
    assert ("FAILED before it: ruff check" in done.stdout) == (name == "ruff.py")
    assert ("=== mypy: FAILED" in done.stdout) == (name == "mypy.py")


def test_what_is_not_as_pinned_or_out_of_reach_stops_set_up(checkout: Path, tmp_path: Path) -> None:
    call(checkout, "setup")
    lock, stamp = checkout / "requirements.lock", checkout / ".venv" / "touchstone-stamp"
    good, finished = lock.read_text("utf-8"), stamp.read_text("utf-8")
    lock.write_text(pin(wheel(checkout / "wheels", "gold", "3")).replace("sha256:", "sha256:0"), "utf-8")
    forged = call(checkout, "setup")
    stamp.write_text(finished, "utf-8")
    for torch in (checkout / ".venv").glob("**/torch-*.dist-info"):
        shutil.rmtree(torch)
    nowhere = call(checkout, "setup", PIP_FIND_LINKS=str(tmp_path))
    lock.write_text(good, "utf-8")

    assert forged.returncode == nowhere.returncode == 1
    assert "Not all packages in requirements.lock could be had" in forged.stderr
    assert "gold-3" not in installed(checkout)
    assert "Traceback" not in forged.stderr + nowhere.stderr
    if sys.platform == "linux":  # elsewhere PyTorch is one of the packages
        assert "No CPU build of PyTorch" in nowhere.stderr
        assert str(tmp_path) in nowhere.stderr

    assert not stamp.exists()
    with start(checkout, "setup") as again:
        assert again.stdout.readline().startswith("Setting up")
        assert again.stdout.readline().startswith("[1/5] a new .venv"), (
            "an unfinished .venv is not built upon"
        )
        again.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        again.communicate()
    assert again.returncode != 0
    assert not stamp.exists()


def test_usage() -> None:
    for arguments, status in ((["--help"], 0), ([], 2), (["fly"], 2)):
        done = subprocess.run([sys.executable, str(DEV), *arguments], capture_output=True, text=True)
        assert done.returncode == status
        assert "./dev run" in (done.stderr if status else done.stdout)


def test_an_old_python_is_told_what_is_needed() -> None:
    ast.parse(DEV.read_text("utf-8"), feature_version=(3, 7))  # it must load there at all
    older = (
        "import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", older, str(DEV)], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Touchstone needs Python 3.11 or newer")


def test_the_lock_leaves_pytorch_to_dev_on_linux_alone(dev: ModuleType) -> None:
    assert dev.locked("torch").startswith(f"torch=={dev.TORCH} ; sys_platform != 'linux' ")
    assert "./dev lock" in (ROOT / "requirements.lock").read_text("utf-8").splitlines()[1]
    assert dev.locked("uv").startswith("uv==")


def test_ci_script_is_sound() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert os.access(DEV, os.X_OK)
    if shutil.which("bash"):
        assert subprocess.run(["bash", "-n", str(script)]).returncode == 0
