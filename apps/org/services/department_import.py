"""Departments from a sheet: a preview row by row, then all of them or none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO

from django.db import transaction
from django.db.models import Max

from apps.common.errors import FileRefused, Forbidden, ValidationFailed
from apps.common.excel import read_rows
from apps.org.enums import ChangeAction
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department, Enterprise
from apps.org.selectors.departments import enterprises_of_departments, may_keep_roots
from apps.org.services.department_tree import cleaned, record, told

HEADER = ("企业编码", "部门编码", "部门名称", "上级部门编码", "负责人账号", "成本中心")
COLUMNS = ("enterprise", "code", "name", "parent", "head", "cost_center")
MOST_ROWS = 2000
Key = tuple[int, str]


@dataclass(slots=True)
class ImportRow:
    """One row of the sheet; `number` is the sheet's own. `action` is create, update or same."""

    number: int
    cells: tuple[str, ...]
    enterprise: Enterprise | None = None
    head: Account | None = None
    action: str = "create"
    errors: list[str] = field(default_factory=list)

    @property
    def named(self) -> dict[str, str]:
        """The cells by the names of their columns."""
        return dict(zip(COLUMNS, self.cells, strict=True))

    @property
    def key(self) -> Key:
        """What names the department."""
        return (self.enterprise.pk if self.enterprise else 0, self.cells[1])

    @property
    def parent_key(self) -> Key | None:
        """What names the one above; None for the top."""
        return (self.key[0], self.cells[3]) if self.cells[3] else None


def departments_preview(*, actor: Account, file: IO[bytes]) -> list[ImportRow]:
    """Return the rows of the sheet with what would become of each and what is wrong; nothing is written.

    Raises:
        FileRefused: it is no sheet, has other columns, no rows, or more than 2,000.
        Forbidden: the actor keeps no whole enterprise.
    """
    enterprises = {row.code: row for row in enterprises_of_departments(actor=actor) if may_keep_roots(actor, row.pk)}
    if not enterprises:
        raise Forbidden("导入部门需要“本企业”以上的数据范围，请联系贵司管理员")
    rows = _read(file)
    heads = {row.username: row for row in Account.objects.filter(username__in={row.cells[4].casefold() for row in rows}, is_active=True)}
    present = _present(enterprises)
    for row in rows:
        row.enterprise = enterprises.get(row.cells[0])
        row.head = heads.get(row.cells[4].casefold()) if row.cells[4] else None
        _judge(row, present)
    _refuse_repeated(rows)
    _refuse_lost(rows, present)
    _refuse_same_names(rows, present)
    return rows


@transaction.atomic
def departments_import(*, actor: Account, file: IO[bytes]) -> list[ImportRow]:
    """Write all rows of the sheet, or none, and return them.

    Raises:
        FileRefused, Forbidden: as for the preview.
        ValidationFailed: a row has an error.
    """
    # All at once, by key: who locks several elsewhere takes them in that order too.
    lock_enterprises(*(enterprise.pk for enterprise in enterprises_of_departments(actor=actor)))
    rows = departments_preview(actor=actor, file=file)
    wrong = [row for row in rows if row.errors]
    if wrong:
        raise ValidationFailed({f"第 {row.number} 行": row.errors for row in wrong[:50]}, f"有 {len(wrong)} 行有误，未导入任何数据")
    written = _present({row.enterprise.code: row.enterprise for row in rows if row.enterprise})
    before = {key: told(row) for key, row in written.items()}
    for row in rows:
        written[row.key] = _saved(actor, row, written.get(row.key))
    for row in rows:
        department = written[row.key]
        department.parent = written[row.parent_key] if row.parent_key else None
        department.save(update_fields=["parent", "updated_at"])
        action = ChangeAction.UPDATE if row.key in before else ChangeAction.CREATE
        record(actor, department, action, before.get(row.key, {}), told(department), "表格导入")
    return rows


