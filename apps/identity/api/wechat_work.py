"""/api/Account: sign in with 企业微信. An HttpOnly cookie identifies the browser that began. No URL
contains a token.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.serializers import BodySerializer, QuerySerializer
from apps.common.api.views import MallViewSet
from apps.common.requests import client_address
from apps.identity.api.proofs import read_proof
from apps.identity.api.serializers import LoginSerializer, TokenAnswerSerializer
from apps.identity.known_device import read_device, remember_device
from apps.identity.services.session_key import SessionSignIn
from apps.identity.services.wechat_work import (
    LIFETIME,
    wechat_work_begin,
    wechat_work_bind,
    wechat_work_sign_in,
)

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
        return _answer(
            wechat_work_sign_in(code=query["code"], state=query["state"], **_where(request))
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
            **_where(request),
        )
        response = _answer(signed_in)
        remember_device(request=request._request, response=response, username=body["UserName"])
        return response


def _where(request: Request) -> dict[str, str]:
    return {
        "browser": request.COOKIES.get(COOKIE, ""),
        "client": client_address(request),
        "user_agent": request.headers.get("User-Agent", ""),
    }


def _answer(signed_in: SessionSignIn) -> Response:
    pair = {"Token": signed_in.tokens.access, "RefreshToken": signed_in.tokens.refresh}
    return Response({**pair, "Redirect": signed_in.redirect, "ReturnUrl": signed_in.return_url})
