"""Import up to 1,000 addresses from a sheet. All rows are checked first. Then all rows are
written, only the valid ones, or none.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from apps.common.files import TABLES, file_take
from apps.common.files.intake import Upload
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
from apps.org.errors import AddressSheetEmpty, AddressSheetRefused
from apps.org.locks import lock_group
from apps.org.models import Account, Address, Department, Enterprise
from apps.org.regions import find_region_problem
from apps.org.selectors.addresses import can_manage_owner, list_managed_addresses
from apps.org.services.address import OWN_LIMIT, Owner, build_personal_owner
from apps.org.services.changes import change_record
from apps.org.validators import LANDLINE, MOBILE, POSTAL_CODE

MAX_ROWS, MAX_COLUMNS, MAX_MB = 1_000, 20, 5
WRITER = "addresses"
WRONG_KIND = f"请上传 .xlsx、.xls 或 .csv 文件，最多 {MAX_ROWS:,} 行、{MAX_MB} MB"
# Column title, field, whether a value is required, and the maximum length.
COLUMNS = (
    ("收货人", "receiver", True, 40),
    ("手机号码", "mobile", True, 20),
    ("省份", "province", True, 30),
    ("城市", "city", True, 30),
    ("区县", "district", False, 30),
    ("街道", "town", False, 30),
    ("详细地址", "street", True, 200),
    ("邮政编码", "postal_code", False, 6),
    ("标签", "label", False, 20),
    ("使用范围", "scope", False, 10),
    ("企业编码", "enterprise", False, 40),
    ("部门编码", "department", False, 40),
)
HEAD = tuple(column[0] for column in COLUMNS)
SCOPES = {
    "": "account",
    "本人": "account",
    "部门": "department",
    "企业": "enterprise",
    "集团": "group",
}
SCOPE_NAMES = {"account": "本人", "department": "部门", "enterprise": "企业", "group": "集团"}
EXAMPLE = (
    "王小明",
    "13800138000",
    "上海市",
    "上海市",
    "浦东新区",
    "张江镇",
    "张江路 88 号",
    "201203",
    "总部前台",
    "本人",
    "",
    "",
)


@dataclass(slots=True)
class ImportedRow:
    """A row of the sheet: its number, its values and its errors."""

    number: int
    values: dict[str, str]
    errors: list[str] = field(default_factory=list)
    address: Address | None = None


def addresses_preview(*, actor: Account, upload: Upload) -> list[ImportedRow]:
    """Return every row of the sheet with its errors. Writes nothing.

    Raises:
        FileRefused: the file is not a sheet, has other columns, no rows or more than 1,000 rows.
    """
    rows = _read_rows(upload)
    if not rows:
        raise AddressSheetEmpty
    _check_rows(actor, rows)
    return rows


def _check_rows(actor: Account, rows: list[ImportedRow]) -> None:
    """Set the address or the errors of each row."""
    owners: dict[tuple[str, str, str], Owner | str] = {}
    row_by_identity = {
        _build_identity(address): 0 for address in list_managed_addresses(actor=actor)
    }
    for row in rows:
        row.errors = _list_field_errors(row.values)
        owner = _get_owner(actor, row.values, owners)
        if isinstance(owner, str):
            row.errors.append(owner)
        elif not row.errors:
            row.address = _build_address(actor, owner, row.values)
            first = row_by_identity.setdefault(_build_identity(row.address), row.number)
            if first != row.number:
                row.errors.append(texts.repeats_row(first) if first else texts.ADDRESS_EXISTS)
    _refuse_too_many_own(actor, rows)


def addresses_import(*, actor: Account, upload: Upload, is_good_only: bool = False) -> ImportRun:
    """Write all rows of the sheet in short transactions and return the run. `is_good_only`:
    write the valid rows although others are wrong.

    Raises:
        FileRefused: as addresses_preview.
        ValidationFailed: a row has an error, or a concurrent change made it invalid. Rows that were
            already written are deleted again.
    """
    began_at = timezone.now()
    rows = addresses_preview(actor=actor, upload=upload)
    errors_by_row = {row.number: row.errors for row in rows if row.errors}
    refusal = AddressSheetRefused(errors_by_row)
    return sheet_import(
        writer=WRITER,
        actor=actor,
        rows=[[row.number, row.values] for row in rows],
        good=[[row.number, row.values] for row in rows if not row.errors] if is_good_only else None,
        wrong=addresses_build_wrong_sheet(rows) if is_good_only else None,
        options={},
        began_at=began_at,
        refusal=refusal if errors_by_row else None,
    )


def addresses_build_wrong_sheet(rows: Iterable[ImportedRow]) -> WrongSheet:
    """Return the sheet of the rows that have errors."""
    return build_wrong_sheet(
        "收货地址",
        columns={title: name for title, name, _, _ in COLUMNS},
        rows=((row.values, row.errors) for row in rows),
    )


class AddressWriter(ImportWriter):
    """Writes addresses, one chunk per transaction."""

    def write(self, rows: list[Any]) -> Written:
        """Check the rows again and write their addresses.

        Raises:
            ChunkRefused: a row has an error. Nothing is written.
        """
        actor = get_importer(self.run)
        lock_group(actor.group_id)
        sheet = [ImportedRow(number, values) for number, values in rows]
        _check_rows(actor, sheet)
        if refusals := [(row.number, "", error) for row in sheet for error in row.errors]:
            raise ChunkRefused(refusals)
        created_addresses: list[Address] = Address.objects.bulk_create(
            [row.address for row in sheet if row.address is not None]
        )
        if shared := [address.pk for address in created_addresses if address.account_id is None]:
            self.report["shared"] = self.report.get("shared", 0) + len(shared)
            self.report.setdefault("first_shared", shared[0])
        return Written(
            before=[
                [row.number, address.pk, get_edit_stamp(address)]
                for row, address in zip(sheet, created_addresses, strict=True)
            ]
        )

    def take_back(self, before: list[Any]) -> Written:
        """Delete the new addresses, except those that changed since or that other rows refer
        to.
        """
        numbers = {pk: number for number, pk, _ in before}
        stamps = {pk: stamp for _, pk, stamp in before}
        addresses = list(Address.objects.select_for_update().filter(pk__in=numbers))
        stay = {
            address.pk for address in addresses if get_edit_stamp(address) != stamps[address.pk]
        }
        stay |= rows_delete([address for address in addresses if address.pk not in stay])
        return Written(left=[(numbers[pk], "", texts.ADDRESS_IN_USE) for pk in sorted(stay)])

    def finish(self) -> None:
        """Write one history entry for all new shared addresses."""
        if count := self.report.get("shared", 0):
            text = texts.addresses_imported(count)
            fixed_values: dict[str, Any] = {
                "subject_type": "address",
                "subject_id": self.report["first_shared"],
                "subject_name": text,
            }
            change_record(
                actor=get_importer(self.run),
                action=ChangeAction.IMPORT,
                before={},
                after={},
                labels={},
                **fixed_values,
            )


def _read_rows(upload: Upload) -> list[ImportedRow]:
    file = file_take(
        upload, kinds=TABLES, max_mb=MAX_MB, message=WRONG_KIND, size_message=WRONG_KIND
    )
    table = read_table(
        io.BytesIO(file.content),
        kind=WRITER,
        columns={title: name for title, name, _, _ in COLUMNS},
        optional=[title for title, _, needed, _ in COLUMNS if not needed],
        max_rows=MAX_ROWS,
        max_columns=MAX_COLUMNS,
    )
    return [ImportedRow(row.number, row.cells) for row in table]


def _list_field_errors(values: dict[str, str]) -> list[str]:
    """Return the errors of one row: missing, too long, a wrong number, or an unknown region."""
    errors = [
        texts.value_missing(title)
        for title, name, needed, _ in COLUMNS
        if needed and not values.get(name)
    ]
    errors += [
        texts.value_too_long(title=title, most=most)
        for title, name, _, most in COLUMNS
        if len(values.get(name, "")) > most
    ]
    mobile, postal_code = values.get("mobile", ""), values.get("postal_code", "")
    if mobile and not (MOBILE.fullmatch(mobile) or LANDLINE.fullmatch(mobile)):
        errors.append(texts.PHONE_INVALID)
    if postal_code and not POSTAL_CODE.fullmatch(postal_code):
        errors.append(texts.POSTAL_CODE_INVALID)
    if not errors and (
        problem := find_region_problem(
            province=values["province"], city=values["city"], district=values.get("district", "")
        )
    ):
        errors.append(problem[1])
    return errors


def _get_owner(
    actor: Account, values: dict[str, str], owner_by_name: dict[tuple[str, str, str], Owner | str]
) -> Owner | str:
    """Return the owner of the row's address, or the error. Results are cached by scope and
    code.
    """
    key = (values.get("scope", ""), values.get("enterprise", ""), values.get("department", ""))
    if key not in owner_by_name:
        owner_by_name[key] = _find_owner(actor, *key)
    return owner_by_name[key]


def _find_owner(
    actor: Account, scope: str, enterprise_code: str, department_code: str
) -> Owner | str:
    """Return the owner that the cells name, or the error text of the row."""
    kind = SCOPES.get(scope)
    if kind is None:
        return texts.SCOPE_INVALID
    if kind == "account":
        return build_personal_owner(actor)
    department = enterprise = None
    if kind == "department":
        departments = Department.objects.filter(is_active=True).select_related("enterprise")
        department = (
            departments.filter(code=department_code).first()
            if department_code
            else actor.department
        )
        if department is None:
            return (
                texts.department_code_unknown(department_code)
                if department_code
                else texts.DEPARTMENT_CODE_MISSING
            )
        enterprise = department.enterprise
    elif kind == "enterprise":
        enterprises = Enterprise.objects.filter(is_active=True)
        enterprise = (
            enterprises.filter(code=enterprise_code).first()
            if enterprise_code
            else actor.enterprise
        )
        if enterprise is None:
            return (
                texts.enterprise_code_unknown(enterprise_code)
                if enterprise_code
                else texts.ENTERPRISE_CODE_MISSING
            )
    keys = {
        "enterprise_id": enterprise.pk if enterprise else None,
        "department_id": department.pk if department else None,
    }
    if not can_manage_owner(actor=actor, **keys):
        return texts.SCOPE_BEYOND_RIGHTS
    return Owner(department=department, enterprise=enterprise)


def _build_address(actor: Account, owner: Owner, values: dict[str, str]) -> Address:
    fields: dict[str, Any] = {
        name: values.get(name, "")
        for _, name, _, _ in COLUMNS
        if name not in ("scope", "enterprise", "department")
    }
    return Address(
        group=actor.group,
        account=owner.account,
        department=owner.department,
        enterprise=owner.enterprise,
        **fields,
    )


def _build_identity(address: Address) -> tuple[object, ...]:
    owner_key = (address.account_id, address.department_id, address.enterprise_id)
    return (*owner_key, address.receiver, address.mobile, address.full_text)


def _refuse_too_many_own(actor: Account, rows: list[ImportedRow]) -> None:
    present_count = Address.objects.filter(account=actor, is_active=True).count()
    own_rows = [
        row for row in rows if row.address is not None and row.address.account_id is not None
    ]
    for row in own_rows[max(0, OWN_LIMIT - present_count) :]:
        row.errors.append(texts.own_addresses_full(OWN_LIMIT))
