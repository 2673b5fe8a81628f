"""Move stock. No other module changes the reservations of a product. A move locks the products
by primary key, runs a conditional UPDATE under CHECK constraints, and writes one movement per
line. A count (盘点) records the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from apps.catalog.errors import ProductsShort, StockShort
from apps.catalog.models import Product, StockMovement
from apps.common.compiled_queries import CompiledQuery, ListParameter

Kind = StockMovement.Kind
Lines = Mapping[int, int]
# Reference of movements that an import wrote.
IMPORT_REFERENCE = "导入"


def stock_lock(*, product_ids: Iterable[int]) -> None:
    """Lock the products of several moves in one transaction, by primary key, before the first
    move. This avoids deadlocks.
    """
    _lock_products(dict.fromkeys(product_ids, 1))


@transaction.atomic
def stock_reserve(*, lines: Lines, reference: str) -> None:
    """Reserve stock for an order. `lines` maps product id to pieces.

    Raises:
        StockShort: some products have too little stock. The message names them, and the body gives
            the available quantity of each. Nothing is reserved.
    """
    locked_products = _lock_products(lines)
    short = [row for row in locked_products if row.available < lines[row.pk]]
    if short or len(locked_products) < len(lines):
        raise _build_stock_short(short)
    moved_products = _move_stock(
        lines, "reserved = p.reserved + m.column2", "p.stock >= p.reserved + m.column2"
    )
    if moved_products < len(lines):
        raise StockShort
    _record_movements(Kind.RESERVE, lines, reference)


@transaction.atomic
def stock_release(*, lines: Lines, reference: str) -> None:
    """Release reserved stock.

    Raises:
        ValueError: a quantity exceeds the reservation. This is a bug of the caller.
    """
    _lock_products(lines)
    if _move_stock(lines, "reserved = p.reserved - m.column2", "p.reserved >= m.column2") < len(
        lines
    ):
        raise ValueError(f"{reference}: more released than is reserved")
    _record_movements(Kind.RELEASE, lines, reference)


@transaction.atomic
def stock_ship(*, lines: Lines, reference: str) -> None:
    """Take reserved stock out and add it to the sales count.

    Raises:
        ValueError: a quantity exceeds the reservation. This is a bug of the caller.
    """
    _lock_products(lines)
    changes = (
        "stock = p.stock - m.column2, reserved = p.reserved - m.column2, "
        "sales_count = p.sales_count + m.column2"
    )
    if _move_stock(lines, changes, "p.reserved >= m.column2 AND p.stock >= m.column2") < len(lines):
        raise ValueError(f"{reference}: more shipped than is reserved")
    _record_movements(Kind.SHIP, lines, reference)


@transaction.atomic
def stock_receive(*, lines: Lines, reference: str, kind: StockMovement.Kind = Kind.RECEIVE) -> None:
    """Add stock: a purchase (RECEIVE) or a customer's return (RETURN)."""
    _lock_products(lines)
    _move_stock(lines, "stock = p.stock + m.column2", "TRUE")
    _record_movements(kind, lines, reference)


# no_key: a transaction that inserts a cart line for the product does not have to wait.
# SQLite ignores row locks.
LOCKED_PRODUCTS: CompiledQuery[Product] = CompiledQuery(
    lambda: (
        Product.objects.select_for_update(no_key=True)
        .filter(pk__any_of=ListParameter("products"))
        .order_by("pk")
        .only("pk", "code", "name", "stock", "reserved")
    )
)


def _lock_products(lines: Lines) -> list[Product]:
    """Lock the products by primary key and return them. Refuse quantities below 1."""
    if any(quantity < 1 for quantity in lines.values()):
        raise ValueError("a stock move takes at least one piece")
    return LOCKED_PRODUCTS.fetch(products=lines)


def _move_stock(lines: Lines, changes: str, condition: str) -> int:
    """Apply the change to every line that meets the condition, in one statement. Return the
    number of changed lines.

    `m` has the product id and the pieces of a line. The SQL is written by hand: a Case with ten
    When took a sixth of the time of placing an order.
    """
    if not lines:
        return 0
    rows = ", ".join(["(%s, %s)"] * len(lines))
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE catalog_product AS p SET {changes} FROM (VALUES {rows}) AS m "  # noqa: S608
            f"WHERE p.id = m.column1 AND {condition}",
            [value for line in lines.items() for value in line],
        )
        return int(cursor.rowcount)


def _record_movements(kind: StockMovement.Kind, lines: Lines, reference: str) -> None:
    """Store one movement for each product. `lines` are quantities by product id."""
    StockMovement.objects.bulk_create(
        StockMovement(product_id=pk, kind=kind, quantity=quantity, reference=reference)
        for pk, quantity in sorted(lines.items())
    )


def _build_stock_short(short: list[Product]) -> StockShort:
    if not short:
        return StockShort()
    return ProductsShort([(row.code, row.name, row.available) for row in short])


@dataclass(frozen=True, slots=True)
class StockCount:
    """The stock of a product before and after a count."""

    product_id: int
    before: int
    after: int


def stock_count_record(counts: Sequence[StockCount], *, reference: str = IMPORT_REFERENCE) -> None:
    """Write the movement of each count. The caller has locked the rows and sets the stock in
    the same transaction.
    """
    StockMovement.objects.bulk_create(
        [
            StockMovement(
                product_id=count.product_id,
                kind=StockMovement.Kind.ADJUST,
                quantity=count.after - count.before,
                reference=reference,
            )
            for count in counts
        ],
        batch_size=500,
    )
