"""/api/Account/{id}/Leaving and /Disable: disable an account and hand over its approvals."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.selectors.leaving import get_leaving_summary
from apps.approvals.services.account_disable import account_disable
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.org.menus import MenuCode
from apps.org.selectors.accounts import get_account


class LeavingSerializer(serializers.Serializer[Any]):
    """The number of open approvals of the account, the rules that name it, and the departments
    it heads.
    """

    Approvals = serializers.IntegerField(source="approvals")
    Rules = serializers.ListField(source="rules", child=serializers.CharField())
    Departments = serializers.ListField(source="departments", child=serializers.CharField())


class AccountDisableSerializer(BodySerializer):
    """`SuccessorId` takes over the open approvals. It may be missing if there are none."""

    SuccessorId = serializers.RegexField(
        r"^[0-9]{1,18}$",
        required=False,
        allow_null=True,
        allow_blank=True,
        default=None,
        error_messages={"invalid": "请选择接手人"},
    )


class AccountDisabledSerializer(serializers.Serializer[Any]):
    """`HandedTo`: who received the approvals, in words; empty if there were none."""

    Sessions = serializers.IntegerField(source="sessions")
    Approvals = serializers.IntegerField(source="approvals")
    HandedTo = serializers.CharField(source="handed_over_text")


class AccountLeavingViewSet(MallViewSet):
    """Disable a colleague's account."""

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    action_access = {"disable": Access.menu(MenuCode.MANAGEMENT_ACCOUNT).in_person()}
    serializer_class = LeavingSerializer
    lookup_value_regex = DIGITS

    @extend_schema(responses=LeavingSerializer)
    @action(detail=True, methods=["get"], url_path="Leaving")
    def leaving(self, request: AuthedRequest, pk: str) -> Response:
        return Response(
            LeavingSerializer(
                get_leaving_summary(account=get_account(actor=request.user, pk=int(pk)))
            ).data
        )

    @extend_schema(request=AccountDisableSerializer, responses=AccountDisabledSerializer)
    @action(detail=True, methods=["post"], url_path="Disable")
    @idempotent
    def disable(self, request: AuthedRequest, pk: str) -> Response:
        get_account(actor=request.user, pk=int(pk))
        successor = AccountDisableSerializer.parse(request)["SuccessorId"]
        result = account_disable(
            actor=request.user, pk=int(pk), successor_id=int(successor) if successor else None
        )
        sessions_text = f"，已退出 {result.sessions} 处登录" if result.sessions else ""
        handed = f"，已移交审批：{result.handed_over_text}" if result.approvals else ""
        return Ok(
            AccountDisabledSerializer(result).data, message=f"账号已停用{sessions_text}{handed}"
        )
