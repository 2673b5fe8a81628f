"""/api/Account/Template, /Import and /Export: sheets of accounts."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import only_upload
from apps.common.api.parsers import BoundedJSONParser
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import FileRefused
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api.sheets import (
    ImportOptionsSerializer,
    SheetRowSerializer,
    SheetTakenSerializer,
    import_result,
    sheet_preview,
    sheet_response,
    upload_body,
)
from apps.identity.api import account_serializers as s
from apps.identity.services.accounts_import import accounts_open
from apps.org.menus import MenuCode
from apps.org.selectors.accounts import EXAMPLE, HEADER, export_header, list_export_rows
from apps.org.services.account_import import accounts_preview

BIGGEST = 5 * 1024 * 1024


class AccountImportOptionsSerializer(ImportOptionsSerializer):
    Invite = serializers.BooleanField(default=False)


class AccountSheetRowSerializer(SheetRowSerializer):
    UserName = serializers.CharField(source="cells.username")
    NickName = serializers.CharField(source="cells.nickname")
    Enterprise = serializers.CharField(source="cells.enterprise")
    Department = serializers.CharField(source="cells.department")
    Roles = serializers.CharField(source="cells.roles")


class AccountImportSerializer(SheetTakenSerializer):
    Rows = AccountSheetRowSerializer(many=True)
    Invited = serializers.IntegerField()


class AccountSheetViewSet(MallViewSet):
    """Import and export of accounts."""

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    action_access = {"import_sheet": Access.menu(MenuCode.MANAGEMENT_ACCOUNT).in_person()}
    serializer_class = AccountImportSerializer
    pagination_class = None
    parser_classes = [BoundedJSONParser, MultiPartParser]

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Template")
    def template(self, _request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet to fill in."""
        return sheet_response("账号导入模板.xlsx", header=HEADER, rows=[EXAMPLE], sheet="账号")

    @extend_schema(
        request=s.AccountExportSerializer, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], url_path="Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the filtered list as a sheet."""
        filters = s.AccountExportSerializer.filters(s.AccountExportSerializer.parse(request))
        name = f"账号-{timezone.localdate():%Y%m%d}.xlsx"
        return sheet_response(
            name,
            header=export_header(),
            rows=list_export_rows(actor=request.user, filters=filters),
            sheet="账号",
        )

    @extend_schema(request=upload_body("Invite"), responses=AccountImportSerializer)
    @action(detail=False, methods=["post"], url_path="Import")
    def import_sheet(self, request: AuthedRequest) -> Response:
        """Check the sheet. With `Confirm`, write all rows, or none if a row has an error."""
        file = _only_file(request)
        options = AccountImportOptionsSerializer(data=request.data)
        options.is_valid(raise_exception=True)
        if not options.validated_data["Confirm"]:
            rows = accounts_preview(actor=request.user, file=file)
            return Response({**sheet_preview(rows, AccountSheetRowSerializer), "Invited": 0})
        origin = str(request.build_absolute_uri("/")).rstrip("/")
        done, letters = accounts_open(
            actor=request.user, file=file, invites=options.validated_data["Invite"], origin=origin
        )
        told = f"，已向 {letters} 人发送邀请邮件" if letters else ""
        return Ok(
            {**import_result(done), "Invited": letters}, message=f"已导入 {done} 个账号{told}"
        )


def _only_file(request: AuthedRequest) -> Any:
    upload = only_upload(request, missing="请选择一个表格文件")
    if (upload.size or 0) > BIGGEST:
        raise FileRefused("文件大小不能超过 5MB")
    return upload
