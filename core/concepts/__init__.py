"""Concepts in passages: the offline annotator (`lexicon`)."""
