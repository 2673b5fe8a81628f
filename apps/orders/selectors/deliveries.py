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
from apps.common.money import ZERO, tax_of
from apps.orders.selectors.freight import FREE, Freight, freights_of
from apps.org.models import Department
from apps.org.selectors.addresses import list_visible_addresses
from apps.org.selectors.departments import list_orderable_departments
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
class Piece:
    """The part of a cart line that becomes one order line. `asked` names the requisition of a
    colleague.
    """

    line: CartLine
    quantity: int
    asked: Gathered | None = None

    @property
    def amount(self) -> Decimal:
        """Return price × quantity in 元. 0 without a price; a checkout problem then blocks the
        submit.
        """
        return (self.line.price or ZERO) * self.quantity

    @property
    def tax(self) -> Decimal:
        """Return the included tax, rounded as on the order line."""
        return tax_of(self.amount, self.line.offer.product.tax_rate)


@dataclass(frozen=True, slots=True)
class Delivery:
    """The content of one order. Without a department, the order uses the buyer's department;
    without a cost center, that of the department.
    """

    address: Address | None
    department: Department | None
    cost_center: str
    pieces: list[Piece]
    freight: Freight = FREE
    quantities: Mapping[int, int] = field(default_factory=dict)

    @property
    def amounts(self) -> Amounts:
        """Return the amounts of the order."""
        return Amounts(
            self.goods, self.freight.fee, sum((piece.tax for piece in self.pieces), ZERO)
        )

    @property
    def goods(self) -> Decimal:
        """Return the amount of its pieces, without freight."""
        return sum((piece.amount for piece in self.pieces), ZERO)

    @property
    def promised_days(self) -> int:
        """Return the days to delivery: the slowest product plus the extra days of the region."""
        return (
            max((piece.line.offer.product.lead_days for piece in self.pieces), default=0)
            + self.freight.extra_days
        )


def amounts_of(deliveries: Iterable[Delivery]) -> Amounts:
    """Return the sum of the amounts of all deliveries. The orders therefore always add up to
    the submit.
    """
    rows = [delivery.amounts for delivery in deliveries]
    return Amounts(
        sum((row.goods for row in rows), ZERO),
        sum((row.freight for row in rows), ZERO),
        sum((row.tax for row in rows), ZERO),
    )


def with_freight(deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Return the deliveries with the freight to each province. One query."""
    asked = [(row.address.province, row.goods) for row in deliveries if row.address and row.pieces]
    known = iter(freights_of(asked))
    return [
        replace(row, freight=next(known)) if row.address and row.pieces else row
        for row in deliveries
    ]


def with_colleagues(
    deliveries: Sequence[Delivery], gathered: Mapping[int, Sequence[Gathered]]
) -> list[Delivery]:
    """Return the deliveries with a separate piece for each requisition of a colleague. The rest
    is the buyer's.
    """
    if not gathered:
        return list(deliveries)
    left = {pk: [(row, row.quantity) for row in rows] for pk, rows in gathered.items()}
    return [
        replace(row, pieces=[part for piece in row.pieces for part in _parts(piece, left)])
        for row in deliveries
    ]


def _parts(piece: Piece, left: dict[int, list[tuple[Gathered, int]]]) -> list[Piece]:
    parts: list[Piece] = []
    rest, waiting = piece.quantity, left.get(piece.line.item_id, [])
    while rest and waiting:
        asked, pieces = waiting.pop(0)
        taken = min(rest, pieces)
        parts.append(Piece(piece.line, taken, asked))
        rest -= taken
        if pieces > taken:
            waiting.insert(0, (asked, pieces - taken))
    return [*parts, Piece(piece.line, rest)] if rest else parts


def delivery_whole(
    *, lines: Sequence[CartLine], address: Address | None, cost_center: str
) -> Delivery:
    """Return the one delivery of a checkout to one address: all pieces, for the buyer's own
    department.
    """
    return Delivery(address, None, cost_center, [Piece(line, line.quantity) for line in lines])


def _refusal(actor: Account, address_id: int) -> str:
    if list_visible_addresses(actor=actor).filter(pk=address_id).exists():
        return "该地址属于其他部门或企业，请另选地址，或为这些商品选择该地址所属的部门"
    return "收货地址不存在或已停用，请重新选择"


def deliveries_split(
    *,
    actor: Account,
    lines: Sequence[CartLine],
    wanted: Sequence[DeliveryForm],
    addresses: Mapping[int, Address],
    cost_center: str,
) -> list[Delivery]:
    """Return the deliveries as the buyer split the lines. `split_problems` checks whether they
    sum to the cart.

    Raises:
        ValidationFailed: the actor may not use an address or a department.
    """
    known = {line.item_id: line for line in lines}
    departments = _departments(actor, wanted)
    found: list[Delivery] = []
    for row in wanted:
        address = addresses.get(row.address_id)
        if address is None:
            raise ValidationFailed({"Deliveries": [_refusal(actor, row.address_id)]})
        department = None if row.department_id is None else departments[row.department_id]
        pieces = [
            Piece(known[pk], quantity) for pk, quantity in row.quantities.items() if pk in known
        ]
        own = row.cost_center or (department.cost_center if department else "") or cost_center
        found.append(
            Delivery(
                address,
                department,
                own,
                sorted(pieces, key=lambda piece: -piece.line.item_id),
                FREE,
                row.quantities,
            )
        )
    return found


def _departments(actor: Account, wanted: Sequence[DeliveryForm]) -> dict[int, Department]:
    asked = {row.department_id for row in wanted if row.department_id is not None}
    found = (
        {row.pk: row for row in list_orderable_departments(actor=actor).filter(pk__in=asked)}
        if asked
        else {}
    )
    if asked - set(found):
        raise ValidationFailed(
            {"Deliveries": ["部门不存在、已停用或不在您的采购范围内，请重新选择"]}
        )
    return found
