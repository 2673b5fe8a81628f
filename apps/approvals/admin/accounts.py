"""Back office: disable and enable customer accounts. Open approvals go to a colleague, as in
the customer's own administration.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.approvals.selectors.leaving import get_leaving_summary
from apps.approvals.services.account_disable import account_disable
from apps.common.numbers import parse_key
from apps.identity.admin.accounts import AccountAdmin
from apps.office.acts import Act
from apps.office.pages import action
from apps.org.admin.base import get_staff_account
from apps.org.models import Account
from apps.org.services.account import account_enable
from apps.org.services.staff import staff_as_group_admin

admin.site.unregister(Account)


class LeavingForm(forms.Form):
    """The successor, an account of the same group."""

    group_id: int
    successor = forms.CharField(
        label="接手人账号",
        max_length=60,
        required=False,
        help_text="填写同一集团内有审批权限的同事的登录账号；没有待审批时可不填",
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
    )

    def clean_successor(self) -> int | None:
        name = self.cleaned_data["successor"].strip().casefold()
        if not name:
            return None
        successor: Account | None = Account.objects.filter(
            group=self.group_id, username=name
        ).first()
        if successor is None:
            raise forms.ValidationError("该集团没有这个账号，请核对后填写")
        return successor.pk


@admin.register(Account)
class AccountSwitchAdmin(AccountAdmin):
    """The page of an account with the actions to disable and enable it. Disabling passes open
    approvals to a successor and ends the delegations. Enabling the account undoes neither.
    """

    actions_detail = (*AccountAdmin.actions_detail, "switch_off", "switch_on")

    def has_switch_off_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Allow staff who may change customer accounts. Staff accounts are disabled by a
        superuser in the form.
        """
        return self._may_switch(request, object_id, is_active=True)

    def has_switch_on_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Allow the same staff for a disabled account."""
        return self._may_switch(request, object_id, is_active=False)

    def _may_switch(self, request: HttpRequest, object_id: Any, *, is_active: bool) -> bool:
        if not self.has_change_permission(request):
            return False
        rows = Account.objects.filter(pk=parse_key(object_id), is_staff=False, is_active=is_active)
        return object_id is None or rows.exists()

    @action(
        description="停用账号", url_path="switch-off", icon="person_off", permissions=["switch_off"]
    )
    def switch_off(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Disable the account and name the successor."""
        row: Account = get_object_or_404(
            Account.objects.select_related("group", "department"),
            pk=parse_key(object_id),
            is_staff=False,
        )
        form = type("LeavingFormOfGroup", (LeavingForm,), {"group_id": row.group_id})(
            request.POST or None
        )
        summary = get_leaving_summary(account=row)
        facts: list[tuple[str, object]] = [
            ("集团", row.group),
            ("部门", row.department or "—"),
            ("等待其处理的审批", f"{summary.approvals} 个"),
        ]

        def service(cleaned_data: dict[str, Any]) -> None:
            with staff_as_group_admin(
                staff=get_staff_account(request), group_id=row.group_id or 0
            ) as actor:
                account_disable(actor=actor, pk=row.pk, successor_id=cleaned_data["successor"])

        page = reverse("admin:org_account_change", args=[row.pk])
        notice = "停用后立即不能登录；购物车、订单与收货地址保留，待审批移交给接手人。"
        return self.show_act_page(
            request,
            Act(
                title="停用账号",
                subject=str(row),
                page=page,
                form=form,
                facts=facts,
                notice=notice,
                is_destructive=True,
            ),
            service,
        )

    @action(description="启用账号", url_path="switch-on", icon="person", permissions=["switch_on"])
    def switch_on(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Enable the account."""
        row: Account = get_object_or_404(
            Account.objects.select_related("group", "department"),
            pk=parse_key(object_id),
            is_staff=False,
        )

        def service(_cleaned_data: dict[str, Any]) -> None:
            with staff_as_group_admin(
                staff=get_staff_account(request), group_id=row.group_id or 0
            ) as actor:
                account_enable(actor=actor, pk=row.pk)

        facts: list[tuple[str, object]] = [("集团", row.group), ("部门", row.department or "—")]
        page = reverse("admin:org_account_change", args=[row.pk])
        notice = "启用后用原来的密码登录。"
        return self.show_act_page(
            request,
            Act(
                title="启用账号",
                subject=str(row),
                page=page,
                form=forms.Form(request.POST or None),
                facts=facts,
                notice=notice,
            ),
            service,
        )
