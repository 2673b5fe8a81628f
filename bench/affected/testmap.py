"""The test map: which tests execute which line. `make test-map` writes it; `make test-changed`
and `make faults` read it.

The map contains the text of every file at the time of recording, so that lines of a later version
can be found (`lines_then`).
"""

from __future__ import annotations

import difflib
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

TABLES = """
CREATE TABLE tests (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, seconds REAL NOT NULL,
    breadth INTEGER NOT NULL);
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, text TEXT NOT NULL);
CREATE TABLE seen (file_id INTEGER NOT NULL, test_id INTEGER NOT NULL, bits BLOB NOT NULL);
"""


@dataclass(frozen=True)
class KnownTest:
    """A test of the map: its name, its recorded time in seconds, and the number of executed
    lines.
    """

    name: str
    seconds: float
    breadth: int


def write_map(parts: Path, tree: Path, path: Path) -> int:
    """Join the files in `parts` that the processes of a recorded run wrote. Failed tests are
    left out. Return the number of tests.
    """
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    seconds: dict[str, float] = {}
    failed: set[str] = set()
    for part in sorted(parts.glob("part-*.json")):
        texts = json.loads(part.read_text(encoding="utf-8"))
        seconds |= texts["seconds"]
        failed |= set(texts["failed"])
    with sqlite3.connect(new) as to:
        to.executescript(TABLES)
        tests: dict[str, int] = {}
        files: dict[str, int] = {}
        breadth: dict[int, int] = {}
        for part in sorted(each for each in parts.glob("part-*") if not each.suffix):
            rows = sqlite3.connect(part).execute(
                "SELECT f.path, c.context, l.numbits FROM line_bits l JOIN file f ON f.id = "
                "l.file_id JOIN context c ON c.id = l.context_id"
            )
            for file, test, bits in rows:
                if test and test not in failed:
                    file_id = files.setdefault(str(Path(file).relative_to(tree)), len(files))
                    test_id = tests.setdefault(test, len(tests))
                    breadth[test_id] = breadth.get(test_id, 0) + sum(
                        byte.bit_count() for byte in bits
                    )
                    to.execute("INSERT INTO seen VALUES (?, ?, ?)", (file_id, test_id, bits))
        rows_of_tests = (
            (key, name, seconds.get(name, 0), breadth[key]) for name, key in tests.items()
        )
        rows_of_files = (
            (key, name, (tree / name).read_text(encoding="utf-8")) for name, key in files.items()
        )
        to.executemany("INSERT INTO tests VALUES (?, ?, ?, ?)", rows_of_tests)
        to.executemany("INSERT INTO files VALUES (?, ?, ?)", rows_of_files)
        to.execute("CREATE INDEX seen_file ON seen (file_id)")
    to.close()
    new.replace(path)
    return len(tests)


class TestMap:
    """A map opened for queries."""

    __test__ = False

    def __init__(self, path: Path) -> None:
        """Open the existing map at `path`."""
        self.rows = sqlite3.connect(path, check_same_thread=False)

    @cached_property
    def tests(self) -> dict[int, KnownTest]:
        """All tests by key."""
        return {
            key: KnownTest(name, seconds, breadth)
            for key, name, seconds, breadth in self.rows.execute("SELECT * FROM tests")
        }

    @cached_property
    def files(self) -> dict[str, int]:
        """The key of each file by its path."""
        return dict(self.rows.execute("SELECT path, id FROM files"))

    def text(self, path: str) -> str:
        """Return the file's text at the time of recording."""
        return str(
            self.rows.execute("SELECT text FROM files WHERE path = ?", (path,)).fetchone()[0]
        )

    def tests_of_lines(self, path: str, lines: Iterable[int]) -> set[KnownTest]:
        """Return the tests that execute one of the lines (numbers of the map's text); empty for
        a file outside the map.
        """
        query = [(line // 8, 1 << line % 8) for line in lines]
        rows = self.rows.execute(
            "SELECT test_id, bits FROM seen WHERE file_id = ?", (self.files.get(path, -1),)
        )
        return {
            self.tests[key]
            for key, bits in rows
            if any(place < len(bits) and bits[place] & bit for place, bit in query)
        }

    def lines_then(self, path: str, text: str, lines: Iterable[int]) -> set[int]:
        """Return the lines of the map's text that correspond to lines of `text`, a later
        version. New lines map to their neighbours.
        """
        query = set(lines)
        result: set[int] = set()
        matcher = difflib.SequenceMatcher(
            None, self.text(path).splitlines(), text.splitlines(), autojunk=False
        )
        for kind, old, old_end, new, new_end in matcher.get_opcodes():
            if kind == "equal":
                result |= {line - new + old for line in query if new < line <= new_end}
            elif any(new < line <= new_end for line in query):
                result |= set(range(max(old, 1), old_end + 2))
        return result
