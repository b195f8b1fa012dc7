"""Review of concept labels."""

import streamlit as st

st.title("Concept labels")
