"""/api/Account: sign-in, also with 企业微信, tokens, captcha, profile, and the reset of a
forgotten password in three calls: send a code, check it, set a new password.

An HttpOnly cookie identifies the browser that began to sign in with 企业微信. No URL contains a
token.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet, find_account
from apps.common.limits.rules import lift
from apps.common.requests import get_client_address
from apps.identity.api import serializers as s
from apps.identity.api.second_factor import (
    get_device_cookie_name,
    remember_second_factor,
)
from apps.identity.api.serializers import LoginSerializer, TokenAnswerSerializer
from apps.identity.errors import SessionKeyInvalid
from apps.identity.known_device import read_device, remember_device
from apps.identity.puzzle import HEIGHT, PIECE, WIDTH
from apps.identity.services.accounts import profile_update
from apps.identity.services.captcha import captcha_issue, captcha_verify
from apps.identity.services.family import family_end, family_refresh
from apps.identity.services.login import login
from apps.identity.services.password import (
    password_change,
    password_reset,
    reset_code_check,
    reset_code_request,
)
from apps.identity.services.second_factor import SecondStep
from apps.identity.services.session_key import (
    SessionSignIn,
    build_old_mall_address,
    session_key_sign_in,
)
from apps.identity.services.wechat_work import (
    LIFETIME,
    wechat_work_begin,
    wechat_work_bind,
    wechat_work_sign_in,
)
from apps.identity.shared_serializers import read_own_proof, read_proof
from apps.identity.tokens import TokenPair
from apps.org.models import Account
from apps.org.selectors.roles import get_menu_right


def _serialize_tokens(tokens: TokenPair) -> dict[str, str]:
    return {"Token": tokens.access, "RefreshToken": tokens.refresh}


def _read_user_agent(request: Request) -> str:
    return request.headers.get("User-Agent", "")


class SignInViewSet(MallViewSet):
    """Sign in, refresh and sign out. Endpoints that a page calls with an expired bearer have no
    authenticators.
    """

    access = Access.public()
    serializer_class = s.TokenAnswerSerializer

    @extend_schema(request=s.LoginSerializer, responses=s.LoginAnswerSerializer)
    @action(detail=False, methods=["post"], url_path="Login", authentication_classes=[])
    def sign_in(self, request: Request) -> Response:
        body = s.LoginSerializer.parse(request)
        cookies = request.COOKIES

        def step(account: Account) -> SecondStep:
            key = cookies.get(get_device_cookie_name(account), "")
            return SecondStep(read_proof(body), device_key=key)

        signed_in = login(
            username=body["UserName"],
            password=body["Password"],
            captcha=body["CaptchaVerifyParam"],
            client=get_client_address(request),
            user_agent=_read_user_agent(request),
            device=read_device(request._request),
            step=step,
        )
        response = Response(
            {
                **_serialize_tokens(signed_in.tokens),
                "Redirect": None,
                "ReturnUrl": None,
                "RecoveryCodes": signed_in.recovery_codes,
            }
        )
        if read_proof(body).is_given and body["RememberDevice"]:
            remember_second_factor(request._request, response, account=signed_in.account)
        remember_device(request=request._request, response=response, username=body["UserName"])
        return response

    @extend_schema(request=s.LogoutSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="Logout")
    def logout(self, request: Request) -> Response:
        family_end(refresh_token=s.LogoutSerializer.parse(request)["RefreshToken"])
        return Response(None)

    @extend_schema(request=s.RefreshTokenSerializer, responses=s.TokenAnswerSerializer)
    @action(detail=False, methods=["post"], url_path="RefreshToken", authentication_classes=[])
    def refresh_token(self, request: Request) -> Response:
        body = s.RefreshTokenSerializer.parse(request)
        return Response(
            _serialize_tokens(
                family_refresh(refresh_token=body["RefreshToken"], user_id=body["UserId"])
            )
        )

    @extend_schema(parameters=[s.SessionKeySerializer], responses=s.TokenAnswerSerializer)
    @action(detail=False, methods=["get"], url_path="LoginBySession", authentication_classes=[])
    def login_by_session(self, request: Request) -> Response:
        query = s.SessionKeySerializer.parse(request)
        client = get_client_address(request)
        key = query["sessionKey"] or query["SessionKey"]
        if not key:
            raise SessionKeyInvalid
        signed_in = session_key_sign_in(
            key=key, client=client, user_agent=_read_user_agent(request)
        )
        return Response(
            {
                **_serialize_tokens(signed_in.tokens),
                "Redirect": signed_in.redirect,
                "ReturnUrl": signed_in.return_url,
            }
        )

    @extend_schema(parameters=[s.TagSerializer], responses=OpenApiTypes.STR)
    @action(detail=False, methods=["get"], url_path="JumpOldLink")
    def jump_old_link(self, request: Request) -> Response:
        return Response(
            build_old_mall_address(
                account=find_account(request), tag=s.TagSerializer.parse(request)["tag"]
            )
        )


class CaptchaViewSet(MallViewSet):
    """The slide puzzle, and the block that a solved puzzle lifts."""

    access = Access.public()
    serializer_class = s.CaptchaAnswerSerializer

    @extend_schema(responses=s.CaptchaAnswerSerializer)
    @action(detail=False, methods=["get"], url_path="Captcha")
    def captcha(self, request: Request) -> Response:
        public_id, puzzle = captcha_issue()
        sizes = {"Width": WIDTH, "Height": HEIGHT, "PieceSize": PIECE}
        return Response(
            {
                "Id": str(public_id),
                "Background": puzzle.background,
                "Piece": puzzle.piece,
                "Y": puzzle.y,
                **sizes,
            }
        )

    @extend_schema(request=s.UnLockSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="UnLock")
    def unlock(self, request: Request) -> Response:
        body = s.UnLockSerializer.parse(request)
        captcha_verify(answer=body["CaptchaVerifyParam"])
        lift(request._request, guid=body["Guid"])
        return Ok(None, message="验证成功")


class OwnAccountViewSet(MallViewSet):
    """The caller's own account."""

    access = Access.login()
    # Includes mail and mobile, because they can be used to reset the password.
    action_access = dict.fromkeys(("change_profile", "change_password"), Access.login().in_person())
    serializer_class = s.ProfileSerializer

    @extend_schema(request=None, responses={200: {"type": "array", "items": {"type": "string"}}})
    @action(detail=False, methods=["post"], url_path="GetUserMenuList")
    def get_user_menu_list(self, request: AuthedRequest) -> Response:
        return Response(request.user.menu_codes)

    @extend_schema(parameters=[s.CodeSerializer], responses=s.MenuRightSerializer)
    @action(detail=False, methods=["get"], url_path="MenuRight")
    def get_menu_right(self, request: AuthedRequest) -> Response:
        right = get_menu_right(actor=request.user, code=s.CodeSerializer.parse(request)["Code"])
        return Response(s.MenuRightSerializer(right).data)

    @extend_schema(responses=s.ProfileSerializer)
    @action(detail=False, methods=["get"], url_path="Profile")
    def profile(self, request: AuthedRequest) -> Response:
        return Response(s.ProfileSerializer(request.user).data)

    @extend_schema(request=s.ProfileChangeSerializer, responses=s.ProfileSerializer)
    @profile.mapping.patch
    def change_profile(self, request: AuthedRequest) -> Response:
        changes = s.ProfileChangeSerializer.parse(request, partial=True)
        account = profile_update(actor=request.user, changes=changes)
        return Ok(s.ProfileSerializer(account).data, message="保存成功")

    @extend_schema(request=s.ChangePasswordSerializer, responses=OpenApiTypes.NONE)
    @action(detail=False, methods=["post"], url_path="ChangePassword")
    def change_password(self, request: AuthedRequest) -> Response:
        body = s.ChangePasswordSerializer.parse(request)
        family = request._request.token_family
        password_change(
            actor=request.user,
            old_password=body["OldPassword"],
            new_password=body["NewPassword"],
            family=family,
            proof=read_own_proof(request, body),
        )
        return Ok(None, message="密码已修改，其他设备需重新登录")


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
            client=get_client_address(request),
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
            client=get_client_address(request),
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
            client=get_client_address(request),
            device=read_device(request._request),
        )
        response = Ok(None, message="密码已重置，请使用新密码登录")
        # Further failures of strangers for this name do not block the owner in this browser.
        remember_device(request=request._request, response=response, username=body["UserName"])
        return response


