"""Deliveries of a checkout. Each delivery becomes an order with its own address, department and
freight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.cart.selectors.cart import CartLine
from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, compute_tax
from apps.orders import texts
from apps.orders.errors import DepartmentUnavailable
from apps.orders.selectors.freight import FREE, Freight, compute_freights, freight_to
from apps.org.enums import AddressScope
from apps.org.models import Department
from apps.org.selectors.addresses import list_addresses_of, list_visible_addresses
from apps.org.selectors.departments import get_department_chain, list_orderable_departments
from apps.requisitions.selectors import Gathered

if TYPE_CHECKING:
    from apps.org.models import Account, Address


@dataclass(frozen=True, slots=True)
class Amounts:
    """Amounts in 元: goods and freight 含税, and the tax included in the goods."""

    goods: Decimal
    freight: Decimal
    tax: Decimal

    @property
    def total(self) -> Decimal:
        """Return goods plus freight."""
        return self.goods + self.freight


@dataclass(frozen=True, slots=True)
class DeliveryForm:
    """The address for pieces of cart lines. `quantities` is by cart line. Department and cost
    center default to the buyer's.
    """

    address_id: int
    quantities: Mapping[int, int]
    department_id: int | None = None
    cost_center: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryLine:
    """The part of a cart line in one delivery. It becomes one order line. `gathered` names the
    requisition of a colleague.
    """

    cart_line: CartLine
    quantity: int
    gathered: Gathered | None = None

    @property
    def amount(self) -> Decimal:
        """Return price × quantity in 元. 0 without a price; a checkout problem then blocks the
        submit.
        """
        return (self.cart_line.price or ZERO) * self.quantity

    @property
    def tax(self) -> Decimal:
        """Return the included tax, rounded as on the order line."""
        return compute_tax(self.amount, self.cart_line.offer.product.tax_rate)


@dataclass(frozen=True, slots=True)
class Delivery:
    """The content of one order. Without a department, the order uses the buyer's department;
    without a cost center, that of the department. `own_cost_center` is the text that the buyer
    typed for this delivery alone.
    """

    address: Address | None
    department: Department | None
    cost_center: str
    lines: list[DeliveryLine]
    freight: Freight = FREE
    own_cost_center: str = ""
    quantities: Mapping[int, int] = field(default_factory=dict)

    @property
    def amounts(self) -> Amounts:
        """Return the amounts of the order."""
        return Amounts(self.goods, self.freight.fee, sum((line.tax for line in self.lines), ZERO))

    @property
    def goods(self) -> Decimal:
        """Return the amount of its lines, without freight."""
        return sum((line.amount for line in self.lines), ZERO)

    @property
    def promised_days(self) -> int:
        """Return the days to delivery: the slowest product plus the extra days of the region."""
        return (
            max((line.cart_line.offer.product.lead_days for line in self.lines), default=0)
            + self.freight.extra_days
        )


def sum_amounts(deliveries: Iterable[Delivery]) -> Amounts:
    """Return the sums of the amounts of all deliveries, in 元. A submit creates one order for each
    delivery, so its orders always add up to these sums.
    """
    rows = [delivery.amounts for delivery in deliveries]
    return Amounts(
        sum((row.goods for row in rows), ZERO),
        sum((row.freight for row in rows), ZERO),
        sum((row.tax for row in rows), ZERO),
    )


def get_deliveries(
    *,
    actor: Account,
    lines: Sequence[CartLine],
    forms: Sequence[DeliveryForm],
    addresses: Mapping[int, Address],
    address: Address | None,
    cost_center: str,
    gathered: Mapping[int, Sequence[Gathered]],
) -> list[Delivery]:
    """Return the deliveries of a checkout with their freight, one for each order.

    With `forms`, the lines are split over `addresses`. Without, everything goes to `address` (of
    `with_freight`), for the buyer's own department. `find_problems` checks whether the parts sum to
    the cart.

    Raises:
        ValidationFailed: the actor may not use an address or a department.
    """
    if forms:
        deliveries = _with_freight(
            _split_by_form(
                actor=actor, lines=lines, forms=forms, addresses=addresses, cost_center=cost_center
            )
        )
    else:
        deliveries = [
            Delivery(
                address=address,
                department=None,
                cost_center=cost_center,
                lines=[DeliveryLine(line, line.quantity) for line in lines],
                freight=freight_to(address) if address and lines else FREE,
            )
        ]
    return _with_requisitions(deliveries, gathered)


def _split_by_form(
    *,
    actor: Account,
    lines: Sequence[CartLine],
    forms: Sequence[DeliveryForm],
    addresses: Mapping[int, Address],
    cost_center: str,
) -> list[Delivery]:
    """Return one delivery per form, with its parts of the cart lines.

    Raises:
        ValidationFailed: the actor may not use an address or a department.
    """
    line_by_id = {line.item_id: line for line in lines}
    departments = _get_departments(actor, forms)
    deliveries: list[Delivery] = []
    for form in forms:
        address = addresses.get(form.address_id)
        if address is None:
            raise ValidationFailed(
                {"Deliveries": [_explain_refused_address(actor, form.address_id)]}
            )
        department = None if form.department_id is None else departments[form.department_id]
        department_cost_center = department.cost_center if department else ""
        delivery_lines = [
            DeliveryLine(line_by_id[pk], quantity)
            for pk, quantity in form.quantities.items()
            if pk in line_by_id
        ]
        deliveries.append(
            Delivery(
                address=address,
                department=department,
                cost_center=form.cost_center or department_cost_center or cost_center,
                lines=sorted(delivery_lines, key=lambda line: -line.cart_line.item_id),
                own_cost_center=form.cost_center,
                quantities=form.quantities,
            )
        )
    return deliveries


def _explain_refused_address(actor: Account, address_id: int) -> str:
    beyond_scope = explain_address_beyond_scope(actor=actor, address_id=address_id)
    if beyond_scope:
        return beyond_scope
    if list_visible_addresses(actor=actor).filter(pk=address_id).exists():
        if actor.address_scope != AddressScope.ALL:
            return _describe_address_scope(actor)
        return texts.ADDRESS_OF_OTHERS
    return texts.ADDRESS_UNAVAILABLE


def explain_address_beyond_scope(*, actor: Account, address_id: int) -> str:
    """Return that the actor's roles or account do not allow an address that every colleague of the
    actor's department may use, and what to choose instead. "" for any other address: nothing tells
    whether one of another enterprise exists. At most one query.
    """
    if actor.address_scope == AddressScope.ALL:
        return ""
    departments = [link.pk for link in get_department_chain(account=actor)]
    unrestricted = list_addresses_of(
        AddressScope.ALL,
        account=actor.pk,
        own_departments=departments,
        departments=departments,
        enterprise=actor.enterprise_id or 0,
    )
    is_beyond = unrestricted.filter(pk=address_id).exists()
    return _describe_address_scope(actor) if is_beyond else ""


def _describe_address_scope(actor: Account) -> str:
    owner = "账号" if actor.own_address_scope == actor.address_scope else "角色"
    return texts.address_beyond_scope(actor.address_scope, owner=owner)


def _get_departments(actor: Account, forms: Sequence[DeliveryForm]) -> dict[int, Department]:
    """Return {pk: department} of the departments that the forms name.

    Raises:
        DepartmentUnavailable: the actor may not order for one of them.
    """
    ids = {form.department_id for form in forms if form.department_id is not None}
    if not ids:
        return {}
    departments = {
        row.pk: row for row in list_orderable_departments(actor=actor).filter(pk__in=ids)
    }
    if ids - set(departments):
        raise DepartmentUnavailable
    return departments


def _with_freight(deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Return the deliveries with the freight to each province."""
    goods = [(row.address.province, row.goods) for row in deliveries if row.address and row.lines]
    freights = iter(compute_freights(goods))
    return [
        replace(row, freight=next(freights)) if row.address and row.lines else row
        for row in deliveries
    ]


