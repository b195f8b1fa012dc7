"""What the desk shows of an item and takes from a curator, one file a kind of item. A new kind is one row."""

from core.records import ItemKind
from core.review.views.adjudication import AdjudicationView
from core.review.views.concept import ConceptView
from core.review.views.error import ErrorView
from core.review.views.gold_change import GoldChangeView
from core.review.views.pair import PairView
from core.review.views.view import View as View

VIEWS: dict[str, View] = {
    ItemKind.CONCEPT: ConceptView(),
    ItemKind.PAIR: PairView(),
    ItemKind.ERROR: ErrorView(),
    ItemKind.GOLD_CHANGE: GoldChangeView(),
    AdjudicationView.kind: AdjudicationView(),
}
