"""采购申请: those that an account sees, their buyers, and their pieces in cart lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from apps.cart.models import CartItem
from apps.cart.selectors.cart import CartLine
from apps.org.enums import AccountType, DataScope, PurchasingRight
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.data_scope import scope_filter
from apps.org.selectors.departments import get_department_chain
from apps.org.selectors.purchasing import can_purchase
from apps.requisitions.enums import RequisitionAction, RequisitionBox
from apps.requisitions.errors import RequisitionNotFound
from apps.requisitions.models import ORDERABLE, Requisition, RequisitionLine, RequisitionTake

# At most this many buyers get a notice of a new requisition.
MAX_NOTIFIED = 20
# An SQL condition on a cart line `ci`: it holds pieces of requisitions.
HOLDS_REQUISITION_PIECES = (
    "EXISTS(SELECT 1 FROM requisitions_requisitionline rl WHERE rl.cart_item_id = ci.id)"
)


@dataclass(frozen=True, slots=True)
class RequisitionFilter:
    """The filter of the list."""

    keyword: str = ""
    status: str = ""
    requester_id: int | None = None
    department_id: int | None = None
    cost_center: str = ""


def list_visible_requisitions(
    *, actor: Account, subtree_ids: Collection[int] | None = None
) -> QuerySet[Requisition]:
    """Return the actor's own requisitions. With the menu code of orders, also those in its data
    scope.
    """
    # Without the menu code the scope is the actor's own rows.
    scope = scope_filter(
        actor=actor, menu=MenuCode.ORDER_LIST, account="requester", subtree_ids=subtree_ids
    )
    rows: QuerySet[Requisition] = Requisition.objects.filter(scope)
    return rows


def can_gather(*, actor: Account) -> bool:
    """Whether the actor orders for colleagues: he sees their orders and may order himself."""
    return actor.has_menu_code(MenuCode.ORDER_LIST) and can_purchase(
        actor=actor, needed=PurchasingRight.ORDER
    )


def list_boxes(*, actor: Account) -> list[RequisitionBox]:
    """Return the boxes of the actor's list. 待采购 is only for people who order for colleagues."""
    return [box for box in RequisitionBox if box != RequisitionBox.TODO or can_gather(actor=actor)]


def list_requisitions(
    *, actor: Account, box: str, filters: RequisitionFilter
) -> QuerySet[Requisition]:
    """Return the filtered requisitions of a box. Those that wait for a buyer are sorted oldest
    first, others newest first.
    """
    rows = list_visible_requisitions(actor=actor)
    if box == RequisitionBox.MINE:
        rows = rows.filter(requester=actor)
    if box == RequisitionBox.TODO:
        # Another buyer orders the actor's own requisitions.
        rows = (
            rows.exclude(requester=actor)
            .filter(status__in=ORDERABLE)
            .order_by("submitted_at", "pk")
        )
    if filters.keyword:
        matching_lines = RequisitionLine.objects.filter(
            Q(name__icontains=filters.keyword) | Q(product_code=filters.keyword)
        )
        rows = rows.filter(
            Q(requisition_no__icontains=filters.keyword)
            | Q(pk__in=matching_lines.values("requisition"))
        )
    exact = {
        "status": filters.status,
        "requester_id": filters.requester_id,
        "department_id": filters.department_id,
        "cost_center": filters.cost_center,
    }
    return rows.filter(**{name: value for name, value in exact.items() if value})


def prefetch_lines(rows: QuerySet[Requisition]) -> QuerySet[Requisition]:
    """Return the rows with the data for the page: people, lines, the buyer whose cart holds a
    line, and the orders.
    """
    item = CartItem.objects.filter(pk=OuterRef("cart_item_id"))
    lines = (
        RequisitionLine.objects.select_related("gathered_by", "product__brand")
        .annotate(is_gathered=Exists(item))
        .order_by("no")
    )
    takes = Prefetch("takes", RequisitionTake.objects.select_related("buyer").order_by("pk"))
    return rows.select_related("requester", "department").prefetch_related(
        Prefetch("lines", lines.prefetch_related(takes))
    )


