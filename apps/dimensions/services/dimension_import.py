"""Import dimensions from a sheet: a preview of every row, then all rows, only the valid ones, or
none. A row creates the dimension of its kind and code, or changes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import IO, Any

from django.utils import timezone

from apps.common.errors import Forbidden, SheetRefused
from apps.common.models import ImportRun
from apps.common.services.import_run import (
    ChunkRefused,
    ImportWriter,
    Refusal,
    Written,
    count_actions,
    get_edit_stamp,
    get_importer,
    rows_delete,
    sheet_import,
)
from apps.common.services.wrong_rows import WrongSheet
from apps.dimensions import texts
from apps.dimensions.enums import DimensionKind
from apps.dimensions.errors import DimensionSheetEmpty
from apps.dimensions.models import Dimension, DimensionDefault
from apps.dimensions.selectors.dimensions import (
    DimensionFilter,
    list_dimensions,
    may_manage_dimensions,
)
from apps.dimensions.services.dimensions import (
    CODE,
    CONTROL,
    LABELS,
    NOT_ALLOWED_DEFAULT,
    NOT_MANAGER,
    WRONG_CODE,
    WRONG_DAYS,
    WRONG_NAME,
    build_department_key,
    get_dimension_values,
    get_field_values,
    links_save,
    list_outside,
)
from apps.documents.excel import build_wrong_sheet, read_table, refuse_uncertain_formulas
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.models import Account, Department, OrganisationChange
from apps.org.services.changes import change_build

COLUMNS = {
    "类别": "kind",
    "编码": "code",
    "名称": "name",
    "负责人账号": "owner",
    "生效日期": "valid_from",
    "失效日期": "valid_to",
    "状态": "state",
    "适用部门": "departments",
    "默认部门": "defaults",
}
# A sheet without one of these columns leaves its values as they are.
OPTIONAL = tuple(COLUMNS)[3:]
MAX_ROWS = 10_000
CHUNK_ROWS = 50
WRITER = "dimensions"
IN_USE = "该核算项已被修改或使用，未能撤回"
KINDS = {label: value for value, label in DimensionKind.choices}
STATES = {"": True, "启用": True, "停用": False}
DAYS = "日期请填写为 2027-01-31 的格式"
Key = tuple[str, str]


@dataclass(slots=True)
class DimensionRow:
    """One row of the sheet. A cell is None if the sheet does not have its column; then the value of
    `stored_cells` holds, which are those of the present dimension, if there is one. `action` is
    create, update or same; `fields` has the values to write if the row is valid.
    """

    number: int
    cells: tuple[str | None, ...]
    stored_cells: tuple[str, ...] = ("",) * len(COLUMNS)
    action: str = "create"
    fields: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    @property
    def named(self) -> dict[str, str]:
        """Return {column: cell}."""
        return {
            column: stored_cell if cell is None else cell
            for column, cell, stored_cell in zip(
                COLUMNS.values(), self.cells, self.stored_cells, strict=True
            )
        }

    @property
    def key(self) -> Key:
        """Return kind and code."""
        cell_by_column = self.named
        return (KINDS.get(cell_by_column["kind"], ""), cell_by_column["code"])


def require_dimension_import(actor: Account) -> None:
    """Raise Forbidden if the actor does not manage dimensions. The API calls it before it remembers
    the mapping of columns, which applies to everybody of the group.
    """
    if not may_manage_dimensions(actor):
        raise Forbidden(NOT_MANAGER)


def dimensions_preview(*, actor: Account, file: IO[bytes]) -> list[DimensionRow]:
    """Return the rows of the sheet with the planned action and errors. Writes nothing.

    Raises:
        FileRefused: it is not a sheet, has other columns, no rows, or more than 10,000.
        Forbidden: the actor does not manage dimensions.
    """
    require_dimension_import(actor)
    rows = _read(file)
    _validate_rows(rows)
    return rows


def dimensions_import(*, actor: Account, file: IO[bytes], is_good_only: bool = False) -> ImportRun:
    """Write all rows of the sheet in short transactions and return the run. `is_good_only`:
    write the valid rows although others are wrong.

    Raises:
        FileRefused, Forbidden: as `dimensions_preview`.
        ValidationFailed: a row has an error, or got one meanwhile. Written rows are reverted.
    """
    began_at = timezone.now()
    rows = dimensions_preview(actor=actor, file=file)
    errors_by_row = {row.number: row.errors for row in rows if row.errors}
    refusal = SheetRefused(errors_by_row)
    return sheet_import(
        writer=WRITER,
        actor=actor,
        rows=[[row.number, row.cells] for row in rows],
        good=[[row.number, row.cells] for row in rows if not row.errors] if is_good_only else None,
        wrong=dimensions_build_wrong_sheet(rows) if is_good_only else None,
        options={},
        began_at=began_at,
        refusal=refusal if errors_by_row else None,
        chunk_rows=CHUNK_ROWS,
    )


def dimensions_build_wrong_sheet(rows: Iterable[DimensionRow]) -> WrongSheet:
    """Return the sheet of the rows that have errors."""
    return build_wrong_sheet(
        "核算项", columns=COLUMNS, rows=((row.named, row.errors) for row in rows)
    )


def build_sheet_cells(row: Dimension) -> tuple[str, ...]:
    """Return a dimension as a row of the sheet, so that an export can be imported again."""
    return (
        row.get_kind_display(),
        row.code,
        row.name,
        row.owner.username if row.owner else "",
        row.valid_from.isoformat() if row.valid_from else "",
        row.valid_to.isoformat() if row.valid_to else "",
        "启用" if row.is_active else "停用",
        "、".join(sorted(build_department_key(link.department) for link in row.departments.all())),
        "、".join(sorted(build_department_key(link.department) for link in row.defaults.all())),
    )


class DimensionWriter(ImportWriter):
    """Writes dimensions, one chunk per transaction."""

    def write(self, rows: list[Any]) -> Written:
        """Check the rows again and write them.

        Raises:
            ChunkRefused: a row has an error, or the actor may not manage dimensions. Nothing is
                written.
        """
        actor = get_importer(self.run)
        lock_group(actor.group_id)
        # The person may have lost the right since the confirmation.
        if not may_manage_dimensions(actor):
            raise ChunkRefused([(0, "", NOT_MANAGER)])
        sheet = [DimensionRow(number, tuple(cells)) for number, cells in rows]
        present = _validate_rows(sheet)
        if refused := [(row.number, "", error) for row in sheet for error in row.errors]:
            raise ChunkRefused(refused)
        self.report = count_actions(self.report, (row.action for row in sheet))
        holders = _load_defaults(sheet)
        images: list[Any] = []
        history: list[OrganisationChange] = []
        for row in sheet:
            if row.action == "same":
                continue
            present_dimension = present.get(row.key)
            before = get_dimension_values(present_dimension) if present_dimension else {}
            image = _build_image(present_dimension) if present_dimension else None
            dimension = _write_row(present_dimension or _build_dimension(actor, row), row)
            change = change_build(
                actor=actor,
                subject_type="dimension",
                subject_id=dimension.pk,
                subject_name=f"{dimension.get_kind_display()} {dimension}",
                action=ChangeAction.UPDATE if present_dimension else ChangeAction.CREATE,
                before=before,
                after=get_field_values(
                    dimension,
                    departments=row.fields["departments"],
                    defaults=row.fields["defaults"],
                ),
                labels=LABELS,
                note=texts.IMPORTED,
            )
            if change is not None:
                history.append(change)
            moved_defaults = [
                [each.pk, holders[dimension.kind, each.pk]]
                for each in row.fields["defaults"]
                if holders.get((dimension.kind, each.pk), dimension.pk) != dimension.pk
            ]
            images.append(
                [row.number, dimension.pk, image, get_edit_stamp(dimension), moved_defaults]
            )
        OrganisationChange.objects.bulk_create(history)
        return Written(before=images)

    def take_back(self, before: list[Any]) -> Written:
        """Restore changed dimensions and delete new ones, except those that were changed or used
        since. A default that a row took from another dimension goes back to it.
        """
        actor = get_importer(self.run)
        lock_group(actor.group_id)
        dimension_by_id = Dimension.objects.in_bulk([pk for _, pk, *_ in before])
        left: list[Refusal] = []
        for number, pk, values_before, stamp, moved_defaults in reversed(before):
            row = dimension_by_id.get(pk)
            if row is None:
                continue
            if get_edit_stamp(row) != stamp or (values_before is None and rows_delete([row])):
                left.append((number, "", IN_USE))
                continue
            if values_before is not None:
                Dimension.objects.filter(pk=pk).update(
                    **values_before["fields"], updated_at=timezone.now()
                )
                links_save(
                    row,
                    department_ids=values_before["departments"],
                    default_ids=values_before["defaults"],
                )
            _return_defaults(row, moved_defaults)
        return Written(left=left)


def _load_defaults(sheet: list[DimensionRow]) -> dict[tuple[str, int], int]:
    """Return the present default of each department that the rows name, as {(kind, department
    id): dimension id}. At most one query.
    """
    department_ids = {each.pk for row in sheet for each in row.fields["defaults"]}
    if not department_ids:
        return {}
    rows = DimensionDefault.objects.filter(department__in=department_ids).order_by()
    return {
        (kind, department_id): dimension_id
        for kind, department_id, dimension_id in rows.values_list("kind", "department", "dimension")
    }


def _return_defaults(row: Dimension, moved_defaults: list[list[int]]) -> None:
    """Give back the defaults that the row took, as (department id, former dimension id), unless
    the department or the dimension is gone or has another default by now.
    """
    holders = Dimension.objects.in_bulk([holder for _, holder in moved_defaults])
    departments = Department.objects.in_bulk([pk for pk, _ in moved_defaults])
    DimensionDefault.objects.bulk_create(
        (
            DimensionDefault(
                group_id=row.group_id, kind=row.kind, department_id=pk, dimension_id=holder
            )
            for pk, holder in moved_defaults
            if holder in holders and pk in departments
        ),
        ignore_conflicts=True,
    )


def _build_dimension(actor: Account, row: DimensionRow) -> Dimension:
    return Dimension(group=actor.group, kind=row.key[0], code=row.key[1])


def _write_row(dimension: Dimension, row: DimensionRow) -> Dimension:
    """Save the dimension with the row's fields and departments."""
    has_links = bool(
        row.fields["departments"] or row.fields["defaults"] or dimension.pk is not None
    )
    for name in ("name", "owner", "valid_from", "valid_to", "is_active"):
        setattr(dimension, name, row.fields[name])
    dimension.save()
    if has_links:
        links_save(
            dimension,
            department_ids=[each.pk for each in row.fields["departments"]],
            default_ids=[each.pk for each in row.fields["defaults"]],
        )
    return dimension


