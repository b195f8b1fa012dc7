"""The append-only log of what curators decided.

State is never stored: it is the last uncancelled decision by number. A decision that comes late, or from
another tab, is stored on top of what is there; one that says again what already holds is acknowledged as a
repeat; a second curator is never refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from core.errors import InputError, NotFoundError
from core.kinds import KINDS, kind_of
from core.records import (
    ANSWERING,
    JUDGEMENTS,
    Action,
    Cause,
    Decision,
    ItemKind,
    NewDecision,
    Span,
)
from core.store.connect import now, sqlite3
from core.store.curators import Curator as Curator
from core.store.curators import add_curator as add_curator
from core.store.curators import find_curator as find_curator
from core.store.curators import list_curators as list_curators
from core.store.form import FORM
from core.store.judged import stands
from core.store.link import chain_head as chain_head
from core.store.link import chain_link, head
from core.store.repeats import about
from core.store.workspace import Workspace


class Outcome(NamedTuple):
    """What became of one incoming decision."""

    client_id: str
    number: int | None
    """Number of the decision that now answers this client id; None if refused."""
    repeat: bool = False
    refused: str | None = None
    """Why nothing was stored, as a sentence for the curator."""


# --- append -----------------------------------------------------------------------------------------------


def append(workspace: Workspace, incoming: list[NewDecision]) -> list[Outcome]:
    """Store decisions in the order given, in one write; one outcome each.

    A decision that cannot be stored is refused by name with a reason, and does not hold up the others. The
    whole batch is durable when this returns.

    Raises:
        WorkspaceError: nothing of the batch was stored (disk full, file read-only...).
    """
    if not incoming:
        return []
    with workspace.write() as db:
        return [append_one(db, new) for new in incoming]


def append_one(db: sqlite3.Connection, new: NewDecision) -> Outcome:
    """Store a decision within a write, as `append` does."""
    db.execute("SAVEPOINT decision")  # what is refused leaves nothing behind, not even a new item
    try:
        outcome = _store(db, new)
    except (InputError, NotFoundError) as error:
        outcome = Outcome(new.client_id, None, refused=str(error))
    except (sqlite3.IntegrityError, sqlite3.InterfaceError, OverflowError, UnicodeError) as error:
        # one event that no table takes must not hold up all that wait behind it
        outcome = Outcome(new.client_id, None, refused=f"This decision cannot be stored as sent: {error}.")
    if outcome.refused is not None:
        db.execute("ROLLBACK TO decision")
    db.execute("RELEASE decision")
    return outcome


def _store(db: sqlite3.Connection, new: NewDecision) -> Outcome:
    if db.execute("SELECT 1 FROM curators WHERE id = ?", (new.curator,)).fetchone() is None:
        raise InputError("Choose a curator first: no decision without one.")
    item_id = _undone_item(db, new) if new.action is Action.UNDO else _item(db, new)
    payload = _payload(db, new, item_id)
    known = db.execute(
        "SELECT d.* FROM acknowledgements a JOIN decisions d ON d.number = a.number WHERE a.client_id = ?",
        (new.client_id,),
    ).fetchone()
    if known is not None:
        sent = (item_id, new.curator, new.action, payload, new.undoes if new.action is Action.UNDO else None)
        held = (
            known["item_id"],
            known["curator_id"],
            known["action"],
            json.loads(known["payload"]),
            known["undoes"],
        )
        if sent != held:
            raise InputError(
                f"Its id stands for another decision already, number {known['number']}. "
                "Reload the page and decide again."
            )
        return Outcome(new.client_id, known["number"], repeat=True)
    base, repeated = _base(db, new, item_id, payload)
    number = repeated if repeated is not None else _insert(db, new, item_id, base, payload)
    db.execute("INSERT INTO acknowledgements VALUES (?, ?)", (new.client_id, number))
    return Outcome(new.client_id, number, repeat=repeated is not None)


def _item(db: sqlite3.Connection, new: NewDecision) -> int:
    if new.item_id is not None:
        row = db.execute("SELECT kind FROM items WHERE id = ?", (new.item_id,)).fetchone()
        if row is None:
            raise NotFoundError("item", new.item_id)
        kind = row["kind"]
        item_id = new.item_id
    else:
        found = kind_of(new.subject)
        kind = found.name
        if not found.free:
            raise NotFoundError(found.name, new.subject or "")
        if not db.execute("SELECT 1 FROM passages WHERE id = ?", (new.passage_id,)).fetchone():
            raise NotFoundError("passage", new.passage_id)
        db.execute("INSERT INTO item_kinds VALUES (?) ON CONFLICT DO NOTHING", (str(kind),))
        db.execute(
            "INSERT INTO items (kind, passage_id, subject) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (kind, new.passage_id, new.subject),
        )
        item_id = db.execute(
            "SELECT id FROM items WHERE passage_id = ? AND kind = ? AND ifnull(subject, '') = ?",
            (new.passage_id, kind, new.subject or ""),
        ).fetchone()[0]
    if refusal := KINDS[kind].refusal(new.action):
        raise InputError(refusal)
    return int(item_id)


def _undone_item(db: sqlite3.Connection, new: NewDecision) -> int:
    row = db.execute(
        "SELECT d.item_id, d.curator_id, d.action, u.number AS cancelled FROM decisions d"
        " LEFT JOIN decisions u ON u.undoes = d.number WHERE d.number = ?",
        (new.undoes,),
    ).fetchone()
    if row is None:
        raise InputError("There is no such decision to undo.")
    if row["curator_id"] != new.curator:
        raise InputError("Only the curator who decided can undo a decision.")
    if row["action"] == Action.UNDO:
        raise InputError("An undo is not undone: decide anew instead.")
    return int(row["item_id"])


def _payload(db: sqlite3.Connection, new: NewDecision, item_id: int) -> dict[str, Any]:
    payload: dict[str, Any] = {}
    if new.action in ANSWERING and new.answer is None:
        raise InputError(f"'{new.action}' needs the answer it gives.")
    if new.answer is not None:
        _check_answer(db, new, item_id)
        payload["answer"] = new.answer.to_json()
    if new.note:
        payload["note"] = new.note
    elif new.action is Action.NOTE:
        raise InputError("The note is empty.")
    if new.action is Action.ADJUDICATE:
        payload |= {"cause": new.cause.value} if new.cause else {}
        payload |= {"update_guideline": True} if new.update_guideline else {}
    return payload


_SIDE = (
    "SELECT t.body FROM pairs p JOIN claims c ON c.id = p.claim_{} JOIN texts t ON t.id = c.text_id"
    " WHERE p.item_id = ? ORDER BY p.id LIMIT 1"
)
"""A pair id names the texts of its claims by what they say, so every pair of an item has the same ones."""
_TEXTS = {
    "spans": "SELECT t.body FROM items i JOIN passages p ON p.id = i.passage_id"
    " JOIN texts t ON t.id = p.text_id WHERE i.id = ?",
    "spans_a": _SIDE.format("a"),
    "spans_b": _SIDE.format("b"),
}
"""Field of an answer -> the text of an item that its spans stand in."""


def _check_answer(db: sqlite3.Connection, new: NewDecision, item_id: int) -> None:
    name, subject = db.execute("SELECT kind, subject FROM items WHERE id = ?", (item_id,)).fetchone()
    kind = KINDS[name]
    if kind.form is None or not isinstance(new.answer, kind.form):
        raise InputError(f"The answer does not fit a {name}. Reload the page and decide anew.")
    if found := kind.refusals(new.answer, subject, new.action):
        raise InputError(" ".join(found))
    for part, where in kind.frames.items():
        if spans := getattr(new.answer, part):
            text = db.execute(_TEXTS[part], (about(db, [item_id])[item_id],)).fetchone()
            if text is None:
                raise InputError(f"{where.capitalize()} of {subject} is not here. Add its run first.")
            _check_spans(text[0], spans, where)


def _check_spans(text: str, spans: tuple[Span, ...], where: str) -> None:
    for span in spans:
        if not 0 <= span.start < span.end <= len(text) or text[span.start : span.end] != span.quote:
            raise InputError(
                f"The quote {span.quote!r} does not stand at {span.start}-{span.end} of {where}. "
                "Reload the item and mark the evidence again."
            )


def _base(
    db: sqlite3.Connection, new: NewDecision, item_id: int, payload: dict[str, Any]
) -> tuple[str, int | None]:
    """What this decision answers, and the number of the decision it merely repeats, if it does.

    A repeat is an answer equal to what already *holds* for this curator: the same answer given again after
    an undo, after another answer, or under another guideline, is news and is stored.
    """
    if new.action is Action.UNDO:
        undone = db.execute("SELECT number FROM decisions WHERE undoes = ?", (new.undoes,)).fetchone()
        return f"cancels:{new.undoes}", undone[0] if undone else None
    latest = db.execute(
        "SELECT max(number) FROM decisions WHERE item_id = ? AND curator_id = ?", (item_id, new.curator)
    ).fetchone()[0]
    if latest is not None:
        state = current(db, item_id, new.curator, kindred(new.action))
        if state is not None and _repeats(new, payload, state):
            return "", int(state["number"])
        return f"decision:{latest}", None
    if new.shown and not new.blind:
        ids = sorted(set(new.shown))
        marks = ",".join("?" * len(ids))
        held = db.execute(
            f"SELECT count(*) FROM proposals WHERE item_id = ? AND id IN ({marks})",
            (about(db, [item_id])[item_id], *ids),
        ).fetchone()[0]
        if held != len(ids):
            raise InputError(
                "The proposals shown belong to another item. Reload the page; nothing was stored."
            )
        return "proposals:" + ",".join(map(str, ids)), None
    return f"item:{item_id}", None


def _repeats(new: NewDecision, payload: dict[str, Any], held: sqlite3.Row) -> bool:
    """A judgement under a guideline under which the one that holds was not given is no repeat of it."""
    if new.action in JUDGEMENTS and new.guideline_revision not in (None, held["guideline_revision"]):
        return False
    return bool(held["action"] == new.action and json.loads(held["payload"]) == payload)


def kindred(action: Action) -> tuple[Action, ...]:
    """The actions among which the last uncancelled one is the state."""
    if action in (Action.CLOSE, Action.REOPEN):
        return (Action.CLOSE, Action.REOPEN)
    return JUDGEMENTS if action in JUDGEMENTS else (action,)


def current(
    db: sqlite3.Connection, item_id: int, curator: str, actions: tuple[Action, ...] = JUDGEMENTS
) -> sqlite3.Row | None:
    """The decision that holds: a curator's last uncancelled one of these actions on an item, or None."""
    row: sqlite3.Row | None = db.execute(
        "SELECT d.* FROM decisions d WHERE d.item_id = ? AND d.curator_id = ?"
        f" AND d.action IN ({','.join('?' * len(actions))})"
        f" AND {stands()}"
        " ORDER BY d.number DESC LIMIT 1",
        (item_id, curator, *actions),
    ).fetchone()
    return row


