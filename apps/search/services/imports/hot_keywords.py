"""Importer of 热词."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from apps.catalog.enums import ChangeKind
from apps.catalog.indexing.text import normalise
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import Importer, Planned
from apps.catalog.services.imports.sheet import Column, Row
from apps.common.days import moment_text
from apps.search.enums import HotKeywordKind
from apps.search.models import HotKeyword

KINDS = {kind.value: kind.value for kind in HotKeywordKind} | {
    str(kind.label): kind.value for kind in HotKeywordKind
}
MOST_TEXT = 60


def written(text: str) -> str:
    """Return the keyword as it is displayed.

    Raises:
        ValueError: the normalised keyword is too long.
    """
    shown = " ".join(text.split())
    if len(normalise(shown)) > MOST_TEXT:
        raise ValueError(f"最多 {MOST_TEXT} 个字")
    return shown


def word(cell: str, today: date) -> str:
    """Return the keyword of a cell as it is displayed. Rejects a keyword that is too long."""
    return written(str(cells.text(MOST_TEXT)(cell, today)))


class HotKeywordImporter(Importer[HotKeyword]):
    """Importer of 热词. A keyword has one row, regardless of case and width."""

    kind = "hot_keywords"
    title = "热词"
    model = HotKeyword
    change_kind = ChangeKind.SEARCH
    columns = (
        Column("热词", "keyword", word, is_key=True, example="A4 复印纸"),
        Column("作用", "kind", cells.choice(KINDS), required=True, example="置顶"),
        Column("顺序", "position", cells.integer(0, 32767), empty=0, example="1"),
        Column("开始时间", "valid_from", cells.moment, empty=None, example="2026-11-01 00:00"),
        Column("结束时间", "valid_to", cells.moment, empty=None, example=""),
        Column("启用", "is_active", cells.yes_no, empty=True, example="是"),
    )

    def key_of(self, row: Row) -> str:
        return normalise(row.values["keyword"])

    def prepare(self, rows: Sequence[Row]) -> None:
        self._found = {
            found.key: found
            for found in HotKeyword.objects.filter(key__in=[self.key_of(row) for row in rows])
        }

    def find(self, row: Row) -> HotKeyword | None:
        return self._found.get(self.key_of(row))

    def attributes(self, row: Row) -> dict[str, Any]:
        return {**row.values, "key": self.key_of(row)}

    def check(self, item: Planned[HotKeyword]) -> None:
        begins, ends = item.instance.valid_from, item.instance.valid_to
        if begins is not None and ends is not None and ends <= begins:
            item.row.refuse("结束时间", "结束时间必须晚于开始时间")

    def written_fields(self) -> list[str]:
        """Include the keyword, because its spelling can differ from the stored one."""
        return ["keyword", *super().written_fields()]

    def change_key(self, item: Planned[HotKeyword]) -> str:
        return f"hot:{item.instance.keyword}"

    def shown(self, field: str, value: Any) -> str:
        return (
            moment_text(value, has_seconds=True)
            if isinstance(value, datetime)
            else super().shown(field, value)
        )
