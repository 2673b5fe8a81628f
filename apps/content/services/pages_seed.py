"""The initial text of help and about pages, from the files in `pages/`. Existing pages are not
changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from apps.content.enums import ABOUT_PAGES, PageKind
from apps.content.models import HELP_PAGES, ContentPage

TEXTS = Path(__file__).resolve().parents[1] / "pages"


def pages_seed(*, using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> int:
    """Add the missing pages and return how many. Runs after each migrate.

    Returns 0 if the table does not exist, e.g. after `migrate APP NAME` on an empty database. The
    next full migrate adds them.
    """
    if ContentPage._meta.db_table not in connections[using].introspection.table_names():
        return 0
    have = set(ContentPage.objects.values_list("kind", "key"))
    wanted = [
        (PageKind.HELP, str(number), f"help-{number:02}") for number in range(1, HELP_PAGES + 1)
    ]
    wanted += [(PageKind.ABOUT, name, f"about-{name}") for name in ABOUT_PAGES]
    rows = [
        _page(kind, key, file, position)
        for position, (kind, key, file) in enumerate(wanted, start=1)
        if (kind, key) not in have
    ]
    return len(ContentPage.objects.bulk_create(rows, ignore_conflicts=True))


def _page(kind: PageKind, key: str, file: str, position: int) -> ContentPage:
    title, summary, body = (TEXTS / f"{file}.md").read_text("utf-8").split("\n\n", 2)
    return ContentPage(
        kind=kind,
        key=key,
        position=position,
        title=title.removeprefix("# "),
        summary=summary.removeprefix("> "),
        body=body.strip() + "\n",
    )
