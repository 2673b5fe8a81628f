"""Sheets of a call: one as its answer, and one taken in, looked at first and written when it is confirmed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from django.http import HttpResponse
from rest_framework import serializers

from apps.common.excel.writer import Cell, write_xlsx
from apps.common.files.kinds import XLSX_TYPE

if TYPE_CHECKING:
    from rest_framework.request import Request

# Rows of a preview that are shown.
MOST_SHOWN = 200


class ImportOptionsSerializer(serializers.Serializer[Any]):
    """What goes with the file; without `Confirm` it is only looked at."""

    Confirm = serializers.BooleanField(default=False)


class SheetRowSerializer(serializers.Serializer[Any]):
    """A row of a preview: its number in the file and what is wrong with it; a sheet's own adds what was read."""

    Row = serializers.IntegerField(source="number")
    Errors = serializers.ListField(source="errors", child=serializers.CharField())


class SheetTakenSerializer(serializers.Serializer[Any]):
    """Of a preview: the rows, wrong ones first, the first 200; `Imported` once it is confirmed. A sheet's own names its `Rows`."""

    Total = serializers.IntegerField()
    Wrong = serializers.IntegerField()
    Imported = serializers.IntegerField()


class CheckedRow(Protocol):
    """A row of a sheet with what is wrong with it."""

    @property
    def errors(self) -> list[str]: ...


def upload_body(*wishes: str) -> dict[str, Any]:
    """Return the schema of a sheet with `Confirm` and further wishes that are true or false."""
    flags = {name: {"type": "boolean", "default": False} for name in ("Confirm", *wishes)}
    file = {"type": "string", "format": "binary"}
    return {"multipart/form-data": {"type": "object", "required": ["file"], "properties": {"file": file, **flags}}}


def sheet_preview(rows: Sequence[CheckedRow], serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """Return what a sheet would do: how many rows, how many are wrong, and the first 200, the wrong ones before the others."""
    wrong_first = sorted(rows, key=lambda row: not row.errors)
    shown = [serializer(row).data for row in wrong_first[:MOST_SHOWN]]
    return {"Total": len(rows), "Wrong": sum(bool(row.errors) for row in rows), "Rows": shown, "Imported": 0}


def sheet_confirmed(request: Request) -> bool:
    """Return whether the sheet is to be written, not only looked at.

    Raises:
        ValidationError: `Confirm` is neither true nor false.
    """
    options = ImportOptionsSerializer(data=request.data)
    options.is_valid(raise_exception=True)
    return bool(options.validated_data["Confirm"])


def sheet_imported(count: int) -> dict[str, Any]:
    """Return what a written sheet answers in the keys of its preview."""
    return {"Total": count, "Wrong": 0, "Rows": [], "Imported": count}


def sheet_answer(name: str, *, header: Sequence[str], rows: Iterable[Sequence[Cell]], sheet: str) -> HttpResponse:
    """Return `rows` under `header` as a download called `name`, which no browser and no proxy keeps.

    Written in memory: for what has a bound of a few thousand rows.
    """
    file = io.BytesIO()
    write_xlsx(file, header=header, rows=rows, sheet=sheet)
    return file_answer(name, content=file.getvalue(), content_type=XLSX_TYPE)


def file_answer(name: str, *, content: bytes, content_type: str) -> HttpResponse:
    """Return bytes as a download called `name`, which no browser and no proxy keeps."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}", "Cache-Control": "no-store"}
    return HttpResponse(content, content_type=content_type, headers=headers)
