"""Writes the staged rows of a sheet, one transaction per chunk, and restores them after a
failure. `common/services/import_run.py` calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Model

from apps.catalog.locks import hold_category_tree
from apps.catalog.services.changes import changes_take_back
from apps.catalog.services.imports.importer import IMPORTERS, Importer, PlannedRow
from apps.catalog.services.imports.report import Action, Example, ImportReport
from apps.catalog.services.imports.sheet import Row, SheetColumns
from apps.catalog.services.product_index import Words, products_reindex
from apps.common.models import ImportRun
from apps.common.models.import_run import ImportState
from apps.common.services.import_run import (
    ChunkRefused,
    ImportWriter,
    Written,
    rows_delete,
)

WRITER = "catalogue"
CHANGED_SINCE = "导入期间该行已被他人修改，保留现值"
REPLACED = "核对之后有人改过该行的价格，请重新上传核对"
IN_USE = "导入期间新增的这一行已被引用，未删除"
_other_importers: dict[str, type[Importer[Any]]] = {}


def importer_register(importer: type[Importer[Any]]) -> None:
    """Register the importer of another app. Call it in AppConfig.ready()."""
    _other_importers[importer.kind] = importer


def count_planned(
    report: ImportReport, importer: Importer[Any], planned: Sequence[PlannedRow[Any]]
) -> None:
    """Add the planned rows to the report: how many are created, updated or unchanged, some
    examples, and the sum of the price changes in 分.
    """
    for item in planned:
        changes = tuple(
            (
                importer.sheet.get_header(name),
                importer.format_value(name, old),
                importer.format_value(name, new),
            )
            for name, old, new in item.changes
        )
        example = (
            None
            if item.action is Action.UNCHANGED
            else Example(item.row.number, item.key, item.action, changes)
        )
        report.count(item.action, example)
        report.moved_cents += importer.compute_moved_cents(item)
        report.low_prices += importer.has_low_price(item)


def build_report(run: ImportRun) -> ImportReport:
    """Return the report of a run, with the refused rows and the rows that could not be restored."""
    report = ImportReport.from_json(run.report)
    for refusal in run.report.get("refusals", []):
        report.refuse(*refusal)
    for refusal in run.report.get("left", []):
        report.record_kept_name(*refusal)
    report.applied = run.state == ImportState.DONE
    return report


class CatalogueWriter(ImportWriter):
    """Writes chunks with one importer."""

    def __init__(self, run: ImportRun) -> None:
        """Read the day and the sheet's headers from the options of the run."""
        super().__init__(run)
        self._importer_class = IMPORTERS.get(run.kind) or _other_importers[run.kind]
        self._today = date.fromisoformat(run.options["today"])
        self._sheet = SheetColumns(
            columns=self._importer_class.columns, headers=run.options["headers"]
        )
        self._words: Words = {}
        self._touched: list[int] = []

    def prepare(self, rows: list[Any]) -> None:
        """Plan the rows without a lock: compute the expensive values and find the rows to lock."""
        importer = self._create_importer()
        planned = importer.plan(self._read_rows(rows))
        importer.precompute([item for item in planned if item.action is not Action.UNCHANGED])
        self._words = importer.words
        self._touched = sorted(item.instance.pk for item in planned if item.action is Action.UPDATE)

    def write(self, rows: list[Any]) -> Written:
        """Lock the rows, plan them again with the current data, and write them.

        Raises:
            ChunkRefused: a row is no longer valid.
        """
        importer = self._create_importer()
        importer.lock(self._touched)
        batch = self._read_rows(rows)
        planned = importer.plan(batch)
        self._refuse_replaced(rows, planned, importer)
        if refusals := [
            (row.number, header, message) for row in batch for header, message in row.refused
        ]:
            raise ChunkRefused(refusals)
        importer.write(planned)
        report = ImportReport.from_json(self.report)
        count_planned(report, importer, planned)
        self.report.update(report.as_json())
        created = importer.list_created_keys(planned)
        before = [
            _snapshot_row(item, created, importer)
            for item in planned
            if item.action is Action.UPDATE or item.key in created
        ]
        return Written(before=before, follow_up=importer.to_reindex)

    @staticmethod
    def _refuse_replaced(
        rows: list[Any], planned: Sequence[PlannedRow[Any]], importer: Importer[Any]
    ) -> None:
        """Refuse the rows whose value has changed since the person confirmed the sheet."""
        # A sheet that an older release has staged names no values.
        confirmed = {row[0]: row[2] for row in rows if len(row) > 2}
        for item in planned:
            value = importer.get_confirmed_value(item)
            if confirmed.get(item.row.number, value) != value:
                item.row.refuse("", REPLACED)

    def take_back(self, before: list[Any]) -> Written:
        """Restore the old values of the chunk's rows and delete the rows it created. Rows that were
        changed or referenced since remain and are reported. Only they keep their CatalogChange.
        """
        importer = self._create_importer()
        manager: Any = importer.model._default_manager
        importer.lock(
            sorted(change["pk"] for change in before if change["action"] == Action.UPDATE)
        )
        instances: dict[int, Any] = manager.in_bulk([change["pk"] for change in before])
        created = {
            change["pk"]: change
            for change in before
            if change["action"] == Action.CREATE and change["pk"] in instances
        }

        def erase_created() -> set[int]:
            return set(rows_delete([instances[pk] for pk in created], importer.erase))

        undeleted = erase_created() if importer.is_erased_first else None
        restoring = _plan_restore(importer, before)
        importer.store(restoring.planned)
        if undeleted is None:
            undeleted = erase_created()
        rows_left = [(change["row"], "", CHANGED_SINCE) for change in restoring.remaining]
        rows_left += [(created[pk]["row"], "", IN_USE) for pk in sorted(undeleted)]
        _take_back_changes(
            [
                *restoring.restored,
                *(change for pk, change in created.items() if pk not in undeleted),
            ],
            [*restoring.remaining, *(created[pk] for pk in undeleted)],
        )
        return Written(follow_up=importer.to_reindex, left=rows_left)

    def follow(self, items: list[Any]) -> None:
        """Index the products of renamed brands and of renamed or moved categories again."""
        hold_category_tree()
        products_reindex(product_ids=items)

    def _create_importer(self) -> Importer[Any]:
        importer = self._importer_class(today=self._today, sheet=self._sheet, actor=self.run.actor)
        importer.words = self._words
        return importer

    def _read_rows(self, rows: list[Any]) -> list[Row]:
        return [self._sheet.read(number, cells, today=self._today) for number, cells, *_ in rows]


