"""/api/Account: change the caller's own mobile or mail address, and undo a change with the link
in a letter.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.identity.api.serializers import ProfileSerializer
from apps.identity.models import ContactKind
from apps.identity.services.contacts import (
    DisputedChange,
    contact_change,
    contact_code_request,
    contact_undo,
    get_disputed_change,
)
from apps.identity.services.password import RESEND_SECONDS
from apps.identity.shared_serializers import OwnFactorSerializer, PasswordField, read_own_proof


class ContactSerializer(BodySerializer):
    Kind = serializers.ChoiceField(
        choices=ContactKind.choices, error_messages={"required": "请选择更换手机号码还是邮箱"}
    )
    Value = serializers.CharField(
        max_length=254,
        error_messages={"blank": "请填写新的号码或邮箱", "required": "请填写新的号码或邮箱"},
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check the format of a mail address. The service checks mobile numbers."""
        if attrs["Kind"] == ContactKind.EMAIL:
            try:
                validate_email(attrs["Value"])
            except ValidationError as error:
                raise serializers.ValidationError({"Value": ["请输入正确的邮箱地址"]}) from error
        return attrs


class ContactCodeSerializer(ContactSerializer):
    """`To`: `new` sends the code to the new mobile or address, to prove it. `old` sends it to
    the account's present mail address, as a replacement for the password.
    """

    To = serializers.ChoiceField(choices=["new", "old"], default="new")


def _build_code_field(**kwargs: Any) -> serializers.RegexField:
    return serializers.RegexField(
        r"^[0-9]{6}$",
        error_messages={"invalid": "请输入 6 位数字验证码", "required": "请输入验证码"},
        **kwargs,
    )


class ContactChangeSerializer(OwnFactorSerializer, ContactSerializer):
    """`Password` or `ProofCode` proves that the caller is the owner. A code that was sent to
    the present mail address is also a proof.
    """

    Code = _build_code_field()
    Password = PasswordField(required=False, allow_blank=True, default="")
    ProofCode = _build_code_field(required=False, allow_blank=True, default="")


class UndoKeySerializer(BodySerializer):
    Key = serializers.CharField(
        max_length=100,
        error_messages={
            "blank": "链接不完整，请从邮件中重新打开",
            "required": "链接不完整，请从邮件中重新打开",
        },
    )


class ContactUndoSerializer(serializers.Serializer[Any]):
    """The change that the link undoes. Numbers and addresses are partly hidden. An empty text
    means that there was no value.

    `WeChatWorkMembers`: the 企业微信 members that were bound after the change. The undo removes
    their bindings.
    """

    Kind = serializers.ChoiceField(source="row.kind", choices=ContactKind.choices)
    KindText = serializers.CharField(source="row.get_kind_display")
    UserName = serializers.CharField(source="row.account.username")
    OldValue = serializers.SerializerMethodField()
    NewValue = serializers.SerializerMethodField()
    ChangedAt = serializers.DateTimeField(source="row.created_at")
    ExpiresAt = serializers.DateTimeField(source="row.expires_at")
    WeChatWorkMembers = serializers.ListField(source="members", child=serializers.CharField())

    def get_OldValue(self, change: DisputedChange) -> str:
        return mask_contact(change.row.old_value)

    def get_NewValue(self, change: DisputedChange) -> str:
        return mask_contact(change.row.new_value)


class CodeSentSerializer(serializers.Serializer[Any]):
    """The partly hidden recipient of the code, and the seconds until the next code can be
    requested.
    """

    Channel = serializers.CharField()
    To = serializers.CharField()
    RetryAfter = serializers.IntegerField()


def mask_contact(contact: str) -> str:
    """Return a mail address as `b***@yf.example`, a number as `138****0000`."""
    name, at, host = contact.partition("@")
    if at:
        return f"{name[:1]}***@{host}"
    return f"{contact[:3]}****{contact[7:]}" if contact else ""


class ContactViewSet(MallViewSet):
    """Change the caller's own contacts. Needs the code and a proof of identity, because a
    contact can be used to reset the password.
    """

    access = Access.login().in_person()
    serializer_class = ContactSerializer

    @extend_schema(request=ContactCodeSerializer, responses=CodeSentSerializer)
    @action(detail=False, methods=["post"], url_path="SendContactCode")
    def send_contact_code(self, request: AuthedRequest) -> Response:
        body = ContactCodeSerializer.parse(request)
        delivery = contact_code_request(
            actor=request.user, kind=body["Kind"], value=body["Value"], is_proof=body["To"] == "old"
        )
        to = mask_contact(delivery.to)
        answer = {"Channel": delivery.channel, "To": to, "RetryAfter": RESEND_SECONDS}
        return Ok(answer, message=f"验证码已发送至邮箱 {to}，10 分钟内有效")

    @extend_schema(request=ContactChangeSerializer, responses=ProfileSerializer)
    @action(detail=False, methods=["post"], url_path="ChangeContact")
    def change_contact(self, request: AuthedRequest) -> Response:
        body = ContactChangeSerializer.parse(request)
        account = contact_change(
            actor=request.user,
            kind=body["Kind"],
            value=body["Value"],
            code=body["Code"],
            password=body["Password"],
            proof_code=body["ProofCode"],
            proof=read_own_proof(request, body),
        )
        return Ok(
            ProfileSerializer(account).data, message=f"{ContactKind(body['Kind']).label}已更换"
        )


class ContactUndoViewSet(MallViewSet):
    """Undo a change. The signed link replaces the sign-in. GET changes nothing, because mail
    scanners open links.
    """

    access = Access.public()
    serializer_class = ContactUndoSerializer

    @extend_schema(request=UndoKeySerializer, responses=ContactUndoSerializer)
    @action(detail=False, methods=["post"], url_path="CheckContactUndo", authentication_classes=[])
    def check_contact_undo(self, request: Request) -> Response:
        return _undo_answer(get_disputed_change(key=UndoKeySerializer.parse(request)["Key"]))

    @extend_schema(request=UndoKeySerializer, responses=ContactUndoSerializer)
    @action(detail=False, methods=["post"], url_path="UndoContact", authentication_classes=[])
    def undo_contact(self, request: Request) -> Response:
        change = contact_undo(key=UndoKeySerializer.parse(request)["Key"])
        message = f"{change.row.get_kind_display()}已恢复，该账号的全部登录已结束"
        if change.members:
            message += "，此后绑定的企业微信已解除"
        return _undo_answer(change, message=message)


def _undo_answer(change: DisputedChange, message: str = "") -> Response:
    response = Ok(ContactUndoSerializer(change).data, message=message)
    response["Cache-Control"] = "no-store"
    return response
