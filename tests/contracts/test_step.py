"""deploy/step.py runs a command once per state of its inputs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORD = [sys.executable, "-c", "open('made', 'a').write('x')"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a tree with the step script and one input."""
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy" / "step.py", tmp_path / "deploy")
    (tmp_path / "input").write_text("1")
    return tmp_path


def run(
    tree: Path,
    *options: str,
    name: str = "name",
    command: list[str] = RECORD,
    database: str = "",
) -> int:
    """Run the step in `tree` and return its exit code."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DATABASE_URL": database} if database else {}
    line = [sys.executable, "deploy/step.py", name, "--input", "input", *options, "--", *command]
    return subprocess.run(
        line, cwd=tree, env=environment, check=False, capture_output=True
    ).returncode


def get_times(tree: Path) -> int:
    """Return how often the command has run."""
    return len((tree / "made").read_text())


def test_second_run_skips_the_step(tree: Path) -> None:
    assert [run(tree), run(tree)] == [0, 0]
    assert get_times(tree) == 1


def test_a_changed_input_runs_it_again(tree: Path) -> None:
    run(tree)
    (tree / "input").write_text("2")
    run(tree)

    assert get_times(tree) == 2


def test_a_missing_product_runs_it_again(tree: Path) -> None:
    run(tree, "--makes", "product")
    run(tree, "--makes", "product")

    assert get_times(tree) == 2


def test_a_failure_is_handed_on_and_tried_again(tree: Path) -> None:
    fails = [sys.executable, "-c", "open('made', 'a').write('x'); raise SystemExit(3)"]

    assert [run(tree, command=fails), run(tree, command=fails)] == [3, 3]
    assert get_times(tree) == 2


def test_existing_sqlite_file_is_not_checked_again(tree: Path) -> None:
    (tree / "mall.sqlite3").touch()
    url = f"sqlite:///{tree / 'mall.sqlite3'}"
    run(tree, "--database", database=url)
    run(tree, "--database", database=url)

    assert get_times(tree) == 1


def test_a_deleted_sqlite_file_is_made_again(tree: Path) -> None:
    url = f"sqlite:///{tree / 'mall.sqlite3'}"
    run(tree, "--database", database=url)
    run(tree, "--database", database=url)

    assert get_times(tree) == 2


def test_the_steps_after_the_one_that_creates_the_file_run_again(tree: Path) -> None:
    file = tree / "mall.sqlite3"
    create = [sys.executable, "-c", f"open({str(file)!r}, 'a')"]
    for _ in range(2):
        run(tree, "--database", name="migrations", command=create, database=f"sqlite:///{file}")
        run(tree, "--database", name="demo-data", database=f"sqlite:///{file}")
        run(tree, "--database", name="demo-data", database=f"sqlite:///{file}")
        file.unlink()

    assert get_times(tree) == 2


def test_database_server_is_checked_on_every_run(tree: Path) -> None:
    run(tree, "--database", database="postgres://127.0.0.1/mall")
    run(tree, "--database", database="postgres://127.0.0.1/mall")

    assert get_times(tree) == 2
