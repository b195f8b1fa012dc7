"""From mentions to drafts: which mentions stand, their status, and what a curator is told about them."""

from __future__ import annotations

from collections.abc import Sequence

from core.concepts.lexicon.index import OWN, Name
from core.concepts.lexicon.matching import Level, Mention
from core.ontology.lineage import Lineage
from core.records import Assertion, Concept, ConceptClass, Draft, Evidence
from core.text.assertion import statuses
from core.text.spans import Words

_STRONGEST = (Assertion.AFFIRMED, Assertion.UNCERTAIN, Assertion.NEGATED)


def drafts(found, mentions, concepts, lineage, *, nested=True):
    kept = []
    windows = [m for m in mentions if not m.split]
    for m in mentions:
        inside = None
        ok = True
        if not m.split:
            outer = [
                w
                for w in windows
                if w.first <= m.first and m.last <= w.last and w.last - w.first > m.last - m.first
            ]
            if outer:
                inside = max(outer, key=lambda w: w.last - w.first)
                above = set()
                for w in outer:
                    for n in w.names:
                        above |= lineage.ancestors(concepts[n.concept].curie)
                names = tuple(n for n in m.names if nested and concepts[n.concept].curie in above)
                if not names:
                    continue
                m = Mention(m.first, m.last, names, m.level, m.split)
        kept.append((m, inside))
    by = {}
    st = statuses(found, [(m.first, m.last) for m, _ in kept])
    for (m, inside), s in zip(kept, st):
        for n in m.names:
            by.setdefault(n.concept, []).append((m, n, inside, s))
    out = []
    for c, rows in by.items():
        rows.sort(key=lambda r: (r[0].first, r[0].last))
        ev = {}
        for m, n, inside, s in rows:
            sp = found.span(m.first, m.last)
            ev.setdefault((sp.start, sp.end), Evidence(sp.quote, sp.start, sp.end, True, s))
        best = min(rows, key=lambda r: (r[2] is not None, r[0].split, r[0].level))
        status = next(x for x in _STRONGEST if any(r[3] == x for r in rows))
        out.append(
            Draft(
                concepts[c].curie,
                concepts[c].name,
                status,
                ConceptClass.EXPLICIT,
                0.5,
                repr(
                    (
                        int(best[0].level),
                        best[0].split,
                        best[2] is not None,
                        len(best[0].names),
                        best[1].size,
                        best[1].scope,
                        best[1].text,
                        best[1].swap,
                    )
                ),
                tuple(ev.values()),
            )
        )
    return out