CALLBACK = "/wechat-work-auth"
COOKIE, COOKIE_PATH = "WeChatWorkBrowser", "/api/Account/"


class WeChatWorkBeginSerializer(BodySerializer):
    ReturnUrl = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")


class WeChatWorkBeginAnswerSerializer(serializers.Serializer[Any]):
    Url = serializers.CharField()


class WeChatWorkAuthSerializer(QuerySerializer):
    code = serializers.CharField(max_length=512, required=False, allow_blank=True, default="")
    state = serializers.CharField(max_length=128, required=False, allow_blank=True, default="")


class WeChatWorkBindSerializer(LoginSerializer):
    State = serializers.CharField(max_length=128)


class WeChatWorkViewSet(MallViewSet):
    """Begin redirects to 企业微信, Auth handles the return, and Bind connects a new member to an
    account.
    """

    access = Access.public()
    serializer_class = TokenAnswerSerializer

    @extend_schema(request=WeChatWorkBeginSerializer, responses=WeChatWorkBeginAnswerSerializer)
    @action(detail=False, methods=["post"], url_path="WeChatWorkBegin", authentication_classes=[])
    def begin(self, request: Request) -> Response:
        body = WeChatWorkBeginSerializer.parse(request)
        begun = wechat_work_begin(
            callback=request.build_absolute_uri(CALLBACK),
            browser=request.COOKIES.get(COOKIE, ""),
            return_url=body["ReturnUrl"],
            is_inside="wxwork" in request.headers.get("User-Agent", "").lower(),
        )
        response = Response({"Url": begun.url})
        response.set_cookie(
            COOKIE,
            begun.browser,
            max_age=int(2 * LIFETIME.total_seconds()),
            path=COOKIE_PATH,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
        return response

    @extend_schema(parameters=[WeChatWorkAuthSerializer], responses=TokenAnswerSerializer)
    @action(detail=False, methods=["get"], url_path="WeChatWorkAuth", authentication_classes=[])
    def auth(self, request: Request) -> Response:
        query = WeChatWorkAuthSerializer.parse(request)
        return _answer_sign_in(
            wechat_work_sign_in(code=query["code"], state=query["state"], **_read_client(request))
        )

    @extend_schema(request=WeChatWorkBindSerializer, responses=TokenAnswerSerializer)
    @action(detail=False, methods=["post"], url_path="WeChatWorkBind", authentication_classes=[])
    def bind(self, request: Request) -> Response:
        body = WeChatWorkBindSerializer.parse(request)
        signed_in = wechat_work_bind(
            state=body["State"],
            username=body["UserName"],
            password=body["Password"],
            captcha=body["CaptchaVerifyParam"],
            device=read_device(request._request),
            proof=read_proof(body),
            **_read_client(request),
        )
        response = _answer_sign_in(signed_in)
        remember_device(request=request._request, response=response, username=body["UserName"])
        return response


def _read_client(request: Request) -> dict[str, str]:
    return {
        "browser": request.COOKIES.get(COOKIE, ""),
        "client": get_client_address(request),
        "user_agent": request.headers.get("User-Agent", ""),
    }


def _answer_sign_in(signed_in: SessionSignIn) -> Response:
    pair = {"Token": signed_in.tokens.access, "RefreshToken": signed_in.tokens.refresh}
    return Response({**pair, "Redirect": signed_in.redirect, "ReturnUrl": signed_in.return_url})