@dataclass(slots=True)
class _Restore:
    """The rows to restore. `restored` are those of which some value comes back, `remaining` those
    of which a value of the import remains. A row may be in both.
    """

    planned: list[PlannedRow[Any]] = field(default_factory=list)
    restored: list[dict[str, Any]] = field(default_factory=list)
    remaining: list[dict[str, Any]] = field(default_factory=list)


def _plan_restore(importer: Importer[Any], before: list[Any]) -> _Restore:
    """Return the plan that restores the updated rows of a chunk.

    A row whose joint fields cannot be restored keeps their present values. These values may be the
    former ones of another row, which then cannot be restored either. The plan is therefore made
    again until no further row has to keep its joint fields.
    """
    updates = [change for change in before if change["action"] == Action.UPDATE]
    manager: Any = importer.model._default_manager
    joint_pks = {
        change["pk"] for change in updates if _has_joint_fields(importer, change["changes"])
    }
    keeping_pks: set[int] = set()
    while True:
        instances = manager.in_bulk([change["pk"] for change in updates])
        importer.begin_restore(joint_pks - keeping_pks)
        restore, restored_pks = _Restore(), set()
        for change in updates:
            pk = change["pk"]
            instance = instances.get(pk) or importer.revive(change["key"], pk)
            if instance is None:
                restore.remaining.append(change)
                continue
            fields, is_whole = _restore_fields(
                instance, change["changes"], importer, keeps_joint=pk in keeping_pks
            )
            if not is_whole:
                restore.remaining.append(change)
            if _has_joint_fields(importer, fields):
                restored_pks.add(pk)
            if fields:
                restore.restored.append(change)
                restore.planned.append(
                    PlannedRow(Row(change["row"]), change["key"], instance, Action.UPDATE, fields)
                )
        if joint_pks - restored_pks <= keeping_pks:
            return restore
        keeping_pks = joint_pks - restored_pks


def _has_joint_fields(importer: Importer[Any], changes: Iterable[Sequence[Any]]) -> bool:
    return any(name in importer.joint_fields for name, *_ in changes)


def _take_back_changes(restored: list[dict[str, Any]], remaining: list[dict[str, Any]]) -> None:
    """Take back the CatalogChanges of restored rows. Kinds that record no change have none."""
    remaining_ids = {change["change_id"] for change in remaining}
    with_change = [change for change in restored if change["change_id"] is not None]
    changes_take_back(
        keys=[change["change_key"] for change in with_change],
        ids={change["change_id"] for change in with_change} - remaining_ids,
    )


def _snapshot_row(
    item: PlannedRow[Any], created: dict[str, int], importer: Importer[Any]
) -> dict[str, Any]:
    """Return what is needed to undo the row, as JSON: the action, the primary key, and each change
    as [field, old, new].
    """
    changes = [[name, *map(_to_plain_value, (old, new))] for name, old, new in item.changes]
    pk = item.instance.pk if item.action is Action.UPDATE else created[item.key]
    return {
        "action": item.action,
        "pk": pk,
        "row": item.row.number,
        "key": item.key,
        "changes": changes,
        "change_key": (key := importer.change_key(item)),
        "change_id": importer.change_ids.get(key),
    }


def _to_plain_value(value: Any) -> Any:
    return value.pk if isinstance(value, Model) else value


def _restore_fields(
    instance: Any, changes: list[Any], importer: Importer[Any], *, keeps_joint: bool
) -> tuple[tuple[tuple[str, Any, Any], ...], bool]:
    """Restore the old value of each field that still has the imported value. Fields that belong
    together are restored all or not at all, with `keeps_joint` not at all. Return the restored
    changes, and whether all fields were restored.
    """
    single, joint = [], []
    is_joint_changed = keeps_joint
    for name, old, new in changes:
        field = instance._meta.get_field(name)
        now, before = getattr(instance, field.attname), field.to_python(old)
        is_changed = now != field.to_python(new)
        if name in importer.joint_fields:
            is_joint_changed = is_joint_changed or is_changed
            joint.append((name, field.attname, now, before))
        elif not is_changed:
            single.append((name, field.attname, now, before))
    back = single if is_joint_changed else [*single, *joint]
    for _, attribute, _, before in back:
        setattr(instance, attribute, before)
    if not importer.check_restored(instance):
        for _, attribute, now, _ in joint:
            setattr(instance, attribute, now)
        back = single
    return tuple((name, now, before) for name, _, now, before in back), len(back) == len(changes)
