"""/api/Account: reset a forgotten password in three calls: send a code, check it, set a new
password.
"""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.views import MallViewSet
from apps.common.requests import client_address
from apps.identity.api import serializers as s
from apps.identity.known_device import read_device, remember_device
from apps.identity.services.password_reset import (
    password_reset,
    reset_code_check,
    reset_code_request,
)


class PasswordResetViewSet(MallViewSet):
    """The answers do not reveal whether the user name exists."""

    access = Access.public()
    serializer_class = s.SendResetCodeSerializer

    @extend_schema(request=s.SendResetCodeSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="SendResetCode", authentication_classes=[])
    def send_reset_code(self, request: Request) -> Response:
        body = s.SendResetCodeSerializer.parse(request)
        reset_code_request(
            username=body["UserName"],
            client=client_address(request),
            device=read_device(request._request),
        )
        return Ok(None, message="如账号存在且登记了邮箱，验证码已发送，10 分钟内有效")

    @extend_schema(request=s.ResetCodeSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="CheckResetCode", authentication_classes=[])
    def check_reset_code(self, request: Request) -> Response:
        body = s.ResetCodeSerializer.parse(request)
        reset_code_check(
            username=body["UserName"],
            code=body["Code"],
            client=client_address(request),
            device=read_device(request._request),
        )
        return Response(None)

    @extend_schema(request=s.ResetPasswordSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="ResetPassword", authentication_classes=[])
    def reset_password(self, request: Request) -> Response:
        body = s.ResetPasswordSerializer.parse(request)
        password_reset(
            username=body["UserName"],
            code=body["Code"],
            new_password=body["NewPassword"],
            client=client_address(request),
            device=read_device(request._request),
        )
        response = Ok(None, message="密码已重置，请使用新密码登录")
        # Further failures of strangers for this name do not block the owner in this browser.
        remember_device(request=request._request, response=response, username=body["UserName"])
        return response
