"""批量调价: the form with its rows and rule, preview, confirm, result, and undo on the page of the
batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.catalog.admin.imports import build_xlsx_response
from apps.common.errors import DomainError
from apps.common.money import MoneyFormField
from apps.common.numbers import parse_key
from apps.documents.excel.writer import Cell
from apps.dual_control.services.proposals import act_submit
from apps.office.cells import build_money_column
from apps.office.choices import open_search_choices, search_choice
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action, display, get_request_staff
from apps.org.locks import lock_account
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import Agreement, AssortmentRule, PriceBatch, PriceBatchRow, PriceList
from apps.pricing.selectors.price_changes import get_changed_today
from apps.pricing.selectors.price_plan import (
    PlannedPrice,
    PriceChoice,
    PricePlan,
    PriceRule,
    get_price_plan,
)
from apps.pricing.services.controlled_acts import CHANGE_PRICES, build_price_change_parameters
from apps.pricing.services.prices import price_batch_undo

MAX_CODES = 1000
# Maximum number of codes in an error message.
MAX_CODES_IN_ERROR = 10
SEPARATORS = re.compile(r"[\s,，;；、]+")
STEPS = (("0.01", "分（0.01 元）"), ("0.1", "角（0.1 元）"), ("1", "元"))
ROWS_IN_PREVIEW = 50
HEADER = ["商品编码", "商品名称", "现价", "新价", "变动%", "市场价", "不能调的原因"]


class PriceChangeForm(forms.Form):
    """The rows of a price list and the rule of a new batch. `choice` and `rule` are the checked
    input of the service.
    """

    price_list = search_choice(Agreement, "price_list", label="价目表", required=True)
    category = search_choice(
        AssortmentRule, "category", label="只调类目", help_text="任一级类目，留空为全部"
    )
    brand = search_choice(AssortmentRule, "brand", label="只调品牌", help_text="留空为全部")
    codes = forms.CharField(
        label="只调这些商品",
        required=False,
        max_length=20_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=f"粘贴商品编码，用空格、逗号或换行分隔，最多 {MAX_CODES} 个；留空为全部",
    )
    kind = forms.ChoiceField(
        label="调价规则", choices=PriceRuleKind.choices, widget=UnfoldAdminSelectWidget
    )
    figure = MoneyFormField(
        label="数值",
        max_digits=8,
        widget=UnfoldAdminDecimalFieldWidget(attrs={"step": "0.01"}),
        help_text="百分比或元；降价填负数，例如 -3",
        error_messages={"required": "请填写数值"},
    )
    step = forms.ChoiceField(label="四舍五入到", choices=STEPS, widget=UnfoldAdminSelectWidget)
    skips_refused = forms.BooleanField(
        label="跳过不能调的商品",
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=(
            "新价不大于 0，或涨到市场价以上的商品保持原价，其余照调；不勾选则有一个不能调就全部不调"
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_search_choices(self)

    def clean_price_list(self) -> PriceList:
        price_list: PriceList = self.cleaned_data["price_list"]
        if price_list.agreements.filter(is_addition=True).exists():
            raise forms.ValidationError("询价专属价目表由报价维护，不能批量调价")
        return price_list

    def clean_codes(self) -> tuple[str, ...]:
        """Return the product codes without duplicates. Raises ValidationError above MAX_CODES."""
        codes = tuple(
            dict.fromkeys(code for code in SEPARATORS.split(self.cleaned_data["codes"]) if code)
        )
        if len(codes) > MAX_CODES:
            raise forms.ValidationError(f"最多 {MAX_CODES} 个商品编码，现在有 {len(codes)} 个")
        return codes

    def clean(self) -> dict[str, Any]:
        """Check the figure against the kind of rule, and that each code has a price in the list."""
        values: dict[str, Any] = super().clean() or {}
        kind, figure = values.get("kind"), values.get("figure")
        if kind and figure is not None:
            if kind == PriceRuleKind.MARKET and figure <= 0:
                self.add_error("figure", "请填写大于 0 的百分比，例如 90")
            elif kind == PriceRuleKind.PERCENT and figure <= -100:
                self.add_error("figure", "降价不能达到 100%")
            elif figure == 0:
                self.add_error("figure", "数值为 0，价格不会变")
        if values.get("price_list") and values.get("codes"):
            self._refuse_unpriced(values["price_list"], values["codes"])
        return values

    def _refuse_unpriced(self, price_list: PriceList, codes: tuple[str, ...]) -> None:
        """Refuse product codes without a price on the list, so that a mistyped code is not
        ignored.
        """
        priced_codes = set(
            PriceChoice(price_list, codes=codes)
            .list_items()
            .values_list("product__code", flat=True)
        )
        unknown = [code for code in codes if code not in priced_codes]
        if unknown:
            more = f" 等 {len(unknown)} 个" if len(unknown) > MAX_CODES_IN_ERROR else ""
            self.add_error(
                "codes",
                (
                    f"价目表里没有这些商品的价格：{'、'.join(unknown[:MAX_CODES_IN_ERROR])}{more}；"
                    "请更正或删去"
                ),
            )

    def build_choice(self) -> PriceChoice:
        """Return the chosen rows. The form must be valid."""
        cleaned_data = self.cleaned_data
        return PriceChoice(
            cleaned_data["price_list"],
            cleaned_data["category"],
            cleaned_data["brand"],
            cleaned_data["codes"],
        )

    def build_rule(self) -> PriceRule:
        """Return the rule. The form must be valid."""
        return PriceRule(
            PriceRuleKind(self.cleaned_data["kind"]),
            self.cleaned_data["figure"],
            Decimal(self.cleaned_data["step"]),
        )


class PriceBatchRowInline(ReadOnlyInline):
    model = PriceBatchRow
    fields = (
        "product",
        build_money_column("before", "调整前"),
        build_money_column("after", "调整后"),
        "outcome",
    )
    readonly_fields = fields
    per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceBatchRow]:
        queryset: QuerySet[PriceBatchRow] = super().get_queryset(request)
        # Rows that the undo skipped come first.
        return queryset.select_related("product", "batch").order_by("-is_left", "pk")

    @display(description="撤销结果", label={"已恢复": "success", "未恢复": "warning"})
    def outcome(self, row: PriceBatchRow) -> str:
        """Return what the undo did with the row."""
        if row.batch.undone_at is None:
            return "—"
        return "未恢复" if row.is_left else "已恢复"


@admin.register(PriceBatch)
class PriceBatchAdmin(ReadOnlyAdmin):
    """Batches of price changes: form, preview, confirm, and undo. A batch is read-only once
    written.
    """

    inlines = (PriceBatchRowInline,)
    list_display = (
        "number",
        "price_list",
        "rule",
        "chosen",
        "rows_changed",
        "made_by",
        "made_at",
        "state",
    )
    list_display_links = ("number",)
    list_select_related = ("price_list", "made_by")
    list_filter = (("price_list", AutocompleteSelectFilter), ("made_at", RangeDateTimeFilter))
    search_fields = ("price_list__code", "price_list__name", "chosen")
    search_help_text = "按价目表或范围搜索"
    actions_list = ("change_prices",)
    # Label of the action that an empty list offers.
    way_on = "新的调价"
    actions_detail = ("undo_one",)
    fields = (
        ("price_list", "rule"),
        ("chosen", "step"),
        ("rows_changed", "rows_left"),
        ("made_by", "made_at"),
        ("undone_by", "undone_at"),
    )
    readonly_fields = ("rule", "made_at")

    @admin.display(description="批次", ordering="pk")
    def number(self, batch: PriceBatch) -> str:
        return str(batch)

    @admin.display(description="规则")
    def rule(self, batch: PriceBatch) -> str:
        return batch.rule_text

    @display(description="状态", label={"已生效": "success", "已撤销": "warning"})
    def state(self, batch: PriceBatch) -> str:
        """Return whether the batch is in effect or undone."""
        return "已撤销" if batch.undone_at else "已生效"

    @action(description="新的调价", url_path="new", icon="trending_up", permissions=["act"])
    def change_prices(self, request: HttpRequest) -> HttpResponseBase:
        """Show the form, the preview, and apply the previewed change."""
        form = PriceChangeForm(
            request.POST or None,
            initial={"price_list": request.GET.get("price_list"), "step": "0.01"},
        )
        plan = (
            get_price_plan(choice=form.build_choice(), rule=form.build_rule())
            if request.method == "POST" and form.is_valid()
            else None
        )
        if plan is not None and "sheet" in request.POST:
            return build_xlsx_response(
                name="调价预览", sheet="调价预览", header=HEADER, rows=_preview_rows(plan)
            )
        if plan is not None and "confirm" in request.POST:
            answer = self._apply_batch(request, form)
            if answer is not None:
                return answer
        return TemplateResponse(
            request,
            "admin/pricing/price_change.html",
            self._build_page_context(request, form, plan),
        )

    def _apply_batch(self, request: HttpRequest, form: PriceChangeForm) -> HttpResponse | None:
        """Change the prices and return the redirect to the batch. If a second person must confirm,
        redirect to the list. Return None with errors on the form if it is refused.
        """
        person = get_request_staff(request)
        try:
            with transaction.atomic():
                # Changes that are confirmed at once are judged one after the other.
                lock_account(person.pk)
                outcome = act_submit(
                    actor=person,
                    kind=CHANGE_PRICES,
                    parameters=build_price_change_parameters(
                        choice=form.build_choice(),
                        rule=form.build_rule(),
                        digest=request.POST.get("digest", ""),
                        skips_refused=form.cleaned_data["skips_refused"],
                        earlier=get_changed_today(person=person),
                    ),
                )
        except DomainError as error:
            form.add_error(None, error.text)
            return None
        if outcome.proposal is not None:
            messages.success(request, f"批量调价：{outcome.proposal_text}")
            return HttpResponseRedirect(reverse("admin:pricing_pricebatch_changelist"))
        batch = outcome.result
        messages.success(
            request,
            f"已调整 {batch.rows_changed} 个价目，客户下一次打开就是新价；如需撤销，请在本页操作",
        )
        return HttpResponseRedirect(reverse("admin:pricing_pricebatch_change", args=[batch.pk]))

    def _build_page_context(
        self, request: HttpRequest, form: PriceChangeForm, plan: PricePlan | None
    ) -> dict[str, Any]:
        """Return the values of the page; without a plan, of the empty form."""
        context = {
            **self.admin_site.each_context(request),
            "title": "批量调价",
            "opts": self.opts,
            "form": form,
            "plan": plan,
        }
        if plan is not None:
            context |= {
                "rule": form.build_rule(),
                "choice": form.build_choice(),
                "largest": plan.list_largest(ROWS_IN_PREVIEW),
                "refused": plan.refused[:ROWS_IN_PREVIEW],
                "ups": sum(row.after > row.before for row in plan.changes),
                "average": _format_average(plan.changes),
                "may_confirm": plan.changes
                and (not plan.refused or form.cleaned_data["skips_refused"]),
            }
        return context

    @action(description="撤销本批调价", url_path="undo", icon="undo", permissions=["act"])
    def undo_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for confirmation, then restore the old prices."""
        batch = get_object_or_404(
            PriceBatch.objects.select_related("price_list", "made_by"), pk=parse_key(object_id)
        )
        page = reverse("admin:pricing_pricebatch_change", args=[batch.pk])
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": f"撤销 · {batch}",
                "opts": self.opts,
                "batch": batch,
                "page": page,
            }
            return TemplateResponse(request, "admin/pricing/price_undo.html", context)
        try:
            batch = price_batch_undo(actor=get_request_staff(request), batch_id=batch.pk)
        except DomainError as error:
            messages.error(request, error.text)
        else:
            self._report_undo(request, batch)
        return HttpResponseRedirect(page)

    @staticmethod
    def _report_undo(request: HttpRequest, batch: PriceBatch) -> None:
        """Tell how many prices were restored, and name 20 products whose price was changed
        afterwards.
        """
        restored_count = batch.rows_changed - batch.rows_left
        messages.success(request, f"已恢复 {restored_count} 个价目的原价")
        if batch.rows_left:
            codes = list(
                batch.rows.filter(is_left=True).values_list("product__code", flat=True)[:20]
            )
            more = " 等" if batch.rows_left > len(codes) else ""
            messages.warning(
                request,
                f"{batch.rows_left} 个价目在调价后又被修改或删除，未恢复：{'、'.join(codes)}{more}",
            )

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer the undo only for a batch that is not undone."""
        is_open = PriceBatch.objects.filter(
            pk=parse_key(object_id), undone_at__isnull=True
        ).exists()
        return list(super().get_actions_detail(request, object_id)) if is_open else []


def _preview_rows(plan: PricePlan) -> Iterator[list[Cell]]:
    """Yield every row of the preview. Refused rows come first."""
    for row in (*plan.refused, *plan.changes):
        yield [row.code, row.name, row.before, row.after, row.move, row.market, row.refusal]


def _format_average(rows: tuple[PlannedPrice, ...]) -> str:
    """Return the average change in percent."""
    return f"{sum(row.move for row in rows) / len(rows):+.1f}%" if rows else "—"


auditlog.register(PriceBatch)
