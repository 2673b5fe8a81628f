"""/api/Account/{id}/Limits: the purchase limits of one account."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer, list_of
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.org.api.serializers import PurchaseLimitSerializer, limit_forms
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import get_account
from apps.org.selectors.purchasing import list_purchase_limits
from apps.org.services.purchase_limits import MAX_LIMITS, account_limits_set, limits_of


class AccountLimitsBody(BodySerializer):
    """All limits of the account. An empty list removes them, so that those of its roles apply."""

    Limits = list_of(PurchaseLimitSerializer, max_length=MAX_LIMITS)


class AccountLimitsSerializer(serializers.Serializer[Any]):
    """`Limits` belong to the account. `InForce` apply to its orders: a limit of the account
    replaces the limits of its roles for the same period and category.
    """

    Limits = PurchaseLimitSerializer(many=True)
    InForce = PurchaseLimitSerializer(many=True)


class AccountLimitsViewSet(MallViewSet):
    """采购限额 of a colleague. Only a group admin may change it."""

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    action_access = {"change_limits": Access.menu(MenuCode.MANAGEMENT_ACCOUNT).in_person()}
    serializer_class = AccountLimitsSerializer
    lookup_value_regex = DIGITS
    pagination_class = None

    @extend_schema(responses=AccountLimitsSerializer)
    @action(detail=True, methods=["get"], url_path="Limits")
    def limits(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_body(get_account(actor=request.user, pk=int(pk))))

    @extend_schema(request=AccountLimitsBody, responses=AccountLimitsSerializer)
    @limits.mapping.put
    def change_limits(self, request: AuthedRequest, pk: str) -> Response:
        get_account(actor=request.user, pk=int(pk))
        limits = limit_forms(AccountLimitsBody.parse(request)["Limits"])
        account = account_limits_set(actor=request.user, pk=int(pk), limits=limits)
        return Ok(_body(account), message="采购限额已保存，下一张订单起生效")


def _body(account: Account) -> dict[str, Any]:
    return dict(
        AccountLimitsSerializer(
            {
                "Limits": limits_of(account=account),
                "InForce": list_purchase_limits(actor=account),
            }
        ).data
    )
