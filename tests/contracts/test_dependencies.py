"""docs/dependencies.md has exactly one row for each direct dependency."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def list_listed(*headings: str) -> set[str]:
    """Return the packages in the tables under these headings."""
    sections = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").split("\n## ")
    wanted = [section for section in sections if section.splitlines()[0] in headings]
    return {
        name for section in wanted for name in re.findall(r"^\| ([^ |]+) \|", section, re.MULTILINE)
    } - {"package"}


def list_python_packages(name: str) -> set[str]:
    """Return the packages of a requirements file, without versions and extras."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {
        re.split(r"[\[<>=!~; ]", line)[0]
        for line in lines
        if line and not line.startswith(("-", "#"))
    }


def list_npm_packages(kind: str) -> set[str]:
    """Return the front end's `dependencies` or `devDependencies`."""
    return set(
        json.loads((ROOT / "frontend" / "package.json").read_text(encoding="utf-8")).get(kind, {})
    )


def test_every_python_package_at_run_time_has_its_line() -> None:
    assert list_listed("Python, at run time") == list_python_packages("requirements.in")


def test_every_python_package_for_work_has_its_line() -> None:
    assert list_listed("Python, for work on it") == list_python_packages("requirements-dev.in")


def test_every_package_of_the_page_has_its_line() -> None:
    assert list_listed("npm, in the page") == list_npm_packages("dependencies")


def test_every_npm_package_for_work_has_its_line() -> None:
    assert list_listed("npm, for work on it") == list_npm_packages("devDependencies")
