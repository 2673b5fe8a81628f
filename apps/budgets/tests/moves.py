"""Single moves of a reservation, as tests make them. Orders and returns move several at once with
`budgets_move`.
"""

from __future__ import annotations

from decimal import Decimal

from apps.budgets.models import BudgetReservation
from apps.budgets.services.budget_moves import BudgetMove, budgets_move
from apps.org.models import Account


def budget_release(
    *,
    actor: Account | None,
    reservation: BudgetReservation | None,
    amount: Decimal | None = None,
    note: str = "",
) -> None:
    """Release `amount` 元 of a reservation on every level, by default all of it. Does nothing
    without a reservation.
    """
    budgets_move(actor=actor, moves=[BudgetMove(reservation, release=amount)], note=note)


def budget_refund(
    *, actor: Account | None, reservation: BudgetReservation | None, amount: Decimal, note: str = ""
) -> None:
    """Refund `amount` 元 of a return to the budget it was consumed from and to every level above,
    at most what was consumed.
    """
    budgets_move(actor=actor, moves=[BudgetMove(reservation, refund=amount)], note=note)
