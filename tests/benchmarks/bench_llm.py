"""Our client, stores included, against a bare AsyncOpenAI loop on the aiohttp backend, in one run.

    python tests/benchmarks/bench_llm.py [--requests 2000] [--rounds 5] [--concurrency 64] [--delay 0.05]

A scripted server in a process of its own answers everything after 50 ms. The bare loop sends the same bodies
with one shared client and keeps nothing. Ours builds the prompt, looks the request up, sends it, checks the
reply and stores the call in a workspace (SQLite, one write for what has come meanwhile) before it is used.
Rounds alternate, each ratio is of two neighbours; the median is printed. CPU is that of this process alone.
Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.llm import Asker, Endpoint, Prompt
from core.llm.dialect import Dialect, Request
from core.llm.replies import reply_schema
from core.pipeline.ledger import WorkspaceLedger
from core.pipeline.writer import Writer
from core.store import open_workspace
from tests.llm.asking import Things

ROOT = Path(__file__).parents[2]
GOAL_RATIO, GOAL_CPU = 0.8, 3.0
PROMPT = Prompt("list", "0" * 12, "You list what a passage names." * 40, "List the things.\n{data}")
TEXT = "The passage speaks of alpha, of beta and of what lies between them. " * 22
ANSWER = '{"things": ["alpha", "beta", "gamma"], "confidence": 0.9}'


@contextmanager
def server(delay: float) -> Iterator[str]:
    command = [sys.executable, "tests/llm/server.py", "--delay", str(delay), "--answer", ANSWER]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()
        process.stdin.close()


def texts(round_: str, count: int) -> list[str]:
    return [f"{TEXT} This is passage {number} of {round_}." for number in range(count)]


def timed(work: Any) -> tuple[float, float]:
    """Wall and CPU seconds of a coroutine in a loop of its own."""
    cpu, wall = time.process_time(), time.perf_counter()
    asyncio.run(work)
    return time.perf_counter() - wall, time.process_time() - cpu


async def bare(endpoint: Endpoint, bodies: list[dict[str, Any]]) -> None:
    from openai import AsyncOpenAI, DefaultAioHttpClient

    client = AsyncOpenAI(
        api_key="none", base_url=endpoint.base_url, max_retries=0, http_client=DefaultAioHttpClient()
    )
    left = iter(bodies)

    async def worker() -> None:
        for body in left:
            await client.chat.completions.create(**body)

    await asyncio.gather(*(worker() for _ in range(endpoint.concurrency)))
    await client.close()


async def ours(endpoint: Endpoint, path: Path, passages: list[str]) -> None:
    with open_workspace(path) as workspace, Writer(path) as writer:
        async with Asker(endpoint, WorkspaceLedger(workspace, writer, None)) as asker:
            left = iter(passages)

            async def worker() -> None:
                for text in left:
                    data = {"text": text}
                    await asker.ask(PROMPT, Things, terms={}, data=data, stage="list", passage_id=None)

            await asyncio.gather(*(worker() for _ in range(endpoint.concurrency)))
            assert asker.tally.paid == asker.attempts == len(passages)


def bodies(endpoint: Endpoint, passages: list[str]) -> list[dict[str, Any]]:
    dialect = Dialect(endpoint)
    return [
        dialect.body(
            Request(
                endpoint.base_url,
                endpoint.model,
                tuple(PROMPT.messages({}, {"text": text})),
                endpoint.max_tokens,
                endpoint.temperature,
                endpoint.seed,
                reply_schema(Things),
                "Things",
            )
        )
        for text in passages
    ]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.05)
    options = parser.parse_args()
    count = options.requests
    with server(options.delay) as url, tempfile.TemporaryDirectory() as folder:
        endpoint = Endpoint(url, "scripted", concurrency=options.concurrency)
        warm = texts("warm", 4 * options.concurrency)
        timed(bare(endpoint, bodies(endpoint, warm)))
        timed(ours(endpoint, Path(folder) / "warm.db", warm))
        rows = []
        for number in range(options.rounds):
            passages = texts(str(number), count)
            sent = bodies(endpoint, passages)
            theirs = timed(bare(endpoint, sent))
            mine = timed(ours(endpoint, Path(folder) / f"{number}.db", passages))
            rows.append((theirs, mine))
            print(
                f"round {number + 1}: bare {count / theirs[0]:6.0f}/s {1000 * theirs[1] / count:5.2f} CPU-ms,"
                f"  ours {count / mine[0]:6.0f}/s {1000 * mine[1] / count:5.2f} CPU-ms,"
                f"  ratio {theirs[0] / mine[0]:.3f}",
                flush=True,
            )
    ratio = statistics.median(theirs[0] / mine[0] for theirs, mine in rows)
    cpu = statistics.median(1000 * mine[1] / count for _, mine in rows)
    print(f"{count} requests at {options.concurrency} at once, {options.delay * 1000:g} ms server")
    print(f"  rate, ours / bare client    {ratio:6.3f}   (goal {GOAL_RATIO})")
    print(f"  CPU a request, ours         {cpu:6.2f} ms (goal {GOAL_CPU})")
    print(f"  CPU a request, bare client  {statistics.median(1000 * t[1] / count for t, _ in rows):6.2f} ms")
    return int(ratio < GOAL_RATIO or cpu > GOAL_CPU)


if __name__ == "__main__":
    sys.exit(main())
