"""One checkout, several deliveries: each becomes an order of its own with its address, its department and its freight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.cart.selectors.cart import CartLine
from apps.cart.selectors.gathered import Gathered
from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, tax_of
from apps.orders.selectors.freight import FREE, Freight, freights_of
from apps.org.models import Department
from apps.org.selectors.addresses import addresses_seen
from apps.org.selectors.ordering import departments_orderable

if TYPE_CHECKING:
    from apps.org.models import Account, Address


@dataclass(frozen=True, slots=True)
class Amounts:
    """元: goods and freight 含税, the tax that is in the goods, and what is to be paid."""

    goods: Decimal
    freight: Decimal
    tax: Decimal

    @property
    def total(self) -> Decimal:
        """Goods and freight."""
        return self.goods + self.freight


@dataclass(frozen=True, slots=True)
class DeliveryForm:
    """Where pieces of cart lines go; `quantities` by cart line. Left out, department and cost centre are the buyer's."""

    address_id: int
    quantities: Mapping[int, int]
    department_id: int | None = None
    cost_center: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """What of a cart line stands in one line of an order; `asked` where a colleague asked for it."""

    line: CartLine
    quantity: int
    asked: Gathered | None = None

    @property
    def amount(self) -> Decimal:
        """Price × quantity in 元, 0 where there is no price (then a problem keeps it from being submitted)."""
        return (self.line.price or ZERO) * self.quantity

    @property
    def tax(self) -> Decimal:
        """The tax in it, rounded as on the line of the order."""
        return tax_of(self.amount, self.line.offer.product.tax_rate)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one order of the checkout is made of; without a department it is the buyer's own, with its cost centre where none is said."""

    address: Address | None
    department: Department | None
    cost_center: str
    pieces: list[Piece]
    freight: Freight = FREE
    quantities: Mapping[int, int] = field(default_factory=dict)

    @property
    def amounts(self) -> Amounts:
        """What the order costs."""
        return Amounts(self.goods, self.freight.fee, sum((piece.tax for piece in self.pieces), ZERO))

    @property
    def goods(self) -> Decimal:
        """What its pieces cost, before freight."""
        return sum((piece.amount for piece in self.pieces), ZERO)

    @property
    def promised_days(self) -> int:
        """Days to delivery: the slowest product's, and those of the region."""
        return max((piece.line.offer.product.lead_days for piece in self.pieces), default=0) + self.freight.extra_days


def amounts_of(deliveries: Iterable[Delivery]) -> Amounts:
    """Return what all of them cost: the sums of their own figures, so that orders always add up to their submit."""
    rows = [delivery.amounts for delivery in deliveries]
    return Amounts(sum((row.goods for row in rows), ZERO), sum((row.freight for row in rows), ZERO), sum((row.tax for row in rows), ZERO))


def with_freight(deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Return the deliveries with what carrying each to its province costs. One query."""
    asked = [(row.address.province, row.goods) for row in deliveries if row.address and row.pieces]
    known = iter(freights_of(asked))
    return [replace(row, freight=next(known)) if row.address and row.pieces else row for row in deliveries]


def with_colleagues(deliveries: Sequence[Delivery], gathered: Mapping[int, Sequence[Gathered]]) -> list[Delivery]:
    """Return the deliveries with each piece that colleagues asked for in a line of its own; the rest is the buyer's."""
    if not gathered:
        return list(deliveries)
    left = {pk: [(row, row.quantity) for row in rows] for pk, rows in gathered.items()}
    return [replace(row, pieces=[part for piece in row.pieces for part in _parts(piece, left)]) for row in deliveries]


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


def delivery_whole(*, lines: Sequence[CartLine], address: Address | None, cost_center: str) -> Delivery:
    """Return the one delivery of a checkout that goes to one address: all of each line, for the buyer's own department."""
    return Delivery(address, None, cost_center, [Piece(line, line.quantity) for line in lines])


def _refusal(actor: Account, address_id: int) -> str:
    if addresses_seen(actor=actor).filter(pk=address_id).exists():
        return "该地址属于其他部门或企业，请另选地址，或为这些商品选择该地址所属的部门"
    return "收货地址不存在或已停用，请重新选择"


def deliveries_split(
    *, actor: Account, lines: Sequence[CartLine], wanted: Sequence[DeliveryForm], addresses: Mapping[int, Address], cost_center: str
) -> list[Delivery]:
    """Return the deliveries as the buyer split his lines; whether they sum to what is in the cart is `split_problems`' to say.

    Raises:
        ValidationFailed: an address or a department that he may not use.
    """
    known = {line.item_id: line for line in lines}
    departments = _departments(actor, wanted)
    found: list[Delivery] = []
    for row in wanted:
        address = addresses.get(row.address_id)
        if address is None:
            raise ValidationFailed({"Deliveries": [_refusal(actor, row.address_id)]})
        department = None if row.department_id is None else departments[row.department_id]
        pieces = [Piece(known[pk], quantity) for pk, quantity in row.quantities.items() if pk in known]
        own = row.cost_center or (department.cost_center if department else "") or cost_center
        found.append(Delivery(address, department, own, sorted(pieces, key=lambda piece: -piece.line.item_id), FREE, row.quantities))
    return found


def _departments(actor: Account, wanted: Sequence[DeliveryForm]) -> dict[int, Department]:
    asked = {row.department_id for row in wanted if row.department_id is not None}
    found = {row.pk: row for row in departments_orderable(actor=actor).filter(pk__in=asked)} if asked else {}
    if asked - set(found):
        raise ValidationFailed({"Deliveries": ["部门不存在、已停用或不在您的采购范围内，请重新选择"]})
    return found
