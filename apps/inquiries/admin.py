"""意向商品询价 in the back office: open inquiries with their waiting time, and the actions of the
staff, which call the services.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.common.api.files import file_response
from apps.common.days import format_moment
from apps.common.money import MoneyFormField
from apps.common.numbers import parse_key
from apps.dual_control.services.proposals import Outcome, act_submit
from apps.inquiries.enums import InquiryEventKind, InquiryStatus
from apps.inquiries.models import ProductInquiry, ProductInquiryLine
from apps.inquiries.selectors import LastPrice, get_quote_offer, list_quote_candidates
from apps.inquiries.services.controlled_acts import QUOTE, quote_parameters
from apps.inquiries.services.inquiries import inquiry_decline, inquiry_reply
from apps.inquiries.services.inquiry_quote import MAX_PRICE, MAX_VALIDITY, QuotedLine
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import (
    build_money_column,
    format_elapsed,
    format_yuan,
    picture_list,
    render_message_table,
)
from apps.office.choices import build_day_input
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action, display
from apps.office.work_owners import OWNER_ACTIONS, WorkOwnerMixin
from apps.pricing.models.tiers import format_tiers
from apps.pricing.selectors.offers import Offer

DEFAULT_VALIDITY = timedelta(days=30)
S = InquiryStatus
STATE_COLOURS = {S.PENDING: "warning", S.QUOTED: "info", S.ADOPTED: "success", S.CLOSED: "danger"}
# URL path of an action → the states in which the page offers it.
ALLOWED_IN: dict[str, tuple[str, ...]] = {
    "quote": (S.PENDING,),
    "reply": (S.PENDING, S.QUOTED, S.ADOPTED, S.CLOSED),
    "decline": (S.PENDING, S.QUOTED),
}


class DeclineForm(forms.Form):
    reason = forms.CharField(
        label="关闭原因",
        max_length=200,
        help_text="客户会看到，请说明为什么不能报价，或建议他怎么做",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class ReplyForm(forms.Form):
    text = forms.CharField(
        label="回复客户",
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "autofocus": True}),
    )


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A line of the quote form: the requested line, similar products of the catalogue, and the
    fields for code, price and note.
    """

    line: ProductInquiryLine
    candidates: Sequence[Offer]
    fields: tuple[Any, ...]


class QuoteForm(forms.Form):
    """The last day of the quote, a note, and for each line either a product with a price or the
    reason why it is not available.
    """

    valid_to = forms.DateField(label="报价有效期至", widget=build_day_input())
    note = forms.CharField(
        label="报价说明",
        max_length=500,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )

    def __init__(
        self,
        *args: Any,
        lines: Sequence[ProductInquiryLine],
        candidates: Mapping[int, Sequence[Offer]],
        **kwargs: Any,
    ) -> None:
        """Add the fields code, price and note for each line of the inquiry. `candidates` are by
        line id.
        """
        super().__init__(*args, **kwargs)
        self.lines, self.candidates = lines, candidates
        today = timezone.localdate()
        self.fields["valid_to"].initial = today + DEFAULT_VALIDITY
        self.fields["valid_to"].help_text = f"当天仍有效；最晚 {today + MAX_VALIDITY:%Y-%m-%d}"
        for line in lines:
            self.fields[f"code_{line.pk}"] = forms.RegexField(
                r"^[0-9]{1,18}$",
                label=f"第 {line.no} 行报价商品编码",
                required=False,
                error_messages={"invalid": "商品编码只能由数字组成"},
                widget=UnfoldAdminTextInputWidget(
                    attrs={
                        "list": f"candidates_{line.pk}",
                        "autocomplete": "off",
                        "aria-label": f"第 {line.no} 行报价商品编码",
                    }
                ),
            )
            self.fields[f"price_{line.pk}"] = MoneyFormField(
                label=f"第 {line.no} 行报价",
                required=False,
                max_digits=9,
                min_value=0,
                max_value=MAX_PRICE,
                widget=UnfoldAdminDecimalFieldWidget(
                    attrs={"aria-label": f"第 {line.no} 行报价（元，含税）"}
                ),
            )
            self.fields[f"note_{line.pk}"] = forms.CharField(
                label=f"第 {line.no} 行备注",
                required=False,
                max_length=200,
                widget=UnfoldAdminTextInputWidget(attrs={"aria-label": f"第 {line.no} 行备注"}),
            )

    @property
    def rows(self) -> list[QuoteRow]:
        """Return each line of the inquiry with its form fields and candidates, for the template."""
        return [
            QuoteRow(
                line,
                self.candidates.get(line.pk, ()),
                tuple(self[f"{name}_{line.pk}"] for name in ("code", "price", "note")),
            )
            for line in self.lines
        ]

    @property
    def quoted(self) -> dict[int, QuotedLine]:
        """Return the quoted lines by the key of the inquiry's line."""
        filled = self.cleaned_data
        return {
            line.pk: QuotedLine(
                filled[f"code_{line.pk}"], filled[f"price_{line.pk}"], filled[f"note_{line.pk}"]
            )
            for line in self.lines
        }


