"""Touchstone's core: everything but the pages. It never imports streamlit."""
