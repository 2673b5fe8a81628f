"""/api/InvoiceTitle."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.stale import serialize_stale
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.invoices.api import title_rows as s
from apps.invoices.selectors.titles import title_get, titles_listed
from apps.invoices.services.qualification_apply import qualification_apply
from apps.invoices.services.title_save import (
    title_create,
    title_deactivate,
    title_default,
    title_update,
)
from apps.org.menus import MenuCode
from apps.org.models import Account, InvoiceTitle


class InvoiceTitleViewSet(MallViewSet):
    """开票抬头 of the enterprises that the caller may apply for. A data scope below the enterprise
    can only use them.
    """

    access = Access.menu(MenuCode.INVOICE_APPLY)
    serializer_class = s.TitleSerializer

    @extend_schema(parameters=[s.TitleQuerySerializer])
    def list(self, request: AuthedRequest) -> Response:
        asked = s.TitleQuerySerializer.parse(request)
        rows: Any = self.paginate_queryset(
            titles_listed(
                actor=request.user,
                enterprise_id=asked["EnterpriseId"],
                keyword=asked["Keyword"],
                is_active=asked["IsActive"],
            )
        )
        return self.get_paginated_response(
            s.TitleSerializer(rows, many=True, context={"actor": request.user}).data
        )

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_shown(request.user, title_get(actor=request.user, pk=pk)))

    @extend_schema(request=s.TitleBodySerializer, responses=s.TitleSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        fields = s.TitleBodySerializer.parse(request)
        enterprise_id = fields.pop("EnterpriseId")
        title = title_create(actor=request.user, enterprise_id=enterprise_id, fields=fields)
        return Ok(_shown(request.user, title), message="开票抬头已保存")

    @extend_schema(request=s.TitleChangeSerializer, responses=s.TitleSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = s.TitleChangeSerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: _shown(request.user, row)):
            title = title_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(_shown(request.user, title), message="开票抬头已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        title_deactivate(actor=request.user, pk=pk)
        return Ok(None, message="开票抬头已停用")

    @extend_schema(request=None, responses=s.TitleSerializer)
    @action(detail=True, methods=["post"], url_path="Default")
    def default(self, request: AuthedRequest, pk: str) -> Response:
        return Ok(
            _shown(request.user, title_default(actor=request.user, pk=pk)), message="已设为默认抬头"
        )

    @extend_schema(request=s.QualificationBodySerializer, responses=s.TitleSerializer)
    @action(detail=True, methods=["post"], url_path="SpecialQualification")
    @idempotent
    def special_qualification(self, request: AuthedRequest, pk: str) -> Response:
        title_get(actor=request.user, pk=pk)
        body = s.QualificationBodySerializer.parse(request)
        title = qualification_apply(
            actor=request.user, title_pk=pk, file_ids=body["FileIds"], note=body["Note"]
        )
        return Ok(_shown(request.user, title), message="专票资质已提交，审核结果将通知您")


def _shown(actor: Account, title: InvoiceTitle) -> dict[str, Any]:
    return dict(s.TitleSerializer(title, context={"actor": actor}).data)
