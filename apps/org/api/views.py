"""Addresses, and lists of the organisation for selection fields."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.stale import serialize_stale
from apps.common.api.views import AuthedRequest, MallViewSet, account_of
from apps.org.api import serializers as s
from apps.org.models import Account, Address
from apps.org.selectors.addresses import get_address, list_addresses, list_managed_addresses
from apps.org.services.address import address_create, address_delete, address_update


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
                filters=s.AddressQuerySerializer.filters(s.AddressQuerySerializer.parse(request)),
            )
        )
        return self.get_paginated_response(_shown(request.user, page or []))

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_shown(request.user, [get_address(actor=request.user, pk=pk)])[0])

    @extend_schema(request=s.AddressBodySerializer, responses=s.AddressSerializer)
    def create(self, request: AuthedRequest) -> Response:
        fields = s.AddressBodySerializer.parse(request)
        owner = {
            "owner_type": fields.pop("OwnerType"),
            "department_id": fields.pop("DepartmentId"),
            "enterprise_id": fields.pop("EnterpriseId"),
        }
        address = address_create(actor=request.user, fields=fields, **owner)
        return Ok(_shown(request.user, [address])[0], message="收货地址已保存")

    @extend_schema(request=s.AddressChangeSerializer, responses=s.AddressSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = s.AddressChangeSerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: _shown(request.user, [row])[0]):
            address = address_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(_shown(request.user, [address])[0], message="收货地址已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        address_delete(actor=request.user, pk=pk)
        return Ok(None, message="收货地址已删除")


def _shown(actor: Account, addresses: list[Address]) -> list[dict[str, Any]]:
    keys = [address.pk for address in addresses]
    managed = set(
        list_managed_addresses(actor=actor).filter(pk__in=keys).values_list("pk", flat=True)
    )
    return list(s.AddressSerializer(addresses, many=True, context={"managed": managed}).data)


class ManageServiceViewSet(MallViewSet):
    """The customer's name and logo for the page header. Empty for a visitor."""

    access = Access.public()
    serializer_class = s.GroupSetSerializer

    @extend_schema(request=None, responses=s.GroupSetSerializer)
    @action(detail=False, methods=["post"], url_path="EnterpriseGroupSet")
    def enterprise_group_set(self, request: Request) -> Response:
        account = account_of(request)
        group = account.group if account else None
        enterprise = account.enterprise if account else None
        return Response(
            {
                "CustomerLogo": (group.logo or None) if group else None,
                "GroupName": group.name if group else None,
                "EnterpriseName": enterprise.name if enterprise else None,
            }
        )