def _offer_text(offer: Offer, last_price: LastPrice | None) -> str:
    """Return one line about a product: prices in 元, stock and the price of the last order."""
    parts = [
        offer.product.name,
        f"客户现价 {format_yuan(offer.price)}",
        *([f"阶梯价 {format_tiers(offer.tiers)}"] if offer.tiers else []),
        f"市场价 {format_yuan(offer.market_price)}",
        f"可售 {offer.available:,} {offer.product.unit}",
        f"上次成交 {format_yuan(last_price.price)}（{last_price.day:%Y-%m-%d}）"
        if last_price
        else "未曾购买",
    ]
    if not offer.is_on_sale:
        parts.append("已下架，不能报价")
    return " · ".join(parts)


class InquiryLineInline(ReadOnlyInline):
    model = ProductInquiryLine
    fields = (
        "no",
        "name",
        "spec",
        "quantity",
        "unit",
        build_money_column("target_price", "目标单价（含税）"),
        "product",
        build_money_column("quoted_price", "报价（含税）"),
        build_money_column("price_before", "报价前价格（含税）"),
        "note",
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductInquiryLine]:
        queryset: QuerySet[ProductInquiryLine] = super().get_queryset(request)
        return queryset.select_related("product")


class UnreadFilter(admin.SimpleListFilter):
    """Inquiries with customer messages after the last reply of the staff."""

    title = "客户新消息"
    parameter_name = "unread"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", "有未回复的消息")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[ProductInquiry]
    ) -> QuerySet[ProductInquiry]:
        return queryset.filter(staff_unread__gt=0) if self.value() == "1" else queryset


