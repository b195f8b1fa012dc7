"""Drugs that a claim names, by the form of their names.

Non-proprietary names share a stem by what they do: "-penem", "-cycline", "-statin" (WHO, The use of stems in
the selection of International Nonproprietary Names, 2018); common ones without a telling stem are listed.
"""

from __future__ import annotations

import re

_ENDINGS = """
penem cycline cillin floxacin oxacin mycin micin azole bactam fungin zolid vir statin sartan pril olol dipine
gliptin gliflozin glutide glitazone formin prazole triptan setron mab tinib ciclib parib rafenib limus xaban
gatran parin grel lukast semide thiazide oxetine azepam zolam barbital caine curonium fentanil dronate profen
fenac coxib asone olone sonide tropium poetin grastim trexate platin taxel rubicin bicin zomib quine tecan
"""
_STARTS = "cef sulfameth sulfadi sulfasal"
_OTHERS = """
aspirin paracetamol acetaminophen cephalexin ranitidine famotidine salbutamol salmeterol colistin rifampicin
rifampin isoniazid pyrazinamide ethambutol trimethoprim nitrofurantoin chloramphenicol warfarin digoxin
morphine ketamine propofol lithium melatonin caffeine amiodarone verapamil levetiracetam valproate
carbamazepine phenytoin lamotrigine levothyroxine oxytocin tamoxifen letrozole methadone naloxone
hydrocortisone ivermectin artesunate zinc
"""
_NONE = frozenset(("cystatin", "myostatin", "angiostatin", "endostatin", "somatostatin"))
"""Of the body itself, though their names end like those of drugs."""
_DRUG = re.compile(
    rf"\b(?:[a-z]{{3,}}(?:{'|'.join(_ENDINGS.split())})|(?:{'|'.join(_STARTS.split())})[a-z]{{3,}}"
    rf"|{'|'.join(_OTHERS.split())}|insulin(?! (?:resist|sensit|secret))|vitamin [A-EK]\d?\d?)\b",
    re.IGNORECASE,
)


def drugs_of(text: str) -> tuple[str, ...]:
    """Names as written, each once, in their order; "Meropenem" and "meropenem" are one."""
    found: dict[str, str] = {}
    for match in _DRUG.finditer(text):
        found.setdefault(match[0].lower(), match[0])
    return tuple(found[name] for name in found if name not in _NONE)
