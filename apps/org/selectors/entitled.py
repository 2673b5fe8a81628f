"""Accounts that may use a menu entry for a whole enterprise or group, for example to notify
them.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from apps.org.enums import AccountType, DataScope
from apps.org.menus import with_groups
from apps.org.models import Account, Role


def entitled(*, menu: str, enterprise_id: int | None = None) -> QuerySet[Account]:
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
    wanted = Q(kind=AccountType.GROUP_ADMIN) | Q(roles__in=roles[DataScope.GROUP])
    if enterprise_id is not None:
        wanted |= Q(roles__in=roles[DataScope.ENTERPRISE], enterprise_id=enterprise_id)
    found: QuerySet[Account] = Account.objects.filter(wanted, is_active=True, is_staff=False)
    return found.distinct()


def holders_among(accounts: Iterable[Account], *, menu: str) -> set[int]:
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
