"""采购申请: those that an account sees, their buyers, and their pieces in cart lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from apps.cart.models import CartItem
from apps.cart.selectors.cart import CartLine
from apps.org.enums import AccountType, DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.data_scope import scope_filter
from apps.org.selectors.departments import department_chain
from apps.requisitions.enums import RequisitionAction, RequisitionBox
from apps.requisitions.errors import RequisitionNotFound
from apps.requisitions.models import STANDING, Requisition, RequisitionLine, RequisitionTake

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class RequisitionFilter:
    """The filter of the list."""

    keyword: str = ""
    status: str = ""
    requester_id: int | None = None
    department_id: int | None = None
    cost_center: str = ""


def requisitions_seen(
    *, actor: Account, below: Collection[int] | None = None
) -> QuerySet[Requisition]:
    """Return the actor's own requisitions. With the menu code of orders, also those in its data
    scope.
    """
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester", below=below)
    rows: QuerySet[Requisition] = Requisition.objects.filter(
        scope if actor.has_menu_code(MenuCode.ORDER_LIST) else Q(requester=actor)
    )
    return rows


def requisitions_in_box(
    *, actor: Account, box: str, wanted: RequisitionFilter
) -> QuerySet[Requisition]:
    """Return the filtered requisitions of a box. Those that wait for a buyer are sorted oldest
    first, others newest first.
    """
    rows = requisitions_seen(actor=actor)
    if box == RequisitionBox.MINE:
        rows = rows.filter(requester=actor)
    if box == RequisitionBox.TODO:
        # Another buyer orders the actor's own requisitions.
        rows = (
            rows.exclude(requester=actor).filter(status__in=STANDING).order_by("submitted_at", "pk")
        )
    if wanted.keyword:
        named = RequisitionLine.objects.filter(
            Q(name__icontains=wanted.keyword) | Q(product_code=wanted.keyword)
        )
        rows = rows.filter(
            Q(requisition_no__icontains=wanted.keyword) | Q(pk__in=named.values("requisition"))
        )
    exact = {
        "status": wanted.status,
        "requester_id": wanted.requester_id,
        "department_id": wanted.department_id,
        "cost_center": wanted.cost_center,
    }
    return rows.filter(**{name: value for name, value in exact.items() if value})


def with_lines(rows: QuerySet[Requisition]) -> QuerySet[Requisition]:
    """Return the rows with the data for the page: people, lines, the buyer whose cart holds a
    line, and the orders.
    """
    alive = CartItem.objects.filter(pk=OuterRef("cart_item_id"))
    lines = (
        RequisitionLine.objects.select_related("gathered_by")
        .annotate(is_gathered=Exists(alive))
        .order_by("no")
    )
    takes = Prefetch("takes", RequisitionTake.objects.select_related("buyer").order_by("pk"))
    return rows.select_related("requester", "department").prefetch_related(
        Prefetch("lines", lines.prefetch_related(takes))
    )


def requisition_get(*, actor: Account, requisition_no: str) -> Requisition:
    """Return one requisition that the actor may see, with its lines.

    Raises:
        RequisitionNotFound: the actor cannot see a requisition with this number.
    """
    row = with_lines(requisitions_seen(actor=actor)).filter(requisition_no=requisition_no).first()
    if row is None:
        raise RequisitionNotFound
    return row


def requisition_actions(*, actor: Account, row: Requisition) -> list[str]:
    """Return the codes of the actions that the actor may take now. The actor must be able to
    see the requisition.
    """
    if row.status not in STANDING:
        return []
    own = [RequisitionAction.WITHDRAW.value] if row.requester_id == actor.pk else []
    buys = actor.has_menu_code(MenuCode.ORDER_LIST)
    return [
        *own,
        *(
            [RequisitionAction.GATHER.value, RequisitionAction.RETURN.value]
            if buys and row.requester_id != actor.pk
            else []
        ),
    ]


def requisitions_waiting(*, actor: Account, below: Collection[int]) -> int | None:
    """Return the number of colleagues' requisitions that the actor can order. None without the
    menu code of orders. One query.
    """
    if not actor.has_menu_code(MenuCode.ORDER_LIST):
        return None
    rows = (
        requisitions_seen(actor=actor, below=below)
        .exclude(requester=actor)
        .filter(status__in=STANDING)
    )
    return int(rows.count())


@dataclass(frozen=True, slots=True)
class Gathered:
    """Pieces of a cart line from a requisition. `wrong` is the reason why they can no longer be
    ordered.
    """

    line_id: int
    item_id: int
    quantity: int
    requisition_no: str
    requester: str
    cost_center: str
    wrong: str = ""


def gathered_of(lines: Iterable[CartLine]) -> dict[int, list[Gathered]]:
    """Return the requisition pieces by cart line, sorted by the time of the requisition. One
    query; none if no cart line has such pieces.
    """
    ids = [line.item_id for line in lines if line.is_for_colleagues]
    if not ids:
        return {}
    rows = RequisitionLine.objects.filter(
        cart_item__in=ids, gathered_quantity__gt=0
    ).select_related("requisition__requester")
    found: dict[int, list[Gathered]] = {}
    for row in rows.order_by("requisition__submitted_at", "pk"):
        item_id = row.cart_item_id or 0
        found.setdefault(item_id, []).append(_gathered(row, item_id))
    return found


def _gathered(row: RequisitionLine, item_id: int) -> Gathered:
    asked = row.requisition
    wrong = "" if asked.is_standing else str(asked.get_status_display())
    if not wrong and row.gathered_quantity > row.left:
        wrong = "已由同事下单"
    return Gathered(
        row.pk,
        item_id,
        row.gathered_quantity,
        asked.requisition_no,
        asked.requester.nickname,
        asked.cost_center,
        wrong,
    )


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
