"""Fields for passwords and passkeys, and the proof of the owner before a dangerous act of the API:
the own password, and the second factor of an account that has one. A stolen access token is not
enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from django.http import HttpResponseBase, QueryDict
from rest_framework import serializers

from apps.common.api.serializers import BodySerializer, FormJSONField
from apps.common.api.views import AuthedRequest
from apps.identity.services.passkeys import SIGN_IN, Assertion
from apps.identity.services.password import owner_prove
from apps.identity.services.second_factor import Proof

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
PROOF_FIELDS = ("Password", "SecondFactorCode", "Passkey")
PASSWORD_MAX = 128  # hashing takes longer with longer passwords


class PasswordField(serializers.CharField):
    """A password. Blanks are not trimmed."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=PASSWORD_MAX,
            trim_whitespace=False,
            style={"input_type": "password"},
            **kwargs,
        )


PASSKEY_MALFORMED = "通行密钥的数据格式不正确，请重试"


class WebAuthnField(serializers.RegexField):
    """Bytes as base64url without padding."""

    def __init__(self, *, max_length: int) -> None:
        super().__init__(
            r"^[A-Za-z0-9_-]+\Z",
            max_length=max_length,
            error_messages={"invalid": PASSKEY_MALFORMED},
        )


class AssertionSerializer(BodySerializer):
    """The use of a passkey: what `navigator.credentials.get` returns, each as base64url."""

    CredentialId = WebAuthnField(max_length=1364)
    ClientData = WebAuthnField(max_length=4000)
    AuthenticatorData = WebAuthnField(max_length=4000)
    Signature = WebAuthnField(max_length=2000)


class OwnFactorSerializer(BodySerializer):
    """The own second factor. Needed by an account that has one: a code, or the use of a passkey
    with a challenge of `SecondFactor/PasskeyChallenge`.
    """

    SecondFactorCode = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        default="",
        help_text="本人的两步验证码或恢复码；开启了两步验证的账号必填，或使用通行密钥",
    )
    Passkey = AssertionSerializer(required=False, allow_null=True, default=None)


class OwnerProofSerializer(OwnFactorSerializer):
    """The own password, and the second factor of an account that has one."""

    Password = PasswordField(
        required=False,
        allow_blank=True,
        default="",
        help_text="本人的登录密码；仅在操作影响账号或数据安全时必填",
    )


class FormPasskeySerializer(serializers.Serializer[Any]):
    """The use of a passkey as JSON, because a field of a multipart form holds a text."""

    Passkey = FormJSONField(binary=True, error_messages={"invalid": PASSKEY_MALFORMED})


# How the API documentation describes the proof in a multipart form.
FORM_PROOF_FIELDS = {
    "Password": {"type": "string", "description": "本人的登录密码；确认写入时必填"},
    "SecondFactorCode": {
        "type": "string",
        "description": "本人的两步验证码或恢复码；开启了两步验证的账号必填，或使用通行密钥",
    },
    "Passkey": {
        "type": "string",
        "description": "通行密钥对 `SecondFactor/PasskeyChallenge` 的应答，写成 JSON",
    },
}


def get_challenge_session(request: AuthedRequest) -> str:
    """Return the session to which challenges are issued: the sign-in of the bearer."""
    return f"family:{request._request.token_family}"


def read_proof(body: Mapping[str, Any], *, session: str = SIGN_IN) -> Proof:
    """Return the proof in a parsed body with `SecondFactorCode` and `Passkey`. `session` is the
    session to which a challenge of the passkey was issued.
    """
    passkey_body = body.get("Passkey")
    passkey = passkey_body and Assertion(
        credential_id=passkey_body["CredentialId"],
        client_data=passkey_body["ClientData"],
        authenticator_data=passkey_body["AuthenticatorData"],
        signature=passkey_body["Signature"],
    )
    return Proof(code=body.get("SecondFactorCode", ""), passkey=passkey or None, session=session)


def read_own_proof(request: AuthedRequest, body: Mapping[str, Any]) -> Proof:
    """Return the second factor in the parsed body of a signed-in caller."""
    return read_proof(body, session=get_challenge_session(request))


def prove_owner(request: AuthedRequest) -> None:
    """Check the caller's own password and second factor, from the fields of
    `OwnerProofSerializer` in the body. In a multipart form `Passkey` is a JSON text.

    Call it outside a transaction, because a rollback would discard the counts of wrong ones.

    Raises:
        ValidationFailed, WrongSecondFactor, SecondFactorSlowed: as owner_prove.
    """
    given = OwnerProofSerializer(data=_read_proof_fields(request.data))
    given.is_valid(raise_exception=True)
    body = given.validated_data
    owner_prove(actor=request.user, password=body["Password"], proof=read_own_proof(request, body))


def _read_proof_fields(data: Any) -> dict[str, Any]:
    """Return the fields of the proof in the body of a request, as a JSON body has them.

    Raises:
        ValidationError: `Passkey` in a multipart form is no JSON.
    """
    if not isinstance(data, dict):
        return {}
    fields = {name: data[name] for name in PROOF_FIELDS if data.get(name)}
    if isinstance(data, QueryDict) and "Passkey" in fields:
        text = FormPasskeySerializer(data=fields)
        text.is_valid(raise_exception=True)
        fields["Passkey"] = text.validated_data["Passkey"]
    return fields


def drop_proof(body: dict[str, Any]) -> dict[str, Any]:
    """Return the parsed body without the fields of the proof."""
    return {name: value for name, value in body.items() if name not in PROOF_FIELDS}


def require_owner(is_needed: Callable[..., bool]) -> Callable[[View], View]:
    """Require the proof of the owner if `is_needed(request, **path)` is true, so that a stolen
    access token is not enough to take over a colleague's account.

    Place it above `idempotent`: a wrong password must be counted outside the transaction that the
    refusal rolls back.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(self: Any, request: AuthedRequest, **path: Any) -> HttpResponseBase:
            if is_needed(request, **path):
                prove_owner(request)
            return view(self, request, **path)

        return cast("View", wrapper)

    return decorate
