"""付款 and 月结信用 in the admin. Payments are read only; a change of credit requires a reason."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from apps.common.money import MoneyFormField
from apps.common.numbers import parse_key
from apps.dual_control.services.proposals import Outcome, act_submit
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.lists import ReadOnlyAdmin
from apps.office.pages import action, display, get_request_staff
from apps.orders.models import CreditAccount, Payment
from apps.orders.selectors.customer_terms import Credit, find_credit, get_credits
from apps.orders.services.controlled_acts import SET_CREDIT, build_credit_parameters
from apps.orders.services.credit import CREDIT_SET
from apps.org.enums import CreditPolicy
from apps.org.models import Enterprise

LIMIT = build_money_column("credit_limit", "信用额度")


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = (
        "payment_no",
        "order",
        "kind",
        build_money_column("amount", "金额"),
        "status",
        "gateway",
        "paid_at",
    )
    list_filter = ("status", "kind", ("created_at", RangeDateTimeFilter))
    list_select_related = ("order",)
    search_fields = ("payment_no", "order__order_no", "gateway_reference")


class CreditForm(forms.Form):
    limit = MoneyFormField(
        label="信用额度（元）",
        min_value=Decimal(0),
        required=False,
        help_text="留空为不可月结",
        widget=UnfoldAdminDecimalFieldWidget(),
    )
    policy = forms.ChoiceField(
        label="超出额度时", choices=CreditPolicy.choices, widget=UnfoldAdminSelectWidget()
    )
    days = forms.IntegerField(
        label="账期天数", min_value=0, max_value=365, widget=UnfoldAdminIntegerFieldWidget()
    )
    reason = forms.CharField(
        label="调整原因", max_length=200, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )


def _get_listed_credit(enterprise: Enterprise) -> Credit | None:
    """Return the credit of the row, from the figures of the page if they are loaded."""
    return enterprise.credit if hasattr(enterprise, "credit") else find_credit(enterprise.pk)


@admin.register(CreditAccount)
class CreditAccountAdmin(ActPageMixin, ReadOnlyAdmin):
    """月结信用 of the enterprises, in 元, 含税. The only action changes limit, policy and days with
    a reason; a wider credit may need a second person.
    """

    list_display = ("code", "name", "group", LIMIT, "owed", "left", "credit_policy", "credit_days")
    list_filter = ("credit_policy", ("group", AutocompleteSelectFilter))
    list_select_related = ("group",)
    search_fields = ("code", "name", "credit_code")
    ordering = ("group_id", "code")
    fields = (
        "code",
        "name",
        "group",
        LIMIT,
        "owed",
        "left",
        "credit_policy",
        "credit_days",
        "history",
    )
    readonly_fields = ("owed", "left", "history")
    actions_detail = ("change_credit",)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Load the figures of all rows of the page at once."""
        response: HttpResponse = super().changelist_view(request, extra_context)
        changes = getattr(response, "context_data", {}).get("cl")
        if changes is not None:
            credit_by_enterprise = get_credits([row.pk for row in changes.result_list])
            for row in changes.result_list:
                row.credit = credit_by_enterprise.get(row.pk)
        return response

    @display(description="未结月结款")
    def owed(self, enterprise: Enterprise) -> str:
        """Return the debt of the enterprise on account."""
        credit = _get_listed_credit(enterprise)
        return format_yuan(credit.used) if credit else "—"

    @display(description="可用额度")
    def left(self, enterprise: Enterprise) -> str:
        """Return the amount that the enterprise may still order on account."""
        credit = _get_listed_credit(enterprise)
        return format_yuan(credit.available) if credit else "—"

    @display(description="调整记录")
    def history(self, enterprise: CreditAccount) -> SafeString | str:
        """Show the changes with person, time and reason."""
        return render_timeline(Enterprise.objects.get(pk=enterprise.pk)) or "—"

    @action(description="调整信用", url_path="credit", icon="credit_score", permissions=["act"])
    def change_credit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Set limit, policy and days."""
        row = get_object_or_404(CreditAccount, pk=parse_key(object_id))
        credit = find_credit(row.pk)
        initial = {"limit": row.credit_limit, "policy": row.credit_policy, "days": row.credit_days}
        act = Act(
            title="调整月结信用",
            subject=row.name,
            page=reverse("admin:orders_creditaccount_change", args=[row.pk]),
            form=CreditForm(request.POST or None, initial=initial),
            facts=[
                ("未结月结款", format_yuan(credit.used) if credit else "—"),
                ("可用额度", format_yuan(credit.available) if credit else "—"),
            ],
            result_text=lambda outcome: outcome.proposal_text or "调整月结信用成功",
        )

        def service(cleaned_data: dict[str, Any]) -> Outcome:
            parameters = build_credit_parameters(enterprise_id=row.pk, **cleaned_data)
            return act_submit(
                actor=get_request_staff(request), kind=SET_CREDIT, parameters=parameters
            )

        return self.show_act_page(request, act, service)


register_timeline_words(Enterprise, kinds={CREDIT_SET: "调整月结信用"}, states={})
