"""/api/Account/SecondFactor: the caller's own second factor; how a request proves it, and the
cookie of a browser that is not asked for it.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.identity.services.passkeys import (
    NAME_LENGTH,
    Attestation,
    are_passkeys_offered,
    issue_new_passkey_challenge,
    issue_passkey_challenge,
    list_passkeys,
)
from apps.identity.services.password import password_prove
from apps.identity.services.remembered_devices import (
    REMEMBERED,
    count_devices,
    device_remember,
    devices_forget,
)
from apps.identity.services.second_factor import (
    Proof,
    authenticator_remove,
    count_recovery_codes,
    factor_begin,
    factor_check,
    factor_confirm,
    factor_remove,
    has_authenticator,
    has_second_factor,
    is_required,
    own_factor_prove,
    passkey_register,
    passkey_remove,
    recovery_codes_renew,
)
from apps.identity.shared_serializers import (
    AssertionSerializer,
    PasswordField,
    WebAuthnField,
    get_challenge_session,
    read_own_proof,
)
from apps.org.models import Account


def get_device_cookie_name(account: Account) -> str:
    """Return the name of the cookie with the key of the remembered browser."""
    return f"remembered_{account.pk}"


def remember_second_factor(
    request: HttpRequest, response: HttpResponseBase, *, account: Account
) -> None:
    """Remember the browser and set its cookie, for an account with a second factor."""
    if not has_second_factor(account):
        return
    response.set_cookie(
        get_device_cookie_name(account),
        device_remember(account=account, user_agent=request.headers.get("User-Agent", "")),
        max_age=int(REMEMBERED.total_seconds()),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


NO_PROOF = "请输入验证码，或使用通行密钥"


class ProofSerializer(BodySerializer):
    """The own second factor: a code, or the use of a passkey."""

    SecondFactorCode = serializers.CharField(
        max_length=20, required=False, allow_blank=True, default=""
    )
    Passkey = AssertionSerializer(required=False, allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a body without a proof."""
        if not (attrs["SecondFactorCode"] or attrs["Passkey"]):
            raise serializers.ValidationError({"SecondFactorCode": [NO_PROOF]})
        return attrs


