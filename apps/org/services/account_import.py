"""Import accounts from a sheet. All rows are checked first. Then all rows are written, only the
valid ones, or none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.common.models import ImportRun
from apps.common.services.import_run import (
    ChunkRefused,
    ImportWriter,
    Written,
    get_edit_stamp,
    get_importer,
    rows_delete,
    sheet_import,
)
from apps.common.services.wrong_rows import WrongSheet
from apps.documents.excel import build_wrong_sheet, read_table
from apps.org import texts
from apps.org.enums import ChangeAction
from apps.org.errors import AccountSheetEmpty, NameTaken, RolesLiftTerms
from apps.org.locks import lock_group
from apps.org.models import Account, Department, OrganisationChange, PersonLimit, Role
from apps.org.selectors.accounts import COLUMNS, EXPORT_MORE, list_assignable_departments
from apps.org.selectors.purchasing import (
    get_order_terms,
    list_lifted_terms,
    list_role_limits,
)
from apps.org.selectors.roles import can_grant
from apps.org.services.account import LABELS, NAME_REFUSED, NAME_TAKEN, USERNAME
from apps.org.services.changes import get_change_actors
from apps.org.services.user_names import (
    TakenNames,
    find_taken_names,
    refuse_over_name_limit,
    refused_names_count,
)

MAX_ROWS = 5_000
MAX_COLUMNS = 30
MAX_CELL_CHARACTERS = 300
BATCH = 500
WRONG_ROWS = "有 {number} 行不正确，未导入任何账号，请修改后重新上传"
WRITER = "accounts"
ROLES = re.compile(r"[、,，;；\n]+")


@dataclass(slots=True)
class SheetRow:
    """A row of the sheet: its number in the file, its cells by field, and its errors in words.

    `is_taken_elsewhere`: another customer has the name. The row shows this only if the sheet has no
    other error.
    """

    number: int
    cells: dict[str, str]
    errors: list[str] = field(default_factory=list)
    is_taken_elsewhere: bool = False
    account: Account = field(default_factory=Account)
    roles: list[Role] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _PresentData:
    """What the rows are checked against. `places`: departments by (enterprise code, department
    code). `roles`: by code and by name. `grantable`: pks of the roles that the actor may grant.
    """

    places: dict[tuple[str, str], Department]
    roles: dict[str, Role]
    grantable: set[int]
    # By the keys of the roles.
    limits: Mapping[int, Sequence[PersonLimit]]
    taken_names: TakenNames


def accounts_preview(*, actor: Account, file: IO[bytes]) -> list[SheetRow]:
    """Return the rows with their errors. Writes no account. Call it outside a transaction,
    because it counts refused names.

    Raises:
        FileRefused: the file is not a sheet, has other columns, no rows or more than 5,000 rows.
        NameLimitReached: the group received too many refusals for names of other customers, or
            this sheet would exceed the limit.
    """
    refuse_over_name_limit(actor=actor)
    rows = _read_checked_rows(actor, file)
    taken_names = _find_taken_elsewhere(rows)
    refused_names_count(actor=actor, number=len(taken_names))
    for row in taken_names:
        row.errors.append(NAME_TAKEN)
    return rows


def accounts_import(
    *, actor: Account, file: IO[bytes], options: dict[str, Any], is_good_only: bool = False
) -> ImportRun:
    """Write the new accounts in short transactions and return the run, which is open if another
    request or a background job is writing the sheet. The accounts have no password yet.
    `is_good_only`: write the valid rows although others are wrong.

    Raises:
        FileRefused, NameLimitReached: as accounts_preview.
        ValidationFailed: a row has an error, or a concurrent change made it invalid. Rows that
            were already written are deleted again.
        NameTaken: other customers have names of the sheet, and nothing else is wrong. No row is
            written.
    """
    began_at = timezone.now()
    refuse_over_name_limit(actor=actor)
    rows = _read_checked_rows(actor, file)
    wrong_rows = [row for row in rows if row.errors]
    valid_rows = [row for row in rows if not row.errors]
    taken_names = _find_taken_elsewhere(valid_rows if is_good_only else rows)
    if taken_names and is_good_only:
        refused_names_count(actor=actor, number=len(taken_names))
        valid_rows = [row for row in valid_rows if not row.is_taken_elsewhere]
        for row in taken_names:
            row.errors.append(NAME_TAKEN)
    elif taken_names:
        raise NameTaken(
            {"File": [WRONG_ROWS.format(number=len(taken_names))]}, elsewhere=len(taken_names)
        )
    refusal = ValidationFailed({"File": [WRONG_ROWS.format(number=len(wrong_rows))]})
    return sheet_import(
        writer=WRITER,
        actor=actor,
        rows=[[row.number, row.cells] for row in rows],
        good=[[row.number, row.cells] for row in valid_rows] if is_good_only else None,
        wrong=accounts_build_wrong_sheet(rows) if is_good_only else None,
        options=options,
        began_at=began_at,
        refusal=refusal if wrong_rows else None,
    )


def accounts_build_wrong_sheet(rows: Iterable[SheetRow]) -> WrongSheet:
    """Return the sheet of the rows that have errors."""
    return build_wrong_sheet(
        "账号", columns=COLUMNS, rows=((row.cells, row.errors) for row in rows)
    )


class AccountWriter(ImportWriter):
    """Creates accounts, one chunk per transaction."""

    def write(self, rows: list[Any]) -> Written:
        """Check the rows again against the current accounts, and create their accounts.

        Raises:
            ChunkRefused: a row has an error. Nothing is written.
        """
        actor = get_importer(self.run)
        lock_group(actor.group_id)
        sheet = [SheetRow(number, cells) for number, cells in rows]
        present_data = _load_present_data(actor, sheet)
        for row in sheet:
            _check_row(row, present_data, set(), actor)
            if row.is_taken_elsewhere:
                row.errors.append(NAME_TAKEN)
        if refusals := [(row.number, "", error) for row in sheet for error in row.errors]:
            raise ChunkRefused(refusals)
        accounts: list[Account] = Account.objects.bulk_create(
            [row.account for row in sheet], batch_size=BATCH
        )
        through = Account.roles.through
        through.objects.bulk_create(
            through(account_id=row.account.pk, role_id=role.pk)
            for row in sheet
            for role in row.roles
        )
        OrganisationChange.objects.bulk_create(_build_change(actor, row) for row in sheet)
        self.report["accounts"] = self.report.get("accounts", 0) + len(accounts)
        return Written(
            before=[[row.number, row.account.pk, get_edit_stamp(row.account)] for row in sheet],
            follow_up=self.follow_up(accounts),
        )

    def follow_up(self, accounts: list[Account]) -> list[Any]:
        """Return the follow-up work for the accounts, to be done when all of them exist."""
        return []

    def take_back(self, before: list[Any]) -> Written:
        """Delete the new accounts, except those that changed since or that other rows refer to.
        The history contains creation and deletion.
        """
        actor = get_importer(self.run)
        lock_group(actor.group_id)
        numbers = {pk: number for number, pk, _ in before}
        stamps = {pk: stamp for _, pk, stamp in before}
        accounts = list(Account.objects.filter(pk__in=numbers))
        stay = {account.pk for account in accounts if get_edit_stamp(account) != stamps[account.pk]}
        stay |= rows_delete([account for account in accounts if account.pk not in stay])
        removed_accounts = [account for account in accounts if account.pk not in stay]
        OrganisationChange.objects.bulk_create(
            _build_revert_entry(actor, account) for account in removed_accounts
        )
        return Written(left=[(numbers[pk], "", texts.ACCOUNT_IN_USE) for pk in sorted(stay)])


def _read_checked_rows(actor: Account, file: IO[bytes]) -> list[SheetRow]:
    """Return the rows of the sheet. Each wrong row has its errors; a row's error is not raised.

    Raises:
        FileRefused: as accounts_preview.
    """
    rows = _read_rows(file)
    present_data = _load_present_data(actor, rows)
    repeated = {
        name
        for name, number in Counter(row.cells["username"] for row in rows).items()
        if number > 1
    }
    for row in rows:
        _check_row(row, present_data, repeated, actor)
    return rows


def _find_taken_elsewhere(rows: Sequence[SheetRow]) -> list[SheetRow]:
    """Return the rows whose names other customers have. Empty if the sheet has any other error."""
    return (
        [] if any(row.errors for row in rows) else [row for row in rows if row.is_taken_elsewhere]
    )


def _read_rows(file: IO[bytes]) -> list[SheetRow]:
    """Return the rows of the sheet. User names are in lower case.

    Raises:
        AccountSheetEmpty: it has no row.
    """
    table = read_table(
        file,
        kind=WRITER,
        columns={title.rstrip("*"): name for title, name in COLUMNS.items()},
        ignored=EXPORT_MORE,
        max_rows=MAX_ROWS,
        max_columns=MAX_COLUMNS,
    )
    rows = [SheetRow(row.number, row.cells) for row in table]
    if not rows:
        raise AccountSheetEmpty
    for row in rows:
        row.cells["username"] = row.cells["username"].casefold()
    _check_repeated_contacts(rows)
    return rows


def _check_repeated_contacts(rows: Sequence[SheetRow]) -> None:
    """Add an error to each row that repeats the mobile or mail of an earlier row.

    Two people can share a contact, but not through the import. The account form warns first and
    then allows it.
    """
    for name in ("mobile", "email"):
        first_rows: dict[str, int] = {}
        for row in rows:
            value = row.cells[name].casefold()
            first = first_rows.setdefault(value, row.number)
            if value and first != row.number:
                row.errors.append(texts.contact_repeated(title=LABELS[name], first=first))


def _load_present_data(actor: Account, rows: Sequence[SheetRow]) -> _PresentData:
    """Return what the rows are checked against: departments, roles and user names."""
    departments = (
        list_assignable_departments(actor=actor)
        .filter(is_active=True, enterprise__is_active=True)
        .select_related("enterprise")
        .order_by()
    )
    roles = list(Role.objects.all())
    return _PresentData(
        places={(row.enterprise.code, row.code): row for row in departments},
        roles={**{role.code: role for role in roles}, **{role.name: role for role in roles}},
        grantable={role.pk for role in roles if can_grant(actor=actor, role=role)},
        limits=list_role_limits(),
        taken_names=find_taken_names(
            group_id=actor.group_id, names=(row.cells["username"] for row in rows)
        ),
    )


def _check_row(
    row: SheetRow, present_data: _PresentData, repeated: set[str], actor: Account
) -> None:
    """Fill the row's account and roles, or its errors. `repeated`: user names that the sheet has
    twice.
    """
    cells = row.cells
    if too_long := [name for name, cell in cells.items() if len(cell) > MAX_CELL_CHARACTERS]:
        row.errors.append(texts.values_too_long("、".join(LABELS[name] for name in too_long)))
        return
    name = cells["username"]
    if not USERNAME.fullmatch(name):
        row.errors.append(NAME_REFUSED if name else texts.USERNAME_MISSING)
    elif name in repeated:
        row.errors.append(texts.USERNAME_REPEATED)
    elif name in present_data.taken_names.in_group:
        row.errors.append(NAME_TAKEN)
    row.is_taken_elsewhere = name in present_data.taken_names.elsewhere
    department = present_data.places.get((cells["enterprise"], cells["department"]))
    if department is None:
        is_place_missing = not (cells["enterprise"] and cells["department"])
        row.errors.append(texts.PLACE_MISSING if is_place_missing else texts.PLACE_OUT_OF_REACH)
    _check_roles(row, present_data)
    _check_terms(row, present_data, actor)
    _check_fields(
        row,
        Account(
            group=actor.group,
            department=department,
            enterprise=department.enterprise if department else None,
        ),
    )


def _check_roles(row: SheetRow, present_data: _PresentData) -> None:
    """Fill the row's roles from its cell of codes or names, or its errors."""
    for name in dict.fromkeys(
        part.strip() for part in ROLES.split(row.cells["roles"]) if part.strip()
    ):
        role = present_data.roles.get(name)
        if role is None:
            row.errors.append(texts.role_unknown(name))
        elif role.pk not in present_data.grantable:
            row.errors.append(texts.role_beyond_rights(name))
        elif role not in row.roles:
            row.roles.append(role)


