"""Every number of the field as a pure function on plain data: no SQL, no Streamlit, no data frames.

One family is one file with a `FAMILY` and its functions. A row of `FAMILY` is a metric: what it means, and,
where it is computed from sums over documents or pairs, its formula as a function of the named sums. Adding
such a value is one row, adding a family one file and one row. `FAMILIES` is the registry of those that score
predictions against gold, `BESIDE` of the others.

Undefined is None, never 0 and never NaN. Four rules settle every zero denominator, in this order:

    N0  nothing was scored at all                                              None
    U0  a stratum (a status, a split) that gold and prediction both lack       None
    V1  sets, and neither gold nor prediction holds anything                   P = R = F1 = 1
    Z0  any other denominator of 0, and P + R = 0                              0

V1, because a system that stays silent where there is nothing to find is right.

    definition   what a metric says of itself          documents   gold against predictions, with the ids
    bootstrap    percentile intervals over documents   corpus      micro, macro, weighted P / R / F1
    paired       two systems on the same documents     agreement   two raters, neither of them gold
    statistics   size and breadth of a data set        leakage     what a test set shares with training
    sums         from sums over documents to estimates with intervals
    differences  what changed between two sets of values, with paired intervals; spread over runs
    matching     optimal one-to-one matching           statuses    what each side says of each concept
    discovery    mentions the older ontology lacks     placement   where a new concept belongs
    draw         a random order, and what it implies   whole_set   a whole set from a few decisions
    error_shares   what kinds of errors there are        errors_lineage   E-1, as an ontology shows it
    rating_counts  labels of raters, counted           kappa_words bands of Landis and Koch
"""

from __future__ import annotations

from core.metrics import (
    agreement,
    assertions,
    attribution,
    auprc,
    bounds,
    conflict_spans,
    conflict_types,
    confounders,
    corpus,
    discordant,
    discovery,
    divergence_axes,
    error_shares,
    gold_quality,
    label_tree,
    leakage,
    mem_syn_con,
    names,
    paired,
    placement,
    proportion,
    reconciliation,
    relaxed,
    similarity,
    slices,
    spans,
    statistics,
    thresholds,
    unseen,
    whole_set,
)
from core.metrics.definition import Estimate, Family, Metric

FAMILIES: dict[str, Family] = {
    "corpus": corpus.FAMILY,
    "assertions": assertions.FAMILY,
    "spans": spans.FAMILY,
    "relaxed": relaxed.FAMILY,
    "bounds": bounds.FAMILY,
    "thresholds": thresholds.FAMILY,
    "auprc": auprc.FAMILY,
    "mem_syn_con": mem_syn_con.FAMILY,
    "names": names.FAMILY,
    "unseen": unseen.FAMILY,
    "attribution": attribution.FAMILY,
    "slices": slices.FAMILY,
    "gold_quality": gold_quality.FAMILY,
}

PAIR_FAMILIES: dict[str, Family] = {
    "conflict_types": conflict_types.FAMILY,
    "divergence_axes": divergence_axes.FAMILY,
    "confounders": confounders.FAMILY,
    "reconciliation": reconciliation.FAMILY,
    "conflict_spans": conflict_spans.FAMILY,
}
"""The five tasks on claim pairs (BioDivergence): scored where predictions and gold are pairs."""

MENTION_FAMILIES: dict[str, Family] = {"discovery": discovery.FAMILY, "placement": placement.FAMILY}
"""Mentions of concepts that an older ontology may lack: scored where files hold such."""

BESIDE: dict[str, Family] = {
    "paired": paired.FAMILY,
    "discordant": discordant.FAMILY,
    "agreement": agreement.FAMILY,
    "proportion": proportion.FAMILY,
    "statistics": statistics.FAMILY,
    "leakage": leakage.FAMILY,
    **MENTION_FAMILIES,
    "similarity": similarity.FAMILY,
    "label_tree": label_tree.FAMILY,
    "whole_set": whole_set.FAMILY,
    "error_shares": error_shares.FAMILY,
}
"""What compares or describes, and is no choice of an evaluation."""

METRICS: dict[str, Metric] = {
    f"{family}.{name}": metric
    for family, members in (FAMILIES | PAIR_FAMILIES | BESIDE).items()
    for name, metric in members.metrics.items()
}
"""Every metric as `family.name`."""

__all__ = [
    "BESIDE",
    "FAMILIES",
    "MENTION_FAMILIES",
    "METRICS",
    "PAIR_FAMILIES",
    "Estimate",
    "Family",
    "Metric",
]
