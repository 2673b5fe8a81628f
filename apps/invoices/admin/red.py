"""红冲确认单 in the back office: confirmed, refused, withdrawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import action, display

from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.looking import LookingAdmin, LookingInline
from apps.common.admin.money import money_column, yuan_text
from apps.common.admin.timeline import timeline_table, timeline_words
from apps.common.keys import key_of
from apps.invoices.admin.forms import NothingForm, ReasonForm
from apps.invoices.enums import InvoiceEventKind, RedStatus
from apps.invoices.models import RedLetter, RedLine
from apps.invoices.services.red_decide import red_answer_by_staff, red_withdraw_by_staff

S = RedStatus
ALLOWED_IN: dict[str, tuple[str, ...]] = {"confirm": (S.AWAITS_SELLER,), "refuse": (S.AWAITS_SELLER,), "withdraw": (S.AWAITS_BUYER,)}
COLOURS = {
    S.AWAITS_SELLER: "warning",
    S.AWAITS_BUYER: "info",
    S.CONFIRMED: "info",
    S.ISSUED: "success",
    S.REFUSED: "danger",
    S.WITHDRAWN: "info",
    S.EXPIRED: "danger",
}
TOTAL, TAX = money_column("amount_incl_tax", "红冲金额"), money_column("tax_amount", "红冲税额")


class RedLineInline(LookingInline):
    model = RedLine
    list_select_related = ("line",)
    fields = ("line", "quantity", TOTAL, TAX)
    readonly_fields = fields


@admin.register(RedLetter)
class RedLetterAdmin(ActingMixin, LookingAdmin):
    inlines = (RedLineInline,)
    list_display = ("red_no", "group", "invoice", "state", "reason", TOTAL, "is_for_return", "opened_at", "expires_at")
    list_select_related = ("group", "invoice")
    list_filter = ("status", "reason", "is_for_return", ("group", AutocompleteSelectFilter))
    search_fields = ("red_no", "invoice__invoice_no")
    search_help_text = "按确认单号或发票号码搜索"
    actions_detail = ("confirm_one", "refuse_one", "withdraw_one")
    readonly_fields = ("timeline", TOTAL, TAX)
    fieldsets = (
        (None, {"fields": (("red_no", "status"), ("invoice", "red_invoice"), ("reason", "note"), (TOTAL, TAX), "is_for_return")}),
        ("确认", {"fields": (("opened_by", "opened_at"), ("expires_at", "confirmed_at"), "answer")}),
        ("时间线", {"fields": ("timeline",)}),
    )

    @display(description="状态", ordering="status", label=COLOURS)  # type: ignore[untyped-decorator]
    def state(self, letter: RedLetter) -> tuple[str, str]:
        return letter.status, letter.get_status_display()

    @admin.display(description="时间线")
    def timeline(self, letter: RedLetter) -> SafeString:
        return timeline_table(letter)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer only what the state allows; the services refuse the rest."""
        status = RedLetter.objects.filter(pk=key_of(object_id)).values_list("status", flat=True).first()
        return [each for each in super().get_actions_detail(request, object_id) if status in ALLOWED_IN[each.path]]

    @action(description="确认红冲", url_path="confirm", icon="check_circle", permissions=["act"])  # type: ignore[untyped-decorator]
    def confirm_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        service = partial(red_answer_by_staff, actor=request.user, letter_id=key_of(object_id), is_agreed=True)  # type: ignore[arg-type]
        return self._act(request, object_id, "确认红冲", NothingForm(request.POST or None), lambda _filled: service())

    @action(description="否认", url_path="refuse", icon="cancel", permissions=["act"])  # type: ignore[untyped-decorator]
    def refuse_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        service = partial(red_answer_by_staff, actor=request.user, letter_id=key_of(object_id), is_agreed=False)  # type: ignore[arg-type]
        return self._act(request, object_id, "否认", ReasonForm(request.POST or None), lambda filled: service(**filled))

    @action(description="撤销", url_path="withdraw", icon="undo", permissions=["act"])  # type: ignore[untyped-decorator]
    def withdraw_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        service = partial(red_withdraw_by_staff, actor=request.user, letter_id=key_of(object_id))  # type: ignore[arg-type]
        return self._act(request, object_id, "撤销", NothingForm(request.POST or None), lambda _filled: service())

    def _act(
        self, request: HttpRequest, object_id: str, title: str, form: Form, service: Callable[[dict[str, Any]], object]
    ) -> HttpResponse:
        row: RedLetter = get_object_or_404(RedLetter.objects.select_related("invoice"), pk=key_of(object_id))
        facts: list[tuple[str, object]] = [
            ("蓝字发票", row.invoice),
            ("原因", row.get_reason_display()),
            ("说明", row.note or "—"),
            ("红冲金额", yuan_text(row.amount_incl_tax)),
            ("确认期限", row.expires_at),
        ]
        page = reverse("admin:invoices_redletter_change", args=[row.pk])
        return self.act_page(request, Act(title, row.red_no, page, form, facts), service)


timeline_words(RedLetter, kinds=dict(InvoiceEventKind.choices), states=dict(S.choices))
