"""The act of this app under dual control: 匹配订单 of a bank receipt."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Sum

from apps.common.money import ZERO, yuan_text
from apps.dual_control.controlled import ControlledAct, JobLimit, Parameters, Reading
from apps.dual_control.selectors.proposals import get_last_release
from apps.invoices.models import BankMatch, BankReceipt
from apps.invoices.selectors.debts import get_settled
from apps.invoices.services.bank_receipts import receipt_match
from apps.orders.models import Order

if TYPE_CHECKING:
    from apps.org.models import Account

MATCH_RECEIPT = "invoices.match_receipt"
# The second person sees this many orders; the page of the receipt has all.
SHOWN_ORDERS = 50


def match_parameters(
    *, receipt_id: int, parts: Mapping[int, Decimal], statement_id: int | None
) -> Parameters:
    """Return the parameters of 匹配订单. `parts` is {order pk: 元}; empty amounts are left out."""
    return {
        "receipt_id": receipt_id,
        "statement_id": statement_id,
        "parts": {str(pk): str(amount) for pk, amount in parts.items() if amount},
    }


def _parts(parameters: Parameters) -> dict[int, Decimal]:
    return {int(pk): Decimal(amount) for pk, amount in parameters["parts"].items()}


def _read_match(parameters: Parameters) -> Reading:
    """Return what a second person checks before the receipt is matched. The amount (元) includes
    what one person alone has matched since the last release.
    """
    parts = _parts(parameters)
    total = sum(parts.values(), ZERO)
    rows = Order.objects.filter(pk__in=parts).select_related("enterprise").order_by("pk")
    # The lock order of `receipt_match`: the orders, then the receipt.
    orders = list(rows.select_for_update(of=("self",)))
    receipts = BankReceipt.objects.select_for_update(no_key=True)
    receipt = receipts.get(pk=parameters["receipt_id"])
    settled_by_order = get_settled(list(parts))
    lines = [
        f"{order.order_no} 未结 {yuan_text(order.total_amount - settled_by_order[order.pk])}"
        f" 匹配 {yuan_text(parts[order.pk])}"
        for order in orders[:SHOWN_ORDERS]
    ]
    since = get_last_release(kind=MATCH_RECEIPT, subject=receipt)
    matched = receipt.matches.filter(undone_at=None)
    if since is not None:
        matched = matched.filter(matched_at__gt=since)
    earlier = matched.aggregate(total=Sum("amount"))["total"] or ZERO
    more = f"；等 {len(orders)} 张" if len(orders) > SHOWN_ORDERS else ""
    facts = [
        ("付款方", f"{receipt.payer_name} {receipt.payer_account}".strip()),
        ("未匹配金额", yuan_text(receipt.left)),
        ("本次匹配", yuan_text(total)),
        ("企业", "、".join(sorted({order.enterprise.name for order in orders}))),
        ("订单", "；".join(lines) + more),
    ]
    if earlier:
        facts.append(("此前单人匹配", yuan_text(earlier)))
    subject = f"银行流水 {receipt.serial}"
    return Reading(receipt, subject, total + earlier, tuple(facts), earlier=earlier)


def _match(actor: Account, parameters: Parameters) -> list[BankMatch]:
    return receipt_match(
        actor=actor,
        receipt_id=parameters["receipt_id"],
        parts=_parts(parameters),
        statement_id=parameters["statement_id"],
    )


CONTROLLED_ACTS = (
    ControlledAct(
        kind=MATCH_RECEIPT,
        title="匹配银行到账",
        permission="invoices.change_bankreceipt",
        limits={"财务": JobLimit(alone=Decimal(200_000), release=None)},
        read=_read_match,
        run=_match,
    ),
)
