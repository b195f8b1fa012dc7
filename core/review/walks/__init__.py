"""Queues in memory, one file a kind of item; `walk` is what they share."""
