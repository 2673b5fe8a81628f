"""Roles and rights: the list of roles with their holders, what an administrator may grant and whom
he may manage, which accounts may use a menu entry, and the right that a page needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from apps.org.enums import (
    SCOPE_RANK,
    AccountType,
    DataScope,
    PurchasingRight,
)
from apps.org.errors import RoleNotFound
from apps.org.menus import ENTRY_NAMES, MENU_TREE, MenuCode, with_groups
from apps.org.models import Account, Role
from apps.org.selectors.accounts import list_group_admins, list_visible_accounts
from apps.org.selectors.purchasing import can_purchase


def list_excess_rights(
    *, actor: Account, codes: Iterable[str], scope: str, purchasing: str
) -> list[str]:
    """Return, in words, the rights of a role with these menu codes, this data scope and this
    purchasing right that the actor lacks. [] if there are none.
    """
    if actor.is_group_admin:
        return []
    rank = SCOPE_RANK[scope]
    excess_codes = (
        []
        if can_purchase(actor=actor, needed=PurchasingRight(purchasing))
        else [f"采购权限“{PurchasingRight(purchasing).label}”"]
    )
    excess_codes += [
        f"{ENTRY_NAMES[code]}（{DataScope(scope).label}）"
        for code in with_groups(set(codes))
        if code in ENTRY_NAMES and not _has(actor, code, rank)
    ]
    # A role without menu entries still has an effect: its data scope applies to the lists of
    # enterprises and departments.
    return excess_codes or (
        [f"数据范围“{DataScope(scope).label}”"] if rank > SCOPE_RANK[actor.data_scope] else []
    )


def _has(actor: Account, code: str, rank: int) -> bool:
    return actor.has_menu_code(code) and SCOPE_RANK[actor.get_data_scope(code)] >= rank


def can_grant(*, actor: Account, role: Role) -> bool:
    """Whether the actor has all rights that the role grants."""
    return not list_role_excess(actor=actor, role=role)


def list_role_excess(*, actor: Account, role: Role) -> list[str]:
    """Return, in words, the rights of the role that the actor lacks. [] if there are none."""
    return list_excess_rights(
        actor=actor,
        codes=role.menu_codes,
        scope=role.data_scope,
        purchasing=role.purchasing,
    )


def can_manage_account(
    *, actor: Account, account: Account, grantable: dict[int, bool] | None = None
) -> bool:
    """Whether the actor has all rights of the account. This rule prevents takeover: setting a
    person's password or mail address gives access to that person's rights.

    `grantable` caches results by role id, for lists.
    """
    if actor.is_group_admin:
        return True
    if account.is_group_admin:
        return False
    grantable_by_scope = grantable if grantable is not None else {}
    for role in account.roles.all():
        if role.pk not in grantable_by_scope:
            grantable_by_scope[role.pk] = can_grant(actor=actor, role=role)
    return all(grantable_by_scope[role.pk] for role in account.roles.all())


def list_entitled_accounts(*, menu: str, enterprise_id: int | None = None) -> QuerySet[Account]:
    """Return the enabled accounts of the current group that may use `menu` for the whole
    enterprise, or for the whole group if no enterprise is given.

    Group admins are always included. Two queries: accounts and roles.
    """
    roles: dict[str, list[int]] = {DataScope.GROUP: [], DataScope.ENTERPRISE: []}
    for pk, codes, scope in Role.objects.filter(data_scope__in=roles).values_list(
        "pk", "menu_codes", "data_scope"
    ):
        if menu in with_groups(set(codes)):
            roles[scope].append(pk)
    is_entitled = Q(kind=AccountType.GROUP_ADMIN) | Q(roles__in=roles[DataScope.GROUP])
    if enterprise_id is not None:
        is_entitled |= Q(roles__in=roles[DataScope.ENTERPRISE], enterprise_id=enterprise_id)
    accounts: QuerySet[Account] = Account.objects.filter(
        is_entitled, is_active=True, is_staff=False
    )
    return accounts.distinct()


def find_holder_ids(accounts: Iterable[Account], *, menu: str) -> set[int]:
    """Return the ids of the accounts that may use `menu`, as `has_menu_code` decides. One query
    for any number of accounts.
    """
    admins = {account.pk: account.is_group_admin for account in accounts}
    granted = Account.roles.through.objects.filter(account_id__in=admins).values_list(
        "account_id", "role__menu_codes"
    )
    return {pk for pk, is_admin in admins.items() if is_admin} | {
        pk for pk, codes in granted if menu in with_groups(set(codes))
    }


MAX_ADMINS = 5


@dataclass(frozen=True, slots=True)
class MenuRight:
    """`group` is the menu group of the entry. `granted_by` has the nicknames of the group's
    admins.
    """

    code: str
    name: str
    group: str
    is_allowed: bool
    granted_by: list[str]


def get_menu_right(*, actor: Account, code: str) -> MenuRight:
    """Return the right of a menu code. Two queries. Admins of the actor's own enterprise come
    first.
    """
    group, entries = MENU_TREE[code.partition(".")[0]]
    name = dict(entries).get(code, group)
    admins = (
        list_group_admins(group=actor.group_id).values_list("enterprise_id", "nickname")
        if actor.group_id
        else ()
    )
    near_first = sorted(admins, key=lambda row: row[0] != actor.enterprise_id)
    return MenuRight(
        code,
        name,
        group,
        actor.has_menu_code(code),
        [nickname for _, nickname in near_first[:MAX_ADMINS]],
    )


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
    visible_accounts = list_visible_accounts(actor=actor, menu=MenuCode.MANAGEMENT_ROLE)
    return int(role.accounts.exclude(pk__in=visible_accounts.order_by().values("pk")).count())
