"""touchstone learn, touchstone learned list | show | mute | unmute | export | add"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from core.cli.output import JsonFlag, bar, print_json, print_scores, print_table, say, tell
from core.errors import InputError
from core.store import open_workspace

if TYPE_CHECKING:
    from core.records.learned import Gain, LearnedSet
    from core.store.learned import LearnedRow, Mute

verbs = typer.Typer(help="What was learned from gold or decisions.", no_args_is_help=True)

Learned = Annotated[
    str | None, typer.Option("--learned", help="Names and head that `learn` made: NAME or NAME@VERSION.")
]
GoldReference = Annotated[
    str,
    typer.Option(
        "--gold", help="imported:NAME@VERSION, corrected@NUMBER:NAME@VERSION or reviewed@NUMBER:POLICY."
    ),
]
OntologyReference = Annotated[str, typer.Option("--ontology", help="Ontology, NAME or NAME@VERSION.")]
CorpusName = Annotated[
    str | None, typer.Option("--corpus", help="Whose decisions; default the only one decided.")
]
Root = Annotated[
    str | None, typer.Option("--root", help="Only concepts below this one; default the ontology's root.")
]
Named = Annotated[str, typer.Argument(metavar="NAME", help="Learned set, NAME or NAME@VERSION.")]
Words = Annotated[str, typer.Argument(metavar="TEXT", help="Words, as a text writes them.")]
Of = Annotated[str | None, typer.Option("--concept", help="Only as a name of this one; default of any.")]
By = Annotated[str | None, typer.Option("--curator", help="Who wants it.")]


def register(cli: typer.Typer) -> None:
    cli.command()(learn)
    cli.add_typer(verbs, name="learned")


def learn(
    context: typer.Context,
    gold: GoldReference,
    ontology: OntologyReference,
    name: Annotated[str, typer.Option("--name", "--out", help="What the set shall be called.")],
    corpus: CorpusName = None,
    root: Root = None,
    as_json: JsonFlag = False,
) -> None:
    """Learn names and a keep/drop head from gold or decisions, and measure what they bring."""
    from core.pipeline.learn import learn

    with open_workspace(context.obj, create=False) as workspace:
        report = learn(
            workspace, gold=gold, ontology=ontology, name=name, corpus=corpus, root=root, announce=say
        )
    if as_json:
        return print_json(report)
    head = f"a {report.head.kind} head" if report.head else "no head, for it brought nothing sure"
    broader = _BROADER.get(report.hypernyms or "", "")
    say(
        f"Stored as {report.learned}: {report.names} names and {head}, from {report.documents} documents."
        f" Words silenced: {report.silenced}. {broader}{_said(report.gain)}"
    )


_BROADER = {
    "keep_named_apart": "More general concepts are kept only where they are named apart. ",
    "drop": "More general concepts are set aside. ",
}


def _said(gain: Gain) -> str:
    if gain.gain is None or gain.plain is None or gain.low is None or gain.high is None:
        return "There were too few documents to measure what this brings."
    return (
        f"On held-out documents F1 goes from {gain.plain:.3f} to {gain.plain + gain.gain:.3f}"
        f" ({gain.gain:+.3f}, 95 % interval {gain.low:+.3f} to {gain.high:+.3f})."
    )


@verbs.command("list")
def list_(context: typer.Context, as_json: JsonFlag = False) -> None:
    """List the learned sets of the workspace."""
    from core.store import learned

    with open_workspace(context.obj, create=False) as workspace:
        rows = [(row, learned.read(workspace, row)) for row in learned.list_sets(workspace)]
    if as_json:
        return print_json({"learned": [_row(row, held) for row, held in rows]})
    print_table(
        "Learned sets",
        ["set", "gold", "ontology", "documents", "names", "head", "gain", "created"],
        [
            (
                row.reference,
                held.gold,
                held.ontology,
                len(held.documents),
                sum(one.name is not None for one in held.known),
                held.head.kind if held.head else "none",
                held.gain.gain,
                row.created_at,
            )
            for row, held in rows
        ],
    )


def _row(row: LearnedRow, held: LearnedSet) -> dict[str, Any]:
    return {
        "reference": row.reference,
        **row._asdict(),
        "gold": held.gold,
        "ontology": held.ontology,
        "root": held.root,
        "corpus": held.corpus,
        "documents": len(held.documents),
        "names": sum(one.name is not None for one in held.known),
        "head": held.head.kind if held.head else None,
        "hypernyms": held.hypernyms,
        "gain": held.gain.model_dump(),
    }


@verbs.command()
def show(context: typer.Context, name: Named, as_json: JsonFlag = False) -> None:
    """Show a set: names, whose answers bore them, how often they were right, and what is silenced."""
    from core.store import learned, ontologies

    with open_workspace(context.obj, create=False) as workspace:
        row = learned.find(workspace, name)
        held = learned.read(workspace, row)
        silenced = [one for one in learned.mutes(workspace, row.name) if one.muted]
        known = [r for r in ontologies.list_ontologies(workspace) if r.reference == held.ontology]
        labels = ontologies.labels(workspace, known[0].id) if known else {}
    if as_json:
        told = [{**one.model_dump(), "label": labels.get(one.concept)} for one in held.known]
        return print_json(
            {
                **_row(row, held),
                "known": told,
                "weights": held.head and held.head.model_dump(),
                "muted": [_mute(one) for one in silenced],
            }
        )
    say(f"{row.reference}, from {held.gold} of corpus {held.corpus}. {_said(held.gain)}")
    print_table(
        "Names learned",
        ["name", "concept", "label", "right in", "of documents", "from"],
        [
            (one.name, one.concept, labels.get(one.concept), one.kept, one.seen, ", ".join(one.by))
            for one in held.known
            if one.name is not None
        ],
    )
    print_table(
        "Silenced",
        ["words", "concept", "by", "since"],
        [(m.words, m.concept, m.curator, m.created_at) for m in silenced],
    )


@verbs.command()
def curve(
    context: typer.Context,
    gold: GoldReference,
    ontology: OntologyReference,
    corpus: CorpusName = None,
    root: Root = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure what more review brings: F1 on held-out documents against what was learned from."""
    from core.evaluate.tables.learning import learning_tables, told
    from core.pipeline.learn import curve

    with open_workspace(context.obj, create=False) as workspace, bar("Measuring") as tick:
        found = curve(workspace, gold=gold, ontology=ontology, corpus=corpus, root=root, progress=tick)
    if as_json:
        return print_json(found)
    print_scores(learning_tables(found))
    for sentence in told(found):
        say(sentence)


