"""Import departments from a sheet. The preview shows each row. Then all rows are written, only the
valid ones, or none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO, Any

from django.db.models import Max
from django.utils import timezone

from apps.common.errors import SheetRefused, ValidationFailed
from apps.common.models import ImportRun
from apps.common.services.import_run import (
    ChunkRefused,
    ImportWriter,
    Refusal,
    Written,
    count_actions,
    get_importer,
    rows_delete,
    sheet_import,
)
from apps.common.services.wrong_rows import WrongSheet
from apps.documents.excel import build_wrong_sheet, read_table
from apps.org import texts
from apps.org.enums import ChangeAction
from apps.org.errors import (
    DepartmentImportBeyondScope,
    DepartmentSheetEmpty,
)
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department, Enterprise
from apps.org.selectors.departments import can_manage_top_level, list_department_enterprises
from apps.org.selectors.own_departments import OwnDepartments, read_own_departments
from apps.org.services.department import (
    department_change_record,
    department_clean,
    get_department_values,
)

COLUMNS = {
    "企业编码": "enterprise",
    "部门编码": "code",
    "部门名称": "name",
    "上级部门编码": "parent",
    "负责人账号": "head",
    "成本中心": "cost_center",
}
MAX_ROWS = 2000
WRITER = "departments"
# A row needs several statements and history entries, so chunks are smaller than for other imports.
CHUNK_ROWS = 25
Key = tuple[int, str]


@dataclass(slots=True)
class ImportRow:
    """One row of the sheet. `number` is the row number in the file. `action` is create, update
    or same.
    """

    number: int
    cells: tuple[str, ...]
    enterprise: Enterprise | None = None
    head: Account | None = None
    action: str = "create"
    errors: list[str] = field(default_factory=list)

    @property
    def named(self) -> dict[str, str]:
        """The cells by column name."""
        return dict(zip(COLUMNS.values(), self.cells, strict=True))

    @property
    def key(self) -> Key:
        """The key that identifies the department."""
        return (self.enterprise.pk if self.enterprise else 0, self.cells[1])

    @property
    def parent_key(self) -> Key | None:
        """The key that identifies the parent. None for the top level."""
        return (self.key[0], self.cells[3]) if self.cells[3] else None


def require_department_import(actor: Account) -> None:
    """Raise Forbidden if the actor does not manage a whole enterprise. The API calls it before it
    remembers the mapping of columns, which applies to everybody of the group.
    """
    if not _get_importable_enterprises(actor):
        raise DepartmentImportBeyondScope


def departments_preview(*, actor: Account, file: IO[bytes]) -> list[ImportRow]:
    """Return the rows of the sheet with the planned action and errors. Writes nothing.

    Raises:
        FileRefused: the file is not a sheet, has other columns, no rows or more than 2,000 rows.
        Forbidden: the actor does not manage a whole enterprise.
    """
    require_department_import(actor)
    rows = _read_rows(file)
    _validate_rows(actor, rows, _get_importable_enterprises(actor))
    return rows


def departments_import(*, actor: Account, file: IO[bytes], is_good_only: bool = False) -> ImportRun:
    """Write all rows of the sheet in short transactions, parents first, and return the run.
    `is_good_only`: write the valid rows although others are wrong; rows below a wrong row count as
    wrong.

    Raises:
        FileRefused, Forbidden: as departments_preview.
        ValidationFailed: a row has an error, or a concurrent change made it invalid. Rows that were
            already written are reverted.
    """
    began_at = timezone.now()
    rows = departments_preview(actor=actor, file=file)
    errors_by_row = {row.number: row.errors for row in rows if row.errors}
    refusal = SheetRefused(errors_by_row)
    if errors_by_row and not is_good_only:
        raise refusal
    valid_rows = _list_valid_rows(actor, rows)
    keys = sorted({row.key for row in valid_rows})
    return sheet_import(
        writer=WRITER,
        actor=actor,
        rows=[[row.number, row.cells] for row in rows],
        good=[[row.number, row.cells] for row in _sort_parents_first(valid_rows)],
        wrong=departments_build_wrong_sheet(rows) if is_good_only else None,
        refusal=refusal if errors_by_row else None,
        options={"keys": keys},
        began_at=began_at,
        chunk_rows=CHUNK_ROWS,
    )


def departments_build_wrong_sheet(rows: Iterable[ImportRow]) -> WrongSheet:
    """Return the sheet of the rows that have errors."""
    return build_wrong_sheet(
        "部门", columns=COLUMNS, rows=((row.named, row.errors) for row in rows)
    )


def _list_valid_rows(actor: Account, rows: list[ImportRow]) -> list[ImportRow]:
    """Return the rows that are valid without the wrong ones. A row below a wrong one gets the
    errors that it has without that.
    """
    row_by_number = {row.number: row for row in rows}
    valid_rows = [row for row in rows if not row.errors]
    while len(valid_rows) < len(rows):
        rows = [ImportRow(row.number, row.cells) for row in valid_rows]
        if rows:
            _validate_rows(actor, rows, _get_importable_enterprises(actor))
        for row in rows:
            row_by_number[row.number].errors = row.errors
        valid_rows = [row for row in rows if not row.errors]
    return valid_rows


class DepartmentWriter(ImportWriter):
    """Writes departments, one chunk per transaction."""

    def write(self, rows: list[Any]) -> Written:
        """Check the rows again against the current tree, and write them.

        Raises:
            ChunkRefused: a row has an error. Nothing is written.
        """
        actor = get_importer(self.run)
        _lock_enterprises_of(actor)
        sheet = [ImportRow(number, tuple(cells)) for number, cells in rows]
        departments = self._validate_chunk(actor, sheet)
        self.report = count_actions(self.report, (row.action for row in sheet))
        history_before = {key: get_department_values(row) for key, row in departments.items()}
        fields_before = {key: _get_field_values(row) for key, row in departments.items()}
        # Save all rows before any parent is set, because the parent may be a row of this chunk.
        for row in sheet:
            departments[row.key] = _save_department(actor, row, departments.get(row.key))
        undo_entries = []
        for row in sheet:
            department = departments[row.key]
            department.parent = departments[row.parent_key] if row.parent_key else None
            department.save(update_fields=["parent", "updated_at"])
            department_change_record(
                actor,
                department,
                ChangeAction.UPDATE if row.key in history_before else ChangeAction.CREATE,
                history_before.get(row.key, {}),
                get_department_values(department),
                texts.IMPORTED,
            )
            undo_entries.append(
                [
                    row.number,
                    department.pk,
                    fields_before.get(row.key),
                    _get_field_values(department),
                ]
            )
        return Written(before=undo_entries)

    def _validate_chunk(self, actor: Account, sheet: list[ImportRow]) -> dict[Key, Department]:
        """Check the rows against the current tree, and return the existing departments.

        Raises:
            ChunkRefused: a row has an error.
        """
        enterprise_codes = {row.cells[0] for row in sheet}
        enterprises = {
            code: enterprise
            for code, enterprise in _get_importable_enterprises(actor).items()
            if code in enterprise_codes
        }
        sheet_keys = {(enterprise_id, code) for enterprise_id, code in self.run.options["keys"]}
        departments = _validate_rows(actor, sheet, enterprises, whole_sheet=sheet_keys)
        if refusals := [(row.number, "", error) for row in sheet for error in row.errors]:
            raise ChunkRefused(refusals)
        return departments

    def take_back(self, before: list[Any]) -> Written:
        """Restore the old values of changed departments and delete the new ones. Departments
        that were changed or used since then stay as they are.
        """
        actor = get_importer(self.run)
        _lock_enterprises_of(actor)
        department_by_id = Department.objects.select_related("parent", "head").in_bulk(
            [pk for _, pk, _, _ in before]
        )
        refusals: list[Refusal] = []
        for number, pk, values_before, values_after in reversed(before):
            department = department_by_id.get(pk)
            if department is None or values_before == values_after:
                continue
            if _get_field_values(department) != values_after or _is_undo_refused(
                department, values_before
            ):
                refusals.append((number, "", texts.DEPARTMENT_IN_USE))
            elif values_before is None:
                department_change_record(
                    actor,
                    department,
                    ChangeAction.DELETE,
                    get_department_values(department),
                    {},
                    texts.IMPORT_TAKEN_BACK,
                )
            else:
                present_values = get_department_values(department)
                Department.objects.filter(pk=pk).update(**values_before, updated_at=timezone.now())
                restored = Department.objects.select_related("parent", "head").get(pk=pk)
                department_change_record(
                    actor,
                    restored,
                    ChangeAction.UPDATE,
                    present_values,
                    get_department_values(restored),
                    texts.IMPORT_TAKEN_BACK,
                )
        return Written(left=refusals)


def _lock_enterprises_of(actor: Account) -> None:
    """Lock all enterprises of the actor at once, ordered by key, like all other code that locks
    several of them.
    """
    lock_enterprises(*(enterprise.pk for enterprise in list_department_enterprises(actor=actor)))


def _is_undo_refused(department: Department, old: dict[str, Any] | None) -> bool:
    """Try to delete a new department, and return whether it could not be deleted. For a changed
    department, return whether its old parent no longer fits the tree; the caller restores it.
    """
    if old is None:
        return bool(rows_delete([department]))
    return _is_parent_below(department, old["parent_id"])


def _is_parent_below(department: Department, parent_id: int | None) -> bool:
    """Return whether the former parent is now below the department."""
    visited_ids = {department.pk}
    while parent_id is not None:
        if parent_id in visited_ids:
            return True
        visited_ids.add(parent_id)
        parent_id = Department.objects.values_list("parent_id", flat=True).get(pk=parent_id)
    return False


def _get_field_values(row: Department) -> dict[str, Any]:
    """Return the importable fields of the stored department."""
    return {
        "name": row.name,
        "head_id": row.head_id,
        "cost_center": row.cost_center,
        "parent_id": row.parent_id,
    }


def _get_importable_enterprises(actor: Account) -> dict[str, Enterprise]:
    """Return {code: enterprise} of those whose top level the actor may change."""
    return {
        row.code: row
        for row in list_department_enterprises(actor=actor)
        if can_manage_top_level(actor, row.pk)
    }


def _validate_rows(
    actor: Account,
    rows: list[ImportRow],
    enterprises: dict[str, Enterprise],
    *,
    whole_sheet: set[Key] | None = None,
) -> dict[Key, Department]:
    """Set the errors of each row and return the existing departments.

    `rows` may be a part of a sheet. `whole_sheet` has the keys of all its rows, which were already
    checked against each other.
    """
    heads = {
        row.username: row
        for row in Account.objects.filter(
            username__in={row.cells[4].casefold() for row in rows}, is_active=True
        )
    }
    stored_departments = _load_departments(enterprises)
    for row in rows:
        row.enterprise = enterprises.get(row.cells[0])
        row.head = heads.get(row.cells[4].casefold()) if row.cells[4] else None
        _check_row(row, stored_departments)
    _refuse_repeated(rows)
    _refuse_wrong_parents(rows, stored_departments)
    _refuse_own_departments(actor, rows, stored_departments)
    _refuse_same_names(rows, stored_departments, whole_sheet or {row.key for row in rows})
    return stored_departments


def _sort_parents_first(rows: list[ImportRow]) -> list[ImportRow]:
    """Return the rows in an order in which each row follows its future parents, so that no
    chunk creates a cycle.
    """
    stored_departments = _load_departments(
        {row.enterprise.code: row.enterprise for row in rows if row.enterprise}
    )
    parent_by_key = _list_parents(rows, stored_departments)

    def count_ancestors(row: ImportRow) -> int:
        """Return how many ancestors of the row are in the sheet."""
        visited_keys, key = set(), parent_by_key.get(row.key)
        # A sheet can contain a cycle of parents. `write` refuses such rows.
        while key is not None and key not in visited_keys:
            visited_keys.add(key)
            key = parent_by_key.get(key)
        return len(visited_keys)

    return sorted(rows, key=count_ancestors)


def _read_rows(file: IO[bytes]) -> list[ImportRow]:
    table = read_table(file, kind=WRITER, columns=COLUMNS, max_rows=MAX_ROWS)
    rows = [ImportRow(row.number, tuple(row.cells.values())) for row in table]
    if not rows:
        raise DepartmentSheetEmpty
    return rows


def _load_departments(enterprises: dict[str, Enterprise]) -> dict[Key, Department]:
    """Return {(enterprise pk, code): department} of the enterprises."""
    departments = Department.objects.filter(
        enterprise__in=list(enterprises.values())
    ).select_related("parent", "head")
    return {(row.enterprise_id, row.code): row for row in departments}


def _check_row(row: ImportRow, stored_departments: dict[Key, Department]) -> None:
    """Set the row's action (create, update or same), or its errors."""
    _, code, name, parent_code, head, cost_center = row.cells
    if row.enterprise is None:
        row.errors.append(
            texts.enterprise_code_out_of_reach(row.cells[0])
            if row.cells[0]
            else texts.ENTERPRISE_CODE_MISSING
        )
    for value, label, max_length in (
        (code, "部门编码", 30),
        (name, "部门名称", 60),
        (cost_center, "成本中心", 40),
    ):
        if not value and label != "成本中心":
            row.errors.append(texts.value_missing(label))
        elif len(value) > max_length:
            row.errors.append(texts.value_too_long(title=label, most=max_length))
    if head and row.head is None:
        row.errors.append(texts.head_unavailable(head))
    stored_department = stored_departments.get(row.key)
    if stored_department is not None:
        stored_values = (
            stored_department.name,
            stored_department.parent.code if stored_department.parent else "",
            stored_department.head.username if stored_department.head else "",
            stored_department.cost_center,
        )
        row.action = (
            "same"
            if stored_values == (name, parent_code, head.casefold(), cost_center)
            else "update"
        )
        if not stored_department.is_active:
            row.errors.append(texts.DEPARTMENT_DISABLED)


