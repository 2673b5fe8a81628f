"""Sheets in the API: a sheet as a download, an uploaded sheet that is previewed first and written
after confirmation, and the sheet of the rows that a person left out.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import FormJSONField
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.common.models import ImportRun
from apps.common.models.import_run import ImportState
from apps.common.numbers import parse_key
from apps.common.services.column_mapping import column_mapping_save, parse_mapping
from apps.common.services.import_run import get_actions, get_own_import
from apps.common.services.wrong_rows import WrongSheet, get_wrong_sheet
from apps.documents.excel.reader import SheetMapping
from apps.documents.excel.writer import Cell, write_xlsx

if TYPE_CHECKING:
    from rest_framework.request import Request

# Number of rows in a preview.
MAX_SHOWN = 200


class ImportOptionsSerializer(serializers.Serializer[Any]):
    """Options of an uploaded sheet. Without `Confirm` it is only previewed. `GoodOnly`: write the
    valid rows although others are wrong. `WrongRows`: return the wrong rows as a sheet to correct.
    `Mapping`: the column of the template for each header of the sheet, as JSON; it is remembered.
    """

    Confirm = serializers.BooleanField(default=False)
    GoodOnly = serializers.BooleanField(default=False)
    WrongRows = serializers.BooleanField(default=False)
    Mapping = FormJSONField(required=False)


class SheetRowSerializer(serializers.Serializer[Any]):
    """A row of a preview: its number in the file and its errors. Each sheet adds its own
    columns.
    """

    Row = serializers.IntegerField(source="number")
    Errors = serializers.ListField(source="errors", child=serializers.CharField())


class SheetMappingSerializer(serializers.Serializer[Any]):
    """How the headers are read that the template does not have. An empty column means that a header
    is not imported. `Choices`: the columns that the sheet itself does not have.
    """

    Columns = serializers.DictField(source="columns", child=serializers.CharField(allow_blank=True))
    Choices = serializers.ListField(source="choices", child=serializers.CharField())


class SheetTakenSerializer(serializers.Serializer[Any]):
    """A preview with the first 200 rows, wrong ones first, or the result of an import
    (`Imported`), which is below `Total` while an equal confirm is writing the sheet. The correct or
    imported rows are new ones, changed ones, or equal to what is stored. `Mapping`: remembered
    columns that a preview has used. Each sheet adds its own `Rows`.
    """

    Total = serializers.IntegerField()
    Wrong = serializers.IntegerField()
    Imported = serializers.IntegerField()
    Created = serializers.IntegerField()
    Updated = serializers.IntegerField()
    Unchanged = serializers.IntegerField()
    Mapping = SheetMappingSerializer(allow_null=True)


class CheckedRow(Protocol):
    """A row of a sheet with its errors."""

    @property
    def errors(self) -> list[str]: ...


MAPPING_FIELD = {
    "type": "string",
    "description": "文件的列名与模板列名的对应，按集团记住；空的列名表示不导入该列",
}


def build_mapped_upload_body() -> dict[str, Any]:
    """Return the schema of a multipart body with a sheet that is not previewed, and `Mapping`."""
    body = build_upload_body(confirmed=False)
    body["multipart/form-data"]["properties"]["Mapping"] = MAPPING_FIELD
    return body


def build_upload_body(*option_names: str, confirmed: bool = True) -> dict[str, Any]:
    """Return the schema of a multipart body with the sheet, `Confirm` (if the sheet is previewed
    first) and further boolean options.
    """
    options = ("Confirm", *option_names) if confirmed else option_names
    flags: dict[str, Any] = {name: {"type": "boolean", "default": False} for name in options}
    file = {"type": "string", "format": "binary"}
    return {
        "multipart/form-data": {
            "type": "object",
            "required": ["file"],
            "properties": {"file": file, **flags},
        }
    }


def sheet_preview(
    rows: Sequence[CheckedRow],
    serializer: type[serializers.Serializer[Any]],
    *,
    mapping: SheetMapping | None,
) -> dict[str, Any]:
    """Return the preview of a sheet: the number of rows, of wrong rows and of the actions of the
    others, the first 200 rows, wrong ones first, and the remembered columns that it has used.
    """
    # Rows of sheets that only create have no action.
    actions = Counter(getattr(row, "action", "create") for row in rows if not row.errors)
    wrong_first = sorted(rows, key=lambda row: not row.errors)
    first_rows = [serializer(row).data for row in wrong_first[:MAX_SHOWN]]
    return {
        "Total": len(rows),
        "Wrong": sum(bool(row.errors) for row in rows),
        "Rows": first_rows,
        "Imported": 0,
        **_count_keys(actions),
        "Mapping": SheetMappingSerializer(mapping).data if mapping else None,
    }


def _count_keys(actions: Mapping[str, int]) -> dict[str, int]:
    """Return the keys of the answer for the rows of each action."""
    return {
        "Created": actions.get("create", 0),
        "Updated": actions.get("update", 0),
        "Unchanged": actions.get("same", 0),
    }


def import_body(*option_names: str) -> dict[str, Any]:
    """Return the schema of a multipart body with the sheet, the options of every import, and the
    further boolean options `option_names`.
    """
    body = build_upload_body("GoodOnly", "WrongRows", *option_names)
    fields = body["multipart/form-data"]["properties"]
    fields["GoodOnly"]["description"] = "只写入正确的行"
    fields["WrongRows"]["description"] = "返回有误的行，末列为错误原因，更正后可再次上传"
    fields["Mapping"] = MAPPING_FIELD
    return body


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """What to do with an uploaded sheet. Without any of these it is only previewed."""

    is_confirmed: bool
    is_good_only: bool
    wants_wrong_rows: bool


def read_sheet_options(request: Request, *, kind: str, columns: Collection[str]) -> SheetOptions:
    """Return the options of the request, and remember the mapping of columns that it has.
    `columns` are the headers of the template.

    Raises:
        ValidationError: an option has another type.
        ValidationFailed: the mapping is wrong, see column_mapping_save.
    """
    options = ImportOptionsSerializer(data=request.data)
    options.is_valid(raise_exception=True)
    values = options.validated_data
    if "Mapping" in values:
        template_columns = [column.rstrip("*") for column in columns]
        column_mapping_save(
            kind=kind, columns=parse_mapping(values["Mapping"]), template_columns=template_columns
        )
    return SheetOptions(values["Confirm"], values["GoodOnly"], values["WrongRows"])


def build_wrong_rows_response(sheet: WrongSheet) -> HttpResponse:
    """Return the wrong rows as an .xlsx download to correct and send again."""
    return build_sheet_response(
        f"{sheet.name}_待更正.xlsx", header=sheet.header, rows=sheet.rows, sheet=sheet.name
    )


class ImportSheetViewSet(MallViewSet):
    """The sheets of the caller's own imports. An import of another person answers 404."""

    access = Access.login()
    pagination_class = None

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="WrongRows")
    def wrong_rows(self, request: AuthedRequest, pk: str) -> HttpResponse:
        """Return the rows that the person left out, with 错误原因 as the last column."""
        run = get_own_import(actor=request.user, run_id=parse_key(pk))
        return build_wrong_rows_response(get_wrong_sheet(run=run))


