"""Touchstone's core: everything but the pages. It never imports streamlit."""

__version__ = "0.1.0"
