"""Returns: those that an account may see, with their list, detail and allowed actions; the returns
that wait for staff, with the actions of staff; and the amounts to refund.

The pieces that the customer keeps cost their normal price and tax. The refund is the rest of the
receipts, so all returns and the kept pieces sum to the receipts exactly.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Prefetch, Q, QuerySet, Sum
from django.utils import timezone

from apps.aftersales.deadlines import STEPS
from apps.aftersales.enums import ParcelDirection, ReturnAction, ReturnKind, ReturnStatus, ReturnWay
from apps.aftersales.errors import ReturnNotFound
from apps.aftersales.models import ReturnLine, ReturnMessage, ReturnOrder, ReturnPicture
from apps.common.days import filter_days
from apps.common.events import list_events
from apps.common.models import Event
from apps.common.money import ZERO, compute_tax
from apps.common.queries import count_states
from apps.orders.models import ReceiptLine, TrackingEvent
from apps.orders.selectors.shipments import Parcel, get_tracking_by_parcel
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account

S, A = ReturnStatus, ReturnAction
# State → actions of an actor with the right to change the return. Readers have no actions.
ACTIONS: dict[str, tuple[ReturnAction, ...]] = {
    S.PENDING_REVIEW: (A.WITHDRAW, A.MESSAGE),
    S.REJECTED: (A.MESSAGE,),
    S.PENDING_SEND: (A.SHIP, A.WITHDRAW, A.MESSAGE),
    S.PENDING_RECEIPT: (A.WITHDRAW, A.MESSAGE),
    S.INSPECTING: (A.MESSAGE,),
    S.PROCESSING: (A.MESSAGE,),
    S.PENDING_CONFIRM: (A.CONFIRM, A.MESSAGE),
    S.COMPLETED: (A.MESSAGE,),
    S.WITHDRAWN: (A.MESSAGE,),
}
# States in which the customer has to act.
AWAITS_CUSTOMER = (S.PENDING_SEND, S.PENDING_CONFIRM)


def list_visible_returns(*, actor: Account) -> QuerySet[ReturnOrder]:
    """Return the returns in the actor's data scope."""
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_RETURN, account="requester")
    queryset: QuerySet[ReturnOrder] = ReturnOrder.objects.filter(scope)
    return queryset


def may_change_return(*, actor: Account, return_order: ReturnOrder) -> bool:
    """Return whether the actor is the requester or the administrator of the return's group."""
    return bool(
        return_order.requester_id == actor.pk
        or (actor.is_group_admin and actor.group_id == return_order.group_id)
    )


@dataclass(frozen=True, slots=True)
class ReturnFilter:
    """Filter of the list. `since` and `until` are days in Shanghai, both inclusive."""

    keyword: str = ""
    status: str = ""
    kind: str = ""
    order_no: str = ""
    since: date | None = None
    until: date | None = None
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class ReturnDetail:
    """One return with its timeline and the tracking of its parcels."""

    return_order: ReturnOrder
    timeline: list[Event]
    tracking: dict[Parcel, list[TrackingEvent]]


def get_return_actions(*, actor: Account, return_order: ReturnOrder) -> list[str]:
    """Return the codes of the actions that the actor may take now."""
    if not may_change_return(actor=actor, return_order=return_order):
        return []
    # The customer does not send goods that the mall picks up.
    is_pickup = return_order.way == ReturnWay.PICKUP
    return [
        action.value for action in ACTIONS[return_order.status] if action != A.SHIP or not is_pickup
    ]


def list_returns(*, actor: Account, filters: ReturnFilter) -> QuerySet[ReturnOrder]:
    """Return the returns that match the filter, newest first, with order, requester and lines."""
    queryset = _filter_returns(actor, filters)
    if filters.status:
        queryset = queryset.filter(status=filters.status)
    return queryset.select_related("order", "requester", "department").prefetch_related(
        _prefetch_lines()
    )


def count_returns_by_status(*, actor: Account, filters: ReturnFilter) -> dict[str, int]:
    """Return the number of matching returns by state, and of all under "". One query."""
    return count_states(_filter_returns(actor, filters), ReturnStatus.values)


