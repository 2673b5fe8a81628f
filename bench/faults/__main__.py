"""Plant each fault of faults.tsv in a copy of the tree and report which test catches it: python
-m bench.faults [ID, ID..ID or PART]….
"""

from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, fields
from pathlib import Path

from bench.faults.run import CPU_SECONDS, ROOT, SCRATCH, Copy, Verdict, confirm, judge
from bench.faults.table import Fault, choose_faults, read_faults

FEW = 4
NO_TEST = ("", "lint")
LINKED = (".venv", "frontend/node_modules", "static/app", "staticfiles")


def copy_tree(tree: str, folder: Path) -> None:
    """Copy the tracked files of `tree` (a path or a commit) to `folder`, with links to
    installed and built files.
    """
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    folder.mkdir(parents=True)
    if Path(tree).is_dir():
        listed = [
            "git",
            "-C",
            tree,
            "ls-files",
            "-co",
            "--exclude-standard",
            "-z",
            "--",
            ":!.venv*",
        ]
        pack = (
            f"{' '.join(listed)} | tar -C '{tree}' --null --ignore-failed-read -T - -cf - "
            "2>/dev/null"
        )
    else:
        pack = f"git -C '{ROOT}' archive '{tree}'"
    subprocess.run(["bash", "-c", f"{pack} | tar -x -C '{folder}'"], check=True)
    # A repository of its own: to the one around it all of var/ is ignored, and tools would find no
    # files.
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    for name in LINKED:
        source, link = ROOT / name, folder / name
        if source.exists() and not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(source.resolve())


def describe_verdict(fault: Fault, verdict: Verdict) -> str:
    """Return the line to print for a verdict."""
    if verdict.is_missing:
        return f"MISSING  {fault.id}: {verdict.message}"
    late = " (not all tests in time)" if verdict.is_capped else ""
    if verdict.layer:
        return f"{verdict.layer:9} {fault.id}: {verdict.by} ({verdict.seconds:.0f} s)"
    return (
        f"NONE      {fault.id}: {fault.breaks}; {verdict.tests} tests{late} ({verdict.seconds:.0f}"
        " s)"
    )


def list_lost(before: Path, results: dict[str, dict[str, object]]) -> list[str]:
    """Return the ids of faults that a test caught before and none catches now. Faults that did
    not run now are left out.

    A linter does not count: it sees crude code, not a missing guard.
    """
    earlier = json.loads(before.read_text(encoding="utf-8"))
    by_test = {key for key, result in earlier.items() if result["layer"] not in NO_TEST}
    return [key for key, result in results.items() if key in by_test and result["layer"] in NO_TEST]


def build_row(fault: Fault, verdict: Verdict) -> dict[str, object]:
    """Return the stored result of a fault."""
    return {**asdict(verdict), "breaks": fault.breaks, "path": fault.path}


def save(output: Path, results: dict[str, dict[str, object]]) -> None:
    """Write the results."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(results, ensure_ascii=False, indent=1), encoding="utf-8")


def confirm_all(copy: Copy, faults: list[Fault], results: dict[str, dict[str, object]]) -> None:
    """Run the catching tests again without a fault, and judge the faults of tests that fail
    without a fault again.
    """
    names = [field.name for field in fields(Verdict)]
    verdicts = [Verdict(**{name: results[fault.id][name] for name in names}) for fault in faults]  # type: ignore[arg-type]
    unsure = confirm(copy, verdicts)
    for fault in faults:
        if results[fault.id]["by"] in unsure:
            print(f"fails without a fault too: {results[fault.id]['by']}")
            verdict = judge(copy, fault, unsure)
            results[fault.id] = build_row(fault, verdict)
            print(describe_verdict(fault, verdict), flush=True)


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument(
        "faults",
        nargs="*",
        help=(
            "ids, ranges (orders-03..orders-07) or parts (orders, frontend); all when there are "
            "none"
        ),
    )
    parser.add_argument("--jobs", type=int, default=1, help="copies that are worked on at once")
    parser.add_argument(
        "--output", type=Path, default=SCRATCH / "results.json", help="the file for the results"
    )
    parser.add_argument(
        "--again", action="store_true", help="also the faults that the output file already has"
    )
    parser.add_argument(
        "--compare",
        type=Path,
        help="results of an earlier run: exit 1 when a fault caught there is not caught now",
    )
    parser.add_argument("--tree", default=str(ROOT), help="another tree, or a commit")
    parser.add_argument(
        "--map",
        type=Path,
        default=ROOT / "var" / "test-map.sqlite3",
        help="the test map of that tree",
    )
    parser.add_argument(
        "--seconds", type=int, default=CPU_SECONDS, help="processor time for the tests of a fault"
    )
    parser.add_argument("--scratch", type=Path, default=SCRATCH, help="the folder for the copies")
    return parser.parse_args()


def main() -> int:
    """Run the faults. Print a line for each, then the number caught by each layer."""
    options = parse_arguments()
    if not options.map.exists():
        sys.exit(f"no test map at {options.map}: make test-map writes it")
    faults = choose_faults(read_faults(), options.faults)
    results: dict[str, dict[str, object]] = (
        json.loads(options.output.read_text(encoding="utf-8")) if options.output.exists() else {}
    )
    began = time.monotonic()
    copies: queue.Queue[Copy] = queue.Queue()
    to_do = [fault for fault in faults if options.again or fault.id not in results]
    # Run the test that caught a fault before first, because usually it still does.
    first_tests = (
        {key: row["by"] for key, row in json.loads(options.compare.read_text("utf-8")).items()}
        if options.compare
        else {}
    )
    for number in range(options.jobs):
        folder = options.scratch.resolve() / f"copy-{number}"
        copy_tree(options.tree, folder)
        copy = Copy(folder, options.map, cpu_seconds=options.seconds)
        copy.first_tests = first_tests
        if len(to_do) >= FEW:
            copy.start_server()
        copies.put(copy)

    def judged(fault: Fault) -> tuple[Fault, Verdict]:
        copy = copies.get()
        try:
            return fault, judge(copy, fault)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        waiting = [pool.submit(judged, fault) for fault in to_do]
        for future in as_completed(waiting):
            if error := future.exception():
                print(f"not judged: {error!r}", flush=True)
                continue
            fault, verdict = future.result()
            results[fault.id] = build_row(fault, verdict)
            print(describe_verdict(fault, verdict), flush=True)
            save(options.output, results)
    faults = [fault for fault in faults if fault.id in results]
    confirm_all(copies.get(), faults, results)
    save(options.output, results)
    query = {fault.id: results[fault.id] for fault in faults}
    counted = Counter(
        str(result["layer"] or ("missing" if result["is_missing"] else "none"))
        for result in query.values()
    )
    layers = ", ".join(f"{layer} {count}" for layer, count in counted.most_common())
    print(f"{len(query)} faults, {time.monotonic() - began:.0f} s: {layers}")
    gone = list_lost(options.compare, query) if options.compare else []
    for key in gone:
        print(f"CAUGHT BEFORE, NOT NOW: {key} {query[key]['path']}: {query[key]['breaks']}")
    return int(bool(gone))


if __name__ == "__main__":
    sys.exit(main())