def _insert(
    db: sqlite3.Connection, new: NewDecision, item_id: int, base: str, payload: dict[str, Any]
) -> int:
    last, previous = head(db)
    row: dict[str, Any] = {
        "number": last + 1,
        "client_id": new.client_id,
        "item_id": item_id,
        "curator_id": new.curator,
        "base": base,
        "action": new.action.value,
        "payload": json.dumps(payload, ensure_ascii=False, sort_keys=True),
        "undoes": new.undoes if new.action is Action.UNDO else None,
        "blind": int(new.blind),
        "milliseconds": _stopwatch(new.milliseconds),
        "decided_at": new.decided_at or now(),
        "guideline_revision": new.guideline_revision,
        "form": FORM,
    }
    row["link"] = chain_link(db, previous, row)
    db.execute(
        f"INSERT INTO decisions ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
    )
    return last + 1


def _stopwatch(milliseconds: float | None) -> int | None:
    """A stopwatch that ran backwards or stood still for years is no reason to lose a decision."""
    return round(milliseconds) if milliseconds is not None and 0 <= milliseconds < 2**53 else None


# --- reading ----------------------------------------------------------------------------------------------


_DECISION = (
    "SELECT d.number, d.client_id, d.item_id, i.kind, i.passage_id, i.subject, d.curator_id, d.base,"
    " d.action, d.payload, d.undoes, d.blind, d.milliseconds, d.decided_at, d.guideline_revision, d.link"
    " FROM decisions d JOIN items i ON i.id = d.item_id"
)


