"""Move the budgets of an order: its own budget by an amount of the whole order, and the earmarked
budgets by the parts of the lines. All of them move at once, so that their locks are in one order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.budgets.services.budget_moves import BudgetMove, budgets_move
from apps.common.money import ZERO
from apps.orders.models import EarmarkedAmount, Order, OrderLine
from apps.orders.selectors.earmarks import (
    compute_part_of_pieces,
    get_amounts_after,
    list_earmarked_amounts,
)

if TYPE_CHECKING:
    from apps.org.models import Account


def order_budgets_release(order: Order, *, actor: Account | None, note: str) -> None:
    """Release everything that a locked, unshipped order reserves."""
    rows = list_earmarked_amounts(order)
    moves = [BudgetMove(order.budget_reservation, release=None)]
    moves += [
        BudgetMove(reservation, release=None) for reservation in {row.reservation for row in rows}
    ]
    if rows:
        EarmarkedAmount.objects.filter(order=order).update(amount=ZERO)
    budgets_move(actor=actor, moves=moves, note=note)


def order_budgets_reduce(
    order: Order,
    *,
    actor: Account | None,
    lines: Iterable[OrderLine],
    amount: Decimal,
    note: str,
) -> None:
    """Release what a locked order no longer needs: `amount` 元 of its own budget, and of the
    earmarked budgets the difference to its new `lines`. Rows of lines that are gone are deleted.
    """
    order_move = BudgetMove(order.budget_reservation, release=amount)
    rows = list_earmarked_amounts(order)
    lines = list(lines)
    after = get_amounts_after(rows, lines)
    _move_budgets(rows, lines, after, actor=actor, order_move=order_move, note=note)
    EarmarkedAmount.objects.filter(pk__in=[row.pk for row in rows if row.pk not in after]).delete()


def order_budgets_consume(
    order: Order, *, actor: Account | None, lines: Iterable[OrderLine], amount: Decimal
) -> None:
    """Turn reserved into consumed after a receipt: `amount` 元 of the own budget, and of the
    earmarked budgets the parts of the received pieces. `lines` have the new received quantities.
    """
    order_move = BudgetMove(order.budget_reservation, consume=amount)
    rows = list_earmarked_amounts(order)
    _move_budgets(
        rows, lines, {row.pk: row.amount for row in rows}, actor=actor, order_move=order_move
    )


def order_budgets_refund(
    order: Order, *, actor: Account | None, amount: Decimal, note: str
) -> None:
    """Refund a return: `amount` 元 to the own budget, and the parts of the returned pieces to the
    earmarked budgets. The returned quantities are already saved.
    """
    order_move = BudgetMove(order.budget_reservation, refund=amount)
    rows = list_earmarked_amounts(order)
    lines = OrderLine.objects.filter(pk__in={row.line_id for row in rows}) if rows else []
    _move_budgets(
        rows,
        lines,
        {row.pk: row.amount for row in rows},
        actor=actor,
        order_move=order_move,
        note=note,
    )


def _move_budgets(
    rows: list[EarmarkedAmount],
    lines: Iterable[OrderLine],
    amounts: Mapping[int, Decimal],
    *,
    actor: Account | None,
    order_move: BudgetMove,
    note: str = "",
) -> None:
    """Set the new amount (元) of each earmarked part, and what of it is received and returned.
    Move the reservations by the differences, together with the order's own budget
    (`order_move`).
    """
    by_key = {line.pk: line for line in lines}
    moves: dict[int, BudgetMove] = {}
    for row in rows:
        move = _update_row(row, by_key.get(row.line_id), amounts.get(row.pk, ZERO))
        previous = moves.get(row.reservation_id, BudgetMove(row.reservation))
        moves[row.reservation_id] = BudgetMove(
            row.reservation,
            release=(previous.release or ZERO) + (move.release or ZERO),
            consume=previous.consume + move.consume,
            refund=previous.refund + move.refund,
        )
    if rows:
        EarmarkedAmount.objects.bulk_update(rows, ["amount", "consumed", "refunded"])
    budgets_move(actor=actor, moves=[order_move, *moves.values()], note=note)


def _update_row(row: EarmarkedAmount, line: OrderLine | None, amount: Decimal) -> BudgetMove:
    """Change the row and return the move. A cent that rounding counted too much is refunded."""
    consumed = refunded = ZERO
    if line is not None:
        consumed = compute_part_of_pieces(amount, line, line.received_quantity)
        consumed = min(max(consumed, row.consumed), amount)
        refunded = compute_part_of_pieces(amount, line, line.returned_quantity)
        refunded = min(max(refunded, row.refunded), consumed)
    newly_consumed = max(consumed - row.consumed, ZERO)
    no_longer_consumed = max(row.consumed - consumed, ZERO)
    move = BudgetMove(
        row.reservation,
        release=(row.amount - row.consumed) - (amount - consumed) - newly_consumed,
        consume=newly_consumed,
        refund=refunded - row.refunded + no_longer_consumed,
    )
    row.amount, row.consumed, row.refunded = amount, consumed, refunded
    return move
