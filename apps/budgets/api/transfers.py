"""/api/BudgetTransfer: waiting and ended transfers, and their decision by a second person."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.budgets.enums import TransferStatus
from apps.budgets.models import BudgetTransfer
from apps.budgets.selectors.transfers import (
    list_decider_names,
    list_ended_transfers,
    list_waiting_transfers,
    may_decide,
)
from apps.budgets.services.budget_transfer import (
    transfer_approve,
    transfer_reject,
    transfer_withdraw,
)
from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer, IdField, MoneyField, QuerySerializer
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.org.menus import MenuCode

KEEPERS = Access.menu(MenuCode.ASSET_BUDGET)
WRITES = ("approve", "reject", "withdraw")
# The oldest waiting transfers are shown. Deciding them makes room for the next.
MAX_WAITING = 100


class WaitingTransferSerializer(serializers.Serializer[Any]):
    """A transfer that waits for a decision, and what the caller may do."""

    Id = serializers.CharField(source="pk")
    SourceId = serializers.CharField(source="source.pk")
    SourceName = serializers.CharField(source="source.name")
    TargetId = serializers.CharField(source="target.pk")
    TargetName = serializers.CharField(source="target.name")
    Amount = MoneyField(source="amount")
    Reason = serializers.CharField(source="reason")
    By = serializers.CharField(source="requester")
    At = serializers.DateTimeField(source="created_at")
    CanDecide = serializers.SerializerMethodField()
    CanWithdraw = serializers.SerializerMethodField()

    def get_CanDecide(self, transfer: BudgetTransfer) -> bool:
        """Return whether the caller manages both budgets and is not the requester."""
        user = self.context["user"]
        return user.impersonator is None and may_decide(user, transfer)

    def get_CanWithdraw(self, transfer: BudgetTransfer) -> bool:
        """Return whether the caller is the requester."""
        user = self.context["user"]
        return bool(user.impersonator is None and transfer.requester_id == user.pk)


class PastTransferSerializer(serializers.Serializer[Any]):
    """An ended transfer. `DecidedBy` is empty if there was no second person, it was withdrawn,
    or the period ended first.
    """

    Id = serializers.CharField(source="pk")
    SourceName = serializers.CharField(source="source.name")
    TargetName = serializers.CharField(source="target.name")
    Amount = MoneyField(source="amount")
    Reason = serializers.CharField(source="reason")
    By = serializers.CharField(source="requester")
    At = serializers.DateTimeField(source="created_at")
    Status = serializers.ChoiceField(choices=TransferStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    DecidedBy = serializers.CharField(source="decided_by", default="")
    DecidedAt = serializers.DateTimeField(source="decided_at")
    Note = serializers.CharField(source="decision_note")


class TransferRejectSerializer(BodySerializer):
    Reason = serializers.CharField(source="reason", max_length=200)


class TransferDecidersQuery(QuerySerializer):
    SourceId = IdField(source="source_id")
    TargetId = IdField(source="target_id")


class TransferDecidersSerializer(serializers.Serializer[Any]):
    """`Names` are the accounts that could decide; empty: the transfer is made at once."""

    Names = serializers.ListField(child=serializers.CharField())


class BudgetTransferViewSet(MallViewSet):
    """Transfers between budgets the caller manages, and transfers the caller requested."""

    access = KEEPERS
    action_access = {name: KEEPERS.in_person() for name in WRITES}
    serializer_class = WaitingTransferSerializer
    lookup_url_kwarg = "transfer_id"
    lookup_value_regex = DIGITS
    paged_actions = ("history",)

    @extend_schema(responses=WaitingTransferSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        """Return the oldest 100 transfers that wait for a decision."""
        rows = list_waiting_transfers(actor=request.user)[:MAX_WAITING]
        return Response(
            WaitingTransferSerializer(rows, many=True, context={"user": request.user}).data
        )

    @extend_schema(responses=PastTransferSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="History")
    def history(self, request: AuthedRequest) -> Response:
        """Return the ended transfers, the latest first."""
        page = self.paginate_queryset(list_ended_transfers(actor=request.user)) or []
        return self.get_paginated_response(PastTransferSerializer(page, many=True).data)

    @extend_schema(parameters=[TransferDecidersQuery], responses=TransferDecidersSerializer)
    @action(detail=False, methods=["get"], url_path="Deciders", pagination_class=None)
    def deciders(self, request: AuthedRequest) -> Response:
        """Return who would decide a transfer of the caller between these two budgets."""
        return Response(
            {
                "Names": list_decider_names(
                    actor=request.user, **TransferDecidersQuery.parse(request)
                )
            }
        )

    @extend_schema(request=None, responses=None)
    @action(detail=True, methods=["post"], url_path="Approve")
    def approve(self, request: AuthedRequest, transfer_id: str) -> Response:
        transfer_approve(actor=request.user, transfer_id=int(transfer_id))
        return Ok(None, message="已同意，额度已调拨")

    @extend_schema(request=TransferRejectSerializer, responses=None)
    @action(detail=True, methods=["post"], url_path="Reject")
    def reject(self, request: AuthedRequest, transfer_id: str) -> Response:
        transfer_reject(
            actor=request.user,
            transfer_id=int(transfer_id),
            **TransferRejectSerializer.parse(request),
        )
        return Ok(None, message="已驳回，额度已退回调出预算")

    @extend_schema(request=None, responses=None)
    @action(detail=True, methods=["post"], url_path="Withdraw")
    def withdraw(self, request: AuthedRequest, transfer_id: str) -> Response:
        transfer_withdraw(actor=request.user, transfer_id=int(transfer_id))
        return Ok(None, message="已撤回，额度已退回调出预算")
