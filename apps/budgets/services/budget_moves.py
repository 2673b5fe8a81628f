"""The moves of a budget: reserve, release, consume, refund. Also the notice when the use of
a budget reaches one of its thresholds.

Each move changes the budget and every budget above it: one conditional UPDATE, and one ledger entry
on each level, in the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetPolicy, EntryKind
from apps.budgets.errors import BudgetExceeded, BudgetTreeMoved, ParentAmountShort, exceeded_text
from apps.budgets.locks import lock_budget_paths
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.budgets.selectors.budget_tree import path_of, with_parents
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


def entries_write(
    path: Sequence[Budget],
    *,
    origin: Budget,
    kinds: Sequence[tuple[str, Decimal]],
    actor: Account | None,
    reference: str = "",
    note: str = "",
) -> None:
    """Write the ledger entries of a move of `origin` on every level of `path`; `kinds` are
    (kind, amount in 元). One query.
    """
    now = timezone.now()
    shared: dict[str, Any] = {"reference": reference, "actor": actor, "note": note, "at": now}
    entries: list[dict[str, Any]] = [
        {
            "group_id": level.group_id,
            "budget": level,
            "origin": None if level.pk == origin.pk else origin,
            "kind": kind,
            "amount": amount,
        }
        for level in path
        for kind, amount in kinds
    ]
    BudgetEntry.objects.bulk_create([BudgetEntry(**entry, **shared) for entry in entries])


@transaction.atomic
def budget_reserve(
    *, actor: Account, budget: Budget, amount: Decimal, reference: str
) -> BudgetReservation:
    """Reserve `amount` 元 for an order in the budget and in every budget above it, and return the
    reservation. Under *block*, concurrent orders can never reserve more than is available, on
    any level.

    Raises:
        BudgetExceeded: a level with the policy *block* has less. The message names the level.
        BudgetTreeMoved: the parent of a level was changed at the same moment.
    """
    path = _lock_path(budget)
    fits = Q(amount__gte=F("reserved") + F("consumed") + F("held") + money_value(amount))
    condition = Q(pk__in=[level.pk for level in path]) & (fits | ~Q(policy=BudgetPolicy.BLOCK))
    if len(path) == 1:
        condition &= Q(parent__isnull=True)
    moved = Budget.objects.filter(condition).update(reserved=F("reserved") + money_value(amount))
    if moved < len(path):
        _refuse(path, amount=amount)
    reservation: BudgetReservation = BudgetReservation.objects.create(
        group_id=budget.group_id, budget=budget, reference=reference, amount=amount
    )
    entries_write(
        path,
        origin=budget,
        kinds=[(EntryKind.RESERVE, amount)],
        actor=actor,
        reference=reference,
    )
    return reservation


def _lock_path(budget: Budget) -> list[Budget]:
    """Return the budget and its parents, upwards. Locks them if there are parents: one budget
    alone needs no lock before its conditional UPDATE.
    """
    if budget.parent_id is None:
        return [budget]
    rows = lock_budget_paths(budget_ids={budget.pk})
    return path_of(rows[budget.pk], rows)


def _refuse(path: Sequence[Budget], *, amount: Decimal) -> NoReturn:
    rows = Budget.objects.in_bulk([level.pk for level in path])
    for level in (rows[each.pk] for each in path):
        if level.policy == BudgetPolicy.BLOCK and level.available < amount:
            raise BudgetExceeded(
                exceeded_text(
                    name=level.name,
                    available=level.available,
                    amount=amount,
                    used_name="" if level.pk == path[0].pk else path[0].name,
                )
            )
    raise BudgetTreeMoved


def _locked(reservation: BudgetReservation) -> tuple[BudgetReservation, list[Budget]]:
    """Lock the budget with its parents, then its reservation. Every move uses this order."""
    rows = lock_budget_paths(budget_ids={reservation.budget_id})
    locked: BudgetReservation = BudgetReservation.objects.select_for_update().get(pk=reservation.pk)
    return locked, path_of(rows[reservation.budget_id], rows)


def _move(
    held: BudgetReservation,
    path: Sequence[Budget],
    *,
    kind: EntryKind,
    amount: Decimal,
    reserved: Decimal,
    consumed: Decimal,
    actor: Account | None,
    note: str = "",
) -> None:
    """Add `reserved` and `consumed` (元, signed) to the reservation and to every level of its
    path, with one ledger entry of `amount` on each level.
    """
    Budget.objects.filter(pk__in=[level.pk for level in path]).update(
        reserved=F("reserved") + money_value(reserved),
        consumed=F("consumed") + money_value(consumed),
    )
    BudgetReservation.objects.filter(pk=held.pk).update(
        amount=F("amount") + money_value(reserved),
        consumed=F("consumed") + money_value(consumed),
        updated_at=timezone.now(),
    )
    entries_write(
        path,
        origin=path[0],
        kinds=[(kind, amount)],
        actor=actor,
        reference=held.reference,
        note=note,
    )


@transaction.atomic
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
    if reservation is None:
        return
    held, path = _locked(reservation)
    freed = held.amount if amount is None else min(amount, held.amount)
    if freed == ZERO:
        return
    _move(
        held,
        path,
        kind=EntryKind.RELEASE,
        amount=freed,
        reserved=-freed,
        consumed=ZERO,
        actor=actor,
        note=note,
    )


@transaction.atomic
def budget_consume(
    *, actor: Account | None, reservation: BudgetReservation | None, amount: Decimal
) -> None:
    """Turn `amount` 元 from reserved into consumed when goods are received, at most what is
    reserved. On every level.
    """
    if reservation is None:
        return
    held, path = _locked(reservation)
    used = min(amount, held.amount)
    if used == ZERO:
        return
    _move(
        held,
        path,
        kind=EntryKind.CONSUME,
        amount=used,
        reserved=-used,
        consumed=used,
        actor=actor,
    )


@transaction.atomic
def budget_refund(
    *, actor: Account | None, reservation: BudgetReservation | None, amount: Decimal, note: str = ""
) -> None:
    """Refund `amount` 元 of a return to the budget it was consumed from and to every level above,
    at most what was consumed.
    """
    if reservation is None:
        return
    held, path = _locked(reservation)
    refunded = min(amount, held.consumed)
    if refunded == ZERO:
        return
    _move(
        held,
        path,
        kind=EntryKind.REFUND,
        amount=refunded,
        reserved=ZERO,
        consumed=-refunded,
        actor=actor,
        note=note,
    )


def tree_use_move(
    *,
    actor: Account,
    budget: Budget,
    source: Sequence[Budget],
    target: Sequence[Budget],
) -> None:
    """Take the use of a budget out of the figures of `source`, its old levels above, and add it to
    `target`, the new ones. The caller has locked all of them.

    Raises:
        BudgetExceeded: a new level with the policy *block* has less. The message names the level.
    """
    for level in target:
        if level.policy == BudgetPolicy.BLOCK and level.available < budget.used:
            raise ParentAmountShort(
                name=level.name, available=max(level.available, ZERO), used=budget.used
            )
    if budget.used == ZERO:
        return
    for levels, sign in ((source, -1), (target, 1)):
        Budget.objects.filter(pk__in=[level.pk for level in levels]).update(
            reserved=F("reserved") + money_value(budget.reserved * sign),
            consumed=F("consumed") + money_value(budget.consumed * sign),
        )
    leaving = [(EntryKind.REFUND, budget.consumed), (EntryKind.RELEASE, budget.reserved)]
    joining = [(EntryKind.RESERVE, budget.used), (EntryKind.CONSUME, budget.consumed)]
    for levels, kinds, note in (
        (source, leaving, f"下级预算“{budget.name}”移出"),
        (target, joining, f"下级预算“{budget.name}”移入"),
    ):
        entries_write(
            levels,
            origin=budget,
            kinds=[(kind, amount) for kind, amount in kinds if amount],
            actor=actor,
            note=note,
        )


# Published when an order was submitted; the key is its number.
LISTENS_TO, ALERT_TOPIC = "order.submitted", "budget.alert"


def reserved_handler(key: str, _payload: dict[str, Any]) -> None:
    """Handle LISTENS_TO: publish an alert for the order's budget and each budget above it
    if needed.
    """
    used = Budget.objects.filter(
        pk__in=BudgetReservation.objects.filter(reference=key).values("budget")
    )
    levels = with_parents(used).select_related("department").order_by("pk")
    near = [level for level in levels if level.reached_threshold is not None]
    if near:
        with transaction.atomic():
            for level in near:
                _publish(level)


def alert_publish_if_used(budget: Budget) -> None:
    """Publish an alert if the use of the lowered amount has reached a threshold. Rollovers do not
    call this, because they lower only ended periods.
    """
    if budget.reached_threshold is not None:
        _publish(budget)


def _publish(budget: Budget) -> None:
    """Publish an alert for the highest threshold that the use has reached. `Once` contains this
    threshold and the amount: people get one notice per threshold, and another one only after the
    amount was changed.
    """
    share = int(budget.used * 100 / budget.amount) if budget.amount else 100
    is_over = budget.used > budget.amount
    stands = "已用完" if budget.used == budget.amount else "已超支" if is_over else f"已用 {share}%"
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
        "Once": f"{budget.pk}:{budget.reached_threshold}:{budget.amount}",
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