def _refuse_repeated(rows: list[ImportRow]) -> None:
    first_number_by_key: dict[Key, int] = {}
    for row in rows:
        if row.cells[1] and first_number_by_key.setdefault(row.key, row.number) != row.number:
            row.errors.append(texts.department_code_repeated(first_number_by_key[row.key]))


def _list_parents(
    rows: list[ImportRow], stored_departments: dict[Key, Department]
) -> dict[Key, Key | None]:
    """Return the parent of each department after the import."""
    parent_by_key: dict[Key, Key | None] = {
        key: (key[0], row.parent.code) if row.parent else None
        for key, row in stored_departments.items()
    }
    return parent_by_key | {row.key: row.parent_key for row in rows}


def _refuse_wrong_parents(rows: list[ImportRow], stored_departments: dict[Key, Department]) -> None:
    """Add errors for missing parents and for cycles in the tree after the import."""
    parent_by_key = _list_parents(rows, stored_departments)
    sheet_keys = {row.key for row in rows}
    for row in rows:
        parent = row.parent_key
        if parent is None:
            continue
        stored_parent = stored_departments.get(parent)
        if parent not in parent_by_key or (
            stored_parent is not None and not stored_parent.is_active and parent not in sheet_keys
        ):
            row.errors.append(texts.parent_code_unknown(row.cells[3]))
        elif _is_in_circle(row.key, parent_by_key):
            row.errors.append(texts.PARENT_BELOW_ITSELF)