@admin.register(ProductInquiry)
class ProductInquiryAdmin(WorkOwnerMixin, ActPageMixin, ReadOnlyAdmin):
    """The staff's list of inquiries. Staff quote, reply or decline with actions that call the
    services; nobody edits a row.
    """

    inlines = (InquiryLineInline,)
    list_display = (
        "inquiry_no",
        "group",
        "enterprise",
        "requester",
        "state",
        "waiting",
        "staff_unread",
        "valid_to",
        "submitted_at",
    )
    list_select_related = ("group", "enterprise", "requester")
    list_filter = (
        "status",
        UnreadFilter,
        ("group", AutocompleteSelectFilter),
        ("submitted_at", RangeDateTimeFilter),
    )
    search_fields = ("inquiry_no", "lines__name", "requester__username", "requester__nickname")
    search_help_text = "按询价单号、意向商品或询价人搜索"
    ordering = ("-pk",)
    actions = OWNER_ACTIONS
    actions_detail = ("quote_one", "reply_one", "decline_one")
    readonly_fields = ("pictures", "conversation", "timeline")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("inquiry_no", "status"),
                    ("group", "enterprise"),
                    ("requester", "department"),
                    "submitted_at",
                )
            },
        ),
        ("需求", {"fields": (("category", "need_by"), "remark", "pictures")}),
        ("报价", {"fields": (("quoted_at", "valid_to"), "quote_note", "close_reason")}),
        ("留言", {"fields": ("conversation",)}),
        ("时间线", {"fields": ("timeline",)}),
    )

    def has_act_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Require the permission to quote, which is separate from the permission to change
        inquiries.
        """
        return self._may(request, "quote")

    @display(description="状态", ordering="status", label=STATE_COLOURS)
    def state(self, inquiry: ProductInquiry) -> tuple[str, str]:
        return inquiry.status, inquiry.get_status_display()

    @admin.display(description="已等待", ordering="waiting_since")
    def waiting(self, inquiry: ProductInquiry) -> str:
        """Return the waiting time of an inquiry without a quote."""
        return format_elapsed(inquiry.waiting_since) if inquiry.status == S.PENDING else "—"

    @admin.display(description="图片")
    def pictures(self, inquiry: ProductInquiry) -> SafeString | str:
        return picture_list(
            (
                reverse("admin:inquiries_productinquiry_picture", args=[inquiry.pk, picture.pk]),
                picture.file.name,
            )
            for picture in inquiry.pictures.select_related("file").order_by("no")
        )

    @admin.display(description="留言")
    def conversation(self, inquiry: ProductInquiry) -> SafeString | str:
        return render_message_table(inquiry.messages)

    @admin.display(description="时间线")
    def timeline(self, inquiry: ProductInquiry) -> SafeString:
        return render_timeline(inquiry)

    def get_urls(self) -> list[URLPattern]:
        picture = self.admin_site.admin_view(self.picture)
        address = path(
            "<int:inquiry_id>/picture/<int:picture_id>/",
            picture,
            name="inquiries_productinquiry_picture",
        )
        offer = path(
            "<int:inquiry_id>/offer/",
            self.admin_site.admin_view(self.offer),
            name="inquiries_productinquiry_offer",
        )
        urls: list[URLPattern] = super().get_urls()
        return [address, offer, *urls]

    def offer(self, request: HttpRequest, inquiry_id: int) -> JsonResponse:
        """Return one line about the product with the code in the query string: the customer's
        price, the market price, the stock and the price of the last order.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        inquiry = self._get_inquiry(str(inquiry_id))
        offer_and_last_price = get_quote_offer(
            inquiry=inquiry, code=request.GET.get("code", "").strip()[:18]
        )
        return JsonResponse(
            {
                "text": _offer_text(*offer_and_last_price)
                if offer_and_last_price
                else "没有这个编码的商品"
            }
        )

    def picture(self, request: HttpRequest, inquiry_id: int, picture_id: int) -> HttpResponseBase:
        """Return a customer's picture to staff who can view inquiries."""
        inquiry = ProductInquiry.objects.filter(pk=parse_key(inquiry_id)).first()
        if inquiry is None or not self.has_view_permission(request):
            raise Http404
        return file_response(
            get_object_or_404(
                inquiry.pictures.select_related("file"), pk=parse_key(picture_id)
            ).file
        )

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Return only the actions that the inquiry's state allows. The services check the state
        again.
        """
        status = (
            ProductInquiry.objects.filter(pk=parse_key(object_id))
            .values_list("status", flat=True)
            .first()
        )
        return [
            each
            for each in super().get_actions_detail(request, object_id)
            if status in ALLOWED_IN[each.path]
        ]

    @action(description="报价", url_path="quote", icon="request_quote", permissions=["act"])
    def quote_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        inquiry = self._get_inquiry(object_id)
        lines = list(inquiry.lines.order_by("no"))
        form = QuoteForm(
            request.POST or None,
            lines=lines,
            candidates=list_quote_candidates(inquiry=inquiry, lines=lines),
        )

        def quote(filled: dict[str, Any]) -> Outcome:
            parameters = quote_parameters(
                inquiry_id=inquiry.pk,
                lines=form.quoted,
                valid_to=filled["valid_to"],
                note=filled["note"],
            )
            return act_submit(actor=self._get_staff(request), kind=QUOTE, parameters=parameters)

        return self._show_action(
            request, inquiry, "报价", form, quote, template="admin/inquiries/quote.html"
        )

    @action(description="回复客户", url_path="reply", icon="chat", permissions=["act"])
    def reply_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        inquiry = self._get_inquiry(object_id)
        service = partial(inquiry_reply, actor=self._get_staff(request), inquiry_id=inquiry.pk)
        return self._show_action(
            request,
            inquiry,
            "回复客户",
            ReplyForm(request.POST or None),
            lambda filled: service(**filled),
        )

    @action(description="关闭询价", url_path="decline", icon="cancel", permissions=["act"])
    def decline_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        inquiry = self._get_inquiry(object_id)
        service = partial(inquiry_decline, actor=self._get_staff(request), inquiry_id=inquiry.pk)
        return self._show_action(
            request,
            inquiry,
            "关闭询价",
            DeclineForm(request.POST or None),
            lambda filled: service(**filled),
            is_destructive=True,
        )

    @staticmethod
    def _get_inquiry(object_id: str) -> ProductInquiry:
        inquiries = ProductInquiry.objects.select_related("requester", "enterprise", "category")
        inquiry: ProductInquiry = get_object_or_404(inquiries, pk=parse_key(object_id))
        return inquiry

    @staticmethod
    def _get_staff(request: HttpRequest) -> Any:
        return request.user

    def _show_action(
        self,
        request: HttpRequest,
        inquiry: ProductInquiry,
        title: str,
        form: Form,
        service: Any,
        template: str = "admin/act.html",
        *,
        is_destructive: bool = False,
    ) -> HttpResponse:
        """Show the inquiry and the form of an action. If the form is sent and valid, call the
        service with the form fields as arguments.
        """
        last_message = inquiry.messages.filter(is_ours=False).order_by("sent_at").last()
        facts: list[tuple[str, object]] = [
            ("询价人", inquiry.requester),
            ("企业", inquiry.enterprise or "—"),
            ("状态", inquiry.get_status_display()),
            ("询价时间", format_moment(inquiry.submitted_at)),
            ("意向分类", inquiry.category or "—"),
            ("期望到货日", inquiry.need_by or "—"),
            ("补充说明", inquiry.remark or "—"),
            ("客户留言", last_message.text if last_message else "—"),
            ("图片", self.pictures(inquiry)),
        ]
        page = reverse("admin:inquiries_productinquiry_change", args=[inquiry.pk])
        act = Act(
            title,
            inquiry.inquiry_no,
            page,
            form,
            facts,
            is_destructive=is_destructive,
            result_text=lambda done: (
                (isinstance(done, Outcome) and done.proposal_text) or f"{title}成功"
            ),
        )
        return self.show_act_page(request, act, service, template=template)


register_timeline_words(
    ProductInquiry, kinds=dict(InquiryEventKind.choices), states=dict(InquiryStatus.choices)
)