def _check_terms(row: SheetRow, present_data: _PresentData, actor: Account) -> None:
    """Add an error if the roles of the row free its orders from the actor's own limits."""
    if actor.is_group_admin or row.errors:
        return
    account = Account(group=actor.group)
    limits = [limit for role in row.roles for limit in present_data.limits.get(role.pk, ())]
    account.take_roles(row.roles, limits)
    if lifted := list_lifted_terms(own=get_order_terms(account=actor), account=account):
        row.errors.append(RolesLiftTerms(lifted).text)


def _check_fields(row: SheetRow, account: Account) -> None:
    """Copy the cells to the unsaved `account` and check them."""
    text_fields = ("username", "nickname", "full_name", "job_title", "mobile", "email")
    for name in text_fields:
        setattr(account, name, row.cells[name])
    account.set_unusable_password()
    lengths = {
        each.name: each.max_length for each in Account._meta.fields if each.name in text_fields
    }
    too_long = [name for name in text_fields if len(row.cells[name]) > (lengths[name] or 0)]
    row.errors += [
        texts.value_too_long(title=LABELS[name], most=lengths[name] or 0) for name in too_long
    ]
    if not account.nickname:
        row.errors.append(texts.NICKNAME_MISSING)
    try:
        account.clean_fields(
            exclude=[
                each.name
                for each in Account._meta.fields
                if each.name not in text_fields or each.name in too_long or not row.cells[each.name]
            ]
        )
    except ValidationError as error:
        row.errors += [
            f"{LABELS[name]}：{'、'.join(messages)}"
            for name, messages in error.message_dict.items()
            if name != "username"
        ]
    row.account = account


