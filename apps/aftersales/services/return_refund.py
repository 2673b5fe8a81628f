"""Refund accepted pieces: the paid money, the budget of its period, and the stock. A refund that
waits for a red invoice continues afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from decimal import Decimal

from django.db.models import Sum
from django.utils import timezone

from apps.aftersales.enums import ReturnEventKind, ReturnKind, ReturnStatus
from apps.aftersales.errors import NothingToRefund, RefundWaitsForRed
from apps.aftersales.locks import locked_return
from apps.aftersales.models import ReturnLine, ReturnOrder
from apps.aftersales.selectors.returns import get_refund_amounts
from apps.aftersales.services.return_flow import (
    RETURNS,
    get_accepted_quantities,
    return_record,
    return_transition,
)
from apps.aftersales.services.return_quantities import find_short_quantities, quantities_return
from apps.catalog.models import StockMovement
from apps.catalog.services.stock import stock_receive
from apps.common.money import ZERO
from apps.common.tenancy import platform_scope
from apps.orders.selectors.payments import compute_order_due, sum_paid
from apps.orders.services.budget_use import order_budgets_refund
from apps.orders.services.payments import order_settle, payment_refund
from apps.org.models import Account

WAITS_RED = "商品已开票或正在开票，待红冲完成后自动退款"


def return_refund(*, actor: Account, return_id: int) -> ReturnOrder:
    """Refund the accepted pieces of a return (处理中 → 待确认). If pieces are invoiced, the return
    waits for the red invoice and `returns_refund_after_red` continues it.

    Raises:
        WrongState: it is not 处理中, not a 退货, waits already, or no piece was accepted.
    """
    with locked_return(return_id=return_id) as return_order:
        accepted = get_accepted_quantities(return_order)
        require_refundable(return_order, accepted)
        return_order.refunder = actor
        if short := find_short_quantities(quantities=accepted):
            _wait_for_red_invoice(return_order, actor, short)
        else:
            refund_now(return_order, actor=actor)
    return return_order


def require_refundable(return_order: ReturnOrder, accepted: Mapping[int, int]) -> None:
    """Check that the return can be refunded. `accepted` is {order line pk: accepted pieces}.

    Raises:
        WrongState: as return_refund.
    """
    if return_order.status != ReturnStatus.PROCESSING or return_order.kind != ReturnKind.RETURN:
        raise RETURNS.build_wrong_state(return_order, "退款")
    if not accepted:
        raise NothingToRefund
    if return_order.waits_red:
        raise RefundWaitsForRed


def _wait_for_red_invoice(return_order: ReturnOrder, actor: Account, short: dict[int, int]) -> None:
    """Publish the pieces that need a red invoice. After the red invoice, `returns_refund_after_red`
    continues.
    """
    return_order.waits_red = True
    lines = [{"order_line_id": pk, "quantity": quantity} for pk, quantity in short.items()]
    return_record(
        return_order,
        actor=actor,
        kind=ReturnEventKind.WAITS_RED,
        before=return_order.status,
        reason=WAITS_RED,
        payload={"order_no": return_order.order.order_no, "lines": lines},
    )


def refund_now(return_order: ReturnOrder, *, actor: Account | None) -> None:
    """Refund a locked return without invoiced pieces. Locks: order, return, budget, stock."""
    before = return_transition(return_order, "settle", "退款")
    rows = list(
        return_order.lines.select_related("order_line")
        .filter(accepted_quantity__gt=0)
        .order_by("no")
    )
    refunds = get_refund_amounts(rows)
    for row in rows:
        row.amount_incl_tax, row.tax_amount = refunds[row.pk]
    ReturnLine.objects.bulk_update(rows, ["amount_incl_tax", "tax_amount"])
    total = sum((row.amount_incl_tax for row in rows), ZERO)
    return_order.refund_amount = total
    return_order.refunded_at = timezone.now()
    return_order.waits_red = False
    quantities_return(quantities=get_accepted_quantities(return_order))
    note = f"{return_order.get_kind_display()}单 {return_order.return_no}"
    return_order.paid_back = _pay_back(return_order, actor=actor, amount=total, note=note)
    order_budgets_refund(return_order.order, actor=actor, amount=total, note=note)
    shelf_fill(return_order)
    return_record(
        return_order,
        actor=actor,
        kind=ReturnEventKind.REFUNDED,
        before=before,
        reason=_format_refund(return_order),
        order_reason=_format_debt(return_order),
    )


def _pay_back(
    return_order: ReturnOrder, *, actor: Account | None, amount: Decimal, note: str
) -> Decimal:
    """Pay back at most the amount paid beyond the order's new total, and return it in 元. The
    rest reduces the debt.
    """
    order = return_order.order
    owed_amount = compute_order_due(order, order.lines.all())
    back = payment_refund(
        order,
        actor=actor,
        amount=min(amount, max(sum_paid(order) - owed_amount, ZERO)),
        note=note,
        reference=return_order.return_no,
    )
    order_settle(order)
    return back


def _format_refund(return_order: ReturnOrder) -> str:
    """Return the result as text: the amount paid back and the amount deducted from the debt."""
    back = return_order.paid_back
    parts = [f"退回已付款 ¥{back:,.2f}" if back else "", _format_debt(return_order)]
    return f"退款 ¥{return_order.refund_amount:,.2f}：" + "，".join(filter(None, parts))


def _format_debt(return_order: ReturnOrder) -> str:
    """Return the amount deducted from the debt as text, for the order's timeline too. The payment
    refund has its own entry there.
    """
    open_refund = return_order.refund_amount - return_order.paid_back
    return f"冲减应付款 ¥{open_refund:,.2f}" if open_refund else ""


def shelf_fill(return_order: ReturnOrder) -> None:
    """Add the accepted pieces that can be sold again to the stock."""
    rows = return_order.lines.filter(to_shelf=True, accepted_quantity__gt=0).select_related(
        "order_line"
    )
    pieces: Counter[int] = Counter()
    for row in rows:
        pieces[row.order_line.product_id] += row.accepted_quantity or 0
    if pieces:
        stock_receive(
            lines=pieces, reference=return_order.return_no, kind=StockMovement.Kind.RETURN
        )


def returns_refund_after_red(order_line_ids: Collection[int]) -> int:
    """Refund the waiting returns of these order lines that need to wait no longer, each in its
    own transaction. Returns their number.

    Runs in the scope of the lines' group or of the platform. Repeated calls are safe.
    """
    waiting_returns = ReturnOrder.objects.filter(
        waits_red=True, lines__order_line__in=order_line_ids
    )
    keys = list(waiting_returns.order_by("pk").values_list("pk", flat=True).distinct())
    return sum(_refund_after_red(return_id) for return_id in keys)


def get_waiting_pieces(*, order_line_ids: Collection[int]) -> dict[int, int]:
    """Return {order line pk: pieces} of waiting returns that are still invoiced or applied for."""
    rows = ReturnLine.objects.filter(
        return_order__waits_red=True, order_line__in=order_line_ids, accepted_quantity__gt=0
    )
    pieces = rows.order_by().values_list("order_line_id").annotate(pieces=Sum("accepted_quantity"))
    return find_short_quantities(quantities=dict(pieces))


def _refund_after_red(return_id: int) -> bool:
    """Refund the return. Return False if it does not wait for a red invoice, or still has to."""
    with locked_return(return_id=return_id) as return_order:
        if not return_order.waits_red or find_short_quantities(
            quantities=get_accepted_quantities(return_order)
        ):
            return False
        refund_now(return_order, actor=_get_refunder(return_order))
    return True


def _get_refunder(return_order: ReturnOrder) -> Account | None:
    """Return the staff member who started the refund. Staff belong to no group, so the query
    needs the platform's scope.
    """
    with platform_scope(reason="aftersales: the member of staff who started a refund"):
        refunder: Account | None = Account.objects.filter(pk=return_order.refunder_id).first()
    return refunder