def get_return(*, actor: Account, return_no: str) -> ReturnDetail:
    """Return one return with its timeline and tracking.

    Raises:
        ReturnNotFound: the actor cannot see a return with this number.
    """
    pictures = ReturnPicture.objects.select_related("file").order_by("no")
    messages = ReturnMessage.objects.select_related("author", "acting_for").order_by(
        "sent_at", "id"
    )
    return_order = (
        list_visible_returns(actor=actor)
        .filter(return_no=return_no)
        .select_related("order", "requester", "department", "enterprise")
        .prefetch_related(
            _prefetch_lines(),
            Prefetch("pictures", pictures),
            Prefetch("messages", messages),
            "parcels",
        )
        .first()
    )
    if return_order is None:
        raise ReturnNotFound
    tracking = get_tracking_by_parcel(
        [(parcel.carrier, parcel.tracking_no) for parcel in return_order.parcels.all()]
    )
    return ReturnDetail(return_order, list(list_events(return_order)), tracking)


def _prefetch_lines() -> Prefetch[str]:
    return Prefetch("lines", ReturnLine.objects.select_related("order_line").order_by("no"))


def _filter_returns(actor: Account, filters: ReturnFilter) -> QuerySet[ReturnOrder]:
    """Return the returns that the actor can see and the filters select. The keyword is part of a
    number or a name, or a product code.
    """
    queryset = list_visible_returns(actor=actor)
    if text := filters.keyword:
        matching_lines = ReturnLine.objects.filter(
            Q(order_line__name__icontains=text)
            | Q(order_line__customer_name__icontains=text)
            | Q(order_line__product_code=text)
            | Q(order_line__customer_code=text)
        )
        queryset = queryset.filter(
            Q(return_no__icontains=text)
            | Q(order__order_no__icontains=text)
            | Q(pk__in=matching_lines.values("return_order"))
        )
    queryset = queryset.filter(filter_days("submitted_at", filters.since, filters.until))
    exact = {"kind": filters.kind, "order__order_no": filters.order_no}
    queryset = queryset.filter(**{name: value for name, value in exact.items() if value})
    return queryset.filter(customer_unread__gt=0) if filters.is_unread else queryset


def count_returns_todo(*, actor: Account) -> dict[str, int | None]:
    """Return the numbers of the actor's returns to send back and to confirm. Returns that the
    mall picks up do not count.
    """
    if not actor.has_menu_code(MenuCode.ORDER_RETURN):
        return {"returns_to_send": None, "returns_to_confirm": None}
    to_send = Q(status=ReturnStatus.PENDING_SEND, way=ReturnWay.SEND)
    return dict(
        ReturnOrder.objects.filter(requester=actor, status__in=AWAITS_CUSTOMER).aggregate(
            returns_to_send=Count("pk", filter=to_send),
            returns_to_confirm=Count("pk", filter=Q(status=ReturnStatus.PENDING_CONFIRM)),
        )
    )


# States in which staff have to act. Goods in transit and returns that wait for a red invoice do not
# count.
AWAITED = [status for status, step in STEPS.items() if step.is_ours and status != S.PENDING_RECEIPT]
WAITS_FOR_STAFF = Q(status__in=AWAITED, waits_red=False) | Q(
    status=S.PENDING_SEND, way=ReturnWay.PICKUP
)
# State → URL names of the actions in the back office. The actions after the inspection depend on
# the accepted pieces.
ACTS: dict[str, tuple[str, ...]] = {
    S.PENDING_REVIEW: ("approve", "reject"),
    S.PENDING_SEND: ("fetched",),
    S.PENDING_RECEIPT: ("receive",),
    S.INSPECTING: ("inspect",),
}


def get_work_filter(kind: str) -> Q:
    """Return the filter of a dashboard counter (`ours`, `late`, `unread`, `red`). The list
    behind the counter uses the same filter.
    """
    kinds = {
        "ours": WAITS_FOR_STAFF,
        "late": WAITS_FOR_STAFF & Q(due_at__lt=timezone.now()),
        "unread": Q(staff_unread__gt=0),
        "red": Q(waits_red=True),
    }
    return kinds.get(kind, Q())


