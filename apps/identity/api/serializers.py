"""Request and response bodies of /api/Account."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import serializers
from rest_framework.fields import empty

from apps.common.api.serializers import BodySerializer, QuerySerializer
from apps.common.files.signing import file_url
from apps.identity.shared_serializers import AssertionSerializer, OwnFactorSerializer, PasswordField
from apps.org.menus import ALL_CODES
from apps.org.models import Account
from apps.org.validators import validate_mobile


class ResetCodeField(serializers.RegexField):
    """Six digits from a letter, or the twelve characters of an invitation. Dashes and case do
    not matter.
    """

    def __init__(self, **kwargs: Any) -> None:
        messages: dict[str, Any] = {
            "invalid": "请输入 6 位数字验证码",
            "required": "请输入验证码",
            "blank": "请输入验证码",
        }
        super().__init__(
            r"^([0-9]{6}|[2-9A-HJKMNP-Z]{12})$", max_length=20, error_messages=messages, **kwargs
        )

    def run_validation(self, data: Any = empty) -> Any:
        tidy = (
            data.replace("-", "").replace(" ", "").upper()
            if isinstance(data, str) and len(data) <= 20
            else data
        )
        return super().run_validation(tidy)


class LoginSerializer(BodySerializer):
    UserName = serializers.CharField(
        max_length=60, error_messages={"blank": "请输入账号", "required": "请输入账号"}
    )
    Password = PasswordField(error_messages={"blank": "请输入密码", "required": "请输入密码"})
    CaptchaVerifyParam = serializers.JSONField(required=False, allow_null=True, default=None)
    # A code of the authenticator or a recovery code, after `second_factor_required`.
    SecondFactorCode = serializers.CharField(
        max_length=20, required=False, allow_blank=True, default=""
    )
    # The use of a passkey instead of a code, with the challenge of `second_factor_required`.
    Passkey = AssertionSerializer(required=False, allow_null=True, default=None)
    # Whether this browser skips the second factor for 30 days.
    RememberDevice = serializers.BooleanField(required=False, default=False)


class LogoutSerializer(BodySerializer):
    RefreshToken = serializers.CharField(
        max_length=200, required=False, allow_blank=True, default=""
    )


class RefreshTokenSerializer(BodySerializer):
    RefreshToken = serializers.CharField(max_length=200, allow_blank=True, trim_whitespace=False)
    UserId = serializers.CharField(
        max_length=40,
        error_messages={
            "required": "用户信息不存在",
            "blank": "用户信息不存在",
            "null": "用户信息不存在",
        },
    )


class UnLockSerializer(BodySerializer):
    CaptchaVerifyParam = serializers.JSONField(
        error_messages={"required": "请先完成滑动验证", "null": "请先完成滑动验证"}
    )
    # The Guid of the refusal whose block the puzzle lifts. The page shows 未知 if it has none.
    Guid = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")


class SendResetCodeSerializer(BodySerializer):
    UserName = serializers.CharField(
        max_length=60, error_messages={"blank": "请输入账号", "required": "请输入账号"}
    )
    Channel = serializers.ChoiceField(
        choices=["email"],
        default="email",
        error_messages={"invalid_choice": "暂只支持通过邮箱找回密码"},
    )


class ResetCodeSerializer(BodySerializer):
    UserName = serializers.CharField(
        max_length=60, error_messages={"blank": "请输入账号", "required": "请输入账号"}
    )
    Code = ResetCodeField()


class ResetPasswordSerializer(ResetCodeSerializer):
    NewPassword = PasswordField(
        error_messages={"blank": "请输入新密码", "required": "请输入新密码"}
    )


class ChangePasswordSerializer(OwnFactorSerializer):
    OldPassword = PasswordField(
        error_messages={"blank": "请输入原密码", "required": "请输入原密码"}
    )
    NewPassword = PasswordField(
        error_messages={"blank": "请输入新密码", "required": "请输入新密码"}
    )


class ProfileChangeSerializer(BodySerializer):
    NickName = serializers.CharField(
        source="nickname", max_length=40, required=False, error_messages={"blank": "请输入昵称"}
    )
    FullName = serializers.CharField(
        source="full_name", max_length=40, required=False, allow_blank=True
    )
    JobTitle = serializers.CharField(
        source="job_title", max_length=40, required=False, allow_blank=True
    )
    Mobile = serializers.CharField(source="mobile", max_length=20, required=False, allow_blank=True)
    Email = serializers.EmailField(
        source="email",
        max_length=254,
        required=False,
        allow_blank=True,
        error_messages={"invalid": "请输入正确的邮箱地址"},
    )
    Avatar = serializers.UUIDField(
        source="avatar",
        required=False,
        allow_null=True,
        error_messages={"invalid": "请先上传头像图片，再提交其 FileId"},
    )

    def validate_Mobile(self, value: str) -> str:
        if value:
            try:
                validate_mobile(value)
            except ValidationError as error:
                raise serializers.ValidationError(error.messages) from error
        return value


class SessionKeySerializer(QuerySerializer):
    sessionKey = serializers.CharField(max_length=200, required=False, default="")
    SessionKey = serializers.CharField(max_length=200, required=False, default="")
    adminLogin = serializers.CharField(max_length=20, required=False, default="")
    AdminLogin = serializers.CharField(max_length=20, required=False, default="")


class TagSerializer(QuerySerializer):
    tag = serializers.RegexField(
        r"^[0-9A-Za-z_-]{1,40}$",
        required=False,
        default="",
        error_messages={"invalid": "tag 不正确"},
    )


class CodeSerializer(QuerySerializer):
    Code = serializers.ChoiceField(
        choices=ALL_CODES, error_messages={"invalid_choice": "没有这项权限"}
    )


class MenuRightSerializer(serializers.Serializer[Any]):
    """One right: its name, its menu group, whether the caller has it, and the people who can
    grant it.
    """

    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    Group = serializers.CharField(source="group")
    Allowed = serializers.BooleanField(source="is_allowed")
    GrantedBy = serializers.ListField(source="granted_by", child=serializers.CharField())


class TokenAnswerSerializer(serializers.Serializer[Any]):
    """The token pair. `Redirect` and `ReturnUrl` are present only if the issuer of a session
    key set them.
    """

    Token = serializers.CharField()
    RefreshToken = serializers.CharField()
    Redirect = serializers.CharField(allow_null=True, required=False)
    ReturnUrl = serializers.CharField(allow_null=True, required=False)


class LoginAnswerSerializer(TokenAnswerSerializer):
    """`RecoveryCodes`: new ones if this sign-in has set up the second factor. They are shown only
    once.
    """

    RecoveryCodes = serializers.ListField(child=serializers.CharField(), required=False)


class CaptchaAnswerSerializer(serializers.Serializer[Any]):
    """Pictures as data URLs. Sizes and the X of the answer are in pixels of the picture."""

    Id = serializers.CharField()
    Background = serializers.CharField()
    Piece = serializers.CharField()
    Y = serializers.IntegerField()
    Width = serializers.IntegerField()
    Height = serializers.IntegerField()
    PieceSize = serializers.IntegerField()


class NamedUnitSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class ProfileSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    UserName = serializers.CharField(source="username")
    UserType = serializers.CharField(source="kind")
    NickName = serializers.CharField(source="nickname")
    FullName = serializers.CharField(source="full_name")
    JobTitle = serializers.CharField(source="job_title")
    Mobile = serializers.CharField(source="mobile")
    Email = serializers.CharField(source="email")
    Avatar = serializers.SerializerMethodField()
    AvatarFileId = serializers.UUIDField(source="avatar.public_id", default=None, allow_null=True)
    Enterprise = NamedUnitSerializer(source="enterprise", allow_null=True)
    Department = NamedUnitSerializer(source="department", allow_null=True)
    Role = serializers.ListField(source="role_names", child=serializers.CharField())
    LastLogin = serializers.DateTimeField(source="last_login", allow_null=True)

    def get_Avatar(self, account: Account) -> str | None:
        """The URL of the picture, signed for this account and valid for 5 minutes."""
        return file_url(account.avatar, account=account) if account.avatar else None
