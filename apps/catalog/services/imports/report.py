"""What an import found: counts, what would change, and every refused cell with its row and column."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

MAX_ERRORS_KEPT = 200
MAX_EXAMPLES_KEPT = 50


class Action(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"

    @property
    def text(self) -> str:
        """The action as the preview shows it."""
        return {"create": "新增", "update": "更新", "unchanged": "不变"}[self.value]


@dataclass(frozen=True, slots=True)
class RowError:
    """A refused cell; `row` counts as the sheet does, the header being row 1; `column` is the header's text or empty for the whole row."""

    row: int
    column: str
    message: str

    def __str__(self) -> str:
        place = f"第 {self.row} 行" if self.row else "文件"
        return f"{place}「{self.column}」：{self.message}" if self.column else f"{place}：{self.message}"


@dataclass(frozen=True, slots=True)
class Example:
    """One row of the preview: its key and, for an update, each changed column as (header, old, new)."""

    row: int
    key: str
    action: Action
    changes: tuple[tuple[str, str, str], ...] = ()


@dataclass(slots=True)
class ImportReport:
    """The outcome of one file; `applied` tells whether it was written."""

    kind: str
    title: str
    rows: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    error_count: int = 0
    applied: bool = False
    errors: list[RowError] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)

    def refuse(self, row: int, column: str, message: str) -> None:
        """Count an error, and keep it while the list is short."""
        self.error_count += 1
        if len(self.errors) < MAX_ERRORS_KEPT:
            self.errors.append(RowError(row, column, message))

    def count(self, action: Action, example: Example | None = None) -> None:
        """Count a good row, and keep it as an example while the list is short."""
        if action is Action.CREATE:
            self.created += 1
        elif action is Action.UPDATE:
            self.updated += 1
        else:
            self.unchanged += 1
        if example is not None and len(self.examples) < MAX_EXAMPLES_KEPT:
            self.examples.append(example)

    @property
    def applied_rows(self) -> int:
        """How many rows of it are carried out when it is confirmed."""
        return self.rows

    @property
    def is_clean(self) -> bool:
        """Whether nothing was refused."""
        return self.error_count == 0

    @property
    def summary(self) -> str:
        """The counts in one line of Chinese."""
        text = f"{self.title}：共 {self.rows} 行，新增 {self.created}，更新 {self.updated}，不变 {self.unchanged}"
        return f"{text}，错误 {self.error_count}" if self.error_count else text
