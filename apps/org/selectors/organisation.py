"""Enterprises, departments and roles in an account's data scope."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.org.enums import DataScope
from apps.org.models import Account, Department, Enterprise
from apps.org.selectors.data_scope import department_subtree_ids


def enterprises_visible(*, actor: Account) -> QuerySet[Enterprise]:
    """Return the enabled enterprises that the actor may see: all of the group in the group
    scope, otherwise the actor's own.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.filter(is_active=True).order_by("code")
    return rows if actor.data_scope == DataScope.GROUP else rows.filter(accounts=actor)


def departments_visible(*, actor: Account) -> QuerySet[Department]:
    """Return the enabled departments that the actor may see, with their heads: all, the
    enterprise's, the subtree, or the actor's own.
    """
    rows: QuerySet[Department] = Department.objects.filter(is_active=True)
    return (
        rows.filter(_departments(actor))
        .select_related("head", "enterprise")
        .order_by("enterprise__code", "position", "pk")
    )


def _departments(actor: Account) -> Q:
    match actor.data_scope:
        case DataScope.GROUP:
            return Q()
        case DataScope.ENTERPRISE:
            return Q(enterprise=actor.enterprise_id)
        case DataScope.DEPARTMENT if actor.department_id:
            return Q(pk__in=department_subtree_ids(department_id=actor.department_id))
    return Q(pk=actor.department_id)
