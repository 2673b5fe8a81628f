"""The departments that an account may order for: departments of its own enterprise whose orders
it may see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Department
from apps.org.selectors.department_chain import departments_below

if TYPE_CHECKING:
    from apps.org.models import Account


def departments_orderable(*, actor: Account) -> QuerySet[Department]:
    """Return the enabled departments that the actor may order for: the actor's own, and those
    in the actor's data scope of orders within the enterprise.
    """
    own = Q(pk=actor.department_id)
    match actor.data_scope_of(MenuCode.ORDER_LIST):
        case DataScope.GROUP | DataScope.ENTERPRISE:
            wanted = Q()
        case DataScope.DEPARTMENT:
            wanted = own | Q(pk__in=departments_below(account=actor))
        case _:
            wanted = own
    queryset: QuerySet[Department] = Department.objects.filter(
        wanted, enterprise_id=actor.enterprise_id, is_active=True
    )
    return queryset
