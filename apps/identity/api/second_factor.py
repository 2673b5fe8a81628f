"""/api/Account/SecondFactor: the caller's own second factor."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.identity.api.serializers import PasswordField
from apps.identity.services.password import password_prove
from apps.identity.services.second_factor import (
    count_devices,
    count_recovery_codes,
    devices_forget,
    factor_begin,
    factor_check,
    factor_confirm,
    factor_remove,
    has_second_factor,
    is_required,
    recovery_codes_renew,
)


class OwnPasswordSerializer(BodySerializer):
    Password = PasswordField(
        error_messages={"blank": "请输入登录密码", "required": "请输入登录密码"}
    )


class FactorCodeSerializer(BodySerializer):
    SecondFactorCode = serializers.CharField(
        max_length=20, error_messages={"blank": "请输入验证码", "required": "请输入验证码"}
    )


class SecondFactorSerializer(serializers.Serializer[Any]):
    """`Required`: the group requires it, so it cannot be disabled."""

    Enabled = serializers.BooleanField()
    Required = serializers.BooleanField()
    RecoveryCodesLeft = serializers.IntegerField()
    RememberedDevices = serializers.IntegerField()


class EnrolmentSerializer(serializers.Serializer[Any]):
    """The secret for the authenticator. `Qr` is the address of a picture with `Uri`."""

    Secret = serializers.CharField()
    Uri = serializers.CharField()
    Qr = serializers.CharField()


class RecoveryCodesSerializer(serializers.Serializer[Any]):
    """Ten codes, shown only once."""

    RecoveryCodes = serializers.ListField(child=serializers.CharField())


class SecondFactorViewSet(MallViewSet):
    """The caller's own second factor. The changes need the password or a code."""

    access = Access.login()
    action_access = dict.fromkeys(
        ("begin", "confirm", "renew_codes", "forget_devices", "remove"), Access.login().in_person()
    )
    serializer_class = SecondFactorSerializer

    @extend_schema(responses=SecondFactorSerializer)
    @action(detail=False, methods=["get"], url_path="SecondFactor")
    def state(self, request: AuthedRequest) -> Response:
        account = request.user
        return Response(
            {
                "Enabled": has_second_factor(account),
                "Required": is_required(account),
                "RecoveryCodesLeft": count_recovery_codes(account),
                "RememberedDevices": count_devices(account),
            }
        )

    @extend_schema(request=OwnPasswordSerializer, responses=EnrolmentSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/Begin")
    def begin(self, request: AuthedRequest) -> Response:
        password = OwnPasswordSerializer.parse(request)["Password"]
        password_prove(actor=request.user, password=password, field="Password", label="登录密码")
        return Response(factor_begin(account=request.user).wire)

    @extend_schema(request=FactorCodeSerializer, responses=RecoveryCodesSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/Confirm")
    def confirm(self, request: AuthedRequest) -> Response:
        codes = factor_confirm(
            account=request.user, code=_code(request), keep=request._request.token_family
        )
        return Ok({"RecoveryCodes": codes}, message="两步验证已开启，其他设备需重新登录")

    @extend_schema(request=FactorCodeSerializer, responses=RecoveryCodesSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/RenewCodes")
    def renew_codes(self, request: AuthedRequest) -> Response:
        codes = recovery_codes_renew(account=request.user, code=_code(request))
        return Ok({"RecoveryCodes": codes}, message="恢复码已更换，以前的全部失效")

    @extend_schema(request=FactorCodeSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="SecondFactor/ForgetDevices")
    def forget_devices(self, request: AuthedRequest) -> Response:
        factor_check(account=request.user, code=_code(request))
        forgotten = devices_forget(account=request.user)
        return Ok(None, message=f"已取消 {forgotten} 个浏览器的免验证")

    @extend_schema(request=FactorCodeSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="SecondFactor/Remove")
    def remove(self, request: AuthedRequest) -> Response:
        factor_remove(account=request.user, code=_code(request))
        return Ok(None, message="两步验证已关闭")


def _code(request: AuthedRequest) -> str:
    return str(FactorCodeSerializer.parse(request)["SecondFactorCode"])
