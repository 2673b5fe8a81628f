"""Accounts in the actor's data scope, and group admins."""

from __future__ import annotations

from django.db.models import QuerySet

from apps.org.enums import AccountType
from apps.org.models import Account, Group
from apps.org.selectors.data_scope import scope_filter


def accounts_visible(*, actor: Account, menu: str | None = None) -> QuerySet[Account]:
    """Return the accounts in the actor's data scope and the actor, with enterprise and
    department.
    """
    accounts: QuerySet[Account] = Account.objects.filter(
        scope_filter(actor=actor, menu=menu, account="pk")
    )
    return accounts.select_related("enterprise", "department")


def group_admins(*, group: Group | int) -> QuerySet[Account]:
    """Return the enabled admins (GA) of a group, oldest first."""
    group_id = group if isinstance(group, int) else group.pk
    admins: QuerySet[Account] = Account.objects.filter(
        group_id=group_id, kind=AccountType.GROUP_ADMIN, is_active=True
    )
    return admins.order_by("pk")
