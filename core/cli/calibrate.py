"""touchstone calibrate"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_scores
from core.store import open_workspace


def register(cli: typer.Typer) -> None:
    cli.command()(calibrate)


def calibrate(
    context: typer.Context,
    pairs: Annotated[Path, typer.Argument(help="CSV file with the columns first, second, same (yes or no).")],
    ontology: Annotated[str, typer.Option(help="NAME[@VERSION] of the workspace, or an ontology file.")],
    similarity: Annotated[str, typer.Option(help="lin, jiang_conrath or lineage.")] = "lin",
    information: Annotated[
        str, typer.Option(help="Where information content comes from: structure, or corpus with --gold.")
    ] = "structure",
    gold: Annotated[
        str | None,
        typer.Option(
            help="Whose documents are counted: a file or a gold reference, such as imported:NAME@VERSION."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Find the similarity from which on two concepts should count as the same, from labelled pairs."""
    from core.evaluate import calibrate as calibration
    from core.evaluate.inputs.options import ONTOLOGIES, is_file

    options = (pairs, ontology, similarity, information, gold)
    if is_file(ontology, ONTOLOGIES) and (gold is None or is_file(gold)):
        result = calibration.calibrate_given(None, *options)
    else:
        with open_workspace(context.obj, create=False) as workspace:
            result = calibration.calibrate_given(workspace, *options)
    if as_json:
        return print_json(result.to_json())
    print_scores(calibration.tables(result))
