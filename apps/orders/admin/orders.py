"""订单 in the admin: the list by state, the page with its timeline, and the actions of staff. All
actions call services.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms import Form
from django.http import FileResponse, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.catalog.admin.imports import build_xlsx_response
from apps.dual_control.services.proposals import Outcome, act_submit
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import build_money_column, format_yuan, render_two_lines
from apps.office.dossier import DossierMixin, Fact, render_timeline
from apps.office.list_views import ListViewsMixin
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display, get_request_staff
from apps.office.search import reduce_to_keys
from apps.office.work_owners import OWNER_ACTIONS, WorkOwnerMixin
from apps.orders.admin.dashboard import WORK
from apps.orders.admin.order_facts import STATE_COLOURS, build_order_facts, format_snapshot
from apps.orders.admin.order_forms import CancelForm, NoteForm, PaymentForm, ShipForm
from apps.orders.admin.ship_sheet import ShipSheetMixin
from apps.orders.enums import OrderStatus, PaymentKind, SettlementStatus
from apps.orders.models import Order, OrderLine, OrderNote, Payment, Shipment
from apps.orders.selectors.order_search import build_staff_search_condition
from apps.orders.selectors.order_sheets import HEADER, list_sheet_rows
from apps.orders.selectors.payments import get_left_to_pay
from apps.orders.selectors.shipments import list_used_carriers
from apps.orders.selectors.staff_work import build_work_condition
from apps.orders.services.cancellations import order_cancel_by_staff
from apps.orders.services.confirmations import order_confirm, orders_confirm
from apps.orders.services.controlled_acts import RECORD_PAYMENT, build_payment_parameters
from apps.orders.services.notes import order_note
from apps.orders.services.shipments import order_ship
from apps.org.models import Account

S = OrderStatus
GOODS, FREIGHT = (
    build_money_column("goods_amount", "商品金额（含税）"),
    build_money_column("freight_amount", "运费（含税）"),
)
TAX, TOTAL = (
    build_money_column("tax_amount", "其中商品税额"),
    build_money_column("total_amount", "应付金额（含税）"),
)
LISTED_TOTAL = build_money_column("total_amount", "应付（含税）")
MAX_SELECTED = 200
# The states with a tab of their own. The filter 订单状态 has the others.
TABS = (
    S.PENDING_APPROVAL,
    S.PENDING_CONFIRM,
    S.PENDING_SHIPMENT,
    S.PARTLY_SHIPPED,
    S.PENDING_RECEIPT,
    S.COMPLETED,
    S.CANCELLED,
)
ABOUT = (
    ("order_no", "status"),
    ("group", "enterprise"),
    ("requester", "department"),
    "submitted_at",
)
STATES = ("invoicing_status", "after_sales_status")
DELIVERY = (
    "address",
    "invoice_title",
    ("delivery_wish", "promised_days"),
    ("cost_center", "purchase_order_no"),
    "remark",
)


def _ship_form(request: HttpRequest, order: Order) -> ShipForm:
    lines = list(order.lines.order_by("no"))
    return ShipForm(request.POST or None, lines=lines, carriers=list_used_carriers())


def _build_payment_form(request: HttpRequest, order: Order) -> PaymentForm:
    unpaid_amount = get_left_to_pay(order)
    return PaymentForm(
        request.POST or None, initial={"amount": unpaid_amount, "left_seen": unpaid_amount}
    )


def _submit_payment(*, actor: Account, order_id: int, **fields: Any) -> Outcome:
    """Record a payment, or propose it to a second person if it is above the limit of `actor`."""
    return act_submit(
        actor=actor,
        kind=RECORD_PAYMENT,
        parameters=build_payment_parameters(order_id=order_id, **fields),
    )


def describe_missing_payment(order: Order) -> str:
    """Return the notice above the form of an act, empty if no online payment is missing."""
    is_unpaid = (
        order.payment_kind == PaymentKind.ONLINE
        and order.settlement_status != SettlementStatus.DONE
    )
    return "该订单尚未完成在线支付。" if is_unpaid else ""


ACTS = (
    DocumentAct(
        path="confirm",
        title="确认订单",
        icon="check_circle",
        service=order_confirm,
        form=use_plain_form(Form),
        notice=describe_missing_payment,
    ),
    DocumentAct(
        path="ship",
        title="发货",
        icon="local_shipping",
        service=order_ship,
        form=_ship_form,
        arguments=lambda form: {
            "carrier": form.cleaned_data["carrier"],
            "tracking_no": form.cleaned_data["tracking_no"],
            "quantities": form.quantities,
            "shipped_seen": form.cleaned_data["shipped_seen"],
        },
        notice=describe_missing_payment,
        template="admin/orders/ship.html",
    ),
    DocumentAct(
        path="record-payment",
        title="登记收款",
        icon="payments",
        service=_submit_payment,
        form=_build_payment_form,
        permission="settle",
        notice=describe_missing_payment,
    ),
    DocumentAct(
        path="note",
        title="添加备注",
        icon="sticky_note_2",
        service=order_note,
        form=use_plain_form(NoteForm),
        permission="note",
        notice=describe_missing_payment,
    ),
    DocumentAct(
        path="cancel",
        title="取消订单",
        icon="cancel",
        service=order_cancel_by_staff,
        form=use_plain_form(CancelForm),
        is_destructive=True,
        notice=describe_missing_payment,
    ),
)


class OrderLineInline(ReadOnlyInline):
    model = OrderLine
    fields = (
        "no",
        "product_code",
        "name",
        "quantity",
        "cancelled_quantity",
        "cancelling_quantity",
        "shipped_quantity",
        "received_quantity",
        "unit",
        build_money_column("unit_price_incl_tax", "单价（含税）"),
        build_money_column("amount_incl_tax", "金额（含税）"),
    )
    readonly_fields = fields


class ShipmentInline(ReadOnlyInline):
    model = Shipment
    list_select_related = ("shipped_by",)
    show_change_link = True
    fields = ("shipment_no", "carrier", "tracking_no", "shipped_by", "shipped_at", "received_at")
    readonly_fields = fields


class PaymentInline(ReadOnlyInline):
    model = Payment
    fields = ("payment_no", "kind", build_money_column("amount", "金额"), "status", "paid_at")
    readonly_fields = fields


class NoteInline(ReadOnlyInline):
    model = OrderNote
    list_select_related = ("author",)
    fields = ("written_at", "author", "text")
    readonly_fields = fields


class WorkFilter(admin.SimpleListFilter):
    """今日工作: filters exactly the orders that the first page counts."""

    title = "今日工作"
    parameter_name = "work"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, title) for kind, (title, _icon) in WORK.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Order]) -> QuerySet[Order]:
        kind = self.value()
        return queryset.filter(build_work_condition(kind)) if kind in WORK else queryset


@admin.register(Order)
class OrderAdmin(
    ListViewsMixin, DossierMixin, WorkOwnerMixin, ShipSheetMixin, DocumentActsMixin, ReadOnlyAdmin
):
    """The order desk: lists all groups' orders, read-only. The actions call services; `allowed_in`
    names the states in which the page offers them.
    """

    inlines = (OrderLineInline, ShipmentInline, PaymentInline, NoteInline)
    # URL of an action → the states in which the page offers it. Other actions are always offered.
    allowed_in: ClassVar[dict[str, tuple[str, ...]]] = {
        "confirm": (S.PENDING_CONFIRM,),
        "ship": (S.PENDING_SHIPMENT, S.PARTLY_SHIPPED),
        "record-payment": (
            S.PENDING_CONFIRM,
            S.PENDING_SHIPMENT,
            S.PARTLY_SHIPPED,
            S.PENDING_RECEIPT,
            S.COMPLETED,
        ),
        "cancel": (S.PENDING_APPROVAL, S.PENDING_CONFIRM, S.PENDING_SHIPMENT),
    }
    list_display = (
        "order_no",
        "customer",
        "requester",
        "state",
        "payment",
        LISTED_TOTAL,
        "submitted",
    )
    list_select_related = ("group", "enterprise", "requester")
    list_filter = (
        WorkFilter,
        "status",
        "payment_kind",
        "settlement_status",
        "approval_status",
        ("group", AutocompleteSelectFilter),
        ("submitted_at", RangeDateTimeFilter),
    )
    search_fields = ("order_no",)
    ordering = ("-pk",)
    search_help_text = "订单号、客户、下单人、商品、运单号或金额"
    tab_parameter = "status__exact"
    tabs = tuple((state.value, state.label) for state in TABS)
    actions = ("confirm_chosen", "sheet_of_chosen", *OWNER_ACTIONS)
    actions_list = ("import_sheet",)
    acts: ClassVar[tuple[DocumentAct, ...]] = ACTS
    service_key = "order_id"
    readonly_fields = ("timeline", "address", "invoice_title", GOODS, FREIGHT, TAX, TOTAL)
    fieldsets = (
        ("时间线", {"fields": ("timeline",), "classes": ("collapse",)}),
        (
            "订单与状态",
            {
                "fields": (*ABOUT, ("approval_status", "settlement_status"), STATES),
                "classes": ("collapse",),
            },
        ),
        (
            "金额",
            {
                "fields": ((GOODS, FREIGHT), (TAX, TOTAL), ("payment_kind", "invoice_kind")),
                "classes": ("collapse",),
            },
        ),
        (
            "交付与发票",
            {"fields": DELIVERY, "classes": ("collapse",)},
        ),
    )

    def export_list(self, request: HttpRequest, rows: QuerySet[Order]) -> FileResponse:
        """Download the lines of the orders in the list."""
        return build_xlsx_response(
            name=f"订单_{timezone.localdate():%Y%m%d}",
            sheet="订单",
            header=list(HEADER),
            rows=list_sheet_rows(orders=rows),
        )

    @display(description="状态", ordering="status", label=STATE_COLOURS)
    def state(self, order: Order) -> tuple[str, str]:
        return order.status, order.get_status_display()

    @admin.display(description="客户", ordering="enterprise")
    def customer(self, order: Order) -> SafeString:
        """Show the enterprise above its group. Two columns would make the row too wide at 1280
        pixels.
        """
        return render_two_lines(order.enterprise, order.group)

    @admin.display(description="付款与结算", ordering="settlement_status")
    def payment(self, order: Order) -> SafeString:
        """Show the kind of payment above the settlement status."""
        return render_two_lines(
            order.get_payment_kind_display(), order.get_settlement_status_display()
        )

    @admin.display(description="提交时间", ordering="submitted_at")
    def submitted(self, order: Order) -> SafeString:
        """Show the day above the time, so that the owner column fits at 1280 pixels."""
        at = timezone.localtime(order.submitted_at)
        return render_two_lines(f"{at:%Y-%m-%d}", f"{at:%H:%M}")

    def build_dossier(self, row: Order) -> list[Fact]:
        """Show the facts at the top of the page."""
        return build_order_facts(row)

    @admin.display(description="时间线")
    def timeline(self, order: Order) -> SafeString:
        return render_timeline(order)

    @admin.display(description="收货地址")
    def address(self, order: Order) -> str:
        return format_snapshot(order.address_snapshot)

    @admin.display(description="开票抬头")
    def invoice_title(self, order: Order) -> str:
        return format_snapshot(order.invoice_snapshot)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Order], search_term: str
    ) -> tuple[QuerySet[Order], bool]:
        """Return the orders that match the text: a number, a customer, a person, goods or a
        parcel.
        """
        return reduce_to_keys(
            queryset, queryset.filter(build_staff_search_condition(search_term))
        ) if search_term.strip() else queryset, False

    @admin.action(description="确认所选订单", permissions=["act"])
    def confirm_chosen(
        self, request: HttpRequest, queryset: QuerySet[Order]
    ) -> HttpResponse | None:
        """Confirm each selected order and show the result of each. One failure does not affect
        the others.
        """
        order_ids = list(queryset.order_by("pk").values_list("pk", flat=True)[: MAX_SELECTED + 1])
        if len(order_ids) > MAX_SELECTED:
            messages.error(request, f"一次最多确认 {MAX_SELECTED} 张订单，请缩小选择范围")
            return None
        outcomes = orders_confirm(actor=get_request_staff(request), order_ids=order_ids)
        confirmed_count = sum(outcome.success for outcome in outcomes)
        context = {
            **self.admin_site.each_context(request),
            "title": "批量确认结果",
            "opts": self.opts,
            "outcomes": outcomes,
        }
        return TemplateResponse(
            request,
            "admin/orders/batch.html",
            {**context, "done": confirmed_count, "refused": len(outcomes) - confirmed_count},
        )

    def list_act_documents(self) -> QuerySet[Order]:
        """Return the orders with the rows that `list_act_facts` reads."""
        rows: QuerySet[Order] = Order.objects.select_related("requester", "enterprise")
        return rows

    def list_act_facts(self, document: Order) -> list[tuple[str, object]]:
        """Return the facts of the order above the form."""
        return [
            ("下单人", document.requester),
            ("企业", document.enterprise),
            ("订单状态", document.get_status_display()),
            ("应付金额", format_yuan(document.total_amount)),
            ("付款方式", document.get_payment_kind_display()),
            ("结算状态", document.get_settlement_status_display()),
            ("收货", format_snapshot(document.address_snapshot)),
            ("备注", document.remark or "—"),
        ]

    def list_allowed_acts(self, document: Order) -> list[str]:
        """Return the acts that the order's state allows. The services check the state again."""
        return [act.path for act in self.acts if self._is_allowed(act.path, document)]

    def _is_allowed(self, path: str, order: Order) -> bool:
        is_online = order.payment_kind == PaymentKind.ONLINE
        is_settled = order.settlement_status == SettlementStatus.DONE
        if path == "record-payment" and (is_online or is_settled):
            return False
        return order.status in self.allowed_in.get(path, S.values)

    def describe_result(self, act: DocumentAct, document: Order, result: Any) -> str:
        """Return that the act waits for a second person, or the new state of the order if it
        changed.
        """
        if isinstance(result, Outcome) and result.proposal_text:
            return result.proposal_text
        now = Order.objects.only("status").get(pk=document.pk)
        if now.status == document.status:
            return f"{act.title}成功"
        return f"{act.title}成功，订单状态：{now.get_status_display()}"

    def has_settle_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the person may record payments. Finance staff have this permission and
        no other action on orders.
        """
        return self._may(request, "settle")

    def has_note_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the person may write notes: everyone who works on orders."""
        return self.has_act_permission(request) or self.has_settle_permission(request)
