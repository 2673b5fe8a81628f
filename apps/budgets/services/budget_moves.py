"""The moves of a budget: reserve, release, consume, refund. Also the notice when 80 % or 100 % of
a budget is used.

Each move is a conditional UPDATE and one ledger entry in the transaction of the caller.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetPolicy, BudgetState, EntryKind
from apps.budgets.errors import BudgetExceeded, exceeded_text
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.common.background.outbox import outbox_publish
from apps.common.money import ZERO, money_value
from apps.org.menus import MenuCode
from apps.org.selectors.rights import list_entitled_accounts

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


# Published when an order was submitted; the key is its number.
LISTENS_TO, ALERT_TOPIC = "order.submitted", "budget.alert"


def reserved_handler(key: str, _payload: dict[str, Any]) -> None:
    """Handle LISTENS_TO: publish an alert for the order's budget if needed."""
    budgets = Budget.objects.filter(
        pk__in=BudgetReservation.objects.filter(reference=key).values("budget")
    )
    budget = budgets.select_related("department").first()
    if budget is not None and budget.state != BudgetState.NORMAL:
        with transaction.atomic():
            _publish(budget)


def alert_publish_if_used(budget: Budget) -> None:
    """Publish an alert if the lowered amount is used to 80 % or more. Rollovers do not call
    this, because they lower only ended periods.
    """
    if budget.state != BudgetState.NORMAL:
        _publish(budget)


def _publish(budget: Budget) -> None:
    """Publish an alert. `Once` contains the state and the amount, so the same alert repeats
    only after the amount was changed.
    """
    share = int(budget.used * 100 / budget.amount) if budget.amount else 100
    is_over = budget.used > budget.amount
    stands = (
        "已用完"
        if budget.state == BudgetState.FULL and not is_over
        else "已超支"
        if is_over
        else f"已用 {share}%"
    )
    left = f"超支 {-budget.available:,.2f} 元" if is_over else f"可用 {budget.available:,.2f} 元"
    payload = {
        "To": _list_recipients(budget),
        "Title": f"预算“{budget.name}”{stands}",
        "Text": (
            f"额度 {budget.amount:,.2f} 元，已预占 {budget.reserved:,.2f} 元，已使用 "
            f"{budget.consumed:,.2f} 元，{left}"
        ),
        "Link": "/userCenter/asset/budget",
        "SubjectKey": f"budget:{budget.pk}",
        "Once": f"{budget.pk}:{budget.state}:{budget.amount}",
    }
    outbox_publish(topic=ALERT_TOPIC, key=str(budget.pk), payload=payload)


def _list_recipients(budget: Budget) -> list[int]:
    keepers = set(
        list_entitled_accounts(
            menu=MenuCode.ASSET_BUDGET, enterprise_id=budget.enterprise_id
        ).values_list("pk", flat=True)
    )
    head = (
        budget.department.head_id
        if budget.owner_type == BudgetOwner.DEPARTMENT and budget.department
        else None
    )
    return sorted(keepers | {pk for pk in (budget.account_id, head) if pk})
