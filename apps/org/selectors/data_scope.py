"""Data scopes: own, department subtree, enterprise, group."""

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
    subtree_ids: Collection[int] | None = None,
) -> Q:
    """Return a Q that limits a tenant-owned queryset to the rows that `actor` may see. The
    actor's own rows are always included.

    `account`, `department` and `enterprise` are the row's foreign keys to its owner. `prefix` is
    the path to the owned row, for example `"order__"` for a line. With `menu`, only roles that
    grant this entry count, so that a wide scope of one role does not widen the menu of another
    role. `subtree_ids` are the ids of the department subtree, if the caller has already read them.
    The tenant manager limits rows to the group, so start from `Model.objects`. A department scope
    costs one query for its subtree; other scopes cost none.

        Order.objects.filter(scope_filter(actor=actor, menu=MenuCode.ORDER_LIST,
        account="requester"))
    """
    is_own = Q(**{f"{prefix}{account}": actor.pk})
    match actor.get_data_scope(menu):
        case DataScope.GROUP:
            # Not an empty Q: `Q() | other` equals `other`, so it would narrow the result.
            return Q(**{f"{prefix}group": actor.group_id})
        case DataScope.ENTERPRISE if actor.enterprise_id:
            return is_own | Q(**{f"{prefix}{enterprise}": actor.enterprise_id})
        case DataScope.DEPARTMENT if actor.department_id:
            if subtree_ids is None:
                subtree_ids = list_department_subtree_ids(department_id=actor.department_id)
            return is_own | Q(**{f"{prefix}{department}__in": [*subtree_ids]})
    return is_own


def list_department_subtree_ids(*, department_id: int) -> list[int]:
    """Return the ids of the department and all departments below it. One recursive query."""
    group_id = Department.objects.filter(pk=department_id).values("group_id")
    tree = Department.objects.with_tree_fields().tree_filter(group_id__in=group_id)
    return list(tree.filter(tree_path__contains=department_id).values_list("pk", flat=True))
