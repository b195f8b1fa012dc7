"""Concept labelling: five stages and the dictionary matcher (`lexicon`).

Each stage is a folder with the form that asks a model (`asked.py`) and its offline twin (`offline.py`), which
make the same records.
"""

STAGES = ("generate", "classify", "relabel", "guideline", "select")
"""In the order of HI-ALD, section 3.2. Any subset in this order that begins with the first is a run."""