def _refuse_own_departments(
    actor: Account, rows: list[ImportRow], stored_departments: dict[Key, Department]
) -> None:
    """Add errors for moves and heads that only others may set, as `refuse_own_move` and
    `refuse_own_head` do.
    """
    if actor.is_group_admin:
        return
    own_ids = read_own_departments(account=actor)
    own = OwnDepartments(
        frozenset(key for key, row in stored_departments.items() if row.pk in own_ids.containing),
        frozenset(key for key, row in stored_departments.items() if row.pk in own_ids.headed),
    )
    present_parents = _list_parents([], stored_departments)
    parents_after = _list_parents(rows, stored_departments)
    for row in rows:
        stored = stored_departments.get(row.key)
        if row.errors:
            continue
        refusals: list[ValidationFailed | None] = []
        head_id = row.head.pk if row.head else None
        if head_id != (stored.head_id if stored else None):
            refusals.append(own.find_head_refusal(row.key, actor=actor, head_id=head_id))
        if stored is not None and row.parent_key != present_parents[row.key]:
            refusals.append(
                own.find_move_refusal(
                    row.key,
                    target=row.parent_key,
                    present_parents=present_parents,
                    new_parents=parents_after,
                    field="ParentId",
                )
            )
        row.errors += [refusal.text for refusal in refusals if refusal is not None]


