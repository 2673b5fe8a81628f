"""Transfers: who may see and decide them."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.budgets.enums import TransferStatus
from apps.budgets.errors import TransferNotFound
from apps.budgets.models import Budget, BudgetTransfer
from apps.budgets.selectors.budgets import get_budget, may_manage, may_manage_any
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.roles import list_entitled_accounts


def list_decider_ids(*, source: Budget, target: Budget, requester_id: int) -> list[int]:
    """Return the sorted ids of other accounts that manage both budgets. The requester never
    decides.
    """
    decider_ids: set[int] | None = None
    for enterprise_id in {source.enterprise_id, target.enterprise_id}:
        manager_ids = set(
            list_entitled_accounts(
                menu=MenuCode.ASSET_BUDGET, enterprise_id=enterprise_id
            ).values_list("pk", flat=True)
        )
        decider_ids = manager_ids if decider_ids is None else decider_ids & manager_ids
    return sorted((decider_ids or set()) - {requester_id})


def list_decider_names(*, actor: Account, source_id: int, target_id: int) -> list[str]:
    """Return the names of the accounts that would decide the actor's transfer; empty: it is
    made at once.

    Raises:
        BudgetNotFound: the actor cannot see one of the budgets.
    """
    source, target = (
        get_budget(actor=actor, budget_id=budget_id) for budget_id in (source_id, target_id)
    )
    deciders = list_decider_ids(source=source, target=target, requester_id=actor.pk)
    return list(
        Account.objects.filter(pk__in=deciders).order_by("pk").values_list("nickname", flat=True)
    )


def list_visible_transfers(*, actor: Account) -> QuerySet[BudgetTransfer]:
    """Return the transfers between budgets the actor manages, and the actor's own requests, the
    oldest first.
    """
    scope = actor.get_data_scope(MenuCode.ASSET_BUDGET)
    is_visible = Q(requester=actor)
    if scope == DataScope.GROUP:
        is_visible = Q()
    elif scope == DataScope.ENTERPRISE:
        is_visible |= Q(
            source__enterprise=actor.enterprise_id, target__enterprise=actor.enterprise_id
        )
    queryset: QuerySet[BudgetTransfer] = BudgetTransfer.objects.filter(is_visible)
    return queryset.select_related("source", "target", "requester").order_by("created_at", "pk")


def list_waiting_transfers(*, actor: Account) -> QuerySet[BudgetTransfer]:
    """Return the visible transfers without a decision."""
    return list_visible_transfers(actor=actor).filter(status=TransferStatus.WAITING)


def list_ended_transfers(*, actor: Account) -> QuerySet[BudgetTransfer]:
    """Return the visible transfers that were decided or withdrawn, the latest first."""
    rows = list_visible_transfers(actor=actor).exclude(status=TransferStatus.WAITING)
    return rows.select_related("source", "target", "requester", "decided_by").order_by(
        "-decided_at", "-pk"
    )


def count_transfers_to_decide(*, actor: Account) -> int | None:
    """Return the number of transfers that wait for the actor's decision. None, without a query,
    if the actor manages no budgets.
    """
    if not (actor.has_menu_code(MenuCode.ASSET_BUDGET) and may_manage_any(actor)):
        return None
    return list_waiting_transfers(actor=actor).exclude(requester=actor).order_by().count()


def transfer_get(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    """Return one visible transfer.

    Raises:
        TransferNotFound: the actor cannot see such a transfer.
    """
    transfer = list_visible_transfers(actor=actor).filter(pk=transfer_id).first()
    if transfer is None:
        raise TransferNotFound
    return transfer


def may_decide(actor: Account, transfer: BudgetTransfer) -> bool:
    """Return whether the actor manages both budgets and is not the requester."""
    keeps = may_manage(actor, transfer.source.enterprise_id) and may_manage(
        actor, transfer.target.enterprise_id
    )
    return keeps and transfer.requester_id != actor.pk