def _build_change(actor: Account, row: SheetRow) -> OrganisationChange:
    """Return the unsaved history entry of an imported account."""
    account = row.account
    roles = "、".join(role.name for role in row.roles)
    after = {
        **{name: row.cells[name] for name in LABELS if name in row.cells},
        "roles": roles,
        "kind": account.get_kind_display(),
    }
    after["enterprise"] = account.enterprise.name if account.enterprise else ""
    after["department"] = account.department.name if account.department else ""
    return OrganisationChange(
        group=account.group,
        **get_change_actors(actor),
        subject_type="account",
        subject_id=account.pk,
        subject_name=str(account),
        action=ChangeAction.IMPORT,
        changes=[
            {"field": name, "label": LABELS[name], "before": "", "after": text}
            for name, text in after.items()
            if text
        ],
    )


def _build_revert_entry(actor: Account, account: Account) -> OrganisationChange:
    """Return the history entry of an account that a failed import deleted again."""
    return OrganisationChange(
        group=account.group,
        **get_change_actors(actor),
        subject_type="account",
        subject_id=account.pk,
        subject_name=str(account),
        action=ChangeAction.DELETE,
        changes=[
            {"field": "note", "label": texts.NOTE, "before": "", "after": texts.IMPORT_TAKEN_BACK}
        ],
    )
