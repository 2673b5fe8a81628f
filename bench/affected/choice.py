"""The tests that a changed line can break, ordered so that a failure is found early."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from bench.affected.source import Place, place_of
from bench.affected.testmap import KnownTest, TestMap

SLOW_SECONDS = 3


def get_app(path: str) -> str:
    """Return the app's folder (apps/orders/), or the first folder of a path outside the apps."""
    parts = path.split("/")
    return "/".join(parts[: 2 if parts[0] == "apps" else 1]) + "/"


def mentions(tree: Path, names: Iterable[str], folder: str = "") -> dict[str, set[int]]:
    """Return by file the lines of Python files under `folder` that contain one of the words."""
    word = re.compile(r"\b(?:" + "|".join(re.escape(name) for name in names) + r")\b")
    result: dict[str, set[int]] = {}
    for base in [folder] if folder else ["apps", "mall", "tests", "demo"]:
        for file in sorted((tree / base).rglob("*.py")):
            text = file.read_text(encoding="utf-8", errors="replace")
            if "migrations" not in file.parts and word.search(text):
                path = str(file.relative_to(tree))
                result[path] = {
                    number for number, line in enumerate(text.splitlines(), 1) if word.search(line)
                }
    return result


def find_mentioned_tests(
    tree: Path, testmap: TestMap, names: list[str], folder: str = ""
) -> set[KnownTest]:
    """Return the tests that execute a line with one of the names, and all tests of test files
    with one.
    """
    result: set[KnownTest] = set()
    files: set[str] = set()
    for path, lines in mentions(tree, names, folder).items():
        if "/tests/" in f"/{path}":
            files.add(path)
        elif path in testmap.files:
            result |= testmap.tests_of_lines(
                path, testmap.lines_then(path, (tree / path).read_text(encoding="utf-8"), lines)
            )
    return result | {
        test for test in testmap.tests.values() if test.name.partition("::")[0] in files
    }


def find_tests_of_import(tree: Path, testmap: TestMap, path: str, place: Place) -> list[KnownTest]:
    """Return the tests for a line that runs at import, or that no test executes.

    Tests that use the line's names come first (the module's name if the line defines none), then
    the tests of the app and the contracts.
    """
    names = place.names or [Path(path).stem]
    named = find_mentioned_tests(tree, testmap, names[-1:], get_app(path)) | find_mentioned_tests(
        tree, testmap, names[:1]
    )
    others = {
        test
        for test in testmap.tests.values()
        if test.name.startswith(("tests/contracts", get_app(path)))
    }
    return by_promise(named | others, path, named)


def by_promise(tests: Iterable[KnownTest], path: str, first: set[KnownTest]) -> list[KnownTest]:
    """Return the tests in order: those in `first`, then the app's own; quick before slow, few
    executed lines before many.
    """
    app = get_app(path)
    return sorted(
        tests,
        key=lambda test: (
            test not in first,
            not test.name.startswith(app),
            test.seconds > SLOW_SECONDS,
            test.breadth,
            test.name,
        ),
    )


def find_tests(tree: Path, testmap: TestMap, path: str, line: int) -> list[KnownTest]:
    """Return the tests that can notice a change of the line, most promising first."""
    text = (tree / path).read_text(encoding="utf-8")
    if not path.endswith(".py"):
        name = path.removeprefix("templates/")
        return by_promise(find_mentioned_tests(tree, testmap, [name]), path, set())
    place = place_of(text, line)
    if path not in testmap.files:
        return find_tests_of_import(tree, testmap, path, place)
    inner, tests, around = (
        testmap.tests_of_lines(path, testmap.lines_then(path, text, lines))
        for lines in (place.inner, place.lines, place.function)
    )
    if not place.function:
        return [
            *by_promise(tests, path, set()),
            *(
                test
                for test in find_tests_of_import(tree, testmap, path, place)
                if test not in tests
            ),
        ]
    return (
        by_promise(inner | tests, path, inner)
        or by_promise(around, path, set())
        or find_tests_of_import(tree, testmap, path, place)
    )


def find_tests_behind(tree: Path, testmap: TestMap, path: str, line: int) -> list[KnownTest]:
    """Return the tests that execute the code guarded by the condition in the line. Only they
    can notice that it is never true.
    """
    text = (tree / path).read_text(encoding="utf-8")
    lines = place_of(text, line).inner
    return by_promise(
        testmap.tests_of_lines(path, testmap.lines_then(path, text, lines)), path, set()
    )
