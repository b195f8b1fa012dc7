"""Changes of gold that wait for a second curator.

all_changes(workspace, "gsc", "ada")            # items that others found missing in gold, for Ada to confirm
"""

from __future__ import annotations

import json

from core.kinds.gold_change import change_of
from core.records import ItemKind
from core.store import Workspace, changes, corpora, proposals
from core.store.changes import IMPORTED, Change
from core.store.decisions import chain_head


def all_changes(workspace: Workspace, corpus: str, curator: str) -> list[int]:
    """Items of changes that somebody else than this curator asks for: they say that imported gold of the
    corpus lacks the concept. By passage and concept, also those that are confirmed or answered: a desk tells
    which are open.

    An item is made when its change is listed first; in a workspace that is only read, those are left out
    that have none yet.

    Raises:
        NotFoundError: no such corpus.
    """
    corpora.corpus(workspace, corpus)
    golds = {IMPORTED + s.reference for s in corpora.list_annotation_sets(workspace, corpus)}
    asked = changes.missing(workspace, chain_head(workspace)[0])
    wanted = sorted(change for change, who in asked.items() if change.gold in golds and who - {curator})
    return _items(workspace, wanted)


def _items(workspace: Workspace, wanted: list[Change]) -> list[int]:
    places = [(one.passage_id, change_of(one.gold, one.concept)) for one in wanted]
    rows = workspace.db.execute(
        "SELECT passage_id, subject, id FROM items WHERE kind = 'gold_change'"
        " AND passage_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted({passage for passage, _ in places})),),
    )
    known = {(row[0], row[1]): row[2] for row in rows}
    if not workspace.read_only and any(place not in known for place in places):
        with workspace.write() as db:
            known = proposals.items(db, ItemKind.GOLD_CHANGE, places)
    return [known[place] for place in places if place in known]
