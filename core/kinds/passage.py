"""A passage as a whole: closed where nothing is missing in it. It has no subject, no proposals, no answer."""

from core.kinds.kind import Kind
from core.records import Action, ItemKind

KIND = Kind(ItemKind.PASSAGE, actions=frozenset({Action.CLOSE, Action.REOPEN}), free=True)
