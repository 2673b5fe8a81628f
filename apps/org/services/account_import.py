"""Accounts from a sheet: every row is checked before any is written, and all are written or none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.common.errors import FileRefused, ValidationFailed
from apps.common.excel import read_rows
from apps.common.tenancy import platform_scope
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.models import Account, Department, OrganisationChange, Role
from apps.org.selectors.account_places import places_of
from apps.org.selectors.account_sheet import COLUMNS, EXPORT_MORE
from apps.org.selectors.grants import may_grant
from apps.org.services.account_save import LABELS, NAME_REFUSED, NAME_TAKEN, USERNAME

MOST_ROWS = 5_000
MOST_COLUMNS = 30
LONGEST_CELL = 300
BATCH = 500
ROLES = re.compile(r"[、,，;；\n]+")


@dataclass(slots=True)
class SheetRow:
    """A row of the sheet: its number in the file, its cells by field, and what is wrong, in words."""

    number: int
    cells: dict[str, str]
    errors: list[str] = field(default_factory=list)
    account: Account = field(default_factory=Account)
    roles: list[Role] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Known:
    places: dict[tuple[str, str], Department]
    roles: dict[str, Role]
    grantable: set[int]
    taken: set[str]


def account_sheet_check(*, actor: Account, file: IO[bytes]) -> list[SheetRow]:
    """Return the rows with what is wrong in each; nothing is written.

    Raises:
        FileRefused: no sheet, another sheet's columns, no row, or more than 5,000.
    """
    rows = _read(file)
    known = _known(actor, rows)
    repeated = {name for name, number in Counter(row.cells["username"] for row in rows).items() if number > 1}
    for row in rows:
        _check(row, known, repeated, actor)
    return rows


@transaction.atomic
def accounts_import(*, actor: Account, file: IO[bytes]) -> list[Account]:
    """Return the new accounts, in the sheet's order; they have no password yet.

    Raises:
        FileRefused: as account_sheet_check.
        ValidationFailed: a row is wrong, or a name was taken meanwhile: nothing was written.
    """
    lock_group(actor.group_id)
    rows = account_sheet_check(actor=actor, file=file)
    if wrong := [row for row in rows if row.errors]:
        raise ValidationFailed({"File": [f"有 {len(wrong)} 行不正确，未导入任何账号，请修改后重新上传"]})
    try:
        with transaction.atomic():
            accounts: list[Account] = Account.objects.bulk_create([row.account for row in rows], batch_size=BATCH)
    except IntegrityError as error:
        raise ValidationFailed({"File": ["有账号名刚刚被他人使用，未导入任何账号，请重新上传核对"]}) from error
    through = Account.roles.through
    pairs = [through(account_id=row.account.pk, role_id=role.pk) for row in rows for role in row.roles]
    through.objects.bulk_create(pairs, batch_size=BATCH)
    OrganisationChange.objects.bulk_create((_change(actor, row) for row in rows), batch_size=BATCH)
    return accounts


def _read(file: IO[bytes]) -> list[SheetRow]:
    lines = read_rows(file, max_rows=MOST_ROWS, heading=1, max_columns=MOST_COLUMNS)
    header = [cell.strip().rstrip("*＊") for cell in next(lines, [])]
    titles = {title.rstrip("*"): name for title, name in COLUMNS.items()}
    missing = [title for title in titles if title not in header]
    if missing or not set(header) <= {*titles, *EXPORT_MORE, ""}:
        lacks = f"，缺少：{'、'.join(missing)}" if missing else ""
        raise FileRefused(f"表头与模板不一致{lacks}，请下载模板填写")
    places = {titles[title]: at for at, title in enumerate(header) if title in titles}
    rows = [
        SheetRow(number, {name: line[at].strip() if at < len(line) else "" for name, at in places.items()})
        for number, line in enumerate(lines, start=2)
        if any(cell.strip() for cell in line)
    ]
    if not rows:
        raise FileRefused("表格中没有账号，请从第二行开始填写")
    for row in rows:
        row.cells["username"] = row.cells["username"].casefold()
    return rows


def _known(actor: Account, rows: Sequence[SheetRow]) -> _Known:
    departments = places_of(actor=actor).filter(is_active=True, enterprise__is_active=True).select_related("enterprise").order_by()
    roles = list(Role.objects.all())
    names = list({row.cells["username"] for row in rows})
    taken: set[str] = set()
    with platform_scope(reason="names are unique over the platform"):
        for at in range(0, len(names), BATCH):
            taken.update(Account.objects.filter(username__in=names[at : at + BATCH]).order_by().values_list("username", flat=True))
    return _Known(
        places={(row.enterprise.code, row.code): row for row in departments},
        roles={**{role.code: role for role in roles}, **{role.name: role for role in roles}},
        grantable={role.pk for role in roles if may_grant(actor=actor, role=role)},
        taken=taken,
    )


def _check(row: SheetRow, known: _Known, repeated: set[str], actor: Account) -> None:
    cells = row.cells
    if too_long := [name for name, cell in cells.items() if len(cell) > LONGEST_CELL]:
        row.errors.append(f"{'、'.join(LABELS[name] for name in too_long)}内容过长")
        return
    name = cells["username"]
    if not USERNAME.fullmatch(name):
        row.errors.append(NAME_REFUSED if name else "请填写账号")
    elif name in repeated:
        row.errors.append("账号在表格中重复")
    elif name in known.taken:
        row.errors.append(NAME_TAKEN)
    department = known.places.get((cells["enterprise"], cells["department"]))
    if department is None:
        missing = not (cells["enterprise"] and cells["department"])
        row.errors.append("请填写企业编码和部门编码" if missing else "您的数据范围内没有该编码的企业和启用部门")
    _check_roles(row, known)
    _check_fields(row, Account(group=actor.group, department=department, enterprise=department.enterprise if department else None))


def _check_roles(row: SheetRow, known: _Known) -> None:
    for name in dict.fromkeys(part.strip() for part in ROLES.split(row.cells["roles"]) if part.strip()):
        role = known.roles.get(name)
        if role is None:
            row.errors.append(f"没有角色“{name}”")
        elif role.pk not in known.grantable:
            row.errors.append(f"不能授予角色“{name}”，它包含您自己没有的权限")
        elif role not in row.roles:
            row.roles.append(role)


def _check_fields(row: SheetRow, account: Account) -> None:
    plain = ("username", "nickname", "full_name", "job_title", "mobile", "email")
    for name in plain:
        setattr(account, name, row.cells[name])
    account.set_unusable_password()
    if not account.nickname:
        row.errors.append("请填写昵称")
    try:
        account.clean_fields(exclude=[each.name for each in Account._meta.fields if each.name not in plain or not row.cells[each.name]])
    except ValidationError as error:
        row.errors += [f"{LABELS[name]}：{'、'.join(texts)}" for name, texts in error.message_dict.items() if name != "username"]
    row.account = account


def _change(actor: Account, row: SheetRow) -> OrganisationChange:
    account = row.account
    roles = "、".join(role.name for role in row.roles)
    after = {**{name: row.cells[name] for name in LABELS if name in row.cells}, "roles": roles, "kind": account.get_kind_display()}
    after["enterprise"] = account.enterprise.name if account.enterprise else ""
    after["department"] = account.department.name if account.department else ""
    return OrganisationChange(
        group=account.group,
        actor=actor,
        subject_type="account",
        subject_id=account.pk,
        subject_name=str(account),
        action=ChangeAction.IMPORT,
        changes=[{"field": name, "label": LABELS[name], "before": "", "after": text} for name, text in after.items() if text],
    )
