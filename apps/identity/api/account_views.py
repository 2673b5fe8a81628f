"""/api/Account for 账号管理: list, read, create, change, invite and reset. `approvals` has the
endpoint that disables an account. `orders` has /api/Account/Sight, which shows the data that
a person may see. /api/Account/Template, /Import and /Export are sheets of accounts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import only_upload
from apps.common.api.idempotency import idempotent
from apps.common.api.parsers import BoundedJSONParser
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.errors import FileRefused, Stale
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import (
    ImportOptionsSerializer,
    SheetRowSerializer,
    SheetTakenSerializer,
    build_sheet_response,
    build_wrong_rows_response,
    import_answer,
    import_body,
    read_sheet_options,
    sheet_preview,
)
from apps.documents.excel import find_sheet_mapping
from apps.identity.api import account_serializers as s
from apps.identity.models import ContactKind
from apps.identity.services.accounts import account_change, account_open, accounts_import_and_invite
from apps.identity.services.invitation import Channel, Invitation, account_invite, account_reset
from apps.identity.shared_serializers import FORM_PROOF_FIELDS, require_owner
from apps.org.enums import AccountType
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import (
    EXAMPLE,
    HEADER,
    export_header,
    get_account,
    list_accounts,
    list_export_rows,
)
from apps.org.services.account import account_enable
from apps.org.services.account_import import (
    WRITER,
    accounts_build_wrong_sheet,
    accounts_preview,
)
from apps.org.services.user_names import taken_names_limited

View = TypeVar("View", bound=Callable[..., Response])
WRITES = ("create", "partial_update", "enable", "invite", "reset")


BIGGEST = 5 * 1024 * 1024


def count_refused_names(view: View) -> View:
    """Count a refused name outside the transaction of `idempotent`, because the refusal rolls
    that transaction back.
    """

    @wraps(view)
    def wrapper(self: Any, request: AuthedRequest, *args: Any, **kwargs: Any) -> Response:
        with taken_names_limited(actor=request.user):
            return view(self, request, *args, **kwargs)

    return cast("View", wrapper)


def creates_admin_or_returns_code(request: AuthedRequest) -> bool:
    """Return whether the new account is a group admin, or the caller gets its code."""
    body = s.AccountBodySerializer.parse(request)
    return body["Invite"] == Channel.CODE or body.get("UserType") == AccountType.GROUP_ADMIN


def changes_contact_or_promotes(request: AuthedRequest, pk: str) -> bool:
    """Return whether the request changes a colleague's mobile or mail, or makes the colleague a
    group admin.
    """
    account = get_account(actor=request.user, pk=int(pk))
    body = s.AccountChangeSerializer.parse(request, partial=True)
    if account.pk == request.user.pk:
        # The service rejects a change of the caller's own mobile or mail address.
        return False
    is_promoted = body.get("UserType") == AccountType.GROUP_ADMIN and not account.is_group_admin
    return is_promoted or any(
        body.get(kind, getattr(account, kind)) != getattr(account, kind)
        for kind in ContactKind.values
    )


def returns_code(request: AuthedRequest, pk: str) -> bool:
    """Return whether the answer contains the code that sets a colleague's password.

    Raises:
        AccountNotFound: the account is missing or outside the caller's data scope. This is checked
            before the password, so that every wrong id gets the same answer.
    """
    get_account(actor=request.user, pk=int(pk))
    return bool(s.ChannelSerializer.parse(request)["Channel"] == Channel.CODE)


class AccountViewSet(MallViewSet):
    """Colleagues within the caller's data scope. Keys consist of digits, because endpoints for
    the caller's own account use the same prefix.
    """

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    action_access = dict.fromkeys(WRITES, Access.menu(MenuCode.MANAGEMENT_ACCOUNT).in_person())
    serializer_class = s.AccountSerializer
    lookup_value_regex = DIGITS

    def _serialize_account(self, request: AuthedRequest, account: Account) -> dict[str, object]:
        return dict(
            s.AccountSerializer(
                get_account(actor=request.user, pk=account.pk), context={"actor": request.user}
            ).data
        )

    @extend_schema(parameters=[s.AccountQuerySerializer], responses=s.AccountSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        filters = s.AccountQuerySerializer.build_filters(s.AccountQuerySerializer.parse(request))
        page = self.paginate_queryset(list_accounts(actor=request.user, filters=filters))
        return self.get_paginated_response(
            s.AccountSerializer(page, many=True, context={"actor": request.user}).data
        )

    @extend_schema(responses=s.AccountSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(
            self._serialize_account(request, get_account(actor=request.user, pk=int(pk)))
        )

    @extend_schema(request=s.AccountBodySerializer, responses=s.OpenedSerializer)
    @require_owner(creates_admin_or_returns_code)
    @count_refused_names
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        body = s.AccountBodySerializer.parse(request)
        channel = None if body["Invite"] == "none" else Channel(body["Invite"])
        form = s.AccountBodySerializer.build_form(body)
        account, invitation = account_open(
            actor=request.user, form=form, channel=channel, origin=_get_origin(request)
        )
        invitation_data = s.InvitationSerializer(invitation).data if invitation else None
        return Ok(
            {**self._serialize_account(request, account), "Invitation": invitation_data},
            message="账号已新增",
        )

    @extend_schema(request=s.AccountChangeSerializer, responses=s.AccountSerializer)
    @require_owner(changes_contact_or_promotes)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        body = s.AccountChangeSerializer.parse(request, partial=True)
        form = s.AccountBodySerializer.build_form(body)
        try:
            account = account_change(
                actor=request.user, pk=int(pk), form=form, seen_at=body.get("UpdatedAt")
            )
        except Stale as error:
            raise Stale(
                error.text,
                body=self._serialize_account(request, get_account(actor=request.user, pk=int(pk))),
            ) from error
        return Ok(self._serialize_account(request, account), message="账号已保存，权限即时生效")

    @extend_schema(request=None, responses=s.AccountSerializer)
    @action(detail=True, methods=["post"], url_path="Enable")
    @idempotent
    def enable(self, request: AuthedRequest, pk: str) -> Response:
        return Ok(
            self._serialize_account(request, account_enable(actor=request.user, pk=int(pk))),
            message="账号已启用",
        )

    @extend_schema(request=s.ChannelSerializer, responses=s.InvitationSerializer)
    @action(detail=True, methods=["post"], url_path="Invite")
    @require_owner(returns_code)
    @idempotent
    def invite(self, request: AuthedRequest, pk: str) -> Response:
        channel = Channel(s.ChannelSerializer.parse(request)["Channel"])
        return _answer_invitation(
            account_invite(
                actor=request.user, pk=int(pk), channel=channel, origin=_get_origin(request)
            )
        )

    @extend_schema(request=s.ChannelSerializer, responses=s.InvitationSerializer)
    @action(detail=True, methods=["post"], url_path="ResetPassword")
    @require_owner(returns_code)
    @idempotent
    def reset(self, request: AuthedRequest, pk: str) -> Response:
        channel = Channel(s.ChannelSerializer.parse(request)["Channel"])
        return _answer_invitation(
            account_reset(
                actor=request.user, pk=int(pk), channel=channel, origin=_get_origin(request)
            )
        )


def _answer_invitation(invitation: Invitation) -> Response:
    message = (
        f"邮件已发送至 {invitation.account.email}"
        if invitation.channel == Channel.MAIL
        else "临时验证码已生成"
    )
    return Ok(s.InvitationSerializer(invitation).data, message=message)


def _get_origin(request: AuthedRequest) -> str:
    return str(request.build_absolute_uri("/")).rstrip("/")


class AccountImportOptionsSerializer(ImportOptionsSerializer):
    Invite = serializers.BooleanField(default=False)


def is_sheet_confirmed(request: AuthedRequest) -> bool:
    """Return whether the request writes the sheet. Its accounts then get roles and links to set
    passwords.
    """
    options = ImportOptionsSerializer(data=request.data)
    options.is_valid(raise_exception=True)
    return bool(options.validated_data["Confirm"])


def _build_import_body() -> dict[str, Any]:
    """Return the schema of an uploaded sheet of accounts."""
    body = import_body("Invite")
    body["multipart/form-data"]["properties"] |= FORM_PROOF_FIELDS
    return body


class AccountSheetRowSerializer(SheetRowSerializer):
    UserName = serializers.CharField(source="cells.username")
    NickName = serializers.CharField(source="cells.nickname")
    Enterprise = serializers.CharField(source="cells.enterprise")
    Department = serializers.CharField(source="cells.department")
    Roles = serializers.CharField(source="cells.roles")


class AccountImportSerializer(SheetTakenSerializer):
    Rows = AccountSheetRowSerializer(many=True)
    Invited = serializers.IntegerField()


class AccountSheetViewSet(MallViewSet):
    """Import and export of accounts."""

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    action_access = {"import_sheet": Access.menu(MenuCode.MANAGEMENT_ACCOUNT).in_person()}
    serializer_class = AccountImportSerializer
    pagination_class = None
    parser_classes = [BoundedJSONParser, MultiPartParser]

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Template")
    def template(self, _request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet to fill in."""
        return build_sheet_response(
            "账号导入模板.xlsx", header=HEADER, rows=[EXAMPLE], sheet="账号"
        )

    @extend_schema(
        request=s.AccountExportSerializer, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], url_path="Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the filtered list as a sheet."""
        filters = s.AccountExportSerializer.build_filters(s.AccountExportSerializer.parse(request))
        name = f"账号-{timezone.localdate():%Y%m%d}.xlsx"
        return build_sheet_response(
            name,
            header=export_header(),
            rows=list_export_rows(actor=request.user, filters=filters),
            sheet="账号",
        )

    @extend_schema(request=_build_import_body(), responses=AccountImportSerializer)
    @action(detail=False, methods=["post"], url_path="Import")
    @require_owner(is_sheet_confirmed)
    def import_sheet(self, request: AuthedRequest) -> HttpResponseBase:
        """Check the sheet. With `Confirm`, write all rows, with `GoodOnly` the valid ones."""
        file = _only_file(request)
        wishes = AccountImportOptionsSerializer(data=request.data)
        wishes.is_valid(raise_exception=True)
        options = read_sheet_options(request, kind=WRITER, columns=HEADER)
        if not options.is_confirmed:
            rows = accounts_preview(actor=request.user, file=file)
            if options.wants_wrong_rows:
                return build_wrong_rows_response(accounts_build_wrong_sheet(rows))
            mapping = find_sheet_mapping(file, kind=WRITER, columns=HEADER)
            preview = sheet_preview(rows, AccountSheetRowSerializer, mapping=mapping)
            return Response({**preview, "Invited": 0})
        origin = str(request.build_absolute_uri("/")).rstrip("/")
        run = accounts_import_and_invite(
            actor=request.user,
            file=file,
            sends_invitations=wishes.validated_data["Invite"],
            origin=origin,
            is_good_only=options.is_good_only,
        )
        letters = run.report.get("letters", 0)
        letters_text = f"，已向 {letters} 人发送邀请邮件" if letters else ""
        return import_answer(run, noun="个账号", more=letters_text, Invited=letters)


def _only_file(request: AuthedRequest) -> Any:
    upload = only_upload(request, missing_message="请选择一个表格文件")
    if (upload.size or 0) > BIGGEST:
        raise FileRefused("文件大小不能超过 5MB")
    return upload
