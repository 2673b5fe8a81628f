"""docs/dependencies.md has exactly one row for each direct dependency."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def listed(*headings: str) -> set[str]:
    """Return the packages in the tables under these headings."""
    sections = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").split("\n## ")
    wanted = [section for section in sections if section.splitlines()[0] in headings]
    return {
        name for section in wanted for name in re.findall(r"^\| ([^ |]+) \|", section, re.MULTILINE)
    } - {"package"}


def python_packages(name: str) -> set[str]:
    """Return the packages of a requirements file, without versions and extras."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {
        re.split(r"[\[<>=!~; ]", line)[0]
        for line in lines
        if line and not line.startswith(("-", "#"))
    }


def npm_packages(kind: str) -> set[str]:
    """Return the front end's `dependencies` or `devDependencies`."""
    return set(
        json.loads((ROOT / "frontend" / "package.json").read_text(encoding="utf-8")).get(kind, {})
    )


def test_every_python_package_at_run_time_has_its_line() -> None:
    assert listed("Python, at run time") == python_packages("requirements.in")


def test_every_python_package_for_work_has_its_line() -> None:
    assert listed("Python, for work on it") == python_packages("requirements-dev.in")


def test_every_package_of_the_page_has_its_line() -> None:
    assert listed("npm, in the page") == npm_packages("dependencies")


def test_every_npm_package_for_work_has_its_line() -> None:
    assert listed("npm, for work on it") == npm_packages("devDependencies")
