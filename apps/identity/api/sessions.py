"""/api/Account/Session: list the caller's sign-ins, with readable names of their browsers, and end
them.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.identity.models import TokenFamily
from apps.identity.selectors import list_own_sign_ins
from apps.identity.services.family import sign_out_elsewhere, sign_out_one

# The first match wins. Many browsers contain later names too, for example Safari.
BROWSERS = (
    ("wxwork", "企业微信"),
    ("MicroMessenger", "微信"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("QQBrowser", "QQ 浏览器"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("Trident/", "Internet Explorer"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("HarmonyOS", "鸿蒙"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
HAND_HELD = ("Mobile", "iPhone", "iPad", "Android")
UNKNOWN = "未知设备"


def describe_device(user_agent: str) -> str:
    """Return a text such as `Chrome · Windows`. 未知设备 if neither the browser nor the system is
    known.
    """
    names = [
        next((name for mark, name in table if mark in user_agent), "")
        for table in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, names)) or UNKNOWN


def is_hand_held(user_agent: str) -> bool:
    """Return whether the User-Agent belongs to a phone or tablet."""
    return any(mark in user_agent for mark in HAND_HELD)


class SignOutSerializer(BodySerializer):
    """The Id of one sign-in. Without it, all sign-ins except the current one."""

    Id = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        error_messages={"invalid": "该登录已退出或不存在，请刷新后查看"},
    )


class SignedOutSerializer(serializers.Serializer[Any]):
    Ended = serializers.IntegerField()


class SessionSerializer(serializers.Serializer[TokenFamily]):
    """A sign-in. `ByStaff` is true if the supplier's staff act as the account; the reason is
    included. `UsedAt` has a precision of ten minutes.
    """

    Id = serializers.UUIDField(source="public_id")
    Current = serializers.SerializerMethodField()
    Device = serializers.SerializerMethodField()
    HandHeld = serializers.SerializerMethodField()
    ClientAddress = serializers.CharField(source="client_address")
    UserAgent = serializers.CharField(source="user_agent")
    CreatedAt = serializers.DateTimeField(source="created_at")
    UsedAt = serializers.DateTimeField(source="used_at")
    ByStaff = serializers.SerializerMethodField()
    Reason = serializers.CharField(source="reason")

    def get_Current(self, family: TokenFamily) -> bool:
        return bool(family.public_id == self.context["family"])

    def get_Device(self, family: TokenFamily) -> str:
        return describe_device(family.user_agent)

    def get_HandHeld(self, family: TokenFamily) -> bool:
        return is_hand_held(family.user_agent)

    def get_ByStaff(self, family: TokenFamily) -> bool:
        return family.impersonator_id is not None


class SessionViewSet(MallViewSet):
    """The caller's own sign-ins."""

    access = Access.login()
    action_access = {"sign_out": Access.login().in_person()}
    paged_actions = ("sessions",)
    serializer_class = SessionSerializer

    @extend_schema(responses=SessionSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Session")
    def sessions(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(list_own_sign_ins(actor=request.user))
        context = {"family": request._request.token_family}
        return self.get_paginated_response(SessionSerializer(page, many=True, context=context).data)

    @extend_schema(request=SignOutSerializer, responses=SignedOutSerializer)
    @action(detail=False, methods=["post"], url_path="Session/SignOut")
    def sign_out(self, request: AuthedRequest) -> Response:
        public_id = SignOutSerializer.parse(request)["Id"]
        family = request._request.token_family
        if public_id is None:
            ended_count = sign_out_elsewhere(actor=request.user, family=family)
            return Ok(
                {"Ended": ended_count},
                message=f"已退出其他 {ended_count} 处登录" if ended_count else "没有其他登录",
            )
        return Ok(
            {"Ended": sign_out_one(actor=request.user, public_id=public_id, family=family)},
            message="已退出该设备的登录",
        )
