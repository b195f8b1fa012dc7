"""Texts into unit vectors, each text once: batches of 32 of like length, kept by the hash of the text."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from core.encode.models import BUNDLED, Backend, Loaded, identity, load, short, threshold
from core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

Progress = Callable[[int, int], None]
"""Called with (texts done, texts in all) after every block of new texts."""

BATCH = 32
"""Larger batches leave the processor's cache and are 2 to 2.5 times slower."""
BLOCK = 64 * BATCH
"""Texts between two reports of progress, and between two writes to the cache."""


class VectorCache(Protocol):
    """Keeps vectors between runs: little-endian float32 by model identity and sha256 of the UTF-8 text."""

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]: ...

    def put(self, model: str, vectors: Mapping[str, bytes]) -> None: ...


class Encoder:
    """A sentence encoder that is loaded when the first text that is not in the cache turns up.

    Args:
        model: `all-MiniLM-L6-v2` (bundled, offline), a name on the Hugging Face hub, or a folder.
        threads: of PyTorch while this encoder works; None leaves them. Beside other work on the same cores
            one thread is several times faster than two.
        backend: `torch`, or `onnx` or `openvino` where sentence-transformers' extra is installed.
        device: such as `cuda`; None takes the best there is.

    Raises:
        InputError: no such backend, or fewer than one thread.
    """

    def __init__(
        self,
        model: str = BUNDLED,
        threads: int | None = None,
        cache: VectorCache | None = None,
        *,
        backend: Backend = "torch",
        device: str | None = None,
    ) -> None:
        if threads is not None and threads < 1:
            raise InputError(f"The encoder cannot work with {threads} threads. Give 1 or more.")
        self.model = short(model)
        self.threshold = threshold(model)
        """Least s at which a name is taken for a concept."""
        self.embedded = 0
        """Texts that went through the model, so far; the others came from the cache."""
        self._threads, self._cache, self._backend, self._device = threads, cache, backend, device
        self._loaded: Loaded | None = None

    @property
    def identity(self) -> str:
        """Name and fingerprint of the model: what its vectors are kept under.

        Raises:
            InputError: as `encode`.
        """
        known = identity(self.model, self._backend)
        return known if known is not None else self._load().identity

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """One unit row per text, float32, shape (texts, dimensions); (0, 0) for no texts.

        Raises:
            InputError: the model is not on this machine and cannot be fetched, or is damaged.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        raw = [text.encode("utf-8", "replace") for text in texts]  # no tokeniser takes half a character
        hashes = [hashlib.sha256(text).hexdigest() for text in raw]
        unique = {h: text.decode() for h, text in zip(hashes, raw, strict=True)}
        table = _Table(unique)
        for block in _blocks(list(unique)):
            if self._cache is not None:
                table.take(self._cache.get(self.identity, block))
        if progress is not None:
            progress(len(table.known), len(unique))
        missing = sorted(unique.keys() - table.known, key=lambda h: (len(unique[h]), h))
        for block in _blocks(missing):
            rows = self._embed([unique[h] for h in block])
            table.put(block, rows)
            if self._cache is not None:
                kept = rows.astype("<f4")
                self._cache.put(self.identity, {h: v.tobytes() for h, v in zip(block, kept, strict=True)})
            if progress is not None:
                progress(len(table.known), len(unique))
        return table.rows(hashes)

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        model = self._load().model
        with self._limited():
            order = _by_tokens(model, texts)
            made = [
                model.encode(
                    [texts[place] for place in order[start : start + BATCH]],
                    batch_size=BATCH,
                    normalize_embeddings=True,
                    show_progress_bar=False,
                )
                for start in range(0, len(order), BATCH)
            ]
        self.embedded += len(texts)
        rows = np.empty((len(texts), made[0].shape[1]), dtype=np.float32)
        rows[order] = np.concatenate(made)
        return rows

    def _load(self) -> Loaded:
        if self._loaded is None:
            self._loaded = load(self.model, self._backend, self._device)
        return self._loaded

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """PyTorch's threads are the whole process's, so they are given back."""
        if self._threads is None:
            yield
            return
        import torch

        before = torch.get_num_threads()
        torch.set_num_threads(self._threads)
        try:
            yield
        finally:
            torch.set_num_threads(before)


def _by_tokens(model: SentenceTransformer, texts: list[str]) -> list[int]:
    """Places of the texts by length in tokens: the texts of a batch are padded to the longest, and sentences
    full of figures have twice the tokens of others with as many characters."""
    mask = model.preprocess(texts).get("attention_mask")
    lengths = [len(text) for text in texts] if mask is None else mask.sum(dim=1).tolist()
    return sorted(range(len(texts)), key=lengths.__getitem__)


def _blocks(hashes: list[str]) -> Iterator[list[str]]:
    return (hashes[start : start + BLOCK] for start in range(0, len(hashes), BLOCK))


class _Table:
    """One matrix that fills up, a row for each text, so that vectors are in memory once."""

    def __init__(self, hashes: Iterable[str]) -> None:
        import numpy as np

        self._row = {h: row for row, h in enumerate(hashes)}
        self._matrix = np.empty((len(self._row), 0), dtype=np.float32)
        self.known: set[str] = set()

    def take(self, stored: Mapping[str, bytes]) -> None:
        """Vectors from the cache. Damaged ones, of another length than the others, are left to be made
        again."""
        import numpy as np

        widths = Counter(map(len, stored.values()))
        width = 4 * self._matrix.shape[1] or (next(iter(widths)) if len(widths) == 1 else 0)
        good = {h: vector for h, vector in stored.items() if len(vector) == width > 0 == width % 4}
        if good:
            flat = np.frombuffer(b"".join(good.values()), dtype="<f4")
            self.put(list(good), flat.reshape(len(good), -1))

    def put(self, hashes: list[str], vectors: NDArray[np.float32]) -> None:
        import numpy as np

        if self._matrix.shape[1] == 0:
            self._matrix = np.empty((len(self._row), vectors.shape[1]), dtype=np.float32)
        self._matrix[[self._row[h] for h in hashes]] = vectors
        self.known.update(hashes)

    def rows(self, hashes: list[str]) -> NDArray[np.float32]:
        """The rows of some texts in their order, repeated where a text is."""
        if len(hashes) == len(self._row):
            return self._matrix
        return self._matrix[[self._row[h] for h in hashes]]
