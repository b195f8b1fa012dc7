"""Review by people: what to judge next, storing what they say, and what they may see meanwhile.

desk             one exchange with the page in a browser: `serve(workspace, message, filters, curator)`
answers          who has answered what
events, submit   what the browser sends -> decisions, acknowledged from the database
confidence       high, medium, low
doubts           answers that an earlier page may have saved with another concept than was chosen
tray             the guideline that curators go by, and what was answered under an older revision of it
alike, nested    the same words in several passages; concepts inside the words of narrower ones
frames           opening a frame over a run, and what of it to decide next
strata, decoys   what a draw goes by; what is asked about among the blind units of a frame
audit, aid       audit sets of false positives; what the machine can show about one of them
labels           what labels the items of a desk are about
changes          what imported gold lacks and a second curator may confirm

For each kind of item one file in two folders:

walks            the queue of a kind                views    what its page shows, and what it sends
terms, search    concepts to choose from when a proposal is put right
guide            definitions and rules that the page of pairs shows; concept_guide: those of concepts;
                 error_guide: those of the audit
"""

from core.review.concept_guide import concept_guide
from core.review.confidence import Band
from core.review.desk import AnyFilters, keep, serve
from core.review.doubts import MADE_BY, Doubts, in_doubt
from core.review.error_guide import change_guide, error_guide
from core.review.events import identity
from core.review.guide import guide as pair_guide
from core.review.labels import labels_of, last_decided
from core.review.terms import ontology_of, terms_of
from core.review.tray import Older, older
from core.review.views.ruling import guide as ruling_guide
from core.review.walks.adjudication import AdjudicationFilters, disputes_of
from core.review.walks.concept import Filters, Order
from core.review.walks.listing import ListingFilters
from core.review.walks.overlap import APART, MOST_SEED, SEED
from core.review.walks.pair import PairFilters, PairOrder
from core.review.walks.pair import index_of as pair_index
from core.review.walks.walk import MOST_LISTED, Listed, Show

__all__ = [
    "APART",
    "MADE_BY",
    "MOST_LISTED",
    "MOST_SEED",
    "SEED",
    "AdjudicationFilters",
    "AnyFilters",
    "Band",
    "Doubts",
    "Filters",
    "Listed",
    "ListingFilters",
    "Older",
    "Order",
    "PairFilters",
    "PairOrder",
    "Show",
    "change_guide",
    "concept_guide",
    "disputes_of",
    "error_guide",
    "identity",
    "in_doubt",
    "keep",
    "labels_of",
    "last_decided",
    "older",
    "ontology_of",
    "pair_guide",
    "pair_index",
    "ruling_guide",
    "serve",
    "terms_of",
]
