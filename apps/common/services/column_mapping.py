"""Remember which columns of a customer's sheets stand for which columns of our templates.

The headers of a sheet from another program differ from those of the template. A person chooses a
column of the template for each of them once. Later sheets of the same kind are read with the same
mapping. A header that equals a header of the template is never mapped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.common.audit import acts_log
from apps.common.errors import (
    ColumnMappedTwice,
    FileRefused,
    MappedColumnUnknown,
    MappingMalformed,
)
from apps.common.models import ColumnMapping
from apps.common.tenancy import open_scope

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_HEADER = 100
# A mapping remembers at most this many headers. The oldest ones are dropped.
MAX_HEADERS = 200


class HeadersUnknown(FileRefused):
    """The headers of the sheet differ from the template. `unknown` are the headers that the
    template lacks, `missing` the required columns that the sheet lacks, and `choices` all columns
    that the sheet lacks. The message names the missing columns.
    """

    def __init__(
        self, *, unknown: Sequence[str], missing: Sequence[str], choices: Sequence[str]
    ) -> None:
        """The body lists the unknown headers and the columns that the user can choose for them."""
        difference = (
            f"表头与模板不一致，缺少：{'、'.join(missing)}，请选择各列对应的内容，或下载模板填写"
            if missing
            else f"未识别的列：{'、'.join(unknown)}，请选择各列对应的内容，或选择不导入"
        )
        super().__init__(
            difference,
            body={"Headers": list(unknown), "Columns": list(choices)},
        )


def get_column_mapping(*, kind: str, enterprise_id: int = 0) -> dict[str, str]:
    """Return header → column of the group whose scope is open, or of the staff. One query.

    `enterprise_id`: the customer whose sheet the staff import. Its columns go before those of the
    staff.
    """
    rows = ColumnMapping.objects.filter(
        kind=kind, group_id=_get_group_id(), enterprise_id__in={0, enterprise_id}
    ).order_by("enterprise_id")
    return {header: column for row in rows for header, column in row.columns.items()}


def get_forgettable_columns(*, kind: str, enterprise_id: int = 0) -> dict[str, str]:
    """Return header → column of what `column_mapping_forget` deletes. Empty if there is nothing."""
    rows = ColumnMapping.objects.filter(group_id=0, kind=kind, enterprise_id=enterprise_id)
    return dict(rows.values_list("columns", flat=True).first() or {})


def list_mapped_enterprise_ids(*, kind: str) -> list[int]:
    """Return the keys of the customers' enterprises for whose sheets the staff remember columns."""
    rows = ColumnMapping.objects.filter(kind=kind, group_id=0, enterprise_id__gt=0)
    return list(rows.order_by("enterprise_id").values_list("enterprise_id", flat=True))


@transaction.atomic
def column_mapping_save(
    *,
    kind: str,
    columns: Mapping[str, str],
    template_columns: Collection[str],
    enterprise_id: int = 0,
) -> None:
    """Remember header → column for the group whose scope is open, or for the staff, or for the
    customer whose sheets the staff import. Other remembered headers remain. An empty column means
    that the header is ignored.

    Raises:
        ValidationFailed: a column is not in `template_columns`, or two headers stand for one
            column.
    """
    column_by_header = {header.strip()[:MAX_HEADER]: column for header, column in columns.items()}
    if unknown_columns := [
        column for column in column_by_header.values() if column and column not in template_columns
    ]:
        raise MappedColumnUnknown(unknown_columns[0][:40])
    uses_by_column = Counter(column for column in column_by_header.values() if column)
    if repeated_columns := [column for column, number in uses_by_column.items() if number > 1]:
        headers = [
            header for header, column in column_by_header.items() if column == repeated_columns[0]
        ]
        raise ColumnMappedTwice(headers=headers, column=repeated_columns[0])
    row, _ = ColumnMapping.objects.select_for_update().get_or_create(
        kind=kind, group_id=_get_group_id(), enterprise_id=enterprise_id
    )
    other_columns = {
        header: column for header, column in row.columns.items() if header not in column_by_header
    }
    row.columns = dict([*other_columns.items(), *column_by_header.items()][-MAX_HEADERS:])
    row.save()


@transaction.atomic
def column_mapping_forget(*, staff: Account, kind: str, enterprise_id: int = 0) -> bool:
    """Forget the columns that the staff remember for their own sheets, or for those of one
    customer. The log has the columns. Return False if there are none.
    """
    row = (
        ColumnMapping.objects.select_for_update()
        .filter(kind=kind, group_id=0, enterprise_id=enterprise_id)
        .first()
    )
    if row is None:
        return False
    columns = "；".join(
        f"{header} → {column or '不导入'}" for header, column in row.columns.items()
    )
    acts_log(staff=staff, acts=[(row, {"列对应": (columns, "")})], is_deleted=True)
    row.delete()
    return True


def map_headers(
    headers: Sequence[str], *, template_headers: Collection[str], mapping: Mapping[str, str]
) -> list[str]:
    """Return the headers of a sheet in the words of the template. A header that the template has
    stays. A mapped header becomes its column, unless the sheet has that column itself.
    """
    headers_in_use = set(headers) & set(template_headers)
    mapped_headers = []
    for header in headers:
        column = header if header in template_headers else mapping.get(header, header)
        mapped_headers.append(
            "" if column in headers_in_use and header not in template_headers else column
        )
        headers_in_use.add(column)
    return mapped_headers


def parse_mapping(json_text: Any) -> dict[str, str]:
    """Return header → column from the data of a request.

    Raises:
        ValidationFailed: `json_text` is not an object of texts, or has more than MAX_HEADERS
            headers.
    """
    is_mapping = (
        isinstance(json_text, dict)
        and len(json_text) <= MAX_HEADERS
        and all(isinstance(column, str) for column in json_text.values())
    )
    if not is_mapping:
        raise MappingMalformed
    return dict(json_text)


def _get_group_id() -> int:
    scope = open_scope()
    return (scope.group_id or 0) if scope else 0