def _build_image(row: Dimension) -> dict[str, Any]:
    """Return the values that `take_back` restores."""
    return {
        "fields": {
            "name": row.name,
            "owner_id": row.owner_id,
            "valid_from": row.valid_from.isoformat() if row.valid_from else None,
            "valid_to": row.valid_to.isoformat() if row.valid_to else None,
            "is_active": row.is_active,
        },
        "departments": [link.department_id for link in row.departments.all()],
        "defaults": [link.department_id for link in row.defaults.all()],
    }


def _read(file: IO[bytes]) -> list[DimensionRow]:
    refuse_uncertain_formulas(file)
    table = read_table(file, kind=WRITER, columns=COLUMNS, optional=OPTIONAL, max_rows=MAX_ROWS)
    rows = [
        DimensionRow(
            row.number,
            tuple(None if name in row.absent else cell for name, cell in row.cells.items()),
        )
        for row in table
    ]
    if not rows:
        raise DimensionSheetEmpty
    return rows


def _validate_rows(rows: list[DimensionRow]) -> dict[Key, Dimension]:
    """Set fields, action and errors of each row, and return the existing dimensions. Six
    queries for any number of rows.
    """
    departments = {
        build_department_key(row): row
        for row in Department.objects.select_related("enterprise").filter(is_active=True)
    }
    parent_by_id = {row.pk: row.parent_id for row in departments.values()}
    dimension_by_key = _load_present_dimensions(rows)
    names = {row.named["owner"].casefold() for row in rows if row.named["owner"]}
    owners = {
        row.username: row for row in Account.objects.filter(username__in=names, is_active=True)
    }
    first_number_by_key: dict[Key, int] = {}
    default_row_numbers: dict[tuple[str, int], int] = {}
    for row in rows:
        _validate_row(row, departments, parent_by_id, owners)
        if row.errors:
            continue
        if first_number_by_key.setdefault(row.key, row.number) != row.number:
            row.errors.append(texts.code_repeated(first_number_by_key[row.key]))
        for department in row.fields["defaults"]:
            earlier_number = default_row_numbers.setdefault((row.key[0], department.pk), row.number)
            if earlier_number != row.number:
                row.errors.append(texts.default_repeated(earlier_number))
        stored_dimension = dimension_by_key.get(row.key)
        if stored_dimension is not None:
            row.action = "same" if _is_same(stored_dimension, row) else "update"
    return dimension_by_key


