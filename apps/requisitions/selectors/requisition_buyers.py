"""Buyers of a requester: the accounts whose data scope of orders includes the requester."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from apps.org.enums import AccountType, DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.departments import department_chain

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_TOLD = 20


def buyers_of(*, requester: Account) -> list[int]:
    """Return the keys of the buyers that get a notice, at most 20. Falls back to the group
    admins.
    """
    others = Account.objects.filter(group_id=requester.group_id, is_active=True).exclude(
        pk=requester.pk
    )
    wide = Q(roles__data_scope__in=[DataScope.DEPARTMENT, DataScope.ENTERPRISE, DataScope.GROUP])
    people = (
        others.filter(wide, kind=AccountType.NORMAL)
        .prefetch_related("roles")
        .distinct()
        .order_by("pk")
    )
    above = {link.pk for link in department_chain(account=requester)}
    found = [person.pk for person in people if _orders_for(person, requester, above)]
    return (found or _keys(others.filter(kind=AccountType.GROUP_ADMIN)))[:MOST_TOLD]


def _orders_for(person: Account, requester: Account, above: set[int]) -> bool:
    if not person.has_menu_code(MenuCode.ORDER_LIST):
        return False
    match person.data_scope_of(MenuCode.ORDER_LIST):
        case DataScope.GROUP:
            return True
        case DataScope.ENTERPRISE:
            return person.enterprise_id == requester.enterprise_id
        case DataScope.DEPARTMENT:
            return person.department_id in above
    return False


def _keys(people: Iterable[Account]) -> list[int]:
    return [person.pk for person in people]
