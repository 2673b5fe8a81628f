"""Each planted fault of bench/faults/faults.tsv matches the code, and every app has some."""

from collections import Counter
from pathlib import Path

from bench.faults.table import TABLE, Fault, plant_fault, read_faults

ROOT = Path(__file__).resolve().parents[2]
APPS = {path.parent.name for path in (ROOT / "apps").glob("*/apps.py")}


def test_every_line_has_its_columns() -> None:
    lines = [
        line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]

    assert {line.count("\t") for line in lines} == {5}


def test_fault_ids_are_unique() -> None:
    assert [
        key for key, times in Counter(fault.id for fault in read_faults()).items() if times > 1
    ] == []


def test_every_fault_finds_its_text_exactly_once() -> None:
    def times(fault: Fault) -> int:
        path = ROOT / fault.path
        return path.read_text(encoding="utf-8").count(fault.find) if path.exists() else 0

    assert [
        f"{fault.id}: {fault.path}: {fault.find}" for fault in read_faults() if times(fault) != 1
    ] == []


def test_every_fault_changes_its_file_and_describes_its_effect() -> None:
    def is_fault(fault: Fault) -> bool:
        text = (ROOT / fault.path).read_text(encoding="utf-8")
        return plant_fault(fault, text) != text and bool(fault.breaks.strip())

    assert [fault.id for fault in read_faults() if not is_fault(fault)] == []


def test_there_are_faults_of_every_app_and_of_the_front_end() -> None:
    parts = Counter(fault.part for fault in read_faults())

    assert sum(parts.values()) >= 200
    assert parts["frontend"] >= 20
    assert {app: parts[app] for app in APPS if parts[app] < 5} == {}
