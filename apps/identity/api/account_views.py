"""/api/Account as 账号管理: the list, one account, open, change, invite, reset. Disabling is `approvals`', what one would see `orders`'."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import Stale
from apps.identity.api import account_serializers as s
from apps.identity.services.account_change import account_change
from apps.identity.services.account_open import account_open
from apps.identity.services.invitation import Channel, Invitation, account_invite, account_reset
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.account_list import account_get, accounts_listed
from apps.org.services.account_state import account_enable

WRITES = ("create", "partial_update", "enable", "invite", "reset")


class AccountViewSet(MallViewSet):
    """Colleagues of the caller's data scope. Keys are digits: the prefix is shared with the calls about oneself."""

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    action_access = dict.fromkeys(WRITES, Access.menu(MenuCode.MANAGEMENT_ACCOUNT).in_person())
    serializer_class = s.AccountSerializer
    lookup_value_regex = r"\d{1,18}"

    def _shown(self, request: AuthedRequest, account: Account) -> dict[str, object]:
        return dict(s.AccountSerializer(account_get(actor=request.user, pk=account.pk), context={"actor": request.user}).data)

    @extend_schema(parameters=[s.AccountQuerySerializer], responses=s.AccountSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        wanted = s.AccountQuerySerializer.wanted(s.AccountQuerySerializer.parse(request))
        page = self.paginate_queryset(accounts_listed(actor=request.user, wanted=wanted))
        return self.get_paginated_response(s.AccountSerializer(page, many=True, context={"actor": request.user}).data)

    @extend_schema(responses=s.AccountSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(self._shown(request, account_get(actor=request.user, pk=int(pk))))

    @extend_schema(request=s.AccountBodySerializer, responses=s.OpenedSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = s.AccountBodySerializer.parse(request)
        channel = None if body["Invite"] == "none" else Channel(body["Invite"])
        form = s.AccountBodySerializer.form(body)
        account, invitation = account_open(actor=request.user, form=form, channel=channel, origin=_origin(request))
        told = s.InvitationSerializer(invitation).data if invitation else None
        return Ok({**self._shown(request, account), "Invitation": told}, message="账号已新增")

    @extend_schema(request=s.AccountChangeSerializer, responses=s.AccountSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        account_get(actor=request.user, pk=int(pk))
        body = s.AccountChangeSerializer.parse(request, partial=True)
        form = s.AccountBodySerializer.form(body)
        try:
            account = account_change(actor=request.user, pk=int(pk), form=form, seen_at=body.get("UpdatedAt"))
        except Stale as error:
            raise Stale(error.text, body=self._shown(request, account_get(actor=request.user, pk=int(pk)))) from error
        return Ok(self._shown(request, account), message="账号已保存，权限即时生效")

    @extend_schema(request=None, responses=s.AccountSerializer)
    @action(detail=True, methods=["post"], url_path="Enable")
    @idempotent
    def enable(self, request: AuthedRequest, pk: str) -> Response:
        return Ok(self._shown(request, account_enable(actor=request.user, pk=int(pk))), message="账号已启用")

    @extend_schema(request=s.ChannelSerializer, responses=s.InvitationSerializer)
    @action(detail=True, methods=["post"], url_path="Invite")
    @idempotent
    def invite(self, request: AuthedRequest, pk: str) -> Response:
        account_get(actor=request.user, pk=int(pk))
        channel = Channel(s.ChannelSerializer.parse(request)["Channel"])
        return _told(account_invite(actor=request.user, pk=int(pk), channel=channel, origin=_origin(request)))

    @extend_schema(request=s.ChannelSerializer, responses=s.InvitationSerializer)
    @action(detail=True, methods=["post"], url_path="ResetPassword")
    @idempotent
    def reset(self, request: AuthedRequest, pk: str) -> Response:
        account_get(actor=request.user, pk=int(pk))
        channel = Channel(s.ChannelSerializer.parse(request)["Channel"])
        return _told(account_reset(actor=request.user, pk=int(pk), channel=channel, origin=_origin(request)))


def _told(invitation: Invitation) -> Response:
    message = f"邮件已发送至 {invitation.account.email}" if invitation.channel == Channel.MAIL else "临时验证码已生成"
    response = Ok(s.InvitationSerializer(invitation).data, message=message)
    response["Cache-Control"] = "no-store"
    return response


def _origin(request: AuthedRequest) -> str:
    return str(request.build_absolute_uri("/")).rstrip("/")
