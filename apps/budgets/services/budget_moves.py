"""The moves of a budget: reserve, release, consume, refund. Also the notice when the use of
a budget reaches one of its thresholds.

Each move changes the budget and every budget above it: one conditional UPDATE, and one ledger entry
on each level, in the transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn

from django.db import transaction
from django.db.models import Case, F, Q, When
from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetPolicy, EntryKind
from apps.budgets.errors import (
    BudgetExceeded,
    BudgetTreeMoved,
    ParentAmountShort,
    describe_exceeded_budget,
)
from apps.budgets.locks import lock_budget_paths
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.budgets.selectors.budget_tree import get_budget_path, with_parents
from apps.common.background.outbox import outbox_publish
from apps.common.models import OutboxMessage
from apps.common.money import ZERO, MoneyField, build_money_value
from apps.org.menus import MenuCode
from apps.org.selectors.roles import list_entitled_accounts

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


@dataclass(frozen=True, slots=True)
class _Entries:
    """The ledger entries of one move on every level of `path`. `cause` is the budget that was used
    and the order; `kinds` are (kind, amount in 元).
    """

    path: Sequence[Budget]
    cause: tuple[Budget, str]
    kinds: Sequence[tuple[str, Decimal]]


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
    _write_entries([_Entries(path, (origin, reference), kinds)], actor=actor, note=note)


def _write_entries(moves: Sequence[_Entries], *, actor: Account | None, note: str = "") -> None:
    """Write the ledger entries of the moves, for each budget and those above it."""
    shared: dict[str, Any] = {"actor": actor, "note": note, "at": timezone.now()}
    entries: list[dict[str, Any]] = [
        {
            "group_id": level.group_id,
            "budget": level,
            "origin": None if level.pk == origin.pk else origin,
            "reference": reference,
            "kind": kind,
            "amount": amount,
        }
        for move in moves
        for origin, reference in [move.cause]
        for level in move.path
        for kind, amount in move.kinds
    ]
    BudgetEntry.objects.bulk_create([BudgetEntry(**entry, **shared) for entry in entries])


@dataclass(frozen=True, slots=True)
class BudgetMove:
    """What one reservation gives up or turns into use, in 元. `release` None: all that is left.

    No amount is negative: a negative release would reserve more without the check of the policy.
    Only `budgets_reserve` reserves.
    """

    reservation: BudgetReservation | None
    release: Decimal | None = ZERO
    consume: Decimal = ZERO
    refund: Decimal = ZERO

    def __post_init__(self) -> None:
        if min(self.release or ZERO, self.consume, self.refund) < ZERO:
            raise ValueError(f"negative amount in {self}")


def budget_reserve(
    *, actor: Account, budget: Budget, amount: Decimal, reference: str
) -> BudgetReservation:
    """Reserve `amount` 元 for an order and return the reservation. See `budgets_reserve`."""
    return budgets_reserve(actor=actor, uses=[(budget, amount)], reference=reference)[0]


@transaction.atomic
def budgets_reserve(
    *,
    actor: Account,
    uses: Sequence[tuple[Budget, Decimal]],
    reference: str,
    locked_budgets: Mapping[int, Budget] | None = None,
) -> list[BudgetReservation]:
    """Reserve amounts (元) for an order in several budgets and in every budget above them, and
    return the reservations in that order. Under *block*, concurrent orders can never reserve more
    than is available, on any level. `locked_budgets` are the levels if the caller has locked them.

    Raises:
        BudgetExceeded: a level with the policy *block* has less. The message names the level.
        BudgetTreeMoved: the parent of a level was changed at the same moment.
    """
    paths = _lock_paths([budget for budget, _ in uses], locked_budgets)
    taken_amounts: dict[int, Decimal] = {}
    for path, (_, amount) in zip(paths, uses, strict=True):
        for level in path:
            taken_amounts[level.pk] = taken_amounts.get(level.pk, ZERO) + amount
    added = _build_amounts_by_level(taken_amounts)
    has_enough = Q(amount__gte=F("reserved") + F("consumed") + F("held") + added)
    condition = Q(pk__in=list(taken_amounts)) & (has_enough | ~Q(policy=BudgetPolicy.BLOCK))
    if len(taken_amounts) == 1:
        condition &= Q(parent__isnull=True)
    if Budget.objects.filter(condition).update(reserved=F("reserved") + added) < len(taken_amounts):
        _refuse_exceeded(paths, taken_amounts)
    reservations: list[BudgetReservation] = BudgetReservation.objects.bulk_create(
        [
            BudgetReservation(
                group_id=budget.group_id, budget=budget, reference=reference, amount=amount
            )
            for budget, amount in uses
        ]
    )
    _write_entries(
        [
            _Entries(path, (budget, reference), [(EntryKind.RESERVE, amount)])
            for path, (budget, amount) in zip(paths, uses, strict=True)
        ],
        actor=actor,
    )
    return reservations


def _lock_paths(
    budgets: Sequence[Budget], locked_budgets: Mapping[int, Budget] | None
) -> list[list[Budget]]:
    """Return each budget with its parents, upwards. Locks all of them in the order of their keys:
    one budget alone needs no lock before its conditional UPDATE.
    """
    keys = {budget.pk for budget in budgets}
    if locked_budgets is None or not keys <= locked_budgets.keys():
        if len(keys) == 1 and budgets[0].parent_id is None:
            return [[budget] for budget in budgets]
        locked_budgets = lock_budget_paths(budget_ids=keys)
    return [get_budget_path(locked_budgets[budget.pk], locked_budgets) for budget in budgets]


def _build_amounts_by_level(amounts: Mapping[int, Decimal]) -> Any:
    """Return the expression for the amount (元) of each level, by key."""
    if len(set(amounts.values())) == 1:
        return build_money_value(next(iter(amounts.values())))
    cases = [When(pk=pk, then=build_money_value(amount)) for pk, amount in sorted(amounts.items())]
    return Case(*cases, output_field=MoneyField())


def _refuse_exceeded(
    paths: Sequence[Sequence[Budget]], taken_amounts: Mapping[int, Decimal]
) -> NoReturn:
    """Raise BudgetExceeded for the first budget of the paths that blocks and has less than the
    taken 元; BudgetTreeMoved if there is none. `taken_amounts`: by budget pk.
    """
    rows = Budget.objects.select_related("category", "dimension").in_bulk(list(taken_amounts))
    for path in paths:
        for level in (rows[each.pk] for each in path):
            if level.policy == BudgetPolicy.BLOCK and level.available < taken_amounts[level.pk]:
                raise BudgetExceeded(
                    describe_exceeded_budget(
                        name=level.name,
                        available=level.available,
                        amount=taken_amounts[level.pk],
                        used_name="" if level.pk == path[0].pk else path[0].name,
                        earmark=level.earmark_text,
                    )
                )
    raise BudgetTreeMoved


@transaction.atomic
def budgets_move(*, actor: Account | None, moves: Sequence[BudgetMove], note: str = "") -> None:
    """Apply the moves of one order to its reservations and to every level above their budgets.
    Locks all budgets in the order of their keys, then the reservations. A move never exceeds what
    its reservation holds or has used. Moves without a reservation are skipped.
    """
    move_by_reservation = {
        move.reservation.pk: move for move in moves if move.reservation is not None
    }
    if not move_by_reservation:
        return
    budget_ids = {
        move.reservation.budget_id for move in move_by_reservation.values() if move.reservation
    }
    rows = lock_budget_paths(budget_ids=budget_ids)
    reservations = (
        BudgetReservation.objects.select_for_update()
        .filter(pk__in=move_by_reservation)
        .order_by("pk")
    )
    steps = [
        step
        for reservation in reservations
        if (step := _build_step(reservation, move_by_reservation[reservation.pk])).has_amounts
    ]
    if not steps:
        return
    reserved: dict[int, Decimal] = {}
    consumed: dict[int, Decimal] = {}
    entries: list[_Entries] = []
    for step in steps:
        path = get_budget_path(rows[step.held.budget_id], rows)
        for level in path:
            reserved[level.pk] = reserved.get(level.pk, ZERO) + step.reserved
            consumed[level.pk] = consumed.get(level.pk, ZERO) + step.consumed
        kinds = [(kind, amount) for kind, amount in step.kinds if amount]
        entries.append(_Entries(path, (path[0], step.held.reference), kinds))
    Budget.objects.filter(pk__in=list(reserved)).update(
        reserved=F("reserved") + _build_amounts_by_level(reserved),
        consumed=F("consumed") + _build_amounts_by_level(consumed),
    )
    BudgetReservation.objects.filter(pk__in=[step.held.pk for step in steps]).update(
        amount=F("amount")
        + _build_amounts_by_level({step.held.pk: step.reserved for step in steps}),
        consumed=F("consumed")
        + _build_amounts_by_level({step.held.pk: step.consumed for step in steps}),
        updated_at=timezone.now(),
    )
    _write_entries(entries, actor=actor, note=note)


@dataclass(frozen=True, slots=True)
class _Step:
    """The move of a locked reservation, limited to what it has, in 元."""

    held: BudgetReservation
    release: Decimal
    consume: Decimal
    refund: Decimal

    @property
    def has_amounts(self) -> bool:
        return bool(self.release or self.consume or self.refund)

    @property
    def reserved(self) -> Decimal:
        return -self.release - self.consume

    @property
    def consumed(self) -> Decimal:
        return self.consume - self.refund

    @property
    def kinds(self) -> list[tuple[str, Decimal]]:
        """Return (kind of the ledger entry, amount in 元) of the step. Amounts can be 0."""
        return [
            (EntryKind.CONSUME, self.consume),
            (EntryKind.RELEASE, self.release),
            (EntryKind.REFUND, self.refund),
        ]


def _build_step(reservation: BudgetReservation, move: BudgetMove) -> _Step:
    consume = min(move.consume, reservation.amount)
    open_amount = reservation.amount - consume
    release = open_amount if move.release is None else min(move.release, open_amount)
    return _Step(reservation, release, consume, min(move.refund, reservation.consumed + consume))


def budget_consume(
    *, actor: Account | None, reservation: BudgetReservation | None, amount: Decimal
) -> None:
    """Turn `amount` 元 from reserved into consumed when goods are received, at most what is
    reserved. On every level.
    """
    budgets_move(actor=actor, moves=[BudgetMove(reservation, consume=amount)])


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
                name=level.name, available=max(level.available, ZERO), used_amount=budget.used
            )
    if budget.used == ZERO:
        return
    for levels, sign in ((source, -1), (target, 1)):
        Budget.objects.filter(pk__in=[level.pk for level in levels]).update(
            reserved=F("reserved") + build_money_value(budget.reserved * sign),
            consumed=F("consumed") + build_money_value(budget.consumed * sign),
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


def handle_budget_reserved(key: str, _payload: dict[str, Any]) -> None:
    """Handle LISTENS_TO: publish an alert for the order's budgets and each budget above them
    if needed.
    """
    _publish_alerts([key])


def handle_budget_reserved_batch(messages: Sequence[OutboxMessage]) -> None:
    """Handle LISTENS_TO for several orders of one group: each budget is looked at once."""
    _publish_alerts([message.key for message in messages])


def _publish_alerts(order_nos: Collection[str]) -> None:
    budgets = Budget.objects.filter(
        pk__in=BudgetReservation.objects.filter(reference__in=order_nos).values("budget")
    )
    levels = with_parents(budgets).select_related("department").order_by("pk")
    levels_at_threshold = [level for level in levels if level.reached_threshold is not None]
    if levels_at_threshold:
        with transaction.atomic():
            for level in levels_at_threshold:
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
    state_text = (
        "已用完" if budget.used == budget.amount else "已超支" if is_over else f"已用 {share}%"
    )
    available_text = (
        f"超支 ¥{-budget.available:,.2f}" if is_over else f"可用 ¥{budget.available:,.2f}"
    )
    payload = {
        "To": _list_recipients(budget),
        "Title": f"预算“{budget.name}”{state_text}",
        "Text": (
            f"额度 ¥{budget.amount:,.2f}，已预占 ¥{budget.reserved:,.2f}，已使用 "
            f"¥{budget.consumed:,.2f}，{available_text}"
        ),
        "Link": "/userCenter/asset/budget",
        "SubjectKey": f"budget:{budget.pk}",
        "Once": f"{budget.pk}:{budget.reached_threshold}:{budget.amount}",
    }
    outbox_publish(topic=ALERT_TOPIC, key=str(budget.pk), payload=payload)


def _list_recipients(budget: Budget) -> list[int]:
    """Return the pks of the accounts to notify: those who may see the budgets, the owner, and
    the owner's head.
    """
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
