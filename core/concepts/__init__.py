"""Concept labelling: five stages in this order, each a folder with the form that asks a model (`asked.py`) and
its offline twin (`offline.py`), which make the same records; and the dictionary matcher (`lexicon`)."""

STAGES = ("generate", "classify", "relabel", "guideline", "select")
"""The stages in the order of HI-ALD, section 3.2. Any subset in this order that begins with the first is a run."""