def _decision(row: sqlite3.Row) -> Decision:
    payload = json.loads(row["payload"])
    kind = row["kind"]
    return Decision(
        number=row["number"],
        client_id=row["client_id"],
        item_id=row["item_id"],
        kind=kind,
        passage_id=row["passage_id"],
        subject=row["subject"],
        curator=row["curator_id"],
        base=row["base"],
        action=Action(row["action"]),
        answer=KINDS[kind].form.from_json(payload["answer"]) if "answer" in payload else None,
        note=payload.get("note"),
        undoes=row["undoes"],
        blind=bool(row["blind"]),
        milliseconds=row["milliseconds"],
        decided_at=row["decided_at"],
        guideline_revision=row["guideline_revision"],
        cause=Cause(payload["cause"]) if "cause" in payload else None,
        update_guideline=payload.get("update_guideline", False),
        link=row["link"],
    )


def decisions(
    workspace: Workspace, *, upto: int | None = None, curator: str | None = None
) -> Iterator[Decision]:
    """The log in order, up to a number if one is named, of one curator or of all."""
    rows = workspace.db.execute(
        f"{_DECISION} WHERE (?1 IS NULL OR d.number <= ?1) AND (?2 IS NULL OR d.curator_id = ?2)"
        " ORDER BY d.number",
        (upto, curator),
    )
    return map(_decision, rows)


