"""/api/Address: addresses, regions, address parsing, and import and export of sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.files import only_upload
from apps.common.api.renderers import Ok
from apps.common.api.serializers import AnswerSerializer, BodySerializer, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import (
    SheetRowSerializer,
    SheetTakenSerializer,
    build_sheet_response,
    build_wrong_rows_response,
    import_answer,
    import_body,
    read_sheet_options,
    sheet_preview,
)
from apps.documents.excel import find_sheet_mapping
from apps.documents.excel.writer import Cell
from apps.org.api import serializers as s
from apps.org.api.serializers import AddressExportSerializer, ReceiverSerializer
from apps.org.models import Account, Address
from apps.org.regions import address_parse, list_regions
from apps.org.selectors.addresses import get_address, list_addresses, list_managed_addresses
from apps.org.services.address import address_create, address_delete, address_update
from apps.org.services.address_import import (
    EXAMPLE,
    HEAD,
    MAX_ROWS,
    SCOPE_NAMES,
    WRITER,
    ImportedRow,
    addresses_build_wrong_sheet,
    addresses_import,
    addresses_preview,
)


class AddressViewSet(MallViewSet):
    """Addresses that the caller may use or change. Changing a shared address needs
    `management.address` and the matching data scope.
    """

    access = Access.login()
    serializer_class = s.AddressSerializer

    @extend_schema(parameters=[s.AddressQuerySerializer])
    def list(self, request: AuthedRequest) -> Response:
        page = self.paginate_queryset(
            list_addresses(
                actor=request.user,
                filters=s.AddressQuerySerializer.build_filters(
                    s.AddressQuerySerializer.parse(request)
                ),
            )
        )
        return self.get_paginated_response(_serialize_addresses(request.user, page or []))

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(
            _serialize_addresses(request.user, [get_address(actor=request.user, pk=pk)])[0]
        )

    @extend_schema(request=s.AddressBodySerializer, responses=s.AddressSerializer)
    def create(self, request: AuthedRequest) -> Response:
        fields = s.AddressBodySerializer.parse(request)
        owner = {
            "owner_type": fields.pop("OwnerType"),
            "department_id": fields.pop("DepartmentId"),
            "enterprise_id": fields.pop("EnterpriseId"),
        }
        address = address_create(actor=request.user, fields=fields, **owner)
        return Ok(_serialize_addresses(request.user, [address])[0], message="收货地址已保存")

    @extend_schema(request=s.AddressChangeSerializer, responses=s.AddressSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = s.AddressChangeSerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: _serialize_addresses(request.user, [row])[0]):
            address = address_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(_serialize_addresses(request.user, [address])[0], message="收货地址已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        address_delete(actor=request.user, pk=pk)
        return Ok(None, message="收货地址已删除")


def _serialize_addresses(actor: Account, addresses: list[Address]) -> list[dict[str, Any]]:
    keys = [address.pk for address in addresses]
    managed = set(
        list_managed_addresses(actor=actor).filter(pk__in=keys).values_list("pk", flat=True)
    )
    return list(s.AddressSerializer(addresses, many=True, context={"managed": managed}).data)


class RegionQuerySerializer(QuerySerializer):
    """Without parameters, the endpoint lists provinces. Each further name lists one level
    lower.
    """

    Province = serializers.CharField(max_length=30, required=False, allow_blank=True, default="")
    City = serializers.CharField(max_length=30, required=False, allow_blank=True, default="")
    District = serializers.CharField(max_length=30, required=False, allow_blank=True, default="")


class ParseBodySerializer(BodySerializer):
    Text = serializers.CharField(
        max_length=500,
        error_messages={"blank": "请粘贴收货信息", "max_length": "收货信息最多 500 个字"},
    )


class ParsedAddressSerializer(ReceiverSerializer, AnswerSerializer):
    """The parts of the parsed text. A missing part is ""."""


class ImportedRowSerializer(SheetRowSerializer):
    Receiver = serializers.CharField(source="values.receiver", default="")
    Mobile = serializers.CharField(source="values.mobile", default="")
    Address = serializers.SerializerMethodField()
    Scope = serializers.CharField(source="values.scope", default="")

    def get_Address(self, row: ImportedRow) -> str:
        names = ("province", "city", "district", "town", "street")
        return (
            row.address.full_text
            if row.address
            else "".join(row.values.get(name, "") for name in names)
        )


class AddressImportSerializer(SheetTakenSerializer):
    Rows = ImportedRowSerializer(many=True)


class AddressSheetViewSet(MallViewSet):
    """Import and export of address sheets. A row of a sheet needs the same rights as the form."""

    access = Access.login()
    action_access = {"import_rows": Access.login().in_person()}
    serializer_class = ParsedAddressSerializer
    pagination_class = None

    @extend_schema(
        parameters=[RegionQuerySerializer],
        responses={200: {"type": "array", "items": {"type": "string"}}},
    )
    @action(detail=False, methods=["get"], url_path="Region")
    def region(self, request: AuthedRequest) -> Response:
        query = RegionQuerySerializer.parse(request)
        response = Response(
            list_regions(province=query["Province"], city=query["City"], district=query["District"])
        )
        response["Cache-Control"] = "private, max-age=86400"
        return response

    @extend_schema(request=ParseBodySerializer, responses=ParsedAddressSerializer)
    @action(detail=False, methods=["post"], url_path="Parse")
    def parse(self, request: AuthedRequest) -> Response:
        return Response(
            ParsedAddressSerializer.answer(
                address_parse(ParseBodySerializer.parse(request)["Text"])
            )
        )

    @extend_schema(request=import_body(), responses=AddressImportSerializer)
    @action(detail=False, methods=["post"], url_path="Import", parser_classes=[MultiPartParser])
    def import_rows(self, request: AuthedRequest) -> HttpResponseBase:
        """Check the sheet. With `Confirm`, write all rows, with `GoodOnly` the valid ones."""
        upload = only_upload(request, missing_message="请选择一个表格文件")
        options = read_sheet_options(request, kind=WRITER, columns=HEAD)
        if options.is_confirmed:
            run = addresses_import(
                actor=request.user, upload=upload, is_good_only=options.is_good_only
            )
            return import_answer(run, noun="个收货地址")
        rows = addresses_preview(actor=request.user, upload=upload)
        if options.wants_wrong_rows:
            return build_wrong_rows_response(addresses_build_wrong_sheet(rows))
        mapping = find_sheet_mapping(upload, kind=WRITER, columns=HEAD)
        return Response(sheet_preview(rows, ImportedRowSerializer, mapping=mapping))

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Template")
    def template(self, _request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet to fill in."""
        return build_sheet_response(
            "收货地址导入模板.xlsx", header=HEAD, rows=[EXAMPLE], sheet="收货地址"
        )

    @extend_schema(
        request=AddressExportSerializer, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], url_path="Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the rows of the list, up to 1,000, with the columns of the import."""
        filters = AddressExportSerializer.build_filters(AddressExportSerializer.parse(request))
        rows = list_addresses(actor=request.user, filters=filters)[:MAX_ROWS]
        return build_sheet_response(
            "收货地址.xlsx", header=HEAD, rows=map(_build_cells, rows), sheet="收货地址"
        )


def _build_cells(address: Address) -> Sequence[Cell]:
    where = (address.province, address.city, address.district, address.town, address.street)
    is_shared = address.account_id is None
    enterprise = address.enterprise.code if address.enterprise and is_shared else ""
    department = address.department.code if address.department and is_shared else ""
    scope = SCOPE_NAMES[address.owner_type]
    return (
        address.receiver,
        address.mobile,
        *where,
        address.postal_code,
        address.label,
        scope,
        enterprise,
        department,
    )
