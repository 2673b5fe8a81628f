"""The base class of all importers. It plans a batch of rows (create, update, unchanged or
refused) and then writes the plan.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from django.db import models

from apps.catalog.enums import ChangeKind
from apps.catalog.services.changes import changes_record
from apps.catalog.services.imports.report import Action
from apps.catalog.services.imports.sheet import Column, Row, SheetColumns
from apps.catalog.services.product_index import Words
from apps.common.services.import_run import CHUNK_ROWS

if TYPE_CHECKING:
    from apps.org.models import Account

M = TypeVar("M", bound=models.Model)


@dataclass(slots=True)
class PlannedRow(Generic[M]):
    """A valid row with its instance and action. `changes` holds (field, old, new)."""

    row: Row
    key: str
    instance: M
    action: Action
    changes: tuple[tuple[str, Any, Any], ...] = ()


class Importer(ABC, Generic[M]):
    """Imports one kind of sheet. An instance serves one pass over one file and remembers the
    keys of earlier rows, to refuse duplicates.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    columns: ClassVar[tuple[Column, ...]]
    model: ClassVar[type[models.Model]]
    change_kind: ClassVar[ChangeKind]
    # Whether a sheet creates rows. If not, a new row's missing columns are no further error.
    creates_rows: ClassVar[bool] = True
    # Relations for select_related in an export.
    export_related: ClassVar[tuple[str, ...]] = ()
    # Fields that a constraint compares. After a failure they are restored together.
    joint_fields: ClassVar[tuple[str, ...]] = ()
    # Whether `take_back` deletes the created rows before it restores the others, because they may
    # have the values of a restored row. Only for a model to which no other row refers.
    is_erased_first: ClassVar[bool] = False
    # Rows per transaction.
    chunk_rows: ClassVar[int] = CHUNK_ROWS

    def __init__(self, *, today: date, sheet: SheetColumns, actor: Account | None = None) -> None:
        self.today = today
        self.sheet = sheet
        # None means the command line.
        self.actor = actor
        self._seen: dict[str, int] = {}
        # Values that `precompute` computed before the lock. The writer passes them on to the
        # importer that writes under the lock.
        self.words: Words = {}
        # The ids of the CatalogChanges that `write` recorded, by their key.
        self.change_ids: dict[str, int] = {}
        # Products to index again after all rows are written.
        self.to_reindex: list[int] = []

    def plan(self, rows: Sequence[Row]) -> list[PlannedRow[M]]:
        """Return the plan of the valid rows of a batch. Errors are recorded in the refused rows."""
        fresh = [row for row in rows if self._is_first(row)]
        self.prepare(fresh)
        planned = []
        for row in fresh:
            attributes = self.plan_attributes(row)
            if row.refused:
                continue
            instance = self.find(row)
            item = self._plan_row(row, instance, attributes)
            self.check(item)
            if not row.refused:
                planned.append(item)
        return planned

    def _is_first(self, row: Row) -> bool:
        """Return whether no earlier row has the same key; otherwise refuse the row as a
        repetition.
        """
        if row.refused and not self._has_key(row):
            return False
        key = self.build_row_key(row)
        first_row_no = self._seen.setdefault(key, row.number)
        if first_row_no != row.number:
            row.refuse("", f"与第 {first_row_no} 行重复（{key}），请只保留一行")
        return first_row_no == row.number

    def _has_key(self, row: Row) -> bool:
        return all(column.field in row.values for column in self.columns if column.is_key)

    def _plan_row(self, row: Row, stored: M | None, attributes: dict[str, Any]) -> PlannedRow[M]:
        """Return the plan of a row: create, update with each changed field, or leave. `stored` is
        the row in the database; its fields are set.
        """
        if stored is None:
            for header in self.sheet.missing_for_new if self.creates_rows else ():
                row.refuse(header, f"{self.build_row_key(row)} 尚不存在，新增时需要这一列")
            instance: M = self.model(**attributes)  # type: ignore[assignment]
            return PlannedRow(row, self.build_row_key(row), instance, Action.CREATE)
        changes = []
        for name, value in attributes.items():
            old = getattr(stored, name)
            if old != value:
                changes.append((name, old, value))
                setattr(stored, name, value)
        return PlannedRow(
            row,
            self.build_row_key(row),
            stored,
            Action.UPDATE if changes else Action.UNCHANGED,
            tuple(changes),
        )

    def build_row_key(self, row: Row) -> str:
        """Return the key that identifies the row within the sheet."""
        return str(row.values["code"])

    def prepare(self, rows: Sequence[Row]) -> None:
        """Load the instances that the batch refers to, in as few queries as possible."""

    @abstractmethod
    def find(self, row: Row) -> M | None:
        """Return the stored instance with the row's key, or None."""

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the row's values by attribute, with foreign keys resolved. Refuse unknown
        references.
        """
        return dict(row.values)

    def check(self, item: PlannedRow[M]) -> None:
        """Validate the row as a whole."""

    def begin_restore(self, keys: Iterable[int]) -> None:
        """Begin to restore the `joint_fields` of the rows with these primary keys. Called again
        without the rows that must keep their present values.
        """

    def check_restored(self, instance: M) -> bool:
        """Return whether the `joint_fields` of a restored instance meet their constraints. May lock
        rows and keep the instance for the check of the next ones.
        """
        return True

    def compute_moved_cents(self, item: PlannedRow[M]) -> int:
        """Return by how much the row changes a price, up or down, in cents. 0 by default."""
        return 0

    def has_low_price(self, item: PlannedRow[M]) -> bool:
        """Return whether the row sets a price far below the present one. False by default."""
        return False

    def get_confirmed_value(self, item: PlannedRow[M]) -> str | None:
        """Return the stored value that the person confirmed to replace. If it is another one when
        the row is written, the sheet is refused. None, as by default: no value is compared.
        """
        return None

    def format_value(self, field: str, value: Any) -> str:
        """Return a value as the preview shows it."""
        if value is None or value == "":
            return "（空）"
        if isinstance(value, bool):
            return "是" if value else "否"
        if isinstance(value, dict):
            return ";".join(f"{name}:{text}" for name, text in value.items())
        choices = dict(self.model._meta.get_field(field.removesuffix("_id")).flatchoices)  # type: ignore[union-attr]
        return str(choices.get(value, value))

    @classmethod
    def begin(cls) -> None:
        """Load shared data once before the first row is written."""

    def precompute(self, planned: Sequence[PlannedRow[M]]) -> None:
        """Compute expensive values of the rows before any row is locked."""

    def lock(self, keys: Iterable[int]) -> None:
        """Lock the rows to update, ordered by primary key."""

    def write(self, planned: Sequence[PlannedRow[M]]) -> None:
        """Write the created and updated rows of a batch, with a CatalogChange for each."""
        changed = [item for item in planned if item.action is not Action.UNCHANGED]
        self.store(changed)
        self.change_ids = changes_record(
            self.change_kind, [self.change_key(item) for item in changed]
        )

    def list_created_keys(self, planned: Sequence[PlannedRow[M]]) -> dict[str, int]:
        """Return the primary keys of the rows that `write` created, by row key."""
        return {item.key: item.instance.pk for item in planned if item.action is Action.CREATE}

    def erase(self, keys: list[int]) -> None:
        """Delete rows that this import created. Raises ProtectedError if another row refers to
        one.
        """
        self.model._default_manager.filter(pk__in=keys).delete()

    def revive(self, key: str, pk: int) -> M | None:
        """Return an unsaved instance for a row that this import deleted, with the values that the
        plan gave it. None, as by default: this kind of sheet deletes nothing.
        """
        return None

    def change_key(self, item: PlannedRow[M]) -> str:
        """Return the key of the row's CatalogChange."""
        return item.key

    def list_written_fields(self) -> list[str]:
        """Return the names of the model fields that this sheet sets."""
        return [column.target for column in self.sheet.present if not column.is_key]

    def store(self, changed: Sequence[PlannedRow[M]]) -> None:
        """Write instances in bulk: insert new ones, upsert existing ones by primary key."""
        manager: Any = self.model._default_manager
        new = [item.instance for item in changed if item.action is Action.CREATE]
        instances = [item.instance for item in changed if item.action is Action.UPDATE]
        manager.bulk_create(new, batch_size=500)
        if instances:
            manager.bulk_create(
                instances,
                batch_size=500,
                update_conflicts=True,
                unique_fields=["id"],
                update_fields=self.list_written_fields(),
            )


class CodedImporter(Importer[M]):
    """An importer for a table with a unique `code`."""

    def prepare(self, rows: Sequence[Row]) -> None:
        codes = [row.values["code"] for row in rows]
        manager: Any = self.model._default_manager
        self._existing: dict[str, M] = {item.code: item for item in manager.filter(code__in=codes)}

    def find(self, row: Row) -> M | None:
        return self._existing.get(row.values["code"])


# The importers by kind, ordered so that each kind follows the kinds it depends on.
IMPORTERS: dict[str, type[Importer[Any]]] = {}


def catalogue_importers_register(*importers: type[Importer[Any]]) -> None:
    """Add importers to the table. Call it in `AppConfig.ready` of the app that owns the models."""
    IMPORTERS.update({importer.kind: importer for importer in importers})
