"""The importers of 搜索词 and 热词."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError

from apps.catalog.enums import ChangeKind
from apps.catalog.indexing.text import normalise
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import Importer, PlannedRow
from apps.catalog.services.imports.sheet import Column, Row
from apps.common.days import format_moment
from apps.search.enums import HotKeywordKind, SynonymKind
from apps.search.models import HotKeyword, SearchSynonym

SYNONYM_KINDS = {kind.value: kind.value for kind in SynonymKind} | {
    "同义词": SynonymKind.SAME.value,
    "也指": SynonymKind.MEANS.value,
    "单位换算": SynonymKind.UNIT.value,
    "忽略词": SynonymKind.IGNORED.value,
}
HEADERS = {"others": "对应词", "factor": "换算系数"}
HOT_KINDS = {kind.value: kind.value for kind in HotKeywordKind} | {
    str(kind.label): kind.value for kind in HotKeywordKind
}
MAX_KEYWORD_LENGTH = 60


def search_word(cell: str, today: date) -> str:
    """Return the word in normalised form."""
    return normalise(cells.build_text_parser(40)(cell, today))


class SearchWordImporter(Importer[SearchSynonym]):
    """Importer of 搜索词. A word has one row."""

    kind = "search_words"
    title = "搜索词"
    model = SearchSynonym
    change_kind = ChangeKind.SEARCH
    columns = (
        Column("词", "word", search_word, is_key=True, example="签字笔"),
        Column(
            "作用",
            "kind",
            cells.build_choice_parser(SYNONYM_KINDS),
            required=True,
            example="同义词",
        ),
        Column("对应词", "others", cells.build_text_parser(300), empty="", example="中性笔；水笔"),
        Column("换算系数", "factor", cells.parse_factor, empty=None, example=""),
        Column("启用", "is_active", cells.parse_yes_no, empty=True, example="是"),
    )

    def build_row_key(self, row: Row) -> str:
        return str(row.values["word"])

    def prepare(self, rows: Sequence[Row]) -> None:
        """Load the stored synonyms of these rows, by word."""
        words = [row.values["word"] for row in rows]
        self._existing = {
            synonym.word: synonym for synonym in SearchSynonym.objects.filter(word__in=words)
        }

    def find(self, row: Row) -> SearchSynonym | None:
        return self._existing.get(row.values["word"])

    def check(self, item: PlannedRow[SearchSynonym]) -> None:
        """Refuse what the model refuses, such as a unit conversion without a factor."""
        try:
            item.instance.clean()
        except ValidationError as error:
            for field, messages in error.message_dict.items():
                item.row.refuse(HEADERS.get(field, field), "；".join(messages))

    def format_value(self, field: str, value: Any) -> str:
        """Show a factor without an exponent."""
        return f"{value:f}" if isinstance(value, Decimal) else super().format_value(field, value)


def clean_hot_keyword(text: str) -> str:
    """Return the keyword as it is displayed.

    Raises:
        ValueError: the normalised keyword is too long.
    """
    keyword = " ".join(text.split())
    if len(normalise(keyword)) > MAX_KEYWORD_LENGTH:
        raise ValueError(f"最多 {MAX_KEYWORD_LENGTH} 个字")
    return keyword


def parse_hot_keyword(cell: str, today: date) -> str:
    """Return the keyword of a cell as it is displayed. Rejects a keyword that is too long."""
    return clean_hot_keyword(str(cells.build_text_parser(MAX_KEYWORD_LENGTH)(cell, today)))


class HotKeywordImporter(Importer[HotKeyword]):
    """Importer of 热词. A keyword has one row, regardless of case and width."""

    kind = "hot_keywords"
    title = "热词"
    model = HotKeyword
    change_kind = ChangeKind.SEARCH
    columns = (
        Column("热词", "keyword", parse_hot_keyword, is_key=True, example="A4 复印纸"),
        Column("作用", "kind", cells.build_choice_parser(HOT_KINDS), required=True, example="置顶"),
        Column("顺序", "position", cells.build_integer_parser(0, 32767), empty=0, example="1"),
        Column(
            "开始时间", "valid_from", cells.parse_moment, empty=None, example="2026-11-01 00:00"
        ),
        Column("结束时间", "valid_to", cells.parse_moment, empty=None, example=""),
        Column("启用", "is_active", cells.parse_yes_no, empty=True, example="是"),
    )

    def build_row_key(self, row: Row) -> str:
        return normalise(row.values["keyword"])

    def prepare(self, rows: Sequence[Row]) -> None:
        """Load the stored hot words of these rows, by key."""
        self._existing = {
            hot_keyword.key: hot_keyword
            for hot_keyword in HotKeyword.objects.filter(
                key__in=[self.build_row_key(row) for row in rows]
            )
        }

    def find(self, row: Row) -> HotKeyword | None:
        return self._existing.get(self.build_row_key(row))

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Add the normalised keyword."""
        return {**row.values, "key": self.build_row_key(row)}

    def check(self, item: PlannedRow[HotKeyword]) -> None:
        """Refuse an end that is not after the start."""
        begins, ends = item.instance.valid_from, item.instance.valid_to
        if begins is not None and ends is not None and ends <= begins:
            item.row.refuse("结束时间", "结束时间必须晚于开始时间")

    def list_written_fields(self) -> list[str]:
        """Include the keyword, because its spelling can differ from the stored one."""
        return ["keyword", *super().list_written_fields()]

    def change_key(self, item: PlannedRow[HotKeyword]) -> str:
        """Return the keyword with a prefix, because other kinds of rows use the same log."""
        return f"hot:{item.instance.keyword}"

    def format_value(self, field: str, value: Any) -> str:
        """Show moments with seconds."""
        return (
            format_moment(value, has_seconds=True)
            if isinstance(value, datetime)
            else super().format_value(field, value)
        )