def _read(file: IO[bytes]) -> list[ImportRow]:
    lines = list(read_rows(file, max_rows=MOST_ROWS, heading=1, max_columns=20))
    head = tuple(cell.strip().lstrip("*") for cell in lines[0][: len(HEADER)]) if lines else ()
    if head != HEADER:
        raise FileRefused(f"表头须为：{'、'.join(HEADER)}，请下载模板填写")
    padded = [tuple(cell.strip() for cell in [*line, *[""] * len(HEADER)][: len(HEADER)]) for line in lines]
    rows = [ImportRow(number, cells) for number, cells in enumerate(padded, start=1) if number > 1 and any(cells)]
    if not rows:
        raise FileRefused("表格里没有部门，请填写后重试")
    return rows


def _present(enterprises: dict[str, Enterprise]) -> dict[Key, Department]:
    rows = Department.objects.filter(enterprise__in=list(enterprises.values())).select_related("parent", "head")
    return {(row.enterprise_id, row.code): row for row in rows}


def _judge(row: ImportRow, present: dict[Key, Department]) -> None:
    _, code, name, above, head, cost_center = row.cells
    if row.enterprise is None:
        row.errors.append(f"企业编码“{row.cells[0]}”不存在，或不在您的管理范围内" if row.cells[0] else "请填写企业编码")
    for value, label, most in ((code, "部门编码", 30), (name, "部门名称", 60), (cost_center, "成本中心", 40)):
        if not value and label != "成本中心":
            row.errors.append(f"请填写{label}")
        elif len(value) > most:
            row.errors.append(f"{label}最多 {most} 个字")
    if head and row.head is None:
        row.errors.append(f"负责人账号“{head}”不存在或已停用")
    known = present.get(row.key)
    if known is not None:
        now = (known.name, known.parent.code if known.parent else "", known.head.username if known.head else "", known.cost_center)
        row.action = "same" if now == (name, above, head.casefold(), cost_center) else "update"
        if not known.is_active:
            row.errors.append("该部门已停用，请先启用再导入")


def _refuse_repeated(rows: list[ImportRow]) -> None:
    first: dict[Key, int] = {}
    for row in rows:
        if row.cells[1] and first.setdefault(row.key, row.number) != row.number:
            row.errors.append(f"部门编码与第 {first[row.key]} 行重复")


def _refuse_lost(rows: list[ImportRow], present: dict[Key, Department]) -> None:
    """Refuse parents that are not there, and circles, as the tree would be after the sheet."""
    above: dict[Key, Key | None] = {key: (key[0], row.parent.code) if row.parent else None for key, row in present.items()}
    above |= {row.key: row.parent_key for row in rows}
    in_sheet = {row.key for row in rows}
    for row in rows:
        parent = row.parent_key
        if parent is None:
            continue
        known = present.get(parent)
        if parent not in above or (known is not None and not known.is_active and parent not in in_sheet):
            row.errors.append(f"上级部门编码“{row.cells[3]}”不存在或已停用")
        elif _circles(row.key, above):
            row.errors.append("上级部门不能是本部门或其下级")


def _refuse_same_names(rows: list[ImportRow], present: dict[Key, Department]) -> None:
    """Refuse two of one name under one parent, as the tree would be after the sheet; what stays as it is keeps its name."""
    in_sheet = {row.key for row in rows}
    taken: dict[tuple[int, str, str], str] = {
        (key[0], known.parent.code if known.parent else "", known.name): f"现有部门 {known.code} "
        for key, known in present.items()
        if key not in in_sheet and known.is_active
    }
    for row in sorted(rows, key=lambda row: row.action != "same"):
        place = (row.key[0], row.cells[3], row.cells[2])
        if row.action != "same" and row.cells[2] and place in taken:
            row.errors.append(f"同一上级下与{taken[place]}同名，请更换部门名称")
        taken.setdefault(place, f"第 {row.number} 行")


def _circles(start: Key, above: dict[Key, Key | None]) -> bool:
    seen = {start}
    key = above.get(start)
    while key is not None and key not in seen:
        seen.add(key)
        key = above.get(key)
    return key == start


def _saved(actor: Account, row: ImportRow, department: Department | None) -> Department:
    if department is None:
        last = Department.objects.filter(enterprise=row.enterprise).aggregate(last=Max("position"))["last"] or 0
        department = Department(group=actor.group, enterprise=row.enterprise, code=row.cells[1], position=last + 1)
    department.name, department.head, department.cost_center = row.cells[2], row.head, row.cells[5]
    cleaned(department)
    department.save()
    return department
