"""/api/ReportSubscription: saved views sent by mail, and the 退订 link in these mails."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.reports.api import subscription_bodies as b
from apps.reports.selectors.question import allow_report
from apps.reports.selectors.subscriptions import (
    colleagues_of,
    domains_of,
    sends_of,
    subscription_get,
    subscriptions_of,
)
from apps.reports.services.letter_leave import leaving_look, leaving_set
from apps.reports.services.subscription_save import (
    subscription_create,
    subscription_delete,
    subscription_update,
)
from apps.reports.services.subscriptions_due import subscription_send_now

OWN = Access.menu("report")


class ReportSubscriptionViewSet(MallViewSet):
    """The caller's own subscriptions. Staff who act for a customer cannot change them, because
    a subscription sends data out of the system.
    """

    access = OWN
    action_access = dict.fromkeys(
        ("create", "partial_update", "destroy", "send_now"), OWN.in_person()
    ) | dict.fromkeys(("leaving", "leave"), Access.public())
    serializer_class = b.ReportSubscriptionSerializer
    paged_actions = ("list", "sends")

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(subscriptions_of(actor=request.user))
        return self.get_paginated_response(b.ReportSubscriptionSerializer.answers(page))

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(
            b.ReportSubscriptionSerializer.answer(subscription_get(actor=request.user, pk=pk))
        )

    @extend_schema(request=b.ReportSubscriptionBodySerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        fields = b.ReportSubscriptionBodySerializer.parse(request)
        people, addresses = fields.pop("PeopleIds", []), fields.pop("Addresses", [])
        row = subscription_create(
            actor=request.user, fields=fields, people=people, addresses=addresses
        )
        return Ok(b.ReportSubscriptionSerializer.answer(row), message="订阅已创建")

    @extend_schema(request=b.ReportSubscriptionChangeSerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = b.ReportSubscriptionChangeSerializer.parse(request, partial=True)
        people, addresses = changes.pop("PeopleIds", None), changes.pop("Addresses", None)
        row = subscription_update(
            actor=request.user, pk=pk, changes=changes, people=people, addresses=addresses
        )
        return Ok(b.ReportSubscriptionSerializer.answer(row), message="订阅已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        subscription_delete(actor=request.user, pk=pk)
        return Ok(None, message="订阅已删除")

    @extend_schema(responses=b.ReportSendSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Send")
    def sends(self, request: AuthedRequest, pk: str) -> Response:
        page: Any = self.paginate_queryset(sends_of(actor=request.user, pk=pk))
        return self.get_paginated_response(b.ReportSendSerializer.answers(page))

    @extend_schema(request=None, responses=b.ReportSendSerializer)
    @action(detail=True, methods=["post"], url_path="SendNow")
    @idempotent
    def send_now(self, request: AuthedRequest, pk: str) -> Response:
        """Send the report to all recipients now. The schedule does not change."""
        row = subscription_send_now(actor=request.user, pk=pk)
        return Ok(b.ReportSendSerializer.answer(row), message="已开始发送，请在发送记录中查看结果")

    @extend_schema(
        parameters=[b.ChoicesQuerySerializer], responses=b.ReportRecipientChoicesSerializer
    )
    @action(detail=False, methods=["get"], url_path="Recipient", pagination_class=None)
    def choices(self, request: AuthedRequest) -> Response:
        """Return the possible recipients of a report."""
        asked = b.ChoicesQuerySerializer.parse(request)
        allow_report(request.user, asked["Report"])
        people = colleagues_of(report=asked["Report"], keyword=asked["Keyword"].strip())
        return Response(
            b.ReportRecipientChoicesSerializer.answer({"People": people, "Domains": domains_of()})
        )

    @extend_schema(request=b.ReportLeaveKeySerializer, responses=b.ReportLeavingSerializer)
    @action(detail=False, methods=["post"], url_path="Leaving")
    def leaving(self, request: Request) -> Response:
        """Return the subscription of a 退订 link. Changes nothing."""
        return Response(
            b.ReportLeavingSerializer.answer(
                leaving_look(key=b.ReportLeaveKeySerializer.parse(request)["Key"])
            )
        )

    @extend_schema(request=b.ReportLeaveSerializer, responses=b.ReportLeavingSerializer)
    @action(detail=False, methods=["post"], url_path="Leave")
    def leave(self, request: Request) -> Response:
        """Unsubscribe (退订) by the link in a mail, or subscribe again."""
        body = b.ReportLeaveSerializer.parse(request)
        told = leaving_set(key=body["Key"], is_on=body["IsOn"])
        return Ok(
            b.ReportLeavingSerializer.answer(told), message="已恢复接收" if told.is_on else "已退订"
        )