def _mute(one: Mute) -> dict[str, Any]:
    return {"words": one.words, "concept": one.concept, "curator": one.curator, "created_at": one.created_at}


@verbs.command()
def mute(
    context: typer.Context,
    name: Named,
    text: Words,
    concept: Of = None,
    curator: By = None,
    as_json: JsonFlag = False,
) -> None:
    """Let words of a set name a concept no more; runs that begin from now on go by it."""
    _silence(context, name, text, concept, curator, True, as_json)


@verbs.command()
def unmute(
    context: typer.Context,
    name: Named,
    text: Words,
    concept: Of = None,
    curator: By = None,
    as_json: JsonFlag = False,
) -> None:
    """Let words that were silenced speak again."""
    _silence(context, name, text, concept, curator, False, as_json)


def _silence(
    context: typer.Context,
    name: str,
    text: str,
    concept: str | None,
    curator: str | None,
    muted: bool,
    as_json: bool,
) -> None:
    from core.pipeline.taught import silence

    with open_workspace(context.obj, create=False) as workspace:
        done = silence(workspace, name, text, concept=concept, muted=muted, curator=curator)
    if as_json:
        return print_json(_mute(done) | {"muted": done.muted})
    what = "is silenced" if muted else "may speak again"
    say(f"{done.words!r} {what} in {done.name}" + (f", as a name of {concept}." if concept else "."))


@verbs.command()
def export(
    context: typer.Context,
    name: Named,
    out: Annotated[Path, typer.Option(help="File to write.")],
    format: Annotated[
        Literal["json", "robot", "kgcl"],
        typer.Option(help="json: the whole set; robot, kgcl: new synonyms for the ontology, with evidence."),
    ] = "json",
    as_json: JsonFlag = False,
) -> None:
    """Write a set to a file, or its names as new synonyms for the editors of the ontology."""
    from core.exchange.learned import export_learned

    with open_workspace(context.obj, create=False) as workspace:
        count = export_learned(workspace, name, out, format)
    tell(
        {"file": str(out), "format": format, "rows": count},
        f"Wrote {out}: {count} {'entries' if format == 'json' else 'synonyms'}.",
        as_json,
    )


@verbs.command()
def add(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A set that `learned export` wrote.")],
    name: Annotated[str | None, typer.Option(help="What it shall be called; default as the file.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Add a set that was learned elsewhere. It holds numbers and text only, and can run no code."""
    from core.exchange.learned import add_learned

    if name is None and not file.stem:
        raise InputError(f"{file} has no name to call the set by. Name it with --name.")
    with open_workspace(context.obj) as workspace:
        row, held = add_learned(workspace, file, name or file.stem)
    tell(
        _row(row, held),
        f"Added {row.reference}: {sum(one.name is not None for one in held.known)} names.",
        as_json,
    )
