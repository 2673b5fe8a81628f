"""/api/Account: change one's mobile number or mail address, by a code."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.identity.api.serializers import ProfileSerializer
from apps.identity.models import ContactKind
from apps.identity.services.contact_change import contact_change, contact_code_request
from apps.identity.services.password_reset import RESEND_SECONDS


class ContactSerializer(BodySerializer):
    Kind = serializers.ChoiceField(choices=ContactKind.choices, error_messages={"required": "请选择更换手机号码还是邮箱"})
    Value = serializers.CharField(max_length=254, error_messages={"blank": "请填写新的号码或邮箱", "required": "请填写新的号码或邮箱"})

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what is no mail address; numbers are the service's business."""
        if attrs["Kind"] == ContactKind.EMAIL:
            try:
                validate_email(attrs["Value"])
            except ValidationError as error:
                raise serializers.ValidationError({"Value": ["请输入正确的邮箱地址"]}) from error
        return attrs


class ContactChangeSerializer(ContactSerializer):
    Code = serializers.RegexField(r"^[0-9]{6}$", error_messages={"invalid": "请输入 6 位数字验证码", "required": "请输入验证码"})


class CodeSentSerializer(serializers.Serializer[Any]):
    """Where the code went, in part hidden, and after how many seconds another may be asked for."""

    Channel = serializers.CharField()
    To = serializers.CharField()
    RetryAfter = serializers.IntegerField()


def masked(address: str) -> str:
    """Return a mail address as `b***@yf.example`."""
    name, _, host = address.partition("@")
    return f"{name[:1]}***@{host}"


class ContactViewSet(MallViewSet):
    """Whoever sets them can have the password reset: only the person himself, and only with the code."""

    access = Access.login().in_person()
    serializer_class = ContactSerializer

    @extend_schema(request=ContactSerializer, responses=CodeSentSerializer)
    @action(detail=False, methods=["post"], url_path="SendContactCode")
    def send_contact_code(self, request: AuthedRequest) -> Response:
        body = ContactSerializer.parse(request)
        delivery = contact_code_request(actor=request.user, kind=body["Kind"], value=body["Value"])
        to = masked(delivery.to)
        answer = {"Channel": delivery.channel, "To": to, "RetryAfter": RESEND_SECONDS}
        return Ok(answer, message=f"验证码已发送至邮箱 {to}，10 分钟内有效")

    @extend_schema(request=ContactChangeSerializer, responses=ProfileSerializer)
    @action(detail=False, methods=["post"], url_path="ChangeContact")
    def change_contact(self, request: AuthedRequest) -> Response:
        body = ContactChangeSerializer.parse(request)
        account = contact_change(actor=request.user, kind=body["Kind"], value=body["Value"], code=body["Code"])
        return Ok(ProfileSerializer(account).data, message=f"{ContactKind(body['Kind']).label}已更换")
