"""An order as the rules of approval see it. Amendments and the replay use the same lines and parts,
so a reason names the same things in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal

from apps.approvals.subjects import ApprovalSubject, SubjectLine, SubjectPart
from apps.common.money import ZERO
from apps.dimensions.enums import DimensionKind
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.orders.selectors.allocations import split_cost_center_codes
from apps.orders.selectors.past_orders import PastOrders
from apps.orders.snapshots import build_address_key, format_address


def build_subject_lines(lines: Iterable[OrderLine]) -> tuple[SubjectLine, ...]:
    """Return the lines for the rules, one for each product, with the categories and the brand of
    the time of the submit.
    """
    by_product: dict[int, list[OrderLine]] = {}
    for line in lines:
        by_product.setdefault(line.product_id, []).append(line)
    return tuple(_build_subject_line(rows) for rows in by_product.values())


def list_subject_projects(
    orders: Iterable[Order], lines: Iterable[OrderLine]
) -> tuple[tuple[str, str], ...]:
    """Return (id, name) of the projects of the lines that have pieces left. No query without a
    split order.
    """
    if not any(order.is_allocated for order in orders):
        return ()
    rows = OrderAllocation.objects.filter(
        kind=DimensionKind.PROJECT, line__in=[line.pk for line in lines if line.quantity]
    )
    name_by_project = dict(rows.order_by("pk").values_list("dimension_id", "name"))
    return tuple((str(pk), name) for pk, name in name_by_project.items())


def build_subject_at_address(order: Order, snapshot: Mapping[str, str]) -> ApprovalSubject:
    """Return the order as the rules would see it today if it went to another address. Reads the
    lines.
    """
    rows = list(order.lines.all())
    part = build_subject_part(order, order.total_amount)
    return ApprovalSubject(
        requester=order.requester,
        amount=order.total_amount,
        payment_kind=order.payment_kind,
        is_over_budget=False,
        lines=build_subject_lines(rows),
        parts=(
            replace(
                part, address_key=build_address_key(snapshot), address=format_address(snapshot)
            ),
        ),
        cost_centers=tuple(split_cost_center_codes(order.cost_center)),
        projects=list_subject_projects([order], rows),
        history=PastOrders(enterprise_id=order.enterprise_id, without=frozenset({order.pk})),
    )


def _build_subject_line(rows: list[OrderLine]) -> SubjectLine:
    """Return the order lines of one product as one line for the approval rules."""
    first = rows[0]
    levels = (first.category_id_l1, first.category_id_l2, first.category_id_l3)
    return SubjectLine(
        product_id=first.product_id,
        category_ids=tuple(pk for pk in levels if pk),
        quantity=sum(row.quantity for row in rows),
        amount=sum((row.amount_incl_tax for row in rows), ZERO),
        price=first.unit_price_incl_tax,
        name=first.customer_name or first.name,
        brand_id=first.brand_key,
        brand=first.brand,
        is_off_agreement=any(row.is_off_agreement for row in rows),
    )


def build_subject_part(order: Order, amount: Decimal) -> SubjectPart:
    """Return the part of an order with its amount in 元. The department must be loaded."""
    return SubjectPart(
        amount=amount,
        department_key=str(order.department_id or ""),
        department=order.department.name if order.department else "",
        address_key=order.address_key,
        address=format_address(order.address_snapshot),
    )
