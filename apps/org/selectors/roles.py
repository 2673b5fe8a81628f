"""Roles of the group: the list with how many have each, one role, who has it."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from apps.org.errors import RoleNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Role
from apps.org.selectors.accounts import accounts_visible


def roles_listed(*, keyword: str = "", scope: str = "") -> QuerySet[Role]:
    """Return the group's roles with `holder_count` (enabled accounts) and `disabled_count`, by code; a keyword looks at code and name."""
    active, disabled = Q(accounts__is_active=True), Q(accounts__is_active=False)
    rows: QuerySet[Role] = Role.objects.annotate(
        holder_count=Count("accounts", filter=active), disabled_count=Count("accounts", filter=disabled)
    )
    if keyword:
        rows = rows.filter(Q(code__icontains=keyword) | Q(name__icontains=keyword))
    if scope:
        rows = rows.filter(data_scope=scope)
    return rows.order_by("code")


def role_get(*, pk: int) -> Role:
    """Return one role with its counts.

    Raises:
        RoleNotFound: the group has none such.
    """
    role = roles_listed().filter(pk=pk).first()
    if role is None:
        raise RoleNotFound
    return role


def holders_of(*, actor: Account, role: Role) -> QuerySet[Account]:
    """Return who has the role, as far as the actor's data scope in 角色管理 reaches."""
    return accounts_visible(actor=actor, menu=MenuCode.MANAGEMENT_ROLE).filter(roles=role).order_by("-is_active", "pk")


def holders_beyond(*, actor: Account, role: Role) -> int:
    """Return how many have the role outside that scope."""
    seen = accounts_visible(actor=actor, menu=MenuCode.MANAGEMENT_ROLE)
    return int(role.accounts.exclude(pk__in=seen.order_by().values("pk")).count())
