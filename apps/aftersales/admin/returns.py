"""退换货 in the back office: the list with waiting time and deadline, and the staff actions, all
through the services.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest
from django.http.response import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.aftersales.admin.return_facts import (
    STATE_COLOURS,
    format_contact,
    format_goods,
    format_parcels,
    format_refund_result,
    refund_preview,
    render_messages,
    render_pictures,
    render_video,
    return_facts,
)
from apps.aftersales.admin.return_forms import (
    ApproveForm,
    InspectForm,
    ParcelForm,
    RejectForm,
    ReplyForm,
)
from apps.aftersales.enums import ReturnEventKind, ReturnStatus
from apps.aftersales.models import ReturnLine, ReturnOrder, ReturnPolicy
from apps.aftersales.selectors.returns import get_last_send_to, get_staff_acts, get_work_filter
from apps.aftersales.services.controlled_acts import REFUND_RETURN
from apps.aftersales.services.return_message import return_reply
from apps.aftersales.services.return_parcels import (
    get_parcel_contents,
    return_fetched,
    return_send_out,
    return_send_refused,
)
from apps.aftersales.services.return_review import (
    return_approve,
    return_inspect,
    return_receive,
    return_reject,
)
from apps.common.api.files import file_response
from apps.common.numbers import parse_key
from apps.dual_control.services.proposals import Outcome, act_submit
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import build_money_column, format_elapsed, format_yuan, render_two_lines
from apps.office.dossier import DossierMixin, Fact, register_timeline_words, render_timeline
from apps.office.lists import OfficeAdmin, ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display
from apps.office.work_owners import OWNER_ACTIONS, WorkOwnerMixin
from apps.org.models import Account

REFUND = build_money_column("refund_amount", "退款金额（含税）")
PAID_BACK = build_money_column("paid_back", "其中退回已付款")
ABOUT = (
    ("return_no", "status"),
    ("order", "kind"),
    ("enterprise", "requester"),
    ("submitted_at", "due_at"),
)


def approve_form(request: HttpRequest, _return_order: ReturnOrder) -> ApproveForm:
    """Return the form, with the last used address as initial value."""
    return ApproveForm(request.POST or None, initial={"send_to": get_last_send_to()})


def inspect_form(request: HttpRequest, return_order: ReturnOrder) -> InspectForm:
    """Return the form with one row per return line."""
    lines = list(return_order.lines.select_related("order_line").order_by("no"))
    return InspectForm(request.POST or None, lines=lines)


def describe_parcel(return_order: ReturnOrder) -> str:
    """Return the sentence that lists the goods in the parcel."""
    return f"包裹内：{get_parcel_contents(return_order)}。"


def refund_submit(*, actor: Account, return_id: int) -> Outcome:
    """Refund, or propose the refund to a second person."""
    return act_submit(actor=actor, kind=REFUND_RETURN, parameters={"return_id": return_id})


def _format_refund(outcome: Outcome) -> str:
    return outcome.proposal_text or format_refund_result(outcome.result)


RETURN_ACTS = (
    DocumentAct(
        path="approve",
        title="审核通过",
        icon="check_circle",
        service=return_approve,
        form=approve_form,
    ),
    DocumentAct(
        path="reject",
        title="驳回",
        icon="cancel",
        service=return_reject,
        form=use_plain_form(RejectForm),
        is_destructive=True,
    ),
    DocumentAct(
        path="fetched",
        title="登记寄回",
        icon="local_shipping",
        service=return_fetched,
        form=use_plain_form(ParcelForm),
    ),
    DocumentAct(
        path="receive",
        title="确认收货",
        icon="inventory",
        service=return_receive,
        form=use_plain_form(Form),
    ),
    DocumentAct(
        path="inspect",
        title="登记检测结果",
        icon="fact_check",
        service=return_inspect,
        form=inspect_form,
        arguments=lambda form: {"lines": form.results},
        template="admin/aftersales/inspect.html",
    ),
    DocumentAct(
        path="refund",
        title="退款",
        icon="payments",
        service=refund_submit,
        form=use_plain_form(Form),
        permission="refund",
        is_destructive=True,
        notice=refund_preview,
        result_text=_format_refund,
    ),
    DocumentAct(
        path="send-out",
        title="寄出商品",
        icon="outbox",
        service=return_send_out,
        form=use_plain_form(ParcelForm),
        notice=describe_parcel,
    ),
    DocumentAct(
        path="send-refused",
        title="退还未通过的商品",
        icon="undo",
        service=return_send_refused,
        form=use_plain_form(ParcelForm),
    ),
    DocumentAct(
        path="reply",
        title="回复客户",
        icon="chat",
        service=return_reply,
        form=use_plain_form(ReplyForm),
    ),
)


class ReturnLineInline(ReadOnlyInline):
    model = ReturnLine
    fields = (
        "no",
        "goods",
        "quantity",
        "is_opened",
        "accepted_quantity",
        "finding",
        "finding_note",
        "to_shelf",
        build_money_column("amount_incl_tax", "退款金额（含税）"),
        build_money_column("tax_amount", "其中税额"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReturnLine]:
        queryset: QuerySet[ReturnLine] = super().get_queryset(request)
        return queryset.select_related("order_line")

    @admin.display(description="商品")
    def goods(self, line: ReturnLine) -> str:
        return f"{line.order_line.product_code} {line.order_line.name}"


class WorkFilter(admin.SimpleListFilter):
    """The same filters as the counters on the dashboard."""

    title = "待处理"
    parameter_name = "work"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("ours", "等待我方处理"),
            ("late", "我方已超期"),
            ("unread", "客户有新消息"),
            ("red", "等待红冲"),
        ]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[ReturnOrder]
    ) -> QuerySet[ReturnOrder]:
        kind = self.value()
        return queryset.filter(get_work_filter(kind)) if kind else queryset


@admin.register(ReturnOrder)
class ReturnOrderAdmin(DossierMixin, WorkOwnerMixin, DocumentActsMixin, ReadOnlyAdmin):
    """The staff's list and page of 退换货, read-only. The actions call the services of each step; a
    refund needs the permission `refund_returnorder`.
    """

    inlines = (ReturnLineInline,)
    list_display = (
        "return_no",
        "order",
        "kind",
        "customer",
        "state",
        "waiting",
        "due",
        "staff_unread",
        REFUND,
    )
    list_select_related = ("order", "enterprise", "requester")
    list_filter = (
        WorkFilter,
        "status",
        "kind",
        "reason",
        ("group", AutocompleteSelectFilter),
        ("submitted_at", RangeDateTimeFilter),
    )
    search_fields = (
        "return_no",
        "order__order_no",
        "lines__order_line__name",
        "requester__username",
        "requester__nickname",
    )
    search_help_text = "按售后单号、订单号、商品或申请人搜索"
    ordering = ("-pk",)
    actions = OWNER_ACTIONS
    acts = RETURN_ACTS
    service_key = "return_id"
    readonly_fields = (
        "place",
        "evidence",
        "video",
        "conversation",
        "parcels_line",
        "history",
        REFUND,
        PAID_BACK,
    )
    fieldsets = (
        ("申请凭证", {"fields": ("evidence", "video", "place"), "classes": ("collapse",)}),
        ("留言", {"fields": ("conversation",), "classes": ("collapse",)}),
        ("时间线", {"fields": ("history",), "classes": ("collapse",)}),
        (
            "处理",
            {
                "fields": (
                    ("send_to", "parcels_line"),
                    ("received_at", "inspected_at"),
                    "close_reason",
                ),
                "classes": ("collapse",),
            },
        ),
        (
            "退款",
            {
                "fields": ((REFUND, PAID_BACK), ("refunded_at", "waits_red")),
                "classes": ("collapse",),
            },
        ),
        ("售后单", {"fields": (*ABOUT, ("reason", "way"), "detail"), "classes": ("collapse",)}),
    )

    def build_dossier(self, row: ReturnOrder) -> list[Fact]:
        """Show the facts of the first screen."""
        return return_facts(row)

    @display(description="状态", ordering="status", label=STATE_COLOURS)
    def state(self, return_order: ReturnOrder) -> tuple[str, str]:
        return return_order.status, return_order.get_status_display()

    @admin.display(description="客户", ordering="enterprise")
    def customer(self, return_order: ReturnOrder) -> SafeString:
        """The enterprise and the requester."""
        return render_two_lines(return_order.enterprise, return_order.requester)

    @admin.display(description="已等待", ordering="waiting_since")
    def waiting(self, return_order: ReturnOrder) -> str:
        """Return the time since the last change of state."""
        return format_elapsed(return_order.waiting_since) if return_order.due_at else "—"

    @admin.display(description="期限", ordering="due_at")
    def due(self, return_order: ReturnOrder) -> SafeString | str:
        """Return the deadline of the step, marked if it is overdue."""
        if return_order.due_at is None:
            return "—"
        late = "已超期" if return_order.due_at < timezone.now() else ""
        return render_two_lines(f"{timezone.localtime(return_order.due_at):%m-%d %H:%M}", late)

    @admin.display(description="取件地址与联系人")
    def place(self, return_order: ReturnOrder) -> str:
        return format_contact(return_order)

    @admin.display(description="凭证图片")
    def evidence(self, return_order: ReturnOrder) -> SafeString | str:
        return render_pictures(return_order)

    @admin.display(description="视频")
    def video(self, return_order: ReturnOrder) -> SafeString | str:
        return render_video(return_order)

    @admin.display(description="留言")
    def conversation(self, return_order: ReturnOrder) -> SafeString | str:
        return render_messages(return_order)

    @admin.display(description="包裹")
    def parcels_line(self, return_order: ReturnOrder) -> str:
        return format_parcels(return_order)

    @admin.display(description="时间线")
    def history(self, return_order: ReturnOrder) -> SafeString:
        return render_timeline(return_order)

    def get_urls(self) -> list[URLPattern]:
        picture = self.admin_site.admin_view(self.picture)
        address = path(
            "<int:return_id>/picture/<int:picture_id>/",
            picture,
            name="aftersales_returnorder_picture",
        )
        urls: list[URLPattern] = super().get_urls()
        return [address, *urls]

    def picture(self, request: HttpRequest, return_id: int, picture_id: int) -> HttpResponseBase:
        """Send a customer's picture to staff who may see returns."""
        return_order = ReturnOrder.objects.filter(pk=parse_key(return_id)).first()
        if return_order is None or not self.has_view_permission(request):
            raise Http404
        return file_response(
            get_object_or_404(
                return_order.pictures.select_related("file"), pk=parse_key(picture_id)
            ).file
        )

    def has_refund_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the user may refund. Only 财务 have this permission."""
        return self._may(request, "refund")

    def list_allowed_acts(self, document: ReturnOrder) -> tuple[str, ...]:
        return get_staff_acts(document)

    def list_act_documents(self) -> QuerySet[ReturnOrder]:
        rows: QuerySet[ReturnOrder] = ReturnOrder.objects.all()
        return rows.select_related("order", "requester", "enterprise")

    def list_act_facts(self, document: ReturnOrder) -> list[tuple[str, object]]:
        order = document.order
        last_message = document.messages.filter(is_ours=False).order_by("sent_at").last()
        payment = f"{order.get_payment_kind_display()} {format_yuan(order.total_amount)}"
        return [
            ("订单", order),
            ("申请人", f"{document.requester}（{document.enterprise}）"),
            ("方式", f"{document.get_kind_display()} · {document.get_way_display()}"),
            ("状态", document.get_status_display()),
            ("商品", format_goods(document)),
            ("原因", f"{document.get_reason_display()} {document.detail}"),
            ("客户留言", last_message.text if last_message else "—"),
            ("订单付款", payment),
            ("凭证", render_pictures(document)),
        ]


register_timeline_words(
    ReturnOrder, kinds=dict(ReturnEventKind.choices), states=dict(ReturnStatus.choices)
)


@admin.register(ReturnPolicy)
class ReturnPolicyAdmin(OfficeAdmin):
    """The policy of the product's nearest category applies. Default: 7 days, 15 for defects,
    unopened goods only; repairs 365 days.
    """

    list_display = ("place", "kind", "days", "quality_days", "takes_opened", "note")
    list_filter = ("kind", "takes_opened")
    list_select_related = ("category",)
    search_fields = ("category__name", "note")
    autocomplete_fields = ("category",)
    list_per_page = 100

    @admin.display(description="类目", ordering="category__name")
    def place(self, row: ReturnPolicy) -> str:
        return row.category.name if row.category else "其他类目"
