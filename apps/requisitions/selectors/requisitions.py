"""采购申请: the actor's own requisitions, and those in the data scope of orders."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from apps.cart.models import CartItem
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter
from apps.requisitions.enums import RequisitionAction, RequisitionBox
from apps.requisitions.errors import RequisitionNotFound
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake
from apps.requisitions.models.requisition import STANDING

if TYPE_CHECKING:
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
