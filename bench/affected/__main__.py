"""Record the test map, or run the tests that the working tree can break: python -m
bench.affected record|changed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.affected.changed import choose, list_changed_files, run_git, select_within
from bench.affected.testmap import TestMap, write_map

ROOT = Path(__file__).resolve().parents[2]
MAP = ROOT / "var" / "test-map.sqlite3"
PLUGINS = Path(__file__).resolve().parent / "plugins"
PYTEST = [sys.executable, "-m", "pytest", "-q"]


def record(tree: Path, output: Path, workers: str) -> int:
    """Run all tests of `tree` with coverage.py and write the map without failed tests."""
    parts = Path(tempfile.mkdtemp(prefix="test-map-"))
    environment = {**os.environ, "PYTHONPATH": str(PLUGINS), "TEST_MAP_FOLDER": str(parts)}
    code = subprocess.run(
        [*PYTEST, "-n", workers, "-m", "not gauntlet", "-p", "mall_record_tests"],
        cwd=tree,
        env=environment,
        check=False,
    ).returncode
    output.parent.mkdir(parents=True, exist_ok=True)
    number = write_map(parts, tree.resolve(), output)
    shutil.rmtree(parts)
    print(f"{output}: {number} tests")
    return code if code > 1 else 0


def run(title: str, command: list[str], *, inside: str = ".", **extra: str) -> bool:
    """Run the command and print it first. Return whether it passed."""
    print(f"━━ {title}", flush=True)
    return subprocess.run(
        command, cwd=ROOT / inside, env={**os.environ, **extra}, check=False
    ).returncode in (0, 5)


def run_backend(base: str, paths: list[str], seconds: float) -> bool:
    """Run the back-end tests that the changed files can break, as many as fit into `seconds`."""
    choice = choose(ROOT, TestMap(MAP) if MAP.exists() else None, base, paths)
    print(*choice.notes, sep="\n", end="\n" if choice.notes else "")
    tests = select_within(choice.tests, seconds)
    if left := len(choice.tests) - len(tests):
        print(
            f"{left} more tests execute what has changed: TEST_SECONDS=600 make test-changed "
            "runs more of them"
        )
    names = [*choice.files, *(test.name for test in tests)]
    if not names:
        return True
    files = [
        file
        for file in dict.fromkeys(name.partition("::")[0] for name in names)
        if (ROOT / file).exists()
    ]
    with tempfile.TemporaryDirectory(prefix="test-changed-") as folder:
        chosen = Path(folder, "chosen.json")
        chosen.write_text(json.dumps(names), encoding="utf-8")
        command = [*PYTEST, "-n", "2", "-p", "mall_choose_tests", *files]
        return run(
            f"pytest: {len(choice.files)} files, {len(tests)} tests",
            command,
            PYTHONPATH=str(PLUGINS),
            CHOSEN_TESTS=str(chosen),
        )


def run_frontend(paths: list[str]) -> bool:
    """Run the component tests that import the changed files, and the type checker."""
    files = [path.removeprefix("frontend/") for path in paths if path.startswith("frontend/src/")]
    if not files:
        return True
    vitest = [
        "node",
        "node_modules/vitest/vitest.mjs",
        "related",
        *files,
        "--run",
        "--passWithNoTests",
        "--reporter=dot",
    ]
    passed = run(f"vitest: {len(files)} files", vitest, inside="frontend")
    return run("front-end types", ["npm", "run", "--silent", "types"], inside="frontend") and passed


def changed(base: str, seconds: float) -> int:
    """Check the differences from `base`: ruff, then the tests. Return 1 if something failed."""
    paths = list_changed_files(ROOT, base)
    if not paths:
        print(f"nothing differs from {run_git(ROOT, 'rev-parse', '--short', base).strip()}")
        return 0
    if not MAP.exists():
        print(
            "no test map yet (make test-map, once in a while): the test files of the app that "
            "name the changed module"
        )
    python = [path for path in paths if path.endswith(".py")]
    ruff = str(ROOT / ".venv" / "bin" / "ruff")
    passed = not python or (
        run(f"ruff: {len(python)} files", [ruff, "check", *python])
        & run("ruff format", [ruff, "format", "--check", *python])
    )
    passed &= run_backend(base, paths, seconds)
    passed &= run_frontend(paths)
    return int(not passed)


def main() -> int:
    """Run the command of the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.affected", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument(
        "--tree", type=Path, default=ROOT, help="another tree, with its own .venv"
    )
    recording.add_argument("--output", type=Path, default=MAP)
    recording.add_argument("--workers", default="2")
    changing = commands.add_parser("changed")
    changing.add_argument("--base", default="HEAD", help="the commit to compare with")
    changing.add_argument(
        "--seconds",
        type=float,
        default=60,
        help="the tests' time, as it was when they were recorded",
    )
    options = parser.parse_args()
    if options.command == "record":
        return record(options.tree, options.output, options.workers)
    return changed(options.base, options.seconds)


if __name__ == "__main__":
    sys.exit(main())
