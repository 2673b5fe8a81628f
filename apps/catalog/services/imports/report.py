"""The report of an import: counts, example changes, and the refused cells with row and column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Self

MAX_ERRORS_KEPT = 200
MAX_EXAMPLES_KEPT = 50


class Action(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"

    @property
    def text(self) -> str:
        """Return the action as the preview shows it."""
        return {"create": "新增", "update": "更新", "unchanged": "不变"}[self.value]


@dataclass(frozen=True, slots=True)
class RowError:
    """A refused cell. `row` is the row number in the sheet; the header is row 1. `column` is
    the header, or empty for the whole row.
    """

    row: int
    column: str
    message: str

    def __str__(self) -> str:
        place = f"第 {self.row} 行" if self.row else "文件"
        return (
            f"{place}「{self.column}」：{self.message}"
            if self.column
            else f"{place}：{self.message}"
        )


@dataclass(frozen=True, slots=True)
class Example:
    """A row of the preview: its key and, for an update, each changed column as (header, old,
    new).
    """

    row: int
    key: str
    action: Action
    changes: tuple[tuple[str, str, str], ...] = ()


@dataclass(slots=True)
class ImportReport:
    """The result of one file. `applied` says whether the file was imported.

    If an import was taken back, `rows_left` rows could not be restored; `stayed` names the first of
    them. `rows_taken_back` rows were restored.
    """

    kind: str
    title: str
    rows: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    error_count: int = 0
    wrong_rows: int = 0
    # The file as a whole was refused, so that no row of it can be imported.
    is_unreadable: bool = False
    # Headers that the template does not have, and columns of the template that the sheet lacks.
    unknown: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    applied: bool = False
    # The sum of all changes of a price, up and down, in cents. 0 for sheets without prices.
    moved_cents: int = 0
    # Rows with a new price that is far below the present one.
    low_prices: int = 0
    errors: list[RowError] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    rows_taken_back: int = 0
    rows_left: int = 0
    stayed: list[RowError] = field(default_factory=list)

    def refuse(self, row: int, column: str, message: str) -> None:
        """Count an error. The first errors are also stored."""
        self.error_count += 1
        self.is_unreadable = self.is_unreadable or row <= 1
        if len(self.errors) < MAX_ERRORS_KEPT:
            self.errors.append(RowError(row, column, message))

    def record_kept_name(self, row: int, column: str, message: str) -> None:
        """Name a row that could not be restored. The first rows are stored."""
        if len(self.stayed) < MAX_ERRORS_KEPT:
            self.stayed.append(RowError(row, column, message))

    def count(self, action: Action, example: Example | None = None) -> None:
        """Count a valid row. The first changed rows are also stored as examples."""
        if action is Action.CREATE:
            self.created += 1
        elif action is Action.UPDATE:
            self.updated += 1
        else:
            self.unchanged += 1
        if example is not None and len(self.examples) < MAX_EXAMPLES_KEPT:
            self.examples.append(example)

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, json_fields: Mapping[str, Any]) -> Self:
        """Return the report from the data of `as_json`."""
        lists = ("errors", "examples", "stayed")
        plain = [field.name for field in fields(cls) if field.name not in lists]
        report = cls(**{name: json_fields[name] for name in plain if name in json_fields})
        report.errors = [RowError(**error) for error in json_fields["errors"]]
        report.stayed = [RowError(**error) for error in json_fields.get("stayed", [])]
        for example in json_fields["examples"]:
            changes = tuple((header, old, new) for header, old, new in example["changes"])
            report.examples.append(
                Example(example["row"], example["key"], Action(example["action"]), changes)
            )
        return report

    @property
    def applied_rows(self) -> int:
        """Return the number of rows that a confirmation applies."""
        return self.rows

    @property
    def good_rows(self) -> int:
        """Return the number of valid rows of a file with wrong rows. 0 for an unreadable file."""
        return 0 if self.is_unreadable else self.rows - self.wrong_rows

    @property
    def is_clean(self) -> bool:
        """Return whether no row was refused."""
        return self.error_count == 0

    @property
    def hidden_rows(self) -> int:
        """Return the number of rows that stayed and are not in `stayed`."""
        is_full = len(self.stayed) == MAX_ERRORS_KEPT
        return self.rows_left - len(self.stayed) if is_full else 0

    @property
    def taken_back_text(self) -> str:
        """Return how many rows were taken back and how many stayed. Empty if none stayed."""
        if not self.rows_left:
            return ""
        return (
            f"已撤回 {self.rows_taken_back:,} 行，{self.rows_left:,} 行因后来已被修改或引用，"
            "仍是导入后的内容"
        )

    @property
    def summary(self) -> str:
        """Return the counts as one line of Chinese."""
        text = (
            f"{self.title}：共 {self.rows} 行，新增 {self.created}，更新 {self.updated}，不变 "
            f"{self.unchanged}"
        )
        return f"{text}，错误 {self.error_count}" if self.error_count else text
