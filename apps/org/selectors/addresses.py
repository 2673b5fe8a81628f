"""Addresses that an account may use for orders, and addresses that it may change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from apps.common.compiled_queries import ListParameter, Parameter
from apps.common.numbers import parse_key
from apps.org.enums import AddressScope, DataScope
from apps.org.errors import AddressNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Address
from apps.org.selectors.data_scope import list_department_subtree_ids
from apps.org.selectors.departments import get_department_chain, list_orderable_departments

OWNED = {
    "account": Q(account__isnull=False),
    "department": Q(account=None, department__isnull=False),
    "enterprise": Q(account=None, department=None, enterprise__isnull=False),
    "group": Q(account=None, department=None, enterprise=None),
}


def list_usable_addresses(
    *, actor: Account, department_ids: Collection[int] = ()
) -> QuerySet[Address]:
    """Return the addresses that the actor's orders may use: the actor's own, those of the
    actor's departments up to the root, of the enterprise, and of the group. The actor's roles may
    allow fewer (可用收货地址).

    `department_ids` are other departments that the actor orders for. Their addresses are included,
    unless the roles allow only those of the own departments.
    """
    own_departments = [link.pk for link in get_department_chain(account=actor)]
    return list_addresses_of(
        actor.address_scope,
        account=actor.pk,
        own_departments=own_departments,
        departments=[*own_departments, *department_ids],
        enterprise=actor.enterprise_id or 0,
    )


def list_addresses_of(
    scope: AddressScope,
    *,
    account: int | Parameter,
    own_departments: list[int] | ListParameter,
    departments: list[int] | ListParameter,
    enterprise: int | Parameter,
) -> QuerySet[Address]:
    """Return the addresses that an account with this scope may use, given by the keys of the
    account, its departments, all departments that it orders for, and its enterprise.
    """
    rows, own = _list_active(), Q(account=account)
    if scope == AddressScope.OWN:
        return rows.filter(own)
    if scope == AddressScope.DEPARTMENT:
        return rows.filter(own | Q(account=None, department__any_of=own_departments))
    shared = Q(account=None) & (
        Q(department__any_of=departments)
        | Q(department=None, enterprise=enterprise)
        | Q(department=None, enterprise=None)
    )
    return rows.filter(own | shared)


def list_managed_addresses(*, actor: Account) -> QuerySet[Address]:
    """Return the addresses that the actor may change: the actor's own and, with the menu code,
    the shared ones of the data scope.
    """
    return _list_active().filter(_build_managed_condition(actor))


def list_visible_addresses(*, actor: Account) -> QuerySet[Address]:
    """Return the addresses that the actor may use or change."""
    usable = list_usable_addresses(actor=actor).values("pk")
    return _list_active().filter(Q(pk__in=usable) | _build_managed_condition(actor))


@dataclass(frozen=True, slots=True)
class AddressFilters:
    """Filters of the list. None means no filter."""

    keyword: str = ""
    owner_type: str = ""
    enterprise_id: int | None = None
    department_id: int | None = None
    managed: bool = False
    # Of the visible addresses, those that the actor's orders may use, and those of this department
    # if the actor may order for it.
    usable: bool = False
    order_department_id: int | None = None


def list_addresses(*, actor: Account, filters: AddressFilters) -> QuerySet[Address]:
    """Return the filtered addresses that the actor may see (or only those that the actor may
    change). A department filter does not include the departments below it.
    """
    rows = _filter_by_purpose(actor, filters)
    for part in filters.keyword.split()[:5]:
        names = ("receiver", "mobile", "label", "province", "city", "district", "town", "street")
        rows = rows.filter(reduce(or_, (Q(**{f"{name}__icontains": part}) for name in names)))
    if filters.owner_type:
        rows = rows.filter(OWNED[filters.owner_type])
    if filters.enterprise_id is not None:
        rows = rows.filter(enterprise=filters.enterprise_id)
    return rows if filters.department_id is None else rows.filter(department=filters.department_id)


def _filter_by_purpose(actor: Account, filters: AddressFilters) -> QuerySet[Address]:
    """Return the addresses that the actor manages, can use in an order, or sees, as the filters
    ask.
    """
    if filters.managed:
        return list_managed_addresses(actor=actor)
    if not filters.usable:
        return list_visible_addresses(actor=actor)
    for_department = (
        list_orderable_departments(actor=actor).filter(pk=filters.order_department_id)
        if filters.order_department_id
        else ()
    )
    return list_usable_addresses(
        actor=actor, department_ids=[department.pk for department in for_department]
    )


def get_address(*, actor: Account, pk: str, for_change: bool = False) -> Address:
    """Return one address that the actor may see (or change).

    Raises:
        AddressNotFound: the address does not exist or the actor may not see (or change) it.
    """
    rows = (
        list_managed_addresses(actor=actor) if for_change else list_visible_addresses(actor=actor)
    )
    address = rows.filter(pk=parse_key(pk)).first()
    if address is None:
        raise AddressNotFound
    return address


def _list_active() -> QuerySet[Address]:
    rows: QuerySet[Address] = Address.objects.filter(is_active=True)
    return rows.select_related("enterprise", "department").order_by("-is_default", "pk")


def _build_managed_condition(actor: Account) -> Q:
    """Return the condition on addresses that the actor may change: own ones, and shared ones in
    the data scope of the menu entry.
    """
    is_managed = Q(account=actor)
    if not actor.has_menu_code(MenuCode.MANAGEMENT_ADDRESS):
        return is_managed
    match actor.get_data_scope(MenuCode.MANAGEMENT_ADDRESS):
        case DataScope.GROUP:
            return is_managed | Q(account=None)
        case DataScope.ENTERPRISE if actor.enterprise_id:
            return is_managed | Q(account=None, enterprise=actor.enterprise_id)
        case DataScope.DEPARTMENT if actor.department_id:
            return is_managed | Q(
                account=None,
                department__in=list_department_subtree_ids(department_id=actor.department_id),
            )
    return is_managed


def can_manage_owner(
    *, actor: Account, enterprise_id: int | None, department_id: int | None
) -> bool:
    """Whether the actor may manage shared addresses of this department or enterprise, or of the
    group (both None).
    """
    if not actor.has_menu_code(MenuCode.MANAGEMENT_ADDRESS):
        return False
    match actor.get_data_scope(MenuCode.MANAGEMENT_ADDRESS):
        case DataScope.GROUP:
            return True
        case DataScope.ENTERPRISE:
            return enterprise_id is not None and enterprise_id == actor.enterprise_id
        case DataScope.DEPARTMENT if actor.department_id and department_id:
            return department_id in list_department_subtree_ids(department_id=actor.department_id)
    return False
