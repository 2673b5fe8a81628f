"""The moves of a budget: reserve, release, consume, refund. Each is a conditional UPDATE and
one ledger entry in the caller's transaction.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.budgets.enums import BudgetPolicy, EntryKind
from apps.budgets.errors import BudgetExceeded, exceeded_text
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.common.money import ZERO, money_value

if TYPE_CHECKING:
    from apps.org.models import Account


def entry_write(
    *,
    budget_id: int,
    group_id: int,
    actor: Account | None,
    kind: str,
    amount: Decimal,
    reference: str = "",
    note: str = "",
) -> BudgetEntry:
    """Write a ledger entry and return it; `amount` in 元, signed only for ADJUST."""
    entry: BudgetEntry = BudgetEntry.objects.create(
        group_id=group_id,
        budget_id=budget_id,
        kind=kind,
        amount=amount,
        reference=reference,
        actor=actor,
        note=note,
        at=timezone.now(),
    )
    return entry


@transaction.atomic
def budget_reserve(
    *, actor: Account, budget: Budget, amount: Decimal, reference: str
) -> BudgetReservation:
    """Reserve `amount` 元 for an order and return the reservation. Under *block*, concurrent
    orders can never reserve more than is available.

    Raises:
        BudgetExceeded: the policy is *block* and less is available.
    """
    fits = Q(amount__gte=F("reserved") + F("consumed") + F("held") + money_value(amount))
    condition = fits if budget.policy == BudgetPolicy.BLOCK else Q()
    moved = Budget.objects.filter(condition, pk=budget.pk).update(
        reserved=F("reserved") + money_value(amount)
    )
    if not moved:
        left = Budget.objects.get(pk=budget.pk).available
        raise BudgetExceeded(exceeded_text(name=budget.name, available=left, amount=amount))
    reservation: BudgetReservation = BudgetReservation.objects.create(
        group_id=budget.group_id, budget=budget, reference=reference, amount=amount
    )
    entry_write(
        budget_id=budget.pk,
        group_id=budget.group_id,
        actor=actor,
        kind=EntryKind.RESERVE,
        amount=amount,
        reference=reference,
    )
    return reservation


def _locked(reservation: BudgetReservation) -> BudgetReservation:
    """Lock the budget, then its reservation. Every move uses this order."""
    Budget.objects.select_for_update().filter(pk=reservation.budget_id).values_list("pk").first()
    locked: BudgetReservation = BudgetReservation.objects.select_for_update().get(pk=reservation.pk)
    return locked


@transaction.atomic
def budget_release(
    *,
    actor: Account | None,
    reservation: BudgetReservation | None,
    amount: Decimal | None = None,
    note: str = "",
) -> None:
    """Release `amount` 元 of a reservation, by default all of it. Does nothing without a
    reservation.
    """
    if reservation is None:
        return
    held = _locked(reservation)
    freed = held.amount if amount is None else min(amount, held.amount)
    if freed == ZERO:
        return
    Budget.objects.filter(pk=held.budget_id).update(reserved=F("reserved") - money_value(freed))
    BudgetReservation.objects.filter(pk=held.pk).update(
        amount=F("amount") - money_value(freed), updated_at=timezone.now()
    )
    entry_write(
        budget_id=held.budget_id,
        group_id=held.group_id,
        actor=actor,
        kind=EntryKind.RELEASE,
        amount=freed,
        reference=held.reference,
        note=note,
    )


@transaction.atomic
def budget_consume(
    *, actor: Account | None, reservation: BudgetReservation | None, amount: Decimal
) -> None:
    """Turn `amount` 元 from reserved into consumed when goods are received, at most what is
    reserved.
    """
    if reservation is None:
        return
    held = _locked(reservation)
    used = min(amount, held.amount)
    if used == ZERO:
        return
    now = timezone.now()
    Budget.objects.filter(pk=held.budget_id).update(
        reserved=F("reserved") - money_value(used), consumed=F("consumed") + money_value(used)
    )
    BudgetReservation.objects.filter(pk=held.pk).update(
        amount=F("amount") - money_value(used),
        consumed=F("consumed") + money_value(used),
        updated_at=now,
    )
    entry_write(
        budget_id=held.budget_id,
        group_id=held.group_id,
        actor=actor,
        kind=EntryKind.CONSUME,
        amount=used,
        reference=held.reference,
    )


@transaction.atomic
def budget_refund(
    *, actor: Account | None, reservation: BudgetReservation | None, amount: Decimal, note: str = ""
) -> None:
    """Refund `amount` 元 of a return to the budget it was consumed from, at most what was
    consumed.
    """
    if reservation is None:
        return
    held = _locked(reservation)
    refunded = min(amount, held.consumed)
    if refunded == ZERO:
        return
    now = timezone.now()
    Budget.objects.filter(pk=held.budget_id).update(consumed=F("consumed") - money_value(refunded))
    BudgetReservation.objects.filter(pk=held.pk).update(
        consumed=F("consumed") - money_value(refunded), updated_at=now
    )
    entry_write(
        budget_id=held.budget_id,
        group_id=held.group_id,
        actor=actor,
        kind=EntryKind.REFUND,
        amount=refunded,
        reference=held.reference,
        note=note,
    )