def _with_requisitions(
    deliveries: list[Delivery], gathered: Mapping[int, Sequence[Gathered]]
) -> list[Delivery]:
    """Return the deliveries with a separate line for each requisition of a colleague. The rest
    is the buyer's.
    """
    if not gathered:
        return deliveries
    open_pieces = {pk: [(row, row.quantity) for row in rows] for pk, rows in gathered.items()}
    return [
        replace(
            row,
            lines=[part for line in row.lines for part in _split_by_requisition(line, open_pieces)],
        )
        for row in deliveries
    ]


def _split_by_requisition(
    line: DeliveryLine, open_pieces: dict[int, list[tuple[Gathered, int]]]
) -> list[DeliveryLine]:
    """Return the line in parts, one for each requisition that it comes from, and one for the
    rest. `open_pieces` is {cart line pk: [(requisition, pieces not used yet)]}; used pieces leave
    it.
    """
    parts: list[DeliveryLine] = []
    rest_quantity, open_rows = line.quantity, open_pieces.get(line.cart_line.item_id, [])
    while rest_quantity and open_rows:
        requisition, pieces = open_rows.pop(0)
        part_quantity = min(rest_quantity, pieces)
        parts.append(DeliveryLine(line.cart_line, part_quantity, requisition))
        rest_quantity -= part_quantity
        if pieces > part_quantity:
            open_rows.insert(0, (requisition, pieces - part_quantity))
    return [*parts, DeliveryLine(line.cart_line, rest_quantity)] if rest_quantity else parts
