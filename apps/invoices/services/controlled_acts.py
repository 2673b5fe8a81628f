"""The acts of this app under dual control: 匹配订单 of a bank receipt, and of a receipt that the
same person has recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Sum

from apps.common.money import ZERO, format_yuan
from apps.dual_control.controlled import ActPreview, ControlledAct, JobLimit, Parameters
from apps.dual_control.selectors.proposals import get_last_releases
from apps.dual_control.services.proposals import Outcome, act_submit
from apps.invoices.models import BankMatch, BankReceipt
from apps.invoices.selectors.debts import get_settled
from apps.invoices.services.bank_receipts import receipt_match
from apps.orders.models import Order
from apps.orders.selectors.payments import get_recorded_since
from apps.orders.services.controlled_acts import RECORD_PAYMENT

if TYPE_CHECKING:
    from apps.org.models import Account

MATCH_RECEIPT, MATCH_OWN_RECEIPT = "invoices.match_receipt", "invoices.match_own_receipt"
MATCHES = (MATCH_RECEIPT, MATCH_OWN_RECEIPT)
# The second person sees this many orders; the page of the receipt has all.
SHOWN_ORDERS = 50


def build_match_parameters(
    *, receipt_id: int, parts: Mapping[int, Decimal], statement_id: int | None
) -> Parameters:
    """Return the parameters of 匹配订单. `parts` is {order pk: 元}; empty amounts are left out."""
    return {
        "receipt_id": receipt_id,
        "statement_id": statement_id,
        "parts": {str(pk): str(amount) for pk, amount in parts.items() if amount},
    }


def match_submit(*, actor: Account, parameters: Parameters) -> Outcome:
    """Match the receipt at once if the actor's limits allow it, otherwise propose the match.

    If the actor has recorded the receipt, by hand or from a sheet, nobody else has seen that the
    money came. Such a match is an act of its own, with the limits of a recorded payment.

    Raises:
        DomainError, WrongState: as `act_submit`.
    """
    # The recorder of a receipt never changes.
    own = BankReceipt.objects.filter(pk=parameters["receipt_id"], recorded_by=actor.pk)
    kind = MATCH_OWN_RECEIPT if own.exists() else MATCH_RECEIPT
    return act_submit(actor=actor, kind=kind, parameters=parameters)


def _parse_parts(parameters: Parameters) -> dict[int, Decimal]:
    return {int(pk): Decimal(amount) for pk, amount in parameters["parts"].items()}


def _preview_match(parameters: Parameters) -> ActPreview:
    """Return what a second person checks before the receipt is matched. The amount (元) includes
    what one person alone has matched of the receipt since the last release.
    """
    orders, receipt = _lock_documents(parameters)
    earlier = _sum_matches(receipt)
    return _build_match_preview(parameters, orders, receipt, earlier=earlier)


def _preview_own_match(parameters: Parameters) -> ActPreview:
    """As `_preview_match`. The amount also includes what one person alone has recorded for the
    orders since the last release, so that a second typed receipt is no way around the limit.
    """
    orders, receipt = _lock_documents(parameters)
    earlier = _sum_recorded(orders) + _sum_matches(receipt, except_orders=orders)
    return _build_match_preview(parameters, orders, receipt, earlier=earlier)


def _sum_recorded(orders: Sequence[Order]) -> Decimal:
    """Return the amount (元) of the payments that one person alone has recorded for the orders,
    by hand or by a match.
    """
    order_releases = get_last_releases(kind=RECORD_PAYMENT, subjects=orders)
    recorded = sum((get_recorded_since(row, order_releases.get(row.pk)) for row in orders), ZERO)
    rows = BankMatch.objects.filter(undone_at=None, payment__order__in=orders)
    matches = list(rows.select_related("receipt", "payment"))
    receipt_releases = _get_receipt_releases([match.receipt for match in matches])
    for match in matches:
        released_at = receipt_releases.get(match.receipt_id)
        order_released_at = order_releases.get(match.payment.order_id)
        is_counted = order_released_at is None or match.payment.created_at > order_released_at
        if is_counted and released_at is not None and match.matched_at <= released_at:
            recorded -= match.amount
    return recorded


def _get_receipt_releases(receipts: Sequence[BankReceipt]) -> dict[int, datetime]:
    """Return {receipt id: when a second person last released a match of it}."""
    releases: dict[int, datetime] = {}
    for kind in MATCHES:
        for pk, moment in get_last_releases(kind=kind, subjects=receipts).items():
            releases[pk] = max(moment, releases.get(pk, moment))
    return releases


def _lock_documents(parameters: Parameters) -> tuple[list[Order], BankReceipt]:
    """Lock and return the orders and the receipt, in the lock order of `receipt_match`."""
    rows = Order.objects.filter(pk__in=_parse_parts(parameters)).select_related("enterprise")
    orders = list(rows.order_by("pk").select_for_update(of=("self",)))
    receipts = BankReceipt.objects.select_for_update(no_key=True)
    return orders, receipts.get(pk=parameters["receipt_id"])


def _sum_matches(receipt: BankReceipt, *, except_orders: Sequence[Order] = ()) -> Decimal:
    """Return the amount (元) that one person alone has matched since the last release."""
    matched = receipt.matches.filter(undone_at=None).exclude(payment__order__in=except_orders)
    if since := _get_receipt_releases([receipt]).get(receipt.pk):
        matched = matched.filter(matched_at__gt=since)
    return matched.aggregate(total=Sum("amount"))["total"] or ZERO


def _build_match_preview(
    parameters: Parameters, orders: Sequence[Order], receipt: BankReceipt, *, earlier: Decimal
) -> ActPreview:
    parts = _parse_parts(parameters)
    total = sum(parts.values(), ZERO)
    settled_by_order = get_settled(list(parts))
    lines = [
        f"{order.order_no} 未结 {format_yuan(order.total_amount - settled_by_order[order.pk])}"
        f" 匹配 {format_yuan(parts[order.pk])}"
        for order in orders[:SHOWN_ORDERS]
    ]
    more = f"；等 {len(orders)} 张" if len(orders) > SHOWN_ORDERS else ""
    facts = [
        ("付款方", f"{receipt.payer_name} {receipt.payer_account}".strip()),
        ("到账登记人", str(receipt.recorded_by or "—")),
        ("未匹配金额", format_yuan(receipt.left)),
        ("本次匹配", format_yuan(total)),
        ("企业", "、".join(sorted({order.enterprise.name for order in orders}))),
        ("订单", "；".join(lines) + more),
    ]
    if earlier:
        facts.append(("此前单人匹配", format_yuan(earlier)))
    subject = f"银行流水 {receipt.serial}"
    return ActPreview(receipt, subject, total + earlier, tuple(facts), earlier=earlier)


def _match(actor: Account, parameters: Parameters) -> list[BankMatch]:
    return receipt_match(
        actor=actor,
        receipt_id=parameters["receipt_id"],
        parts=_parse_parts(parameters),
        statement_id=parameters["statement_id"],
    )


CONTROLLED_ACTS = (
    ControlledAct(
        kind=MATCH_RECEIPT,
        title="匹配银行到账",
        permission="invoices.change_bankreceipt",
        limits={"财务": JobLimit(alone=Decimal(200_000), release=None)},
        preview=_preview_match,
        run=_match,
    ),
    ControlledAct(
        kind=MATCH_OWN_RECEIPT,
        title="匹配本人登记的银行到账",
        permission="invoices.change_bankreceipt",
        limits={"财务": JobLimit(alone=Decimal(50_000), release=None)},
        preview=_preview_own_match,
        run=_match,
    ),
)
