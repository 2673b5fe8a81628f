"""批量调价: preview, confirm, result, and undo on the page of the batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.catalog.admin.imports import xlsx_response
from apps.common.errors import DomainError
from apps.common.keys import key_of
from apps.documents.excel.writer import Cell
from apps.office.cells import money_column
from apps.office.decorators import action, display, request_staff
from apps.office.read_only import ReadOnlyAdmin, ReadOnlyInline
from apps.pricing.admin.price_batch_forms import PriceChangeForm
from apps.pricing.models import PriceBatch, PriceBatchRow
from apps.pricing.selectors.price_plan import PlannedPrice, PricePlan, price_plan
from apps.pricing.services.price_batch import price_batch_apply, price_batch_undo

SHOWN = 50
HEADER = ["商品编码", "商品名称", "现价", "新价", "变动%", "市场价", "不能调的原因"]


class PriceBatchRowInline(ReadOnlyInline):
    model = PriceBatchRow
    fields = (
        "product",
        money_column("before", "调整前"),
        money_column("after", "调整后"),
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
            price_plan(choice=form.choice(), rule=form.rule())
            if request.method == "POST" and form.is_valid()
            else None
        )
        if plan is not None and "sheet" in request.POST:
            return xlsx_response(
                name="调价预览", sheet="调价预览", header=HEADER, rows=_sheet(plan)
            )
        if plan is not None and "confirm" in request.POST:
            done = self._confirmed(request, form)
            if done is not None:
                return done
        return TemplateResponse(
            request, "admin/pricing/price_change.html", self._shown(request, form, plan)
        )

    def _confirmed(self, request: HttpRequest, form: PriceChangeForm) -> HttpResponse | None:
        try:
            batch = price_batch_apply(
                actor=request_staff(request),
                choice=form.choice(),
                rule=form.rule(),
                digest=request.POST.get("digest", ""),
                skips_refused=form.cleaned_data["skips_refused"],
            )
        except DomainError as error:
            form.add_error(None, error.text)
            return None
        messages.success(
            request,
            f"已调整 {batch.rows_changed} 个价目，客户下一次打开就是新价；如需撤销，请在本页操作",
        )
        return HttpResponseRedirect(reverse("admin:pricing_pricebatch_change", args=[batch.pk]))

    def _shown(
        self, request: HttpRequest, form: PriceChangeForm, plan: PricePlan | None
    ) -> dict[str, Any]:
        shown = {
            **self.admin_site.each_context(request),
            "title": "批量调价",
            "opts": self.opts,
            "form": form,
            "plan": plan,
        }
        if plan is not None:
            shown |= {
                "rule": form.rule(),
                "choice": form.choice(),
                "largest": plan.largest(SHOWN),
                "refused": plan.refused[:SHOWN],
                "ups": sum(row.after > row.before for row in plan.changes),
                "average": _average(plan.changes),
                "may_confirm": plan.changes
                and (not plan.refused or form.cleaned_data["skips_refused"]),
            }
        return shown

    @action(description="撤销本批调价", url_path="undo", icon="undo", permissions=["act"])
    def undo_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for confirmation, then restore the old prices."""
        batch = get_object_or_404(
            PriceBatch.objects.select_related("price_list", "made_by"), pk=key_of(object_id)
        )
        page = reverse("admin:pricing_pricebatch_change", args=[batch.pk])
        if request.method != "POST":
            shown = {
                **self.admin_site.each_context(request),
                "title": f"撤销 · {batch}",
                "opts": self.opts,
                "batch": batch,
                "page": page,
            }
            return TemplateResponse(request, "admin/pricing/price_undo.html", shown)
        try:
            batch = price_batch_undo(actor=request_staff(request), batch_id=batch.pk)
        except DomainError as error:
            messages.error(request, error.text)
        else:
            self._undone(request, batch)
        return HttpResponseRedirect(page)

    @staticmethod
    def _undone(request: HttpRequest, batch: PriceBatch) -> None:
        back = batch.rows_changed - batch.rows_left
        messages.success(request, f"已恢复 {back} 个价目的原价")
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
        is_open = PriceBatch.objects.filter(pk=key_of(object_id), undone_at__isnull=True).exists()
        return list(super().get_actions_detail(request, object_id)) if is_open else []


def _sheet(plan: PricePlan) -> Iterator[list[Cell]]:
    """Yield every row of the preview. Refused rows come first."""
    for row in (*plan.refused, *plan.changes):
        yield [row.code, row.name, row.before, row.after, row.move, row.market, row.refusal]


def _average(rows: tuple[PlannedPrice, ...]) -> str:
    """Return the average change in percent."""
    return f"{sum(row.move for row in rows) / len(rows):+.1f}%" if rows else "—"


auditlog.register(PriceBatch)