def get_requisition(*, actor: Account, requisition_no: str) -> Requisition:
    """Return one requisition that the actor may see, with its lines.

    Raises:
        RequisitionNotFound: the actor cannot see a requisition with this number.
    """
    row = (
        prefetch_lines(list_visible_requisitions(actor=actor))
        .filter(requisition_no=requisition_no)
        .first()
    )
    if row is None:
        raise RequisitionNotFound
    return row


def get_requisition_actions(*, actor: Account, row: Requisition) -> list[str]:
    """Return the codes of the actions that the actor may take now. The actor must be able to
    see the requisition.
    """
    if row.status not in ORDERABLE:
        return []
    if row.requester_id == actor.pk:
        return [RequisitionAction.WITHDRAW.value]
    if not actor.has_menu_code(MenuCode.ORDER_LIST):
        return []
    if can_gather(actor=actor):
        return [RequisitionAction.GATHER.value, RequisitionAction.RETURN.value]
    return [RequisitionAction.RETURN.value]


def count_waiting_requisitions(*, actor: Account, subtree_ids: Collection[int]) -> int | None:
    """Return the number of colleagues' requisitions that the actor can order. None if he orders
    none. One query.
    """
    if not can_gather(actor=actor):
        return None
    rows = (
        list_visible_requisitions(actor=actor, subtree_ids=subtree_ids)
        .exclude(requester=actor)
        .filter(status__in=ORDERABLE)
    )
    return int(rows.count())


@dataclass(frozen=True, slots=True)
class Gathered:
    """Pieces of a cart line from a requisition. `problem` is the reason why they can no longer be
    ordered, or "".
    """

    line_id: int
    item_id: int
    quantity: int
    requisition_no: str
    requester_id: int
    requester: str
    cost_center: str
    problem: str = ""


def get_gathered(lines: Iterable[CartLine]) -> dict[int, list[Gathered]]:
    """Return the requisition pieces by cart line, sorted by the time of the requisition. The lines
    are read with HOLDS_REQUISITION_PIECES. One query; none if no cart line has such pieces.
    """
    ids = [line.item_id for line in lines if line.is_for_colleagues]
    if not ids:
        return {}
    rows = RequisitionLine.objects.filter(
        cart_item__in=ids, gathered_quantity__gt=0
    ).select_related("requisition__requester")
    gathered: dict[int, list[Gathered]] = {}
    for row in rows.order_by("requisition__submitted_at", "pk"):
        gathered.setdefault(row.cart_item_id or 0, []).append(_build_gathered_line(row))
    return gathered


def _build_gathered_line(row: RequisitionLine) -> Gathered:
    """Return a requisition line in a cart. `problem` says why it cannot be ordered now."""
    requisition = row.requisition
    if not requisition.is_orderable:
        problem = str(requisition.get_status_display())
    elif row.gathered_quantity > row.left:
        problem = "已由同事下单"
    else:
        problem = ""
    return Gathered(
        line_id=row.pk,
        item_id=row.cart_item_id or 0,
        quantity=row.gathered_quantity,
        requisition_no=requisition.requisition_no,
        requester_id=requisition.requester_id,
        requester=requisition.requester.nickname,
        cost_center=requisition.cost_center,
        problem=problem,
    )


def list_buyers(*, requester: Account) -> list[int]:
    """Return the keys of the accounts that may order and whose data scope of orders includes the
    requester, at most 20. Falls back to the group admins.
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
    departments = {department.pk for department in get_department_chain(account=requester)}
    buyers = [person.pk for person in people if _may_order_for(person, requester, departments)]
    if not buyers:
        buyers = [person.pk for person in others.filter(kind=AccountType.GROUP_ADMIN)]
    return buyers[:MAX_NOTIFIED]


def _may_order_for(person: Account, requester: Account, department_ids: set[int]) -> bool:
    """Return whether the person may order and has a data scope of orders that includes the
    requester. `department_ids` are the requester's department and those above it.
    """
    if person.purchasing != PurchasingRight.ORDER or not person.has_menu_code(MenuCode.ORDER_LIST):
        return False
    match person.get_data_scope(MenuCode.ORDER_LIST):
        case DataScope.GROUP:
            return True
        case DataScope.ENTERPRISE:
            return person.enterprise_id == requester.enterprise_id
        case DataScope.DEPARTMENT:
            return person.department_id in department_ids
    return False
