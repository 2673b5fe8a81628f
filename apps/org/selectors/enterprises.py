"""Enterprises: those of the actor's data scope, and those of 集团管理 (disabled ones included, with
the number of accounts and departments).
"""

from __future__ import annotations

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from apps.common.numbers import parse_key
from apps.org.enums import DataScope
from apps.org.errors import EnterpriseNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Enterprise, Group


def get_own_group(*, actor: Account) -> QuerySet[Group]:
    """Return a queryset with one row, the actor's own group."""
    return Group.objects.filter(pk__in=[actor.group_id])


def list_visible_enterprises(*, actor: Account) -> QuerySet[Enterprise]:
    """Return the enabled enterprises that the actor may see: all of the group in the group
    scope, otherwise the actor's own.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.filter(is_active=True).order_by("code")
    return rows if actor.data_scope == DataScope.GROUP else rows.filter(accounts=actor)


def list_enterprises_in_scope(actor: Account) -> QuerySet[Enterprise]:
    """Return the enterprises of the actor's data scope in 集团管理, disabled ones included: all for
    the group scope, otherwise the actor's own.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.all()
    has_group_scope = actor.get_data_scope(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP
    return rows if has_group_scope else rows.filter(pk__in=[actor.enterprise_id])


def list_managed_enterprises(
    *, actor: Account, keyword: str = "", is_active: bool | None = None
) -> QuerySet[Enterprise]:
    """Return the enterprises of the actor's data scope with `account_count` and
    `department_count` (enabled rows). One query.
    """
    rows = list_enterprises_in_scope(actor)
    if keyword:
        rows = rows.filter(
            Q(name__icontains=keyword)
            | Q(code__icontains=keyword)
            | Q(credit_code__icontains=keyword.upper())
        )
    if is_active is not None:
        rows = rows.filter(is_active=is_active)
    return rows.annotate(
        account_count=_build_row_count(Account), department_count=_build_row_count(Department)
    ).order_by("-is_active", "code")


def get_enterprise(*, actor: Account, pk: str) -> Enterprise:
    """Return one enterprise of the actor's data scope.

    Raises:
        EnterpriseNotFound: the actor cannot see an enterprise with this id.
    """
    row = list_managed_enterprises(actor=actor).filter(pk=parse_key(pk)).first()
    if row is None:
        raise EnterpriseNotFound
    return row


def _build_row_count(model: type[Account] | type[Department]) -> Coalesce:
    """Return the number of the enterprise's active rows of the model, as a column."""
    rows_of_enterprise = (
        model.objects.filter(enterprise=OuterRef("pk"), is_active=True)
        .order_by()
        .values("enterprise")
    )
    return Coalesce(Subquery(rows_of_enterprise.annotate(number=Count("pk")).values("number")), 0)