class OwnProofSerializer(ProofSerializer):
    """The password, or the second factor if the account has one already."""

    Password = PasswordField(required=False, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Accept any body: what is needed depends on the account."""
        return attrs


class FactorCodeSerializer(BodySerializer):
    SecondFactorCode = serializers.CharField(
        max_length=20, error_messages={"blank": "请输入验证码", "required": "请输入验证码"}
    )


class PasskeySerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    CreatedAt = serializers.DateTimeField(source="created_at")
    UsedAt = serializers.DateTimeField(source="used_at", allow_null=True)


class NewPasskeySerializer(BodySerializer):
    """What `navigator.credentials.create` returns, each as base64url."""

    Name = serializers.CharField(
        max_length=NAME_LENGTH,
        error_messages={"blank": "请填写通行密钥的名称", "required": "请填写通行密钥的名称"},
    )
    ClientData = WebAuthnField(max_length=4000)
    AttestationObject = WebAuthnField(max_length=20_000)


class GonePasskeySerializer(ProofSerializer):
    Id = serializers.IntegerField(min_value=1)


class PasskeyOptionsSerializer(serializers.Serializer[Any]):
    """Options of WebAuthn in their JSON form, for `navigator.credentials`. Null: no passkey."""

    PublicKey = serializers.DictField(allow_null=True)


class SecondFactorSerializer(serializers.Serializer[Any]):
    """`Required`: the group requires it, so it cannot be disabled. `PasskeyOrigins`: the addresses
    of the mall at which passkeys work; none if they are not offered.
    """

    Enabled = serializers.BooleanField()
    Required = serializers.BooleanField()
    HasAuthenticator = serializers.BooleanField()
    Passkeys = PasskeySerializer(many=True)
    PasskeyOrigins = serializers.ListField(child=serializers.CharField())
    RecoveryCodesLeft = serializers.IntegerField()
    RememberedDevices = serializers.IntegerField()


class EnrolmentSerializer(serializers.Serializer[Any]):
    """The secret for the authenticator. `Qr` is the address of a picture with `Uri`."""

    Secret = serializers.CharField()
    Uri = serializers.CharField()
    Qr = serializers.CharField()


class RecoveryCodesSerializer(serializers.Serializer[Any]):
    """Ten codes, shown only once. None if the account had a second factor before."""

    RecoveryCodes = serializers.ListField(child=serializers.CharField())


class SecondFactorViewSet(MallViewSet):
    """The caller's own second factor. The changes need the second factor, the first one the
    password.
    """

    access = Access.login()
    action_access = dict.fromkeys(
        (
            "begin",
            "confirm",
            "renew_codes",
            "forget_devices",
            "remove",
            "remove_authenticator",
            "passkey_challenge",
            "passkey_begin",
            "passkey_add",
            "passkey_delete",
        ),
        Access.login().in_person(),
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
                "HasAuthenticator": has_authenticator(account),
                "Passkeys": PasskeySerializer(list_passkeys(account), many=True).data,
                "PasskeyOrigins": settings.PASSKEY_ORIGINS if are_passkeys_offered() else [],
                "RecoveryCodesLeft": count_recovery_codes(account),
                "RememberedDevices": count_devices(account),
            }
        )

    @extend_schema(request=OwnProofSerializer, responses=EnrolmentSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/Begin")
    def begin(self, request: AuthedRequest) -> Response:
        _prove_owner(request)
        return Response(factor_begin(account=request.user).wire)

    @extend_schema(request=FactorCodeSerializer, responses=RecoveryCodesSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/Confirm")
    def confirm(self, request: AuthedRequest) -> Response:
        code = str(FactorCodeSerializer.parse(request)["SecondFactorCode"])
        family = request._request.token_family
        codes = factor_confirm(account=request.user, code=code, keep=family)
        return Ok({"RecoveryCodes": codes}, message="验证器已启用")

    @extend_schema(request=ProofSerializer, responses=RecoveryCodesSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/RenewCodes")
    def renew_codes(self, request: AuthedRequest) -> Response:
        codes = recovery_codes_renew(account=request.user, proof=_read_body_proof(request))
        return Ok({"RecoveryCodes": codes}, message="恢复码已更换，以前的全部失效")

    @extend_schema(request=ProofSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="SecondFactor/ForgetDevices")
    def forget_devices(self, request: AuthedRequest) -> Response:
        factor_check(account=request.user, proof=_read_body_proof(request))
        forgotten = devices_forget(account=request.user)
        return Ok(None, message=f"已取消 {forgotten} 个浏览器的免验证")

    @extend_schema(request=ProofSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="SecondFactor/Remove")
    def remove(self, request: AuthedRequest) -> Response:
        factor_remove(account=request.user, proof=_read_body_proof(request))
        return Ok(None, message="两步验证已关闭")

    @extend_schema(request=ProofSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="SecondFactor/RemoveAuthenticator")
    def remove_authenticator(self, request: AuthedRequest) -> Response:
        authenticator_remove(account=request.user, proof=_read_body_proof(request))
        return Ok(None, message="验证器已移除")

    @extend_schema(request=None, responses=PasskeyOptionsSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/PasskeyChallenge")
    def passkey_challenge(self, request: AuthedRequest) -> Response:
        options = issue_passkey_challenge(
            account=request.user, session=get_challenge_session(request)
        )
        return Response({"PublicKey": options})

    @extend_schema(request=OwnProofSerializer, responses=PasskeyOptionsSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/PasskeyBegin")
    def passkey_begin(self, request: AuthedRequest) -> Response:
        _prove_owner(request)
        options = issue_new_passkey_challenge(
            account=request.user, session=get_challenge_session(request)
        )
        return Response({"PublicKey": options})

    @extend_schema(request=NewPasskeySerializer, responses=RecoveryCodesSerializer)
    @action(detail=False, methods=["post"], url_path="SecondFactor/PasskeyAdd")
    def passkey_add(self, request: AuthedRequest) -> Response:
        body = NewPasskeySerializer.parse(request)
        codes = passkey_register(
            account=request.user,
            session=get_challenge_session(request),
            name=body["Name"],
            attestation=Attestation(body["ClientData"], body["AttestationObject"]),
            keep=request._request.token_family,
        )
        return Ok({"RecoveryCodes": codes}, message="通行密钥已添加")

    @extend_schema(request=GonePasskeySerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="SecondFactor/PasskeyRemove")
    def passkey_delete(self, request: AuthedRequest) -> Response:
        body = GonePasskeySerializer.parse(request)
        proof = read_own_proof(request, body)
        passkey_remove(account=request.user, passkey_id=body["Id"], proof=proof)
        return Ok(None, message="通行密钥已移除")


def _read_body_proof(request: AuthedRequest) -> Proof:
    return read_own_proof(request, ProofSerializer.parse(request))


def _prove_owner(request: AuthedRequest) -> None:
    """Check the second factor, or the password of an account without one."""
    body = OwnProofSerializer.parse(request)
    account = request.user
    if not has_second_factor(account):
        password_prove(actor=account, password=body["Password"], field="Password", label="登录密码")
        return
    own_factor_prove(account=account, proof=read_own_proof(request, body))
