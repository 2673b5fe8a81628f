"""The changes of the working tree, and the tests that they can break."""

from __future__ import annotations

import difflib
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bench.affected.choice import by_promise, find_mentioned_tests, find_tests, get_app
from bench.affected.testmap import KnownTest, TestMap

PYTHON_TREES = ("apps/", "mall/", "demo/", "deploy/", "bench/")


@dataclass
class Choice:
    """The tests to run, in order. `files` are test files to run completely; `notes` say where
    the map could not help.
    """

    tests: list[KnownTest] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def run_git(tree: Path, *arguments: str) -> str:
    """Return the output of a git command."""
    return subprocess.run(
        ["git", "-C", str(tree), *arguments], capture_output=True, text=True, check=True
    ).stdout


def list_changed_files(tree: Path, base: str) -> list[str]:
    """Return the files that differ from `base`, including new ones, without deleted ones."""
    names = [
        *run_git(tree, "diff", "--name-only", base).split("\n"),
        *run_git(tree, "ls-files", "--others", "--exclude-standard").split("\n"),
    ]
    return sorted({name for name in names if name and (tree / name).is_file()})


def read_text_at(tree: Path, base: str, path: str) -> str:
    """Return the file's text at `base`; "" if it did not exist."""
    result = subprocess.run(
        ["git", "-C", str(tree), "show", f"{base}:{path}"],
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout if result.returncode == 0 else ""


def list_changed_lines(before: str, after: str) -> list[int]:
    """Return the new and changed lines of `after`, and the neighbours of deleted lines."""
    rows = after.splitlines()
    result: set[int] = set()
    for kind, _, _, new, new_end in difflib.SequenceMatcher(
        None, before.splitlines(), rows, autojunk=False
    ).get_opcodes():
        if kind in ("insert", "replace"):
            result |= set(range(new + 1, new_end + 1))
        elif kind == "delete":
            result |= {max(new, 1), min(new + 1, max(len(rows), 1))}
    return sorted(result)


def find_tests_beside(tree: Path, path: str) -> list[str]:
    """Return the app's test files named like the module, or all of the app's if there is none."""
    name = Path(path).stem
    files = sorted((tree / get_app(path)).rglob("test_*.py"))
    named = [file for file in files if name in file.read_text(encoding="utf-8")]
    return [str(file.relative_to(tree)) for file in named or files]


def choose(tree: Path, testmap: TestMap | None, base: str, paths: Iterable[str]) -> Choice:
    """Return the back-end tests that the changed files can break."""
    choice = Choice()
    results: dict[KnownTest, None] = {}
    for path in paths:
        if path.startswith("frontend/"):
            continue
        if Path(path).name.startswith("test_") and path.endswith(".py"):
            choice.files.append(path)
        elif "/tests/" in path:
            choice.files += find_tests_beside(tree, path)
            choice.notes.append(
                f"{path}: a part of the tests: the test files of its app that name it"
            )
        elif testmap is None or (
            path.endswith(".py") and path.startswith(PYTHON_TREES) and path not in testmap.files
        ):
            choice.files += find_tests_beside(tree, path) if path.endswith(".py") else []
            choice.notes.append(
                f"{path}: not in the test map: the test files of its app that name it"
            )
        elif path.endswith(".py"):
            text = (tree / path).read_text(encoding="utf-8")
            own = [
                test
                for line in list_changed_lines(read_text_at(tree, base, path), text)
                for test in find_tests(tree, testmap, path, line)
            ]
            results |= dict.fromkeys(by_promise(dict.fromkeys(own), path, set()))
        else:
            results |= dict.fromkeys(
                by_promise(find_mentioned_tests(tree, testmap, [Path(path).name]), path, set())
            )
    choice.files = list(dict.fromkeys(choice.files))
    choice.tests = [test for test in results if test.name.partition("::")[0] not in choice.files]
    return choice


def select_within(tests: list[KnownTest], seconds: float) -> list[KnownTest]:
    """Return the first tests whose recorded times sum to at most `seconds`, but at least
    twenty.
    """
    kept_tests: list[KnownTest] = []
    total = 0.0
    for test in tests:
        total += test.seconds
        if total > seconds and len(kept_tests) >= 20:
            break
        kept_tests.append(test)
    return kept_tests