def _load_present_dimensions(rows: list[DimensionRow]) -> dict[Key, Dimension]:
    """Return the dimensions that the rows name, and give each row its `stored_cells`."""
    dimension_by_key: dict[Key, Dimension] = {}
    keys = {row.key for row in rows}
    stored_dimensions = list_dimensions(filters=DimensionFilter())
    if len(keys) <= CHUNK_ROWS:
        stored_dimensions = stored_dimensions.filter(code__in={code for _, code in keys})
    for dimension in stored_dimensions.iterator(chunk_size=2000):
        if (dimension.kind, dimension.code) in keys:
            dimension_by_key[dimension.kind, dimension.code] = dimension
    for row in rows:
        if row.key in dimension_by_key:
            row.stored_cells = build_sheet_cells(dimension_by_key[row.key])
    return dimension_by_key


def _is_same(dimension: Dimension, row: DimensionRow) -> bool:
    """Whether the stored dimension has the values and links of the row already."""
    fields = row.fields
    return bool(
        dimension.name == fields["name"]
        and dimension.owner_id == (fields["owner"].pk if fields["owner"] else None)
        and dimension.valid_from == fields["valid_from"]
        and dimension.valid_to == fields["valid_to"]
        and dimension.is_active == fields["is_active"]
        and {link.department for link in dimension.departments.all()} == set(fields["departments"])
        and {link.department for link in dimension.defaults.all()} == set(fields["defaults"])
    )


