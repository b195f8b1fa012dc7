"""The guide: short pages from the project's own files, each under its own address."""

from __future__ import annotations

import streamlit as st

from pages.widgets import guide
from pages.widgets.switch import one_of

known = guide.titles()
chosen = one_of("Page", {title: title for title in known}, guide.PARAMETER, named=False)
st.title(chosen, anchor=False)
guide.show(known[chosen], known)
