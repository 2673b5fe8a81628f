"""/api/BudgetTransfer: the transfers that wait, and their decision by a second person."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.budgets.enums import TransferStatus
from apps.budgets.models import BudgetTransfer
from apps.budgets.selectors.transfers import may_decide, transfer_deciders, transfers_past, transfers_waiting
from apps.budgets.services.transfer_decide import transfer_approve, transfer_reject, transfer_withdraw
from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer, IdField, MoneyField, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.org.menus import MenuCode

KEEPERS = Access.menu(MenuCode.ASSET_BUDGET)
WRITES = ("approve", "reject", "withdraw")
# Whoever has more waiting sees the oldest; deciding them brings the next.
MOST = 100


class WaitingTransferSerializer(serializers.Serializer[Any]):
    """A transfer that waits: who asked, when, why, and what the caller may do."""

    Id = serializers.CharField(source="pk")
    SourceId = serializers.CharField(source="source.pk")
    SourceName = serializers.CharField(source="source.name")
    TargetId = serializers.CharField(source="target.pk")
    TargetName = serializers.CharField(source="target.name")
    Amount = MoneyField(source="amount")
    Reason = serializers.CharField(source="reason")
    By = serializers.CharField(source="requester.nickname")
    At = serializers.DateTimeField(source="created_at")
    CanDecide = serializers.SerializerMethodField()
    CanWithdraw = serializers.SerializerMethodField()

    def get_CanDecide(self, transfer: BudgetTransfer) -> bool:  # noqa: N802
        """Whether the caller is a second person who keeps both budgets."""
        user = self.context["user"]
        return user.impersonator is None and may_decide(user, transfer)

    def get_CanWithdraw(self, transfer: BudgetTransfer) -> bool:  # noqa: N802
        """Whether the caller asked for it."""
        user = self.context["user"]
        return bool(user.impersonator is None and transfer.requester_id == user.pk)


class PastTransferSerializer(serializers.Serializer[Any]):
    """A transfer that has ended; `DecidedBy` is empty where nobody else had the right, it was taken back, or the period ended first."""

    Id = serializers.CharField(source="pk")
    SourceName = serializers.CharField(source="source.name")
    TargetName = serializers.CharField(source="target.name")
    Amount = MoneyField(source="amount")
    Reason = serializers.CharField(source="reason")
    By = serializers.CharField(source="requester.nickname")
    At = serializers.DateTimeField(source="created_at")
    Status = serializers.ChoiceField(choices=TransferStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    DecidedBy = serializers.CharField(source="decided_by.nickname", default="")
    DecidedAt = serializers.DateTimeField(source="decided_at")
    Note = serializers.CharField(source="decision_note")


class TransferRejectSerializer(BodySerializer):
    Reason = serializers.CharField(source="reason", max_length=200)


class TransferDecidersQuery(QuerySerializer):
    SourceId = IdField(source="source_id")
    TargetId = IdField(source="target_id")


class TransferDecidersSerializer(serializers.Serializer[Any]):
    """`Names`: who may decide it, none where it would be made at once."""

    Names = serializers.ListField(child=serializers.CharField())


class BudgetTransferViewSet(MallViewSet):
    """Transfers between budgets that the caller keeps, and those he asked for."""

    access = KEEPERS
    action_access = {name: KEEPERS.in_person() for name in WRITES}
    serializer_class = WaitingTransferSerializer
    lookup_url_kwarg = "transfer_id"
    lookup_value_regex = r"\d{1,18}"
    paged_actions = ("history",)

    @extend_schema(responses=WaitingTransferSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        """The transfers that wait for a decision, the oldest first, at most 100."""
        rows = transfers_waiting(actor=request.user)[:MOST]
        return Response(WaitingTransferSerializer(rows, many=True, context={"user": request.user}).data)

    @extend_schema(responses=PastTransferSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="History")
    def history(self, request: AuthedRequest) -> Response:
        """The transfers that have ended, the latest first."""
        page = self.paginate_queryset(transfers_past(actor=request.user)) or []
        return self.get_paginated_response(PastTransferSerializer(page, many=True).data)

    @extend_schema(parameters=[TransferDecidersQuery], responses=TransferDecidersSerializer)
    @action(detail=False, methods=["get"], url_path="Deciders", pagination_class=None)
    def deciders(self, request: AuthedRequest) -> Response:
        """Who would decide a transfer between these two that the caller asks for."""
        return Response({"Names": transfer_deciders(actor=request.user, **TransferDecidersQuery.parse(request))})

    @extend_schema(request=None, responses=None)
    @action(detail=True, methods=["post"], url_path="Approve")
    def approve(self, request: AuthedRequest, transfer_id: str) -> Response:
        transfer_approve(actor=request.user, transfer_id=int(transfer_id))
        return Ok(None, message="已同意，额度已调拨")

    @extend_schema(request=TransferRejectSerializer, responses=None)
    @action(detail=True, methods=["post"], url_path="Reject")
    def reject(self, request: AuthedRequest, transfer_id: str) -> Response:
        transfer_reject(actor=request.user, transfer_id=int(transfer_id), **TransferRejectSerializer.parse(request))
        return Ok(None, message="已驳回，额度已退回调出预算")

    @extend_schema(request=None, responses=None)
    @action(detail=True, methods=["post"], url_path="Withdraw")
    def withdraw(self, request: AuthedRequest, transfer_id: str) -> Response:
        transfer_withdraw(actor=request.user, transfer_id=int(transfer_id))
        return Ok(None, message="已撤回，额度已退回调出预算")
