"""退换货 in the back office: what waits, for how long and until when, and what staff do, all through the services."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.decorators import action, display

from apps.aftersales.admin.return_facts import STATE_COLOURS, return_facts
from apps.aftersales.admin.return_forms import ApproveForm, InspectForm, NothingForm, ParcelForm, RejectForm, ReplyForm
from apps.aftersales.admin.return_lines import ReturnLineInline
from apps.aftersales.admin.return_shown import (
    contact_shown,
    parcels_shown,
    pictures_shown,
    refund_foretold,
    refund_said,
    talk_shown,
    video_shown,
)
from apps.aftersales.enums import ReturnEventKind, ReturnStatus
from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.returns_work import last_send_to, work_of_returns
from apps.aftersales.selectors.staff_acts import staff_acts
from apps.aftersales.services.return_inspect import return_inspect, return_receive
from apps.aftersales.services.return_message import return_reply
from apps.aftersales.services.return_refund import return_refund
from apps.aftersales.services.return_review import return_approve, return_reject
from apps.aftersales.services.return_send_out import contents_told, return_send_out, return_send_refused
from apps.aftersales.services.return_ship import return_fetched
from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.cells import two_lines
from apps.common.admin.dossier import DossierMixin, Fact
from apps.common.admin.looking import LookingAdmin
from apps.common.admin.money import money_column, yuan_text
from apps.common.admin.owned import OWNING, OwnedMixin
from apps.common.admin.timeline import timeline_table, timeline_words
from apps.common.admin.waited import waited
from apps.common.api.file_views import file_response
from apps.common.keys import key_of

REFUND = money_column("refund_amount", "退款金额（含税）")
PAID_BACK = money_column("paid_back", "其中退回已付款")
ABOUT = (("return_no", "status"), ("order", "kind"), ("enterprise", "requester"), ("submitted_at", "due_at"))


class WorkFilter(admin.SimpleListFilter):
    """Exactly the returns that the first page counts."""

    title = "待处理"
    parameter_name = "work"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("ours", "等待我方处理"), ("late", "我方已超期"), ("unread", "客户有新消息"), ("red", "等待红冲")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ReturnOrder]) -> QuerySet[ReturnOrder]:
        kind = self.value()
        return queryset.filter(work_of_returns(kind)) if kind else queryset


@admin.register(ReturnOrder)
class ReturnOrderAdmin(DossierMixin, OwnedMixin, ActingMixin, LookingAdmin):
    inlines = (ReturnLineInline,)
    list_display = ("return_no", "order", "kind", "customer", "state", "waiting", "due", "staff_unread", REFUND)
    list_select_related = ("order", "enterprise", "requester")
    list_filter = (WorkFilter, "status", "kind", "reason", ("group", AutocompleteSelectFilter), ("submitted_at", RangeDateTimeFilter))
    search_fields = ("return_no", "order__order_no", "lines__order_line__name", "requester__username", "requester__nickname")
    search_help_text = "按售后单号、订单号、商品或申请人搜索"
    ordering = ("-pk",)
    actions = OWNING
    actions_detail = (
        "approve_one",
        "reject_one",
        "fetched_one",
        "receive_one",
        "inspect_one",
        "refund_one",
        "send_out_one",
        "send_refused_one",
        "reply_one",
    )
    readonly_fields = ("place", "evidence", "video", "conversation", "parcels_line", "history", REFUND, PAID_BACK)
    fieldsets = (
        ("申请凭证", {"fields": ("evidence", "video", "place"), "classes": ("collapse",)}),
        ("留言", {"fields": ("conversation",), "classes": ("collapse",)}),
        ("时间线", {"fields": ("history",), "classes": ("collapse",)}),
        ("处理", {"fields": (("send_to", "parcels_line"), ("received_at", "inspected_at"), "close_reason"), "classes": ("collapse",)}),
        ("退款", {"fields": ((REFUND, PAID_BACK), ("refunded_at", "waits_red")), "classes": ("collapse",)}),
        ("售后单", {"fields": (*ABOUT, ("reason", "way"), "detail"), "classes": ("collapse",)}),
    )

    def dossier(self, row: ReturnOrder) -> list[Fact]:
        """The first screen."""
        return return_facts(row)

    @display(description="状态", ordering="status", label=STATE_COLOURS)  # type: ignore[untyped-decorator]
    def state(self, return_order: ReturnOrder) -> tuple[str, str]:
        return return_order.status, return_order.get_status_display()

    @admin.display(description="客户", ordering="enterprise")
    def customer(self, return_order: ReturnOrder) -> SafeString:
        """The enterprise over who asks."""
        return two_lines(return_order.enterprise, return_order.requester)

    @admin.display(description="已等待", ordering="waiting_since")
    def waiting(self, return_order: ReturnOrder) -> str:
        """Return how long it has stood in its state."""
        return waited(return_order.waiting_since) if return_order.due_at else "—"

    @admin.display(description="期限", ordering="due_at")
    def due(self, return_order: ReturnOrder) -> SafeString | str:
        """Return until when the step is due; said where that is over."""
        if return_order.due_at is None:
            return "—"
        late = "已超期" if return_order.due_at < timezone.now() else ""
        return two_lines(f"{timezone.localtime(return_order.due_at):%m-%d %H:%M}", late)

    @admin.display(description="取件地址与联系人")
    def place(self, return_order: ReturnOrder) -> str:
        return contact_shown(return_order)

    @admin.display(description="凭证图片")
    def evidence(self, return_order: ReturnOrder) -> SafeString | str:
        return pictures_shown(return_order)

    @admin.display(description="视频")
    def video(self, return_order: ReturnOrder) -> SafeString | str:
        return video_shown(return_order)

    @admin.display(description="留言")
    def conversation(self, return_order: ReturnOrder) -> SafeString | str:
        return talk_shown(return_order)

    @admin.display(description="包裹")
    def parcels_line(self, return_order: ReturnOrder) -> str:
        return parcels_shown(return_order)

    @admin.display(description="时间线")
    def history(self, return_order: ReturnOrder) -> SafeString:
        return timeline_table(return_order)

    def get_urls(self) -> list[URLPattern]:
        picture = self.admin_site.admin_view(self.picture)
        address = path("<int:return_id>/picture/<int:picture_id>/", picture, name="aftersales_returnorder_picture")
        urls: list[URLPattern] = super().get_urls()
        return [address, *urls]

    def picture(self, request: HttpRequest, return_id: int, picture_id: int) -> HttpResponseBase:
        """Give the bytes of a customer's picture to staff who may see returns."""
        return_order = ReturnOrder.objects.filter(pk=key_of(return_id)).first()
        if return_order is None or not self.has_view_permission(request):
            raise Http404
        return file_response(get_object_or_404(return_order.pictures.select_related("file"), pk=key_of(picture_id)).file)

    def has_refund_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Whether the person may give the money back: 财务 do that alone."""
        return self._may(request, "refund")

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer only what the return's state allows; the services refuse the rest."""
        return_order = ReturnOrder.objects.filter(pk=key_of(object_id)).first()
        allowed = staff_acts(return_order) if return_order else ()
        return [each for each in super().get_actions_detail(request, object_id) if each.path in allowed]

    @action(description="审核通过", url_path="approve", icon="check_circle", permissions=["act"])  # type: ignore[untyped-decorator]
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = ApproveForm(request.POST or None, initial={"send_to": last_send_to()})
        return self._act(request, return_order, "审核通过", form, partial(return_approve, return_id=return_order.pk))

    @action(description="驳回", url_path="reject", icon="cancel", permissions=["act"])  # type: ignore[untyped-decorator]
    def reject_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = RejectForm(request.POST or None)
        return self._act(request, return_order, "驳回", form, partial(return_reject, return_id=return_order.pk))

    @action(description="登记寄回", url_path="fetched", icon="local_shipping", permissions=["act"])  # type: ignore[untyped-decorator]
    def fetched_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = ParcelForm(request.POST or None)
        return self._act(request, return_order, "登记寄回", form, partial(return_fetched, return_id=return_order.pk))

    @action(description="确认收货", url_path="receive", icon="inventory", permissions=["act"])  # type: ignore[untyped-decorator]
    def receive_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = NothingForm(request.POST or None)
        return self._act(request, return_order, "确认收货", form, partial(return_receive, return_id=return_order.pk))

    @action(description="登记检测结果", url_path="inspect", icon="fact_check", permissions=["act"])  # type: ignore[untyped-decorator]
    def inspect_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = InspectForm(request.POST or None, lines=list(return_order.lines.select_related("order_line").order_by("no")))

        def inspect(*, actor: Any, **_filled: Any) -> None:
            return_inspect(actor=actor, return_id=return_order.pk, lines=form.found)

        return self._act(request, return_order, "登记检测结果", form, inspect, template="admin/aftersales/inspect.html")

    @action(description="退款", url_path="refund", icon="payments", permissions=["refund"])  # type: ignore[untyped-decorator]
    def refund_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = NothingForm(request.POST or None)
        service = partial(return_refund, return_id=return_order.pk)
        return self._act(request, return_order, "退款", form, service, notice=refund_foretold(return_order), said=refund_said)

    @action(description="寄出商品", url_path="send-out", icon="outbox", permissions=["act"])  # type: ignore[untyped-decorator]
    def send_out_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = ParcelForm(request.POST or None)
        service, told = partial(return_send_out, return_id=return_order.pk), f"包裹内：{contents_told(return_order)}。"
        return self._act(request, return_order, "寄出商品", form, service, notice=told)

    @action(description="退还未通过的商品", url_path="send-refused", icon="undo", permissions=["act"])  # type: ignore[untyped-decorator]
    def send_refused_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = ParcelForm(request.POST or None)
        return self._act(request, return_order, "退还未通过的商品", form, partial(return_send_refused, return_id=return_order.pk))

    @action(description="回复客户", url_path="reply", icon="chat", permissions=["act"])  # type: ignore[untyped-decorator]
    def reply_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return_order = self._return(object_id)
        form = ReplyForm(request.POST or None)
        return self._act(request, return_order, "回复客户", form, partial(return_reply, return_id=return_order.pk))

    @staticmethod
    def _return(object_id: str) -> ReturnOrder:
        found = ReturnOrder.objects.select_related("order", "requester", "enterprise")
        return_order: ReturnOrder = get_object_or_404(found, pk=key_of(object_id))
        return return_order

    def _act(
        self,
        request: HttpRequest,
        return_order: ReturnOrder,
        title: str,
        form: Form,
        service: Any,
        template: str = "admin/act.html",
        **more: Any,
    ) -> HttpResponse:
        """Show what is decided on, and the form; its fields are the service's words, `more` what else the act says."""
        said = return_order.messages.filter(is_ours=False).order_by("sent_at").last()
        goods = "；".join(
            f"{line.order_line.name} × {line.quantity}" + ("" if line.accepted_quantity is None else f"（通过 {line.accepted_quantity}）")
            for line in return_order.lines.select_related("order_line").order_by("no")
        )
        facts: list[tuple[str, object]] = [
            ("订单", return_order.order),
            ("申请人", f"{return_order.requester}（{return_order.enterprise}）"),
            ("方式", f"{return_order.get_kind_display()} · {return_order.get_way_display()}"),
            ("状态", return_order.get_status_display()),
            ("商品", goods),
            ("原因", f"{return_order.get_reason_display()} {return_order.detail}"),
            ("客户留言", said.text if said else "—"),
            ("订单付款", f"{return_order.order.get_payment_kind_display()} {yuan_text(return_order.order.total_amount)}"),
            ("凭证", pictures_shown(return_order)),
        ]
        page = reverse("admin:aftersales_returnorder_change", args=[return_order.pk])
        shown = Act(title, return_order.return_no, page, form, facts, is_final=title in {"驳回", "退款"}, **more)
        return self.act_page(request, shown, lambda filled: service(actor=request.user, **filled), template=template)


timeline_words(ReturnOrder, kinds=dict(ReturnEventKind.choices), states=dict(ReturnStatus.choices))