def list_waiting_returns() -> QuerySet[ReturnOrder]:
    """Return the returns that wait for staff, nearest deadline first, with their customers. The
    caller must open the platform scope.
    """
    rows: QuerySet[ReturnOrder] = ReturnOrder.objects.filter(WAITS_FOR_STAFF).select_related(
        "enterprise"
    )
    return rows.order_by("due_at", "pk")


def get_last_send_to() -> str:
    """Return the return address of the latest approval, as the default of the next one."""
    rows = ReturnOrder.objects.exclude(send_to="").order_by("-approved_at")
    return rows.values_list("send_to", flat=True).first() or ""


def get_staff_acts(return_order: ReturnOrder) -> tuple[str, ...]:
    """Return the actions that the state allows, the next step first. A reply to the customer is
    always allowed.
    """
    return (*ACTS.get(return_order.status, _list_acts_after_inspection(return_order)), "reply")


def _list_acts_after_inspection(return_order: ReturnOrder) -> tuple[str, ...]:
    """Return the acts of staff that are possible now: "refund", "send-out", "send-refused"."""
    if return_order.status not in (S.PROCESSING, S.PENDING_CONFIRM):
        return ()
    rows = list(return_order.lines.values_list("quantity", "accepted_quantity"))
    accepted = sum(pieces or 0 for _, pieces in rows)
    refused_pieces = sum(requested_pieces for requested_pieces, _ in rows) - accepted
    acts: list[str] = []
    if return_order.status == S.PROCESSING and accepted and not return_order.waits_red:
        acts.append("refund" if return_order.kind == ReturnKind.RETURN else "send-out")
    # The parcel of a 换货 or 维修 contains the refused pieces too.
    needs_parcel = refused_pieces and (return_order.kind == ReturnKind.RETURN or not accepted)
    refused_parcels = return_order.parcels.filter(direction=ParcelDirection.REFUSED)
    if needs_parcel and not refused_parcels.exists():
        acts.append("send-refused")
    return tuple(acts)


def get_refund_amounts(rows: Collection[ReturnLine]) -> dict[int, tuple[Decimal, Decimal]]:
    """Return {return line pk: (amount in 元 含税, tax in 元)} of the accepted pieces. Two
    queries.
    """
    keys = [row.order_line_id for row in rows]
    receipts: Any = (
        ReceiptLine.objects.filter(order_line__in=keys).order_by().values_list("order_line_id")
    )
    received = {
        pk: (pieces, tax)
        for pk, pieces, tax in receipts.annotate(pieces=Sum("quantity"), tax=Sum("tax_amount"))
    }
    returns: Any = ReturnLine.objects.filter(
        order_line__in=keys, return_order__refunded_at__isnull=False
    ).order_by()
    refunded = dict(returns.values_list("order_line_id").annotate(tax=Sum("tax_amount")))
    amounts = {}
    for row in rows:
        pieces, tax = received.get(row.order_line_id, (0, ZERO))
        amounts[row.pk] = _compute_line_refund(
            row, received=pieces, tax=tax, refunded_tax=refunded.get(row.order_line_id) or ZERO
        )
    return amounts


def _compute_line_refund(
    row: ReturnLine, *, received: int, tax: Decimal, refunded_tax: Decimal
) -> tuple[Decimal, Decimal]:
    """Return (amount, tax) of the accepted pieces. `received` and `tax` are the pieces and the tax
    of all receipts of the order line.
    """
    line, pieces = row.order_line, row.accepted_quantity or 0
    amount = line.unit_price_incl_tax * pieces
    # The tax of the remaining pieces is then exact to the cent on an invoice, independent of
    # cancelled or undelivered pieces.
    remaining_pieces = received - line.returned_quantity - pieces
    remaining_tax = compute_tax(line.unit_price_incl_tax * remaining_pieces, line.tax_rate)
    return amount, min(max(tax - refunded_tax - remaining_tax, ZERO), amount)
