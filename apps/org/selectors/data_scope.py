"""How far an account sees: own · department subtree · enterprise · group."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from apps.org.enums import DataScope
from apps.org.models import Account, Department


def scope_filter(
    *,
    actor: Account,
    menu: str | None = None,
    prefix: str = "",
    account: str = "account",
    department: str = "department",
    enterprise: str = "enterprise",
    below: Collection[int] | None = None,
) -> Q:
    """Return what limits a tenant-owned queryset to what `actor` may see; what is his own he always sees.

    `account`, `department`, `enterprise` are the row's foreign keys to whom it belongs, `prefix` the path to that row, as `"order__"`
    of a line. With `menu` only the roles that grant that entry count, so that one role's wide scope does not widen another's menu.
    `below` is the department's subtree where the caller has it already.
    The group itself is held by the tenant's manager: start from `Model.objects`. One query for a department's subtree, none otherwise.

        Order.objects.filter(scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester"))
    """
    own = Q(**{f"{prefix}{account}": actor.pk})
    match actor.data_scope_of(menu):
        case DataScope.GROUP:
            # Not an empty Q: that would vanish in `scope | other` and narrow what it should widen.
            return Q(**{f"{prefix}group": actor.group_id})
        case DataScope.ENTERPRISE if actor.enterprise_id:
            return own | Q(**{f"{prefix}{enterprise}": actor.enterprise_id})
        case DataScope.DEPARTMENT if actor.department_id:
            subtree = department_subtree_ids(department_id=actor.department_id) if below is None else below
            return own | Q(**{f"{prefix}{department}__in": [*subtree]})
    return own


def department_subtree_ids(*, department_id: int) -> list[int]:
    """Return the keys of the department and of everything below it; one recursive query over the group's departments."""
    group_id = Department.objects.filter(pk=department_id).values("group_id")
    tree = Department.objects.with_tree_fields().tree_filter(group_id__in=group_id)
    return list(tree.filter(tree_path__contains=department_id).values_list("pk", flat=True))