def standing(workspace: Workspace, upto: int | None = None) -> list[Decision]:
    """The log up to a number (None: all), without what was taken back by then, and without the undos."""
    log = list(decisions(workspace, upto=upto))
    cancelled = {d.undoes for d in log if d.undoes is not None}
    return [d for d in log if d.number not in cancelled and d.action is not Action.UNDO]


def of_several(workspace: Workspace, corpus_id: int, upto: int) -> list[Decision]:
    """What stands at a number on items of those passages of a corpus where more than one curator decided."""
    rows = workspace.db.execute(
        f"{_DECISION} WHERE d.number <= ?2 AND d.action <> 'undo' AND {stands(upto='?2')}"
        " AND i.passage_id IN (SELECT j.passage_id"
        " FROM decisions e JOIN items j ON j.id = e.item_id JOIN passages p ON p.id = j.passage_id"
        " WHERE p.corpus_id = ?1 GROUP BY j.passage_id HAVING count(DISTINCT e.curator_id) > 1)"
        " ORDER BY d.number",
        (corpus_id, upto),
    )
    return [_decision(row) for row in rows]


def pinned(workspace: Workspace, policy: str, number: int | None = None) -> int:
    """The decision number that a question about a policy's verdicts is about; None: the last.

    Raises:
        NotFoundError: no such decision, or no such curator as the policy names.
    """
    head = chain_head(workspace)[0]
    if number is not None and number > head:
        raise NotFoundError("decision", number, [f"1 to {head}"])
    if policy.startswith("curator="):
        find_curator(workspace, policy.removeprefix("curator="))
    return head if number is None else number


ON_PASSAGES = (ItemKind.CONCEPT, ItemKind.PASSAGE)


def history(
    workspace: Workspace,
    curator: str,
    *,
    limit: int = 10,
    kinds: tuple[str, ...] = ON_PASSAGES,
    rulings: bool = False,
) -> list[Decision]:
    """A curator's newest uncancelled decisions on items of these kinds, newest first, undos left out.

    Args:
        rulings: whether adjudications are told, or else all but these.
    """
    rows = workspace.db.execute(
        f"{_DECISION} WHERE d.curator_id = ? AND d.action <> 'undo' AND (d.action = 'adjudicate') = ?"
        f" AND i.kind IN ({','.join('?' * len(kinds))})"
        f" AND {stands()}"
        " ORDER BY d.number DESC LIMIT ?",
        (curator, rulings, *kinds, limit),
    )
    return [_decision(row) for row in rows]


def find_item(db: sqlite3.Connection, passage_id: int, subject: str | None) -> int | None:
    """Item of a passage with this subject, of whichever kind; None where there is none."""
    row = db.execute(
        "SELECT id FROM items WHERE passage_id = ? AND ifnull(subject, '') = ?", (passage_id, subject or "")
    ).fetchone()
    return None if row is None else int(row[0])


def decided_on(
    db: sqlite3.Connection, passage_id: int, concept: str | None, curator: str
) -> list[tuple[int, str, str]]:
    """(number, client id, action) of a curator's decisions on a concept or pair of a passage, or on the
    passage as a whole."""
    rows = db.execute(
        "SELECT d.number, d.client_id, d.action FROM decisions d JOIN items i ON i.id = d.item_id"
        " WHERE i.passage_id = ? AND ifnull(i.subject, '') = ? AND d.curator_id = ? ORDER BY d.number",
        (passage_id, concept or "", curator),
    )
    return [tuple(row) for row in rows]
