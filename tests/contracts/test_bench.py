"""`python -m bench --smoke`, which CI runs, starts every program of bench."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

import bench
from bench.registry import BENCHMARKS, POSTGRES_ONLY, at_most
from bench.smoke import PROGRAMS, commands

FOLDER = Path(bench.__file__).parent


def test_every_module_can_be_imported() -> None:
    names = [
        module.name
        for module in pkgutil.walk_packages(bench.__path__, "bench.")
        if not module.name.endswith("__main__")
    ]
    assert [name for name in names if importlib.import_module(name) is None] == []


def test_every_program_is_started() -> None:
    for path in FOLDER.glob("bench_*.py"):
        importlib.import_module(f"bench.{path.stem}")
    programs = {
        str(path.relative_to(FOLDER))
        for pattern in ("**/*.mjs", "**/*.sh")
        for path in FOLDER.glob(pattern)
    }
    packages = {path.parent.name for path in FOLDER.glob("*/__main__.py")}
    assert programs | packages == set(PROGRAMS)
    assert set(commands()) | POSTGRES_ONLY == set(PROGRAMS) | set(BENCHMARKS)


def test_no_gate_holds_for_the_smallest_form(monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_most("time", 2, 1, "s").ok is False
    monkeypatch.setenv("BENCH_SCALE", "smoke")
    assert at_most("time", 2, 1, "s").ok is None
