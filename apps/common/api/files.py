"""Upload and download of private files."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.views import AuthedRequest, MallViewSet, find_account
from apps.common.errors import FileRefused, NotFound
from apps.common.files import ANY_KIND, file_take, file_url, read_signature
from apps.common.files.signing import FileGrant
from apps.common.models import StoredFile
from apps.common.services.files import file_store
from apps.common.tenancy import tenant_scope

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    from apps.org.models import Account

MORE_THAN_ONE = "一次只能上传一个文件"


def list_uploads(request: Request) -> list[UploadedFile[Any]]:
    """Return every file of the request, also several files of one field."""
    return [upload for _, files in request.FILES.lists() for upload in files]


def only_upload(
    request: Request,
    *,
    missing_message: str = "请选择一个文件",
    too_many_message: str = MORE_THAN_ONE,
) -> UploadedFile[Any]:
    """Return the only file of the request.

    Raises:
        FileRefused: with `missing_message` without a file, with `too_many_message` with several.
    """
    uploads = list_uploads(request)
    if len(uploads) != 1:
        raise FileRefused(too_many_message if uploads else missing_message)
    return uploads[0]


MAX_MB = 20
# Browsers show these types inline. All others are downloads.
INLINE = frozenset({"image/jpeg", "image/png", "image/webp"})
SANDBOX = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; "
    "frame-ancestors 'none'"
)


class StoredFileSerializer(serializers.Serializer[StoredFile]):
    """An uploaded file, with a URL that is valid for 5 minutes."""

    FileId = serializers.UUIDField(source="public_id")
    Name = serializers.CharField(source="name")
    Size = serializers.IntegerField(source="size")
    Url = serializers.SerializerMethodField()

    def get_Url(self, file: StoredFile) -> str:
        return file_url(file, account=self.context["account"])


class FileViewSet(MallViewSet):
    """Private files: upload and download."""

    access = Access.login()
    action_access = {"retrieve": Access.public()}
    parser_classes = [MultiPartParser]
    lookup_field = "file_id"
    lookup_value_regex = r"[0-9a-fA-F-]{36}"
    serializer_class = StoredFileSerializer

    @extend_schema(
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {"file": {"type": "string", "format": "binary"}},
            }
        },
        responses=StoredFileSerializer,
    )
    @action(detail=False, methods=["post"], url_path="Execute")
    def execute(self, request: AuthedRequest) -> Response:
        """Store one uploaded file. The form field may have any name."""
        stored_file = file_store(
            actor=request.user, file=file_take(only_upload(request), kinds=ANY_KIND, max_mb=MAX_MB)
        )
        return Response(StoredFileSerializer(stored_file, context={"account": request.user}).data)

    @extend_schema(
        parameters=[
            OpenApiParameter("sig", str),
            OpenApiParameter("file_id", OpenApiTypes.UUID, OpenApiParameter.PATH),
        ],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def retrieve(self, request: Request, file_id: str) -> HttpResponseBase:
        """Return the bytes of a file.

        With a valid signature no bearer is needed, because `<img>` and `<a>` send none. Without a
        signature only the uploader can read the file, so that he can still see it after its URL has
        expired. Other readers need a signed URL, which the app that uses the file creates after its
        own check.
        """
        try:
            public_id = uuid.UUID(file_id)
        except ValueError:
            raise NotFound from None
        signature = request.query_params.get("sig", "")
        if not signature and request.user:
            file = StoredFile.objects.filter(public_id=public_id, owner=request.user.pk).first()
        else:
            file = _get_granted_file(
                public_id, read_signature(public_id, signature), find_account(request)
            )
        if file is None:
            raise NotFound
        return file_response(file)


def _get_granted_file(
    public_id: uuid.UUID, grant: FileGrant | None, bearer_account: Account | None
) -> StoredFile | None:
    """Return the file of a valid signature, or None. The account that it was signed for must be
    active, and a bearer must belong to it.
    """
    if grant is None or (bearer_account and bearer_account.pk != grant.account_id):
        return None
    with tenant_scope(group_id=grant.group_id):
        reader = get_user_model()._default_manager.filter(pk=grant.account_id, is_active=True)
        return StoredFile.objects.filter(public_id=public_id).first() if reader.exists() else None


class Readable(Protocol):
    """A file in the storage: its path, its display name and its content type."""

    @property
    def path(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def content_type(self) -> str: ...


def file_response(file: Readable) -> HttpResponseBase:
    """Return the bytes of a file from disk or bucket. If X_ACCEL_PREFIX is set, the proxy sends
    them instead. A missing file is answered with 404.
    """
    response: HttpResponseBase
    if settings.X_ACCEL_PREFIX:
        response = HttpResponse(
            headers={"X-Accel-Redirect": quote(settings.X_ACCEL_PREFIX + file.path)}
        )
    else:
        try:
            response = FileResponse(default_storage.open(file.path))
        except FileNotFoundError:
            raise NotFound from None
    kind = "inline" if file.content_type in INLINE else "attachment"
    response["Content-Type"] = file.content_type
    response["Content-Disposition"] = f"{kind}; filename*=UTF-8''{quote(file.name, safe='')}"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = SANDBOX
    response["Cache-Control"] = "private, max-age=240"
    return response
