"""Tests of bench/affected: which tests a changed line can break."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from bench.affected.changed import choose, list_changed_lines, select_within
from bench.affected.choice import find_tests
from bench.affected.source import place_of
from bench.affected.testmap import KnownTest, TestMap, write_map

MODULE = """LIMIT = 3


def add(number):
    if number > LIMIT:
        raise ValueError
    return number


def remove(number):
    return number
"""
REFUSED, ADDED = (
    "apps/shop/tests/test_add.py::test_refused",
    "apps/shop/tests/test_add.py::test_added",
)
REMOVED = "tests/test_all.py::test_removed"
TABLES = (
    "CREATE TABLE file (id, path); CREATE TABLE context (id, context); CREATE TABLE line_bits "
    "(file_id, context_id, numbits);"
)


def build_bits(*lines: int) -> bytes:
    """Return the lines in coverage.py's packed format."""
    return sum(1 << line for line in lines).to_bytes(max(lines) // 8 + 1, "little")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one module, two test files and their map. A third test failed while it was
    recorded.
    """
    for path, text in {
        "apps/shop/add.py": MODULE,
        "apps/shop/tests/test_add.py": "LIMIT\n",
        "tests/test_all.py": "",
        "mall/urls.py": "",
        "demo/x.py": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    parts = tmp_path / "parts"
    parts.mkdir()
    executed = {
        "": (1, 4, 10),
        REFUSED: (5, 6),
        ADDED: (5, 7),
        REMOVED: (11,),
        "tests/test_all.py::test_red": (5,),
    }
    with sqlite3.connect(parts / "part-1") as rows:
        rows.executescript(TABLES)
        rows.execute("INSERT INTO file VALUES (1, ?)", (str(tmp_path / "apps/shop/add.py"),))
        rows.executemany("INSERT INTO context VALUES (?, ?)", enumerate(executed))
        rows.executemany(
            "INSERT INTO line_bits VALUES (1, ?, ?)",
            [(key, build_bits(*lines)) for key, lines in enumerate(executed.values())],
        )
    texts = {"seconds": {REFUSED: 1.5}, "failed": ["tests/test_all.py::test_red"]}
    (parts / "part-1.json").write_text(json.dumps(texts), encoding="utf-8")
    write_map(parts, tmp_path, tmp_path / "map.sqlite3")
    return tmp_path


@pytest.fixture
def testmap(tree: Path) -> TestMap:
    """The map of the tree."""
    return TestMap(tree / "map.sqlite3")


def list_names(tests: list[KnownTest]) -> list[str]:
    """Return the names of the tests."""
    return [test.name for test in tests]


def test_a_line_names_the_tests_that_execute_it_and_those_behind_its_condition_first(
    tree: Path, testmap: TestMap
) -> None:
    assert list_names(find_tests(tree, testmap, "apps/shop/add.py", 5)) == [REFUSED, ADDED]
    assert list_names(find_tests(tree, testmap, "apps/shop/add.py", 11)) == [REMOVED]


def test_a_constant_names_the_tests_that_use_it(tree: Path, testmap: TestMap) -> None:
    assert set(list_names(find_tests(tree, testmap, "apps/shop/add.py", 1))) == {REFUSED, ADDED}


def test_a_test_that_failed_while_it_was_recorded_is_not_in_the_map(testmap: TestMap) -> None:
    assert {test.name for test in testmap.tests.values()} == {REFUSED, ADDED, REMOVED}
    assert {test.seconds for test in testmap.tests.values()} == {1.5, 0}


def test_a_line_is_found_again_in_a_later_version(testmap: TestMap) -> None:
    later = '"""A module."""\n\n' + MODULE.replace(
        "return number\n\n\n", "number = int(number)\n    return number\n\n\n"
    )

    assert testmap.lines_then("apps/shop/add.py", later, [7]) == {5}
    assert testmap.lines_then("apps/shop/add.py", later, [9]) == {6, 7}


def test_changed_lines_include_new_lines_and_neighbours_of_deleted_lines() -> None:
    assert list_changed_lines("a\nb\nc\n", "a\nB\nc\nd\n") == [2, 4]
    assert list_changed_lines("a\nb\nc\n", "a\nc\n") == [1, 2]
    assert list_changed_lines("a\n", "a\n") == []


def test_a_condition_knows_its_head_its_body_and_its_function() -> None:
    place = place_of(MODULE, 5)

    assert (place.lines, place.inner, place.function, place.names) == ({5}, {6}, {5, 6, 7}, ["add"])


def test_file_outside_the_test_map_falls_back_to_the_tests_of_its_app(
    tree: Path, testmap: TestMap
) -> None:
    (tree / "apps/shop/new.py").write_text("x = 1\n", encoding="utf-8")

    choice = choose(tree, testmap, "HEAD", ["apps/shop/new.py"])

    assert choice.files == ["apps/shop/tests/test_add.py"]
    assert choice.notes == [
        "apps/shop/new.py: not in the test map: the test files of its app that name it"
    ]


def test_a_changed_test_file_runs_whole(tree: Path, testmap: TestMap) -> None:
    assert choose(tree, testmap, "HEAD", ["apps/shop/tests/test_add.py"]).files == [
        "apps/shop/tests/test_add.py"
    ]


def test_only_the_tests_that_fit_into_the_time_are_kept_and_never_fewer_than_twenty() -> None:
    tests = [KnownTest(f"test_{number}", 1.0, 1) for number in range(100)]

    assert len(select_within(tests, 30)) == 30
    assert len(select_within(tests, 3)) == 20
