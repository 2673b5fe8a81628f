"""The departments that an administrator may assign to an account."""

from __future__ import annotations

from django.db.models import QuerySet

from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department
from apps.org.selectors.data_scope import department_subtree_ids


def places_of(*, actor: Account) -> QuerySet[Department]:
    """Return the departments of the actor's data scope in 账号管理, disabled ones included. Empty
    for the scope "own".
    """
    rows: QuerySet[Department] = Department.objects.all()
    match actor.data_scope_of(MenuCode.MANAGEMENT_ACCOUNT):
        case DataScope.GROUP:
            return rows
        case DataScope.ENTERPRISE if actor.enterprise_id:
            return rows.filter(enterprise=actor.enterprise_id)
        case DataScope.DEPARTMENT if actor.department_id:
            return rows.filter(pk__in=department_subtree_ids(department_id=actor.department_id))
    return rows.none()
