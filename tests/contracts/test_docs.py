"""Everything that the documents name exists: files, folders, links, anchors, and commands of
make and manage.py.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
# Built, installed or run, not written.
OUTSIDE = {
    ".git",
    ".venv",
    "node_modules",
    "var",
    "staticfiles",
    "app",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".cache",
}
# Made by the build, or a name inside somebody else's package.
NOT_OURS = {"chunk-groups.json", "webpack-stats.json", "pcas.json", "HK-MO-TW.json"}
FILE = re.compile(r"[\w.*/-]+\.(?:py|tsx?|mjs|js|css|html|md|ya?ml|csv|tsv|toml|ini|conf|json)")
FOLDER = re.compile(r"(?:apps|bench|demo|deploy|docs|frontend|mall|templates|tests)/[\w./*-]*")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def _walk() -> Iterator[str]:
    for folder, below, files in os.walk(ROOT):
        at = Path(folder).relative_to(ROOT)
        # The page's build is static/app; its sources, frontend/src/app, are read.
        below[:] = [
            name
            for name in below
            if name not in OUTSIDE or (at / name).as_posix() == "frontend/src/app"
        ]
        yield from (f"/{(at / name).as_posix()}" for name in (*below, *files))


@cache
def get_everything() -> tuple[str, ...]:
    """Return every file and folder of the project as /path/from/the/root."""
    return tuple(_walk())


DOCUMENTS = sorted(
    path
    for path in map(Path, get_everything())
    if path.suffix == ".md" and not path.is_relative_to("/apps/content/pages")
)


def build_text(document: Path) -> str:
    return (ROOT / document.relative_to("/")).read_text(encoding="utf-8")


def is_there(name: str) -> bool:
    """Whether a path of the project ends with the name. `_bind.py` and `cancel_*` stand for
    longer names.
    """
    ending = re.escape(name.removeprefix("../").strip("/")).replace(r"\*", r"[^/]*")
    wanted = re.compile(rf"{'' if name.startswith('_') else '/'}{ending}$")
    return any(wanted.search(path) for path in get_everything())


def list_anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_path_is_there(document: Path) -> None:
    quoted = re.findall(r"`([^`\n]+)`", FENCE.sub("", build_text(document)))
    named = {
        name
        for quote in quoted
        for name in (quote.split("::")[0],)
        if FILE.fullmatch(name) or FOLDER.fullmatch(name)
    }

    assert sorted(name for name in named - NOT_OURS if not is_there(name)) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_leads_somewhere(document: Path) -> None:
    text = build_text(document)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    lost = []
    for link in links:
        path, _, anchor = link.partition("#")
        target = Path(os.path.normpath(document.parent / path)) if path else document
        if str(target) not in get_everything() or (
            anchor and anchor not in list_anchors(build_text(target))
        ):
            lost.append(link)

    assert lost == []


def test_documents_named_in_sources_exist() -> None:
    sources = [
        ROOT / path.lstrip("/")
        for path in get_everything()
        if path.endswith((".py", ".ts", ".tsx", ".mjs", ".js", ".css", ".conf"))
    ]
    named = {
        name
        for source in sources
        for name in re.findall(r"(?<![\"'\w./*-])[\w/-]+\.md\b", source.read_text(encoding="utf-8"))
    }

    assert len(named) > 5
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def test_every_command_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    written = "\n".join(build_text(document) for document in DOCUMENTS)
    commands = set(re.findall(r"manage\.py ([a-z_]+)", written))
    targets = set(re.findall(r"(?:`|^)(?:[A-Z]+=\S+ )*make ([a-z-]+)", written, re.MULTILINE))

    assert len(commands) > 5
    assert commands - set(get_commands()) == set()
    assert {target for target in targets if f"\n{target}:" not in makefile} == set()


def test_the_shared_modules_are_all_in_their_table() -> None:
    common = ROOT / "apps" / "common"
    names = {
        path.name
        for path in common.iterdir()
        if path.suffix == ".py" or (path.is_dir() and (path / "__init__.py").exists())
    }
    names -= {"__init__.py", "apps.py", "tests", "migrations"}

    table = (common / "README.md").read_text(encoding="utf-8")

    assert len(names) > 30
    assert sorted(name for name in names if not re.search(rf"`{re.escape(name)}[`/]", table)) == []
