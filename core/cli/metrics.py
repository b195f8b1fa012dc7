"""touchstone metrics"""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_table


def register(cli: typer.Typer) -> None:
    cli.command()(metrics)


def metrics(
    name: Annotated[
        str | None, typer.Argument(help="A family, or FAMILY.METRIC; without it, every metric is listed.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List every metric, or say of one what it asks, how it is computed, its range, source and empty case."""
    from core.charts import explanation
    from core.evaluate import registered

    found = registered(name)
    if as_json:
        return print_json({"metrics": [{"name": key, **m.to_json()} for key, m in found.items()]})
    if name in found:
        return print_table(found[name].title, ("about",), [(line,) for line in explanation(name)])
    rows = [(key, m.title, m.question, m.range, m.direction) for key, m in found.items()]
    print_table("Metrics", ("name", "title", "question", "range", "better"), rows)
