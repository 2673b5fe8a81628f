"""认领到账: match a bank receipt to orders, in whole or in part, and undo a match with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.background.outbox import outbox_publish
from apps.common.days import start_of_day
from apps.common.errors import ValidationFailed, WrongState
from apps.common.money import ZERO, money_value
from apps.common.tenancy import platform_scope, tenant_scope
from apps.invoices.errors import ReceiptNotFound, ReceiptSpent
from apps.invoices.models import BankMatch, BankReceipt, Statement
from apps.orders.locks import lock_order
from apps.orders.services.payments import payment_record, payment_undo

if TYPE_CHECKING:
    from apps.org.models import Account

MOVED_TOPIC = "bank.moved"
# Maximum orders per match: each one is locked, paid and published.
MOST_ORDERS = 500


@transaction.atomic
def receipt_match(
    *,
    actor: Account,
    receipt_id: int,
    parts: Mapping[int, Decimal],
    statement_id: int | None = None,
) -> list[BankMatch]:
    """Match parts of a receipt ({order pk: 元}) to orders, record the payments and return the
    matches. `statement_id` is the statement that led to the orders.

    Orders are locked by primary key, the receipt is updated last. Two concurrent matches cannot
    take more than the receipt's amount.

    Raises:
        ReceiptNotFound: no receipt has this id.
        ValidationFailed: no amount is given, there are too many orders, or an amount is more than
            the order owes.
        WrongState: the receipt is set aside, or an order cannot be paid by transfer.
        ReceiptSpent: the parts sum to more than the unmatched amount.
    """
    receipt = _receipt(receipt_id)
    chosen = {order_id: amount for order_id, amount in sorted(parts.items()) if amount}
    if not chosen:
        raise ValidationFailed({"parts": ["请填写至少一张订单的匹配金额"]})
    if len(chosen) > MOST_ORDERS:
        raise ValidationFailed({"parts": [f"一次最多匹配 {MOST_ORDERS} 张订单，请分次匹配"]})
    matches = [
        _matched(actor, receipt, order_id, amount, statement_id)
        for order_id, amount in chosen.items()
    ]
    _take(receipt, sum(chosen.values(), ZERO))
    for group_id, enterprise_id in {
        (row.group_id, row.payment.order.enterprise_id) for row in matches
    }:
        with tenant_scope(group_id=group_id):
            _moved(enterprise_id)
    return matches


def _matched(
    actor: Account, receipt: BankReceipt, order_id: int, amount: Decimal, statement_id: int | None
) -> BankMatch:
    payment = payment_record(
        actor=actor,
        order_id=order_id,
        amount=amount,
        reference=f"银行流水 {receipt.serial}",
        paid_at=min(start_of_day(receipt.received_on), timezone.now()),
    )
    with tenant_scope(group_id=payment.group_id):
        match: BankMatch = BankMatch.objects.create(
            group_id=payment.group_id,
            receipt=receipt,
            payment=payment,
            statement_id=statement_id
            if _is_of(statement_id, payment.order.enterprise_id)
            else None,
            amount=amount,
            matched_at=timezone.now(),
            matched_by=actor,
        )
    return match


def _is_of(statement_id: int | None, enterprise_id: int) -> bool:
    return (
        statement_id is not None
        and Statement.objects.filter(pk=statement_id, enterprise=enterprise_id).exists()
    )


def _take(receipt: BankReceipt, total: Decimal) -> None:
    """Add the total to `matched_amount` by a conditional UPDATE. No other function increases
    it.
    """
    fits = BankReceipt.objects.filter(
        pk=receipt.pk, set_aside="", matched_amount__lte=F("amount") - money_value(total)
    )
    if not fits.update(
        matched_amount=F("matched_amount") + money_value(total), updated_at=timezone.now()
    ):
        left = BankReceipt.objects.get(pk=receipt.pk)
        raise ReceiptSpent(
            f"该笔到账只剩 {left.amount - left.matched_amount:,.2f} 元可匹配，本次合计 "
            f"{total:,.2f} 元，请刷新后重新填写"
        )


def receipt_unmatch(*, actor: Account, match_id: int, reason: str) -> BankMatch:
    """Undo a match: the payment is reversed and the amount is unmatched again.

    Raises:
        ReceiptNotFound: no match has this id.
        WrongState: the match is undone already, or part of the payment was refunded to the
            customer.
    """
    with platform_scope(reason="a match of a bank receipt"):
        found = (
            BankMatch.objects.filter(pk=match_id)
            .values_list("group_id", "payment__order__order_no")
            .first()
        )
    if found is None:
        raise ReceiptNotFound
    with tenant_scope(group_id=found[0]), transaction.atomic():
        order = lock_order(order_no=found[1])
        match: BankMatch = BankMatch.objects.select_for_update(of=("self",)).get(pk=match_id)
        if match.undone_at is not None:
            raise WrongState("该匹配已撤销，请刷新后查看")
        payment_undo(order, match.payment_id, actor=actor, reason=reason)
        match.undone_at, match.undone_by, match.undone_reason = timezone.now(), actor, reason
        match.save(update_fields=["undone_at", "undone_by", "undone_reason"])
        BankReceipt.objects.filter(pk=match.receipt_id).update(
            matched_amount=F("matched_amount") - money_value(match.amount),
            updated_at=timezone.now(),
        )
        _moved(order.enterprise_id)
    return match


@transaction.atomic
def receipt_set_aside(*, actor: Account, receipt_id: int, reason: str) -> BankReceipt:
    """Mark a receipt as not a customer's payment. An empty reason removes the mark. The audit
    log records the actor.

    Raises:
        ReceiptNotFound: no receipt has this id.
        WrongState: a part of the receipt is matched.
    """
    before = BankReceipt.objects.select_for_update(no_key=True).filter(pk=receipt_id).first()
    if before is None:
        raise ReceiptNotFound
    done = BankReceipt.objects.filter(pk=receipt_id, matched_amount=0)
    if not done.update(set_aside=reason, recorded_by=actor, updated_at=timezone.now()):
        raise WrongState("该笔到账已有匹配，请先撤销匹配")
    act_log(subject=before, staff=actor, changes={"无需匹配的原因": (before.set_aside, reason)})
    return _receipt(receipt_id)


def _receipt(pk: int) -> BankReceipt:
    receipt = BankReceipt.objects.filter(pk=pk).first()
    if receipt is None:
        raise ReceiptNotFound
    return receipt


def _moved(enterprise_id: int) -> None:
    """Publish a message, so that the statement is updated at once and not by the hourly job."""
    outbox_publish(
        topic=MOVED_TOPIC, key=str(enterprise_id), payload={"EnterpriseId": enterprise_id}
    )
