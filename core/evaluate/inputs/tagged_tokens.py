"""Two files of tagged tokens, no workspace: how well a recogniser finds names it has and has not seen.

    result = evaluate_tagged(Path("predictions.txt.gz"), Path("test.txt.gz"),
                             gold_ids=Path("test_cuis.txt.gz"),
                             training=[Path("mention_dictionary.txt.gz")],
                             training_ids=[Path("cui_dictionary.txt.gz")])
    result.families["mem_syn_con"].estimates["recall:CON"]

Both files hold the same tokens in the same sentences (`core.formats.conll`); ids stand in a third. Types are
part of a mention as far as both files have them (`_comparable`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from core.errors import InputError
from core.evaluate.evaluation import Evaluation
from core.evaluate.families import mem_syn_con, names, spans
from core.evaluate.families.inputs import Inputs, Known, Mention, Mentions
from core.evaluate.families.mem_syn_con import Places
from core.evaluate.families.result import FamilyResult
from core.evaluate.inputs.options import Options
from core.evaluate.inputs.training import read_training
from core.evaluate.settings import Settings
from core.formats.conll import NO_ID, TokenFile, check_aligned, mentions_of, read_tokens, regrouped, text_of
from core.formats.rows import shown
from core.metrics.documents import compare
from core.metrics.mem_syn_con import Training
from core.metrics.mentions import Occurrence, merged, single_ids
from core.records import Assertion
from core.store.workspace import Workspace

FAMILIES = ("mem_syn_con", "names", "spans")
"""Those that tagged tokens can be scored by; all of them where the settings name none of them."""
UNTYPED = "mention"
"""The type of a mention whose tag bears none."""
MOST_NAMED = 12
"""Types that a message names."""


def evaluate_tagged(
    predictions: Path,
    gold: Path,
    settings: Settings | None = None,
    *,
    gold_ids: Path | None = None,
    training: Training | Sequence[Path] = (),
    training_ids: Sequence[Path] = (),
) -> Evaluation:
    """Score tags against tags.

    Args:
        settings: families other than `FAMILIES` are passed over; intervals resample sentences, or documents
            where the files mark them.
        gold_ids: the gold's tokens with the ids of each mention on its first token, `-` elsewhere.
        training: what the model was trained on, or its files (see `read_training`).
        training_ids: files of ids.

    Raises:
        InputError: a file cannot be read, holds a value that is no tag, the tokens are not the same, or both
            have several types of mention and none in common.
    """
    settings = settings or Settings()
    right, said = read_tokens(gold), read_tokens(predictions)
    check_aligned(said, right)
    ids = None if gold_ids is None else read_tokens(gold_ids)
    if ids is not None:
        check_aligned(ids, right)
    if not isinstance(training, Training):
        training = tuple(training)
    known = training if isinstance(training, Training) else None
    if known is None and (training or training_ids):
        known = read_training(training, training_ids)  # type: ignore[arg-type]
    notes = [_unit_note(right)]
    if known is not None and ids is None and known.concepts is not None:
        known = Training(known.mentions, None, known.name)
        notes.append("The gold bears no concept ids, so the training ids are of no use: what is new is UNS.")
    marked, found, about_types = _comparable(_occurrences(right, right, ids), _occurrences(right, said))
    notes += about_types
    held = Places(tuple(right.documents), tuple(marked), merged(found))
    wanted = tuple(name for name in FAMILIES if name in settings.families) or FAMILIES
    scorers: dict[str, Callable[[], FamilyResult]] = {
        "mem_syn_con": lambda: mem_syn_con.lay_out(held, known, settings),
        "names": lambda: names.lay_out(held, known, settings),
        "spans": lambda: spans.evaluate(_as_inputs(held, right, settings)),
    }
    return Evaluation(
        f"file:{said.name}@{said.sha256[:12]}",
        f"file:{right.name}@{right.sha256[:12]}",
        settings,
        {name: scorers[name]() for name in wanted},
        {f"{right.unit}s": len(right.documents), "gold": len(held.gold), "predicted": len(held.predicted)},
        tuple(notes),
        "mentions",
    )


def score(predictions: Path, gold: Path, options: Options, workspace: Workspace | None) -> Evaluation:
    """The two files as a command line names them."""
    return evaluate_tagged(
        predictions,
        gold,
        options.settings(),
        gold_ids=options.gold_ids,
        training=options.training,
        training_ids=options.training_ids,
    )


def _unit_note(file: TokenFile) -> str:
    if file.unit == "document":
        return "Intervals resample documents, as the files mark them."
    return (
        "The files mark no documents: intervals resample sentences, which are alike within an article, so "
        "they may be too narrow."
    )


def _occurrences(gold: TokenFile, file: TokenFile, ids: TokenFile | None = None) -> list[Occurrence]:
    """Mentions that `file` tags, by the documents of the gold."""
    found = []
    tags, fields = regrouped(file, gold), regrouped(ids, gold) if ids else {}
    for name, document in tags.items():
        cells = [row.value for sentence in fields.get(name, ()) for row in sentence]
        for m in mentions_of(file.name, document):
            cell = cells[m.first] if cells else NO_ID
            concepts = () if cell == NO_ID else single_ids(cell)
            found.append(Occurrence(name, m.start, m.end, m.type or UNTYPED, m.text, concepts))
    return found


def _comparable(
    gold: list[Occurrence], said: list[Occurrence]
) -> tuple[list[Occurrence], list[Occurrence], list[str]]:
    """(gold, predictions, notes): mentions whose types can be compared.

    A type that both sides have is part of a mention. Where they have none in common, the one type of a side,
    or none, says nothing that the place does not: all mentions then match by place alone.

    Raises:
        InputError: several types on both sides, none in common.
    """
    right, other = ({m.type for m in side} for side in (gold, said))
    if not right or not other or right == other:
        return gold, said, []
    if right & other:
        sides = (("gold", right - other), ("predictions", other - right))
        alone = "; ".join(f"{_named(types)} in the {side}" for side, types in sides if types)
        return gold, said, [f"Types of mention on one side only, which match nothing on the other: {alone}."]
    if min(len(right), len(other)) > 1:
        raise InputError(
            f"Gold and predictions share no type of mention, so nothing could match: the gold has "
            f"{_named(right)}, the predictions {_named(other)}. Write the gold's types in the predictions."
        )
    gold, said = ([m._replace(type=UNTYPED) for m in side] for side in (gold, said))
    note = (
        f"Gold ({_named(right)}) and predictions ({_named(other)}) share no type of mention: mentions are "
        "matched by place alone."
    )
    return gold, said, [note]


def _named(types: set[str]) -> str:
    names = ["no type" if name == UNTYPED else shown(name) for name in sorted(types)[:MOST_NAMED]]
    return ", ".join(names) + (f" and {len(types) - MOST_NAMED} more" if len(types) > MOST_NAMED else "")


def _as_inputs(held: Places, gold: TokenFile, settings: Settings) -> Inputs:
    """Mentions whose concept is their type, as families of concept documents read them."""
    right, said = (_mentions(side, held.documents) for side in (held.gold, held.predicted.values()))
    return Inputs(
        settings,
        compare(*({d: frozenset(m.concept for m in ms) for d, ms in side.items()} for side in (right, said))),
        gold_statuses=_statuses(right),
        predicted_statuses=_statuses(said),
        known=Known(
            gold_mentions=lambda: right,
            predicted_mentions=lambda: said,
            texts=lambda: {name: text_of(document) for name, document in gold.documents.items()},
        ),
    )


def _mentions(side: Iterable[Occurrence], documents: Iterable[str]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = {doc_id: [] for doc_id in documents}
    for m in side:
        found[m.doc_id].append(Mention(m.start, m.end, m.type, Assertion.AFFIRMED, m.text))
    return found


def _statuses(side: Mentions) -> dict[str, dict[str, Assertion]]:
    return {doc_id: {m.concept: m.assertion for m in held} for doc_id, held in side.items()}