def _refuse_same_names(
    rows: list[ImportRow], stored_departments: dict[Key, Department], sheet_keys: set[Key]
) -> None:
    """Add errors for siblings with the same name in the tree after the import. Unchanged
    departments keep their names.
    """
    holder_by_place: dict[tuple[int, str, str], str] = {
        (
            key[0],
            department.parent.code if department.parent else "",
            department.name,
        ): texts.stored_department(department.code)
        for key, department in stored_departments.items()
        if key not in sheet_keys and department.is_active
    }
    for row in sorted(rows, key=lambda row: row.action != "same"):
        place = (row.key[0], row.cells[3], row.cells[2])
        if row.action != "same" and row.cells[2] and place in holder_by_place:
            row.errors.append(texts.department_name_repeated(holder_by_place[place]))
        holder_by_place.setdefault(place, texts.sheet_row(row.number))


def _is_in_circle(start: Key, parent_by_key: dict[Key, Key | None]) -> bool:
    """Return whether the parents of a department lead back to it."""
    visited_keys = {start}
    key = parent_by_key.get(start)
    while key is not None and key not in visited_keys:
        visited_keys.add(key)
        key = parent_by_key.get(key)
    return key == start


def _save_department(actor: Account, row: ImportRow, department: Department | None) -> Department:
    """Create or update the department of the row. Parents follow later, when all rows exist."""
    if department is None:
        last = (
            Department.objects.filter(enterprise=row.enterprise).aggregate(last=Max("position"))[
                "last"
            ]
            or 0
        )
        department = Department(
            group=actor.group, enterprise=row.enterprise, code=row.cells[1], position=last + 1
        )
    department.name, department.head, department.cost_center = row.cells[2], row.head, row.cells[5]
    department_clean(department)
    department.save()
    return department
