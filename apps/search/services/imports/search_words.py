"""Importer of 搜索词."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError

from apps.catalog.enums import ChangeKind
from apps.catalog.indexing.text import normalise
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import Importer, Planned
from apps.catalog.services.imports.sheet import Column, Row
from apps.search.enums import SynonymKind
from apps.search.models import SearchSynonym

KINDS = {kind.value: kind.value for kind in SynonymKind} | {
    "同义词": SynonymKind.SAME.value,
    "也指": SynonymKind.MEANS.value,
    "单位换算": SynonymKind.UNIT.value,
    "忽略词": SynonymKind.IGNORED.value,
}
HEADERS = {"others": "对应词", "factor": "换算系数"}


def word(cell: str, today: date) -> str:
    """Return the word in normalised form."""
    return normalise(cells.text(40)(cell, today))


class SearchWordImporter(Importer[SearchSynonym]):
    """Importer of 搜索词. A word has one row."""

    kind = "search_words"
    title = "搜索词"
    model = SearchSynonym
    change_kind = ChangeKind.SEARCH
    columns = (
        Column("词", "word", word, is_key=True, example="签字笔"),
        Column("作用", "kind", cells.choice(KINDS), required=True, example="同义词"),
        Column("对应词", "others", cells.text(300), empty="", example="中性笔；水笔"),
        Column("换算系数", "factor", cells.factor, empty=None, example=""),
        Column("启用", "is_active", cells.yes_no, empty=True, example="是"),
    )

    def key_of(self, row: Row) -> str:
        return str(row.values["word"])

    def prepare(self, rows: Sequence[Row]) -> None:
        words = [row.values["word"] for row in rows]
        self._found = {found.word: found for found in SearchSynonym.objects.filter(word__in=words)}

    def find(self, row: Row) -> SearchSynonym | None:
        return self._found.get(row.values["word"])

    def check(self, item: Planned[SearchSynonym]) -> None:
        try:
            item.instance.clean()
        except ValidationError as error:
            for field, messages in error.message_dict.items():
                item.row.refuse(HEADERS.get(field, field), "；".join(messages))

    def shown(self, field: str, value: Any) -> str:
        return f"{value:f}" if isinstance(value, Decimal) else super().shown(field, value)
