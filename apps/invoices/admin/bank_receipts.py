"""银行到账 in the back office: record or import, match to orders, undo a match."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.catalog.admin.imports import ImportExportMixin
from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.common.numbers import parse_key
from apps.dual_control.services.proposals import Outcome
from apps.invoices.admin.dashboard import MATCH_WITHIN
from apps.invoices.admin.forms import MatchForm, ReasonForm, ReceiptForm, SetAsideForm
from apps.invoices.models import BankMatch, BankReceipt, Statement
from apps.invoices.selectors.bank_receipts import (
    UNMATCHED,
    OpenOrder,
    Suggestion,
    allocate_amount,
    list_open_orders,
    list_suggestions,
)
from apps.invoices.services.bank_receipts import (
    BankReceiptImporter,
    receipt_record,
    receipt_set_aside,
    receipt_unmatch,
)
from apps.invoices.services.controlled_acts import build_match_parameters, match_submit
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import DossierMixin, Fact, describe_waiting
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action, display, get_request_staff
from apps.org.models import Enterprise

WAITING, PARTLY, DONE, ASIDE = "待匹配", "部分匹配", "已匹配", "无需匹配"
COLOURS = {WAITING: "warning", PARTLY: "info", DONE: "success", ASIDE: "info"}
STATES = {
    "waiting": UNMATCHED,
    "partly": UNMATCHED & Q(matched_amount__gt=0),
    "done": Q(matched_amount=F("amount")),
    "aside": ~Q(set_aside=""),
}
STATE_NAMES = {
    "waiting": "待匹配（含部分）",
    "partly": "部分匹配",
    "done": "已匹配",
    "aside": "无需匹配",
}
AMOUNTS = (
    build_money_column("amount", "到账金额"),
    build_money_column("matched_amount", "已匹配"),
    build_money_column("left", "未匹配"),
)


class MatchState(admin.SimpleListFilter):
    title = "匹配状态"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(STATE_NAMES.items())

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[BankReceipt]
    ) -> QuerySet[BankReceipt]:
        return queryset.filter(STATES[self.value() or ""]) if self.value() in STATES else queryset


class BankMatchInline(ReadOnlyInline):
    """The matches of a receipt with orders, read-only, each with the link that undoes it."""

    model = BankMatch
    fields = (
        "order",
        build_money_column("amount", "匹配金额"),
        "statement",
        "matched_at",
        "matched_by",
        "undone_at",
        "undone_reason",
        "undo",
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[BankMatch]:
        rows: QuerySet[BankMatch] = super().get_queryset(request)
        return rows.select_related("payment__order", "statement", "matched_by")

    @display(description="订单")
    def order(self, match: BankMatch) -> SafeString:
        """The order that the match pays."""
        order = match.payment.order
        return format_html(
            '<a href="{}">{}</a>',
            reverse("admin:orders_order_change", args=[order.pk]),
            order.order_no,
        )

    @display(description="操作")
    def undo(self, match: BankMatch) -> SafeString | str:
        """The link to undo the match."""
        if match.undone_at is not None:
            return "已撤销"
        link = (
            reverse("admin:invoices_bankreceipt_unmatch", args=[match.receipt_id])
            + f"?match={match.pk}"
        )
        return format_html(
            '<a href="{}" aria-label="撤销订单 {} 的匹配">撤销匹配</a>',
            link,
            match.payment.order.order_no,
        )


@admin.register(BankReceipt)
class BankReceiptAdmin(DossierMixin, ImportExportMixin, ActPageMixin, ReadOnlyAdmin):
    """Receipts on the supplier's bank account: record one, import a sheet, match to orders, set
    aside, and undo a match. A serial number that is recorded already is not recorded twice.
    """

    list_display = ("serial", "received_on", "payer_name", *AMOUNTS, "remark", "state")
    list_filter = (MatchState, "received_on")
    search_fields = ("serial", "payer_name", "payer_account", "remark")
    fieldsets = (
        (
            "到账登记",
            {
                "fields": (
                    ("serial", "received_on"),
                    ("payer_name", "payer_account"),
                    AMOUNTS,
                    "remark",
                    "set_aside",
                    "recorded_by",
                ),
                "classes": ("collapse",),
            },
        ),
    )
    readonly_fields = AMOUNTS
    inlines = (BankMatchInline,)
    actions_list = ("record_one", "import_sheet")
    actions_detail = ("match_one", "set_aside_one")
    import_kinds = ("bank_receipt",)
    importers = {"bank_receipt": BankReceiptImporter}
    import_key = "流水号"
    import_manner = "已登记过的流水号不会重复登记；内容与已登记的不一致会报错。"

    def has_import_sheet_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may import receipts: the permission to act on receipts is
        enough.
        """
        return self.has_act_permission(request)

    def get_urls(self) -> list[Any]:
        from django.urls import path

        view = self.admin_site.admin_view(self.unmatch_one)
        return [
            path("<path:object_id>/unmatch/", view, name="invoices_bankreceipt_unmatch"),
            *super().get_urls(),
        ]

    def build_dossier(self, row: BankReceipt) -> list[Fact]:
        """Show the facts of the first screen."""
        return build_receipt_facts(row)

    @display(description="匹配状态", label=COLOURS)
    def state(self, receipt: BankReceipt) -> str:
        """The matching state."""
        return get_receipt_state(receipt)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer to match the rest, and to set aside a receipt without matches. The services
        refuse everything that is not allowed.
        """
        receipt = BankReceipt.objects.filter(pk=parse_key(object_id)).first()
        if receipt is None:
            return []
        allowed_actions = {
            "match": bool(receipt.left) and not receipt.set_aside,
            "set-aside": not receipt.matched_amount,
        }
        return [
            each
            for each in super().get_actions_detail(request, object_id)
            if allowed_actions[each.path]
        ]

    @action(description="登记到账", url_path="record", icon="add", permissions=["act"])
    def record_one(self, request: HttpRequest) -> HttpResponse:
        """Record a receipt by hand."""
        page = reverse("admin:invoices_bankreceipt_changelist")
        act = Act("登记到账", "银行到账", page, ReceiptForm(request.POST or None))
        return self.show_act_page(
            request, act, lambda filled: receipt_record(actor=get_request_staff(request), **filled)
        )

    @action(description="匹配订单", url_path="match", icon="join_inner", permissions=["act"])
    def match_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Choose the customer, and the amount for each of the customer's orders."""
        receipt = get_object_or_404(BankReceipt, pk=parse_key(object_id))
        suggestions = list_suggestions(receipt)
        enterprise, statement, parts = _get_chosen_target(request, suggestions)
        orders: list[OpenOrder] = (
            list_open_orders(enterprise_id=enterprise.pk, statement=statement) if enterprise else []
        )
        proposed_parts = (
            parts if parts is not None else allocate_amount(orders, amount=receipt.left)
        )
        query = request.GET.get("q", "").strip()[:60]
        form = MatchForm(
            request.POST or None,
            orders=orders,
            parts=proposed_parts,
            suggestions=suggestions,
            query=query,
        )
        act = Act(
            title="匹配订单",
            subject=f"{receipt.payer_name} {format_yuan(receipt.amount)}",
            page=reverse("admin:invoices_bankreceipt_change", args=[receipt.pk]),
            form=form,
            facts=[
                *_list_facts(receipt),
                ("本次付款企业", enterprise.name if enterprise else "未选择"),
            ],
            result_text=lambda outcome: (
                outcome.proposal_text or _describe_match(receipt, outcome.result)
            ),
        )

        def match(_filled: dict[str, Any]) -> Outcome:
            parameters = build_match_parameters(
                receipt_id=receipt.pk,
                parts=form.parts,
                statement_id=statement.pk if statement else None,
            )
            return match_submit(actor=get_request_staff(request), parameters=parameters)

        return self.show_act_page(request, act, match, template="admin/invoices/match.html")

    @action(
        description="无需匹配", url_path="set-aside", icon="do_not_disturb_on", permissions=["act"]
    )
    def set_aside_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Mark the receipt as not a customer's payment, or remove the mark."""
        receipt = get_object_or_404(BankReceipt, pk=parse_key(object_id))
        page = reverse("admin:invoices_bankreceipt_change", args=[receipt.pk])
        act = Act(
            "标记无需匹配",
            receipt.serial,
            page,
            SetAsideForm(request.POST or None, initial={"reason": receipt.set_aside}),
            _list_facts(receipt),
        )
        return self.show_act_page(
            request,
            act,
            lambda filled: receipt_set_aside(
                actor=get_request_staff(request), receipt_id=receipt.pk, **filled
            ),
        )

    def unmatch_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Undo one match of the receipt."""
        if not self.has_act_permission(request):
            return HttpResponse("您没有撤销匹配的权限", status=403)
        rows = BankMatch.objects.select_related("receipt", "payment__order")
        match = get_object_or_404(
            rows, pk=parse_key(request.GET.get("match", "")), receipt=parse_key(object_id)
        )
        page = reverse("admin:invoices_bankreceipt_change", args=[match.receipt_id])
        facts = [
            *_list_facts(match.receipt),
            ("订单", match.payment.order.order_no),
            ("匹配金额", format_yuan(match.amount)),
        ]
        act = Act(
            "撤销匹配",
            match.receipt.serial,
            page,
            ReasonForm(request.POST or None),
            facts,
            is_destructive=True,
        )
        return self.show_act_page(
            request,
            act,
            lambda filled: receipt_unmatch(
                actor=get_request_staff(request), match_id=match.pk, **filled
            ),
        )


def get_receipt_state(receipt: BankReceipt) -> str:
    """Return the matching state as a label."""
    if receipt.set_aside:
        return ASIDE
    if not receipt.left:
        return DONE
    return PARTLY if receipt.matched_amount else WAITING


def build_receipt_facts(receipt: BankReceipt) -> list[Fact]:
    """Return the facts of the first screen."""
    state = get_receipt_state(receipt)
    is_open = state in (WAITING, PARTLY)
    since = start_of_day(receipt.received_on)
    waits = describe_waiting("等待匹配订单", since) if is_open else receipt.set_aside
    facts = [
        Fact(
            "匹配状态",
            state,
            waits,
            tag=COLOURS[state],
            is_late=is_open and since + MATCH_WITHIN < timezone.now(),
        ),
        Fact("到账金额", format_yuan(receipt.amount)),
        Fact("未匹配", format_yuan(receipt.left), f"已匹配 {format_yuan(receipt.matched_amount)}"),
        Fact("客户", _list_customers(receipt) or "尚未匹配到客户"),
        Fact("付款方", receipt.payer_name, receipt.payer_account),
        Fact("到账日期", f"{receipt.received_on:%Y-%m-%d}"),
        Fact("银行流水号", receipt.serial),
        Fact("登记人", receipt.recorded_by or "—"),
    ]
    facts += [Fact("附言", receipt.remark, is_wide=True)] if receipt.remark else []
    return (
        [*facts, Fact("匹配建议", _describe_suggestion(receipt), is_wide=True)]
        if is_open
        else facts
    )


def _list_customers(receipt: BankReceipt) -> SafeString | str:
    """Return the customers of the matched orders."""
    present_matches = BankMatch.objects.filter(receipt=receipt, undone_at=None)
    rows = Enterprise.objects.filter(
        pk__in=present_matches.order_by().values("payment__order__enterprise")
    ).order_by("name")
    return format_html_join(
        "、",
        '<a href="{}">{}</a>',
        ((reverse("admin:org_enterprise_change", args=[row.pk]), row) for row in rows),
    )


def _describe_suggestion(receipt: BankReceipt) -> SafeString | str:
    """Return the best suggestion for the unmatched amount, or a text if there is none."""
    suggestions = list_suggestions(receipt)
    if not suggestions:
        return "没有找到可能的客户，请按客户名称查找，或标记无需匹配"
    first = suggestions[0]
    more = f"；另有 {len(suggestions) - 1} 条建议" if len(suggestions) > 1 else ""
    text = "{}：{} 张订单共 {}<small>{}{}</small>"
    return format_html(
        text,
        first.enterprise,
        len(first.parts),
        format_yuan(first.amount),
        "，".join(first.reasons),
        more,
    )


def _list_facts(receipt: BankReceipt) -> list[tuple[str, object]]:
    """Return (label, value) of each fact of the receipt above a form."""
    return [
        ("流水号", receipt.serial),
        ("到账日期", receipt.received_on),
        ("付款方", f"{receipt.payer_name} {receipt.payer_account}".strip()),
        ("到账金额", format_yuan(receipt.amount)),
        ("未匹配金额", format_yuan(receipt.left)),
        ("附言", receipt.remark or "—"),
    ]


def _describe_match(receipt: BankReceipt, matches: list[BankMatch]) -> str:
    """Return the message after a match: 匹配订单成功，2 张订单已匹配 ¥1,336.28，
    本笔到账已全部匹配.
    """
    matched_amount = sum((match.amount for match in matches), ZERO)
    open_amount = receipt.left - matched_amount
    rest_text = (
        f"还有 {format_yuan(open_amount)} 未匹配，可继续匹配或标记无需匹配"
        if open_amount
        else "本笔到账已全部匹配"
    )
    return f"匹配订单成功，{len(matches)} 张订单已匹配 {format_yuan(matched_amount)}，{rest_text}"


def _get_chosen_target(
    request: HttpRequest, suggestions: list[Suggestion]
) -> tuple[Enterprise | None, Statement | None, dict[int, Decimal] | None]:
    """Return the enterprise, the statement and the proposed parts ({order pk: 元}) of the page.

    After a click on an enterprise or a statement there are no proposed parts. Otherwise they come
    from the suggestion in the URL, by default the best one. All are None without a suggestion.
    """
    if pk := parse_key(request.GET.get("statement", "")):
        statement = get_object_or_404(Statement.objects.select_related("enterprise"), pk=pk)
        return statement.enterprise, statement, None
    if pk := parse_key(request.GET.get("enterprise", "")):
        return get_object_or_404(Enterprise, pk=pk), None, None
    index = parse_key(request.GET.get("suggestion", "0"))
    if index < len(suggestions):
        first = suggestions[index]
        return first.enterprise, first.statement, first.parts
    return None, None, None
