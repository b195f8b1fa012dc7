"""The process that reads one ontology file and is allowed no more than its limits.

Run by `core.ontology.load` as `python -m core.ontology.child FILE FOLDER LIMITS`. It writes one line per
step to standard output, and into FOLDER either `result.json` or, for a file that cannot be used, the
sentence that says why, as `refusal.txt`. Exit status: 0 result, 3 refusal, 4 out of memory.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from core.errors import InputError

RESULT, REFUSAL = "result.json", "refusal.txt"
DONE, REFUSED, OUT_OF_MEMORY = 0, 3, 4
_HEADROOM = 1 << 30
"""Address space beyond resident memory: mapped libraries, thread stacks, allocator arenas."""


def bind(memory_bytes: int, seconds: float) -> None:
    """Hard limits on this process where the system has them, behind those that the parent watches.

    Address space only on Linux (elsewhere it is ignored or refused); processor time also ends a child
    whose parent is gone.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted = {resource.RLIMIT_CPU: int(seconds) + 60, resource.RLIMIT_CORE: 0}
    if sys.platform == "linux":
        wanted[resource.RLIMIT_AS] = memory_bytes + _HEADROOM
    for limit, most in wanted.items():
        set_already = [one for one in resource.getrlimit(limit) if one != resource.RLIM_INFINITY]
        lowest = min([most, *set_already])  # a process may not lift the limits that it was started with
        resource.setrlimit(limit, (lowest, lowest))


def main(arguments: list[str]) -> int:
    path, folder, limits = Path(arguments[0]), Path(arguments[1]), json.loads(arguments[2])
    bind(limits["memory_bytes"], limits["seconds"])
    from core.ontology.extract import read

    try:
        result = read(
            path, limits["file_bytes"], limits["unpacked_bytes"], lambda step: print(step, flush=True)
        )
        text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
        (folder / RESULT).write_text(text, encoding="utf-8")
    except InputError as error:
        (folder / REFUSAL).write_text(str(error), encoding="utf-8", errors="replace")
        return REFUSED
    except MemoryError:
        return OUT_OF_MEMORY
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
