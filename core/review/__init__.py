"""Review by people: what to judge next, storing what they say, and what they may see meanwhile.

index, answers   the queue in memory: order from proposals, progress from decisions
desk             one exchange with the page in a browser: `serve(workspace, message, filters, curator)`
submit           events from the browser -> decisions, acknowledged from the database
view             passages, proposals and a curator's own answers as JSON, never anybody else's
terms            concepts to choose from when a proposal is put right
confidence       high, medium, low
"""

from core.review.confidence import Band
from core.review.desk import keep, serve
from core.review.index import Filters, Order, Show
from core.review.submit import identity, ontology_of
from core.review.terms import terms_of

__all__ = ["Band", "Filters", "Order", "Show", "identity", "keep", "ontology_of", "serve", "terms_of"]
