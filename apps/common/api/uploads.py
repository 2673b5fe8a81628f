"""Read the files of a multipart request, whatever their fields are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.common.errors import FileRefused

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from rest_framework.request import Request

MORE_THAN_ONE = "一次只能上传一个文件"


def uploads_of(request: Request) -> list[UploadedFile[Any]]:
    """Return every file of the request, also several files of one field."""
    return [upload for _, files in request.FILES.lists() for upload in files]


def only_upload(
    request: Request, *, missing: str = "请选择一个文件", too_many: str = MORE_THAN_ONE
) -> UploadedFile[Any]:
    """Return the only file of the request.

    Raises:
        FileRefused: with the message `missing` if there is none, `too_many` if there are several.
    """
    uploads = uploads_of(request)
    if len(uploads) != 1:
        raise FileRefused(too_many if uploads else missing)
    return uploads[0]
