"""Roles of the group: the list with holder counts, one role, and its holders."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from apps.org.errors import RoleNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Role
from apps.org.selectors.accounts import list_visible_accounts


def list_roles(*, keyword: str = "", scope: str = "") -> QuerySet[Role]:
    """Return the group's roles by code, with `holder_count` (enabled accounts) and
    `disabled_count`. The keyword searches code and name.
    """
    active, disabled = Q(accounts__is_active=True), Q(accounts__is_active=False)
    rows: QuerySet[Role] = Role.objects.annotate(
        holder_count=Count("accounts", filter=active),
        disabled_count=Count("accounts", filter=disabled),
    )
    if keyword:
        rows = rows.filter(Q(code__icontains=keyword) | Q(name__icontains=keyword))
    if scope:
        rows = rows.filter(data_scope=scope)
    return rows.prefetch_related("limits__category").order_by("code")


def get_role(*, pk: int) -> Role:
    """Return one role with its counts.

    Raises:
        RoleNotFound: the group has no role with this id.
    """
    role = list_roles().filter(pk=pk).first()
    if role is None:
        raise RoleNotFound
    return role


def list_role_holders(*, actor: Account, role: Role) -> QuerySet[Account]:
    """Return the holders of the role within the actor's data scope in 角色管理."""
    return (
        list_visible_accounts(actor=actor, menu=MenuCode.MANAGEMENT_ROLE)
        .filter(roles=role)
        .order_by("-is_active", "pk")
    )


def count_holders_out_of_scope(*, actor: Account, role: Role) -> int:
    """Return the number of holders outside the actor's data scope in 角色管理."""
    seen = list_visible_accounts(actor=actor, menu=MenuCode.MANAGEMENT_ROLE)
    return int(role.accounts.exclude(pk__in=seen.order_by().values("pk")).count())
