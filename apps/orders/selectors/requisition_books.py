"""Check that requisitions match the orders made from them: quantities, requester and cost
center, line by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Sum

from apps.common.books import BATCH, Difference, compare_streams
from apps.common.models import Event
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order, OrderLine
from apps.requisitions.enums import RequisitionStatus
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake

CHUNK = 500
R = RequisitionStatus
# (requisition number, product code) → pieces
Pieces = dict[tuple[str, str], int]


def find_requisition_differences() -> Iterator[Difference]:
    """Yield every difference between requisitions, their takes by orders, and the lines of
    those orders.
    """
    stored_pieces = (
        RequisitionLine.objects.filter(ordered_quantity__gt=0)
        .order_by("pk")
        .values_list("pk", "ordered_quantity")
    )
    takes = (
        RequisitionTake.objects.order_by("line_id")
        .values_list("line_id")
        .annotate(pieces=Sum("quantity"))
    )
    for pk, (have,), (taken_pieces,) in compare_streams(
        stored_pieces.iterator(chunk_size=BATCH),
        takes.iterator(chunk_size=BATCH),
        missing_figures=(0,),
    ):
        line = RequisitionLine.objects.select_related("requisition").get(pk=pk)
        yield Difference(
            subject=f"采购申请 {line.requisition.requisition_no} 第 {line.no} 行",
            figure="已下单数量",
            stored=have,
            facts=taken_pieces,
        )
    yield from _compare_states()
    yield from _find_order_differences()


def _compare_states() -> Iterator[Difference]:
    """Check that the state of each requisition matches its ordered pieces. Requisitions that a
    person ended are skipped.
    """
    rows = Requisition.objects.filter(status__in=(R.OPEN, R.PARTLY, R.ORDERED)).order_by("pk")
    sums: Any = rows.annotate(
        requested=Sum("lines__quantity"), ordered=Sum("lines__ordered_quantity")
    )
    for number, status, requested_pieces, ordered_pieces in sums.values_list(
        "requisition_no", "status", "requested", "ordered"
    ).iterator(chunk_size=BATCH):
        if not ordered_pieces:
            expected = R.OPEN
        elif ordered_pieces == requested_pieces:
            expected = R.ORDERED
        else:
            expected = R.PARTLY
        if status != expected:
            yield Difference(
                subject=f"采购申请 {number}", figure="采购申请状态", stored=status, facts=expected
            )


def _find_order_differences() -> Iterator[Difference]:
    """Check every order that has requisition lines or takes, in batches of CHUNK orders."""
    gathered = (
        OrderLine.objects.exclude(requisition_no="")
        .order_by()
        .values_list("order__order_no", flat=True)
        .distinct()
    )
    order_numbers = RequisitionTake.objects.order_by().values_list("order_no", flat=True).distinct()
    numbers = sorted({*gathered, *order_numbers})
    for start in range(0, len(numbers), CHUNK):
        yield from _find_batch_differences(numbers[start : start + CHUNK])


def _find_batch_differences(numbers: list[str]) -> Iterator[Difference]:
    """Check that the takes of each order match its lines. An approver may have lowered the
    lines. Orders that ended unshipped must have no takes.
    """
    orders = {
        row.order_no: row
        for row in Order.objects.filter(order_no__in=numbers).only("pk", "order_no", "status")
    }
    events = Event.objects.filter(subject_type=Order._meta.label_lower, kind="approval.amended")
    amended = set(
        events.filter(subject_id__in=[row.pk for row in orders.values()]).values_list(
            "subject_id", flat=True
        )
    )
    lines, takes = _sum_ordered_pieces(numbers), _sum_taken_pieces(numbers)
    for number in numbers:
        line_pieces, taken_pieces, order = (
            lines.get(number, {}),
            takes.get(number, {}),
            orders.get(number),
        )
        if order is not None and order.status in ENDED_UNSHIPPED:
            line_pieces = {}
        for key in sorted({*line_pieces, *taken_pieces}):
            pieces_of_lines, pieces_of_takes = line_pieces.get(key, 0), taken_pieces.get(key, 0)
            is_lowered = (
                order is not None and order.pk in amended and pieces_of_lines < pieces_of_takes
            )
            if pieces_of_lines != pieces_of_takes and not is_lowered:
                yield Difference(
                    subject=f"订单 {number} 中采购申请 {key[0]} 的商品 {key[1]}",
                    figure="代采数量",
                    stored=pieces_of_lines,
                    facts=pieces_of_takes,
                )
    yield from _check_requesters(numbers)


def _sum_ordered_pieces(numbers: list[str]) -> dict[str, Pieces]:
    """Return {order number: {(requisition number, product code): ordered pieces}}."""
    rows = (
        OrderLine.objects.filter(order__order_no__in=numbers).exclude(requisition_no="").order_by()
    )
    pieces_by_order: dict[str, Pieces] = {}
    sums = rows.values_list("order__order_no", "requisition_no", "product_code").annotate(
        pieces=Sum(F("quantity") + F("cancelled_quantity"))
    )
    for number, requisition_no, code, pieces in sums:
        pieces_by_order.setdefault(number, {})[requisition_no, code] = pieces
    return pieces_by_order


def _sum_taken_pieces(numbers: list[str]) -> dict[str, Pieces]:
    """Return the pieces that the requisitions gave to the orders, in the shape of
    `_sum_ordered_pieces`.
    """
    rows = RequisitionTake.objects.filter(order_no__in=numbers).order_by()
    pieces_by_order: dict[str, Pieces] = {}
    sums = rows.values_list(
        "order_no", "line__requisition__requisition_no", "line__product_code"
    ).annotate(pieces=Sum("quantity"))
    for number, requisition_no, code, pieces in sums:
        pieces_by_order.setdefault(number, {})[requisition_no, code] = pieces
    return pieces_by_order


def _check_requesters(numbers: list[str]) -> Iterator[Difference]:
    """Check that each line names the requester, and the cost center of the requisition."""
    lines = (
        OrderLine.objects.filter(order__order_no__in=numbers)
        .exclude(requisition_no="")
        .order_by("pk")
    )
    rows = list(
        lines.values_list("order__order_no", "no", "requisition_no", "asked_by", "cost_center")
    )
    requisitions = {
        row.requisition_no: row for row in _iterate_requisitions({row[2] for row in rows})
    }
    for number, no, requisition_no, asked_by, cost_center in rows:
        requisition = requisitions.get(requisition_no)
        subject = f"订单 {number} 第 {no} 行"
        if requisition is None:
            yield Difference(
                subject=subject, figure="采购申请单号", stored=requisition_no, facts="—"
            )
            continue
        if not asked_by:
            yield Difference(
                subject=subject, figure="申请人", stored="—", facts=requisition.requester.nickname
            )
        if cost_center != requisition.cost_center:
            yield Difference(
                subject=subject,
                figure="成本中心",
                stored=cost_center,
                facts=requisition.cost_center,
            )


def _iterate_requisitions(numbers: set[str]) -> Iterator[Requisition]:
    yield from Requisition.objects.filter(requisition_no__in=numbers).select_related("requester")