def import_answer(run: ImportRun, *, noun: str, more: str = "", **keys: Any) -> Ok:
    """Return the answer for a confirmed sheet, with the keys of a preview and `keys`. `noun` is
    the unit and the name of a row, and `more` is appended to the message.

    An open run means that an equal confirm or a background job is writing the sheet: `Imported` is
    below `Total`.
    """
    rows_done = run.rows_written
    counts = _count_keys(get_actions(run))
    body = {"Total": run.rows, "Wrong": 0, "Rows": [], "Imported": rows_done, **counts}
    body |= {"Mapping": None, **keys}
    if run.state == ImportState.DONE:
        created, updated, unchanged = counts.values()
        if updated or unchanged:
            more = f"：新增 {created}，修改 {updated}，不变 {unchanged}{more}"
        return Ok(body, message=f"已导入 {rows_done} {noun}{more}")
    if run.state == ImportState.TAKING_BACK:
        return Ok(body, message="这份表格有行不能写入，正在撤回，请稍后重新上传核对")
    progress = f"已写入 {rows_done:,} / {run.rows:,} 行"
    return Ok(body, message=f"这份表格正在导入，{progress}，无需再次确认，请稍后刷新查看")


def build_sheet_response(
    name: str, *, header: Sequence[str], rows: Iterable[Sequence[Cell]], sheet: str
) -> HttpResponse:
    """Return `rows` under `header` as an .xlsx download called `name`. Browsers and proxies do
    not cache it.

    The file is built in memory, so use it only for up to a few thousand rows.
    """
    file = io.BytesIO()
    write_xlsx(file, header=header, rows=rows, sheet=sheet)
    return build_attachment_response(name, content=file.getvalue(), content_type=XLSX_TYPE)


def build_attachment_response(name: str, *, content: bytes, content_type: str) -> HttpResponse:
    """Return bytes as a download called `name`. Browsers and proxies do not cache it."""
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "Cache-Control": "no-store",
    }
    return HttpResponse(content, content_type=content_type, headers=headers)
