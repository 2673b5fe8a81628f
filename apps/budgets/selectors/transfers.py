"""Transfers of budgets: who may decide one, and which wait for whom."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.budgets.enums import TransferStatus
from apps.budgets.errors import TransferNotFound
from apps.budgets.models import Budget, BudgetTransfer
from apps.budgets.selectors.budgets import budget_seen, may_keep, may_keep_any
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.entitled import entitled


def deciders_of(*, source: Budget, target: Budget, requester_id: int) -> list[int]:
    """Return who else keeps both budgets, by key: whoever asks never decides himself."""
    found: set[int] | None = None
    for enterprise_id in {source.enterprise_id, target.enterprise_id}:
        keepers = set(entitled(menu=MenuCode.ASSET_BUDGET, enterprise_id=enterprise_id).values_list("pk", flat=True))
        found = keepers if found is None else found & keepers
    return sorted((found or set()) - {requester_id})


def transfer_deciders(*, actor: Account, source_id: int, target_id: int) -> list[str]:
    """Return the names of those who would decide a transfer that the actor asks for; nobody: it is made at once.

    Raises:
        BudgetNotFound: he does not see one of the two.
    """
    source, target = (budget_seen(actor=actor, budget_id=budget_id) for budget_id in (source_id, target_id))
    deciders = deciders_of(source=source, target=target, requester_id=actor.pk)
    return list(Account.objects.filter(pk__in=deciders).order_by("pk").values_list("nickname", flat=True))


def transfers_visible(*, actor: Account) -> QuerySet[BudgetTransfer]:
    """Return the transfers between budgets that the actor keeps, and those he asked for; the oldest first."""
    scope = actor.data_scope_of(MenuCode.ASSET_BUDGET)
    seen = Q(requester=actor)
    if scope == DataScope.GROUP:
        seen = Q()
    elif scope == DataScope.ENTERPRISE:
        seen |= Q(source__enterprise=actor.enterprise_id, target__enterprise=actor.enterprise_id)
    queryset: QuerySet[BudgetTransfer] = BudgetTransfer.objects.filter(seen)
    return queryset.select_related("source", "target", "requester").order_by("created_at", "pk")


def transfers_waiting(*, actor: Account) -> QuerySet[BudgetTransfer]:
    """Return those that nobody has decided yet."""
    return transfers_visible(actor=actor).filter(status=TransferStatus.WAITING)


def transfers_past(*, actor: Account) -> QuerySet[BudgetTransfer]:
    """Return those that have been decided or taken back, the latest first."""
    rows = transfers_visible(actor=actor).exclude(status=TransferStatus.WAITING)
    return rows.select_related("source", "target", "requester", "decided_by").order_by("-decided_at", "-pk")


def transfers_to_decide(*, actor: Account) -> int | None:
    """Count those that wait for the actor's decision; None where he keeps no budgets, and asks nothing."""
    if not (actor.has_menu_code(MenuCode.ASSET_BUDGET) and may_keep_any(actor)):
        return None
    return transfers_waiting(actor=actor).exclude(requester=actor).order_by().count()


def transfer_seen(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    """Return one transfer.

    Raises:
        TransferNotFound: there is none that the actor may see.
    """
    transfer = transfers_visible(actor=actor).filter(pk=transfer_id).first()
    if transfer is None:
        raise TransferNotFound
    return transfer


def may_decide(actor: Account, transfer: BudgetTransfer) -> bool:
    """Whether the actor keeps both budgets and is not the one who asked."""
    keeps = may_keep(actor, transfer.source.enterprise_id) and may_keep(actor, transfer.target.enterprise_id)
    return keeps and transfer.requester_id != actor.pk
