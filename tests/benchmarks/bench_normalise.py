"""How long articles take to be normalised and de-duplicated, against bare ftfy and NFKC over the same texts.

    python tests/benchmarks/bench_normalise.py [--articles 200000] [--growth 20000,60000]

Synthetic abstracts of about 1,400 characters in random words. Half are plain; the others have line breaks,
tags, entities, citations, Greek letters, ligatures, UTF-8 read as Windows-1252. One article in eight is a
planted duplicate: by DOI in another form, by PMID, by content in other case and signs, or by the PMID of one
that was itself merged by its DOI. Exactly those must be found, with their reasons.

Articles are drawn block by block while the clock stands, and are given up when they have been looked at, so
that what grows is what the stage keeps. The baseline is `ftfy.fix_text` (quotes left, NFKC) over the texts of
every fourth block, times four: no tags, no citations, no map, no duplicates. CPU seconds of this process;
memory is the growth of the process (RSS) over the run, sizes each in a fresh process.

Exits with 1 if a planted duplicate is missed, another one is found, a map does not cover its text, the stage
takes more than 1.5 times the baseline, time grows by more than a quarter above the articles, or an article
takes more than 400 bytes of memory.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import ftfy  # noqa: E402
import psutil  # noqa: E402

from core.conflicts.normalise import run  # noqa: E402
from core.records import Article, Left, Section  # noqa: E402

BLOCK, WORDS, SHARE = 960, 200, 4
GOAL_RATIO, GOAL_GROWTH = 1.5, 1.25
GOAL_BYTES = 400
"""Of memory for each article: four digests, a uid, and room to sort the digests. An abstract alone would take
1,400. Up to 16 MB of a run are cleaned articles, and small runs live on what the process had freed before, so
that the growth of memory from one size to the next says less than this."""
ODD = (
    "<i>coli</i>",
    "10<sup>9</sup>",
    "(p &lt; 0.05)",
    "as shown [1, 2]",
    "as shown [3-5].",
    "TNF-α",
    "≥",
    "ﬁbrosis",
    "5 µg",
    "Î±-synuclein",
    "â‰¤ 5",
    "Â± 2",
    "\n\nRESULTS:  ",
    "<b>METHODS</b>\n",
    "“quoted”",
    "&amp;",
    "double‐blind",
)


class Drawn:
    """Articles, and what must become of them."""

    def __init__(self, count: int) -> None:
        self.count, self.draw = count, random.Random(5)
        letters = "etaoinshrdlucmfwypvbgk"
        self.words = ["".join(self.draw.choices(letters, k=self.draw.randint(2, 11))) for _ in range(20_000)]
        self.left: dict[str, tuple[str, str]] = {}
        """(reason, uid of the one that stays) by uid of the duplicate."""
        self.plain = self.outside = 0.0
        """CPU seconds of the baseline, and of all that is not the stage."""
        self.baselined = 0

    def text(self, *, odd: bool) -> str:
        words = self.draw.choices(self.words, k=WORDS)
        for place in range(12, len(words), 14):
            words[place] += "."
        for sign in self.draw.sample(ODD, 6) if odd else ():
            words.insert(self.draw.randrange(1, len(words)), sign)
        return " ".join(words)

    def article(self, number: int, block: list[Article]) -> Article:
        text = self.text(odd=number % 2 == 1)
        half = len(text) // 2
        one = Article(
            uid=f"u{number}",
            text=text,
            domain="d",
            doi=f"10.1000/a.{number}",
            pmid=str(10_000_000 + number),
            sections=(Section("A", 0, half), Section("B", half, len(text))),
        )
        if number % 8 != 7:
            return one
        original = block[self.draw.randrange(len(block) // 8 + 1) * 8]
        kind = number // 8 % 4
        self.left[one.uid] = (("doi", "pmid", "content", "pmid")[kind], original.uid)
        if kind == 0:
            return replace(one, doi=f" https://DOI.org/{(original.doi or '').upper()}")
        if kind == 1:
            return replace(one, doi=None, pmid=f"PMID: {original.pmid}")
        if kind == 2:
            same = original.text.upper().replace(". ", " ;\n")
            return replace(one, doi="n/a", pmid=None, text=same, sections=())
        merged = block[-24]  # by its DOI; its PMID is its own
        self.left[one.uid] = ("pmid", self.left[merged.uid][1])
        return replace(one, doi=None, pmid=merged.pmid)

    def articles(self) -> Iterator[Article]:
        for first in range(0, self.count, BLOCK):
            start = time.process_time()
            block: list[Article] = []
            for number in range(first, min(first + BLOCK, self.count)):
                block.append(self.article(number, block))
            drawn = time.process_time()
            for article in block if first // BLOCK % SHARE == 0 else ():
                ftfy.fix_text(article.text, uncurl_quotes=False, normalization="NFKC")
            over = time.process_time()
            self.plain += over - drawn
            self.baselined += len(block) if first // BLOCK % SHARE == 0 else 0
            self.outside += over - start
            yield from block


def measure(count: int) -> dict[str, float]:
    drawn = Drawn(count)
    list(run(Drawn(BLOCK).articles()))  # compiled, cached
    before = psutil.Process().memory_info().rss
    left: dict[str, tuple[str, str]] = {}
    gaps = 0
    start = time.process_time()
    for result in run(drawn.articles()):
        if isinstance(result, Left):
            left[result.article.uid] = (result.reason, result.into or "")
        else:
            gaps += result.offsets[0][0] != 0 or result.offsets[-1][1] != len(result.article.text)
    spent = time.process_time() - start - drawn.outside
    grown = psutil.Process().memory_info().rss - before
    wrong = sum(left.get(uid) != drawn.left.get(uid) for uid in left.keys() | drawn.left.keys())
    return {
        "articles": count,
        "seconds": spent,
        "plain": drawn.plain * count / drawn.baselined,
        "bytes": grown,
        "merged": len(left),
        "wrong": wrong,
        "gaps": gaps,
    }


def main(articles: int, growth: list[int]) -> int:
    titles = ("articles", "CPU-s", "plain", "ratio", "/CPU-s", "MB", "B each", "merged", "wrong")
    print("".join(f"{title:>9}" for title in titles))
    rows = []
    for count in [*growth, articles]:
        command = [sys.executable, __file__, "--measure", str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        row = json.loads(done.stdout)
        rows.append(row)
        print(
            f"{count:9,}{row['seconds']:9.1f}{row['plain']:9.1f}{row['seconds'] / row['plain']:9.2f}"
            f"{count / row['seconds']:9,.0f}{row['bytes'] / 1e6:9.0f}{row['bytes'] / count:9.0f}"
            f"{row['merged']:9,}{row['wrong']:9}",
            flush=True,
        )
    first, last = rows[0], rows[-1]
    times = last["articles"] / first["articles"]
    missed = []
    if any(row["wrong"] or row["gaps"] for row in rows):
        missed.append("duplicates or maps are wrong")
    if last["seconds"] / last["plain"] > GOAL_RATIO:
        missed.append(f"time: goal {GOAL_RATIO} of the baseline")
    if last["seconds"] / first["seconds"] > times * GOAL_GROWTH:
        missed.append(
            f"time: {last['seconds'] / first['seconds']:.1f} times for {times:.0f} times the articles"
        )
    if last["bytes"] / last["articles"] > GOAL_BYTES:
        missed.append(f"memory: goal {GOAL_BYTES} bytes an article")
    for said in missed:
        print(f"MISSED: {said}")
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--articles", type=int, default=200_000)
    parser.add_argument("--growth", default="20000,60000", help="smaller numbers to run before; none: -")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(given.measure)))
        sys.exit(0)
    sys.exit(main(given.articles, [int(size) for size in given.growth.split(",") if size.isdigit()]))
