"""/api/InvoiceTitle: invoice titles and their 专票资质."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    BodySerializer,
    IdField,
    QuerySerializer,
    SeenAtField,
    build_labelled_text_field,
)
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files import file_url
from apps.invoices.selectors.titles import get_title, list_titles
from apps.invoices.services.titles import (
    qualification_apply,
    title_create,
    title_deactivate,
    title_make_default,
    title_update,
)
from apps.invoices.shared_serializers import build_text_field
from apps.org.menus import MenuCode
from apps.org.models import Account, InvoiceTitle


class QualificationFileSerializer(serializers.Serializer[Any]):
    FileId = serializers.CharField(source="public_id")
    Name = serializers.CharField(source="name")
    Url = serializers.SerializerMethodField()

    def get_Url(self, file: Any) -> str:
        """Return the signed URL."""
        return file_url(file, account=self.context["actor"])


class QualificationSerializer(serializers.Serializer[Any]):
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Reason = serializers.CharField(source="reason", help_text="未通过原因")
    Note = serializers.CharField(source="note")
    SubmittedAt = serializers.DateTimeField(source="created_at")
    DecidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    Files = QualificationFileSerializer(source="files.all", many=True)


class TitleSerializer(serializers.Serializer[InvoiceTitle]):
    """An invoice title. `context["actor"]` is the reader."""

    Id = serializers.CharField(source="pk")
    EnterpriseId = serializers.CharField(source="enterprise_id")
    EnterpriseName = serializers.CharField(source="enterprise.name")
    Title = serializers.CharField(source="title")
    TaxNumber = serializers.CharField(source="tax_number")
    Address = serializers.CharField(source="address")
    Phone = serializers.CharField(source="phone")
    Bank = serializers.CharField(source="bank")
    BankAccount = serializers.CharField(source="bank_account")
    IsDefault = serializers.BooleanField(source="is_default")
    IsActive = serializers.BooleanField(source="is_active")
    HasSpecialQualification = serializers.BooleanField(source="has_special_qualification")
    Qualification = serializers.SerializerMethodField(help_text="最近一次专票资质申请")
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    @extend_schema_field(QualificationSerializer(allow_null=True))
    def get_Qualification(self, title: InvoiceTitle) -> Any:
        """Return the newest 专票资质 request."""
        newest = next(iter(title.qualifications.all()), None)
        return QualificationSerializer(newest, context=self.context).data if newest else None


class TitleQuerySerializer(QuerySerializer):
    EnterpriseId = IdField(required=False, allow_null=True, default=None)
    Keyword = build_text_field(60)
    IsActive = serializers.BooleanField(required=False, allow_null=True, default=None)


class TitleFields(serializers.Serializer[Any]):
    Title = build_labelled_text_field(100, "抬头", source="title")
    TaxNumber = build_labelled_text_field(20, "税号", source="tax_number")
    Address = serializers.CharField(
        source="address", max_length=200, required=False, allow_blank=True
    )
    Phone = serializers.CharField(source="phone", max_length=30, required=False, allow_blank=True)
    Bank = serializers.CharField(source="bank", max_length=100, required=False, allow_blank=True)
    BankAccount = serializers.CharField(
        source="bank_account", max_length=40, required=False, allow_blank=True
    )
    IsDefault = serializers.BooleanField(source="is_default", required=False)


class TitleBodySerializer(TitleFields, BodySerializer):
    """A new title."""

    EnterpriseId = IdField(
        required=False, allow_null=True, default=None, help_text="不填为本人所在企业"
    )


class TitleChangeSerializer(TitleFields, BodySerializer):
    """Any of the fields; `UpdatedAt` as it was read."""

    IsActive = serializers.BooleanField(source="is_active", required=False)
    UpdatedAt = SeenAtField(required=False, help_text="读取时的 UpdatedAt；他人已修改则回答 stale")


class QualificationBodySerializer(BodySerializer):
    FileIds = serializers.ListField(
        child=serializers.UUIDField(), max_length=5, help_text="1 至 5 个已上传的文件"
    )
    Note = build_text_field(300, "说明")


class InvoiceTitleViewSet(MallViewSet):
    """开票抬头 of the enterprises that the caller may apply for. A data scope below the enterprise
    can only use them.
    """

    access = Access.menu(MenuCode.INVOICE_APPLY)
    serializer_class = TitleSerializer

    @extend_schema(parameters=[TitleQuerySerializer])
    def list(self, request: AuthedRequest) -> Response:
        query = TitleQuerySerializer.parse(request)
        rows: Any = self.paginate_queryset(
            list_titles(
                actor=request.user,
                enterprise_id=query["EnterpriseId"],
                keyword=query["Keyword"],
                is_active=query["IsActive"],
            )
        )
        return self.get_paginated_response(
            TitleSerializer(rows, many=True, context={"actor": request.user}).data
        )

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_serialize(request.user, get_title(actor=request.user, pk=pk)))

    @extend_schema(request=TitleBodySerializer, responses=TitleSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        fields = TitleBodySerializer.parse(request)
        enterprise_id = fields.pop("EnterpriseId")
        title = title_create(actor=request.user, enterprise_id=enterprise_id, fields=fields)
        return Ok(_serialize(request.user, title), message="开票抬头已保存")

    @extend_schema(request=TitleChangeSerializer, responses=TitleSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = TitleChangeSerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: _serialize(request.user, row)):
            title = title_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(_serialize(request.user, title), message="开票抬头已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        title_deactivate(actor=request.user, pk=pk)
        return Ok(None, message="开票抬头已停用")

    @extend_schema(request=None, responses=TitleSerializer)
    @action(detail=True, methods=["post"], url_path="Default")
    def default(self, request: AuthedRequest, pk: str) -> Response:
        return Ok(
            _serialize(request.user, title_make_default(actor=request.user, pk=pk)),
            message="已设为默认抬头",
        )

    @extend_schema(request=QualificationBodySerializer, responses=TitleSerializer)
    @action(detail=True, methods=["post"], url_path="SpecialQualification")
    @idempotent
    def special_qualification(self, request: AuthedRequest, pk: str) -> Response:
        get_title(actor=request.user, pk=pk)
        body = QualificationBodySerializer.parse(request)
        title = qualification_apply(
            actor=request.user, title_pk=pk, file_ids=body["FileIds"], note=body["Note"]
        )
        return Ok(_serialize(request.user, title), message="专票资质已提交，审核结果将通知您")


def _serialize(actor: Account, title: InvoiceTitle) -> dict[str, Any]:
    return dict(TitleSerializer(title, context={"actor": actor}).data)
