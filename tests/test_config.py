"""`.streamlit/config.toml`: every option exists, it is as closed as it claims, its colours can be read."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
CONFIG: dict[str, Any] = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))


def options(table: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from options(value, f"{prefix}{name}.")
        else:
            yield prefix + name


def test_streamlit_knows_every_option() -> None:
    from streamlit import config

    known = set(config.get_config_options())
    assert set(options(CONFIG)) <= known


def test_nothing_is_told_to_strangers() -> None:
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["client"]["showErrorDetails"] == "none"
    assert not {"enableCORS", "enableXsrfProtection", "enableStaticServing", "enableAgentApi"} & set(
        CONFIG["server"]
    )


def contrast(one: str, other: str) -> float:
    """WCAG 2.2 contrast ratio of two #rrggbb colours, 1 to 21."""

    def luminance(colour: str) -> float:
        shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_what_the_standard_says() -> None:
    """Values printed in WCAG's own examples: black on white 21, #777777 on white just under 4.5."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_can_be_read(mode: str) -> None:
    theme = CONFIG["theme"][mode]
    for ground in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        assert contrast(theme["textColor"], ground) >= 7
    assert contrast(theme["linkColor"], theme["backgroundColor"]) >= 4.5
    assert contrast("#ffffff", theme["primaryColor"]) >= 4.5, "white words on a primary button"
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) >= 3
    assert contrast(theme["yellowTextColor"], theme["yellowBackgroundColor"]) >= 4.5
    for colour in theme["chartCategoricalColors"]:
        assert contrast(colour, theme["backgroundColor"]) >= 3
