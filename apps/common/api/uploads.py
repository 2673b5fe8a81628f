"""The files of a request, whatever their fields are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.common.errors import FileRefused

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from rest_framework.request import Request

MORE_THAN_ONE = "一次只能上传一个文件"


def uploads_of(request: Request) -> list[UploadedFile[Any]]:
    """Return every file of the request, those of one field that came several times too."""
    return [upload for _, files in request.FILES.lists() for upload in files]


def only_upload(request: Request, *, missing: str = "请选择一个文件", too_many: str = MORE_THAN_ONE) -> UploadedFile[Any]:
    """Return the one file of the request.

    Raises:
        FileRefused: with `missing` when there is none, with `too_many` when there are several.
    """
    uploads = uploads_of(request)
    if len(uploads) != 1:
        raise FileRefused(too_many if uploads else missing)
    return uploads[0]