def _validate_row(
    row: DimensionRow,
    departments: dict[str, Department],
    parents: dict[int, int | None],
    owners: dict[str, Account],
) -> None:
    """Fill the row's fields, or its errors. `parents`: parent pk by department pk."""
    cell_by_column = row.named
    if cell_by_column["kind"] not in KINDS:
        row.errors.append(texts.kind_invalid("、".join(KINDS)))
    if not CODE.fullmatch(cell_by_column["code"]):
        row.errors.append(WRONG_CODE)
    if not 1 <= len(cell_by_column["name"]) <= 80 or CONTROL.search(cell_by_column["name"]):
        row.errors.append(WRONG_NAME)
    owner = owners.get(cell_by_column["owner"].casefold())
    if cell_by_column["owner"] and owner is None:
        row.errors.append(texts.owner_unavailable(cell_by_column["owner"]))
    if cell_by_column["state"] not in STATES:
        row.errors.append(texts.STATE_INVALID)
    days = [_parse_day_cell(row, label, cell_by_column[name]) for label, name in DAY_COLUMNS]
    if days[0] and days[1] and days[1] < days[0]:
        row.errors.append(WRONG_DAYS)
    allowed_departments = _read_departments(
        row, "适用部门", cell_by_column["departments"], departments
    )
    defaults = _read_departments(row, "默认部门", cell_by_column["defaults"], departments)
    row.fields = {
        "name": cell_by_column["name"],
        "owner": owner,
        "valid_from": days[0],
        "valid_to": days[1],
        "is_active": STATES.get(cell_by_column["state"], True),
        "departments": allowed_departments,
        "defaults": defaults,
    }
    if not row.errors:
        outside_departments = list_outside(
            defaults,
            allowed_ids={department.pk for department in allowed_departments},
            parents=parents,
        )
        row.errors += [
            NOT_ALLOWED_DEFAULT.format(name=build_department_key(department))
            for department in outside_departments
        ]


DAY_COLUMNS = (("生效日期", "valid_from"), ("失效日期", "valid_to"))


def _parse_day_cell(row: DimensionRow, label: str, text: str) -> date | None:
    """Return the day of the cell, None if it is empty. A wrong day adds an error to the row."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text.replace("/", "-").removesuffix(" 00:00:00"))
    except ValueError:
        row.errors.append(texts.day_invalid(column=label, cell=text, advice=DAYS))
        return None
    if not 2000 <= day.year <= 2099:
        row.errors.append(texts.day_out_of_range(label))
    return day


def _read_departments(
    row: DimensionRow, label: str, text: str, departments: dict[str, Department]
) -> list[Department]:
    """Return the departments that the cell names. An unknown one adds an error to the row.
    `departments`: by key 企业编码/部门编码.
    """
    keys = [key.strip() for key in text.replace("；", "、").replace(";", "、").split("、")]
    department_by_id: dict[int, Department] = {}
    for key in filter(None, keys):
        department = departments.get(key)
        if department is None:
            row.errors.append(texts.department_unavailable(column=label, key=key))
        else:
            department_by_id[department.pk] = department
    return list(department_by_id.values())
