"""The topic brief: one question, and the findings of a corpus for it, against it and undecided.

topic       which claims are about the question          sides     what a claim says to it
brief       findings, pairs, axes, decisions              gaps      what is missing
    records     what a brief holds                            page      the brief as one HTML file
"""

from core.evaluate.brief.brief import brief, questions
from core.evaluate.brief.page import brief_html
from core.evaluate.brief.records import Brief, Line, PairLine
from core.evaluate.brief.sides import Side

__all__ = ["Brief", "Line", "PairLine", "Side", "brief", "brief_html", "questions"]
