"""Stock moves here and nowhere else: rows locked in the order of their keys, a conditional UPDATE under CHECK, a movement per line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import connection, transaction

from apps.catalog.errors import StockShort
from apps.catalog.models import Product, StockMovement

Kind = StockMovement.Kind
Lines = Mapping[int, int]


def stock_lock(*, product_ids: Iterable[int]) -> None:
    """Lock products that several moves of one transaction take, before the first of them: in the order of their keys over all."""
    _locked(dict.fromkeys(product_ids, 1))


@transaction.atomic
def stock_reserve(*, lines: Lines, reference: str) -> None:
    """Set quantities aside for an order; `lines` maps product pk to pieces.

    Raises:
        StockShort: some products have too few left; the message names them and the body says what is left. Nothing is reserved.
    """
    locked = _locked(lines)
    short = [row for row in locked if row.available < lines[row.pk]]
    if short or len(locked) < len(lines):
        raise _stock_short(short)
    if _moved(lines, "reserved = p.reserved + m.column2", "p.stock >= p.reserved + m.column2") < len(lines):
        raise StockShort
    _recorded(Kind.RESERVE, lines, reference)


@transaction.atomic
def stock_release(*, lines: Lines, reference: str) -> None:
    """Give reserved quantities back to the shelf.

    Raises:
        ValueError: more than is reserved: a fault of the caller.
    """
    _locked(lines)
    if _moved(lines, "reserved = p.reserved - m.column2", "p.reserved >= m.column2") < len(lines):
        raise ValueError(f"{reference}: more released than is reserved")
    _recorded(Kind.RELEASE, lines, reference)


@transaction.atomic
def stock_ship(*, lines: Lines, reference: str) -> None:
    """Take reserved quantities out of the house; they count as sold.

    Raises:
        ValueError: more than is reserved: a fault of the caller.
    """
    _locked(lines)
    changes = "stock = p.stock - m.column2, reserved = p.reserved - m.column2, sales_count = p.sales_count + m.column2"
    if _moved(lines, changes, "p.reserved >= m.column2 AND p.stock >= m.column2") < len(lines):
        raise ValueError(f"{reference}: more shipped than is reserved")
    _recorded(Kind.SHIP, lines, reference)


@transaction.atomic
def stock_receive(*, lines: Lines, reference: str, kind: StockMovement.Kind = Kind.RECEIVE) -> None:
    """Add quantities to the shelf: bought in (RECEIVE), or sent back by a customer (RETURN)."""
    _locked(lines)
    _moved(lines, "stock = p.stock + m.column2", "TRUE")
    _recorded(kind, lines, reference)


def _locked(lines: Lines) -> list[Product]:
    """Lock the products by pk and return them; refuse quantities below 1."""
    if any(quantity < 1 for quantity in lines.values()):
        raise ValueError("a stock move takes at least one piece")
    # Without the key: a cart line that is written beside it points at the product, and need not wait. SQLite has neither lock.
    rows = Product.objects.select_for_update(no_key=True).filter(pk__in=list(lines)).order_by("pk")
    return list(rows.only("pk", "code", "name", "stock", "reserved"))


def _moved(lines: Lines, changes: str, condition: str) -> int:
    """Apply the change to every line that meets the condition, in one statement; return how many did.

    `m` has the key and the pieces of a line; by hand: as a Case of ten When it was a sixth of what an order took.
    """
    if not lines:
        return 0
    rows = ", ".join(["(%s, %s)"] * len(lines))
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE catalog_product AS p SET {changes} FROM (VALUES {rows}) AS m WHERE p.id = m.column1 AND {condition}",  # noqa: S608
            [value for line in lines.items() for value in line],
        )
        return int(cursor.rowcount)


def _recorded(kind: StockMovement.Kind, lines: Lines, reference: str) -> None:
    StockMovement.objects.bulk_create(
        StockMovement(product_id=pk, kind=kind, quantity=quantity, reference=reference) for pk, quantity in sorted(lines.items())
    )


def _stock_short(short: list[Product]) -> StockShort:
    if not short:
        return StockShort()
    names = "、".join(f"{row.name}（剩余 {row.available}）" for row in short[:5])
    body = {"Products": [{"ProductCode": row.code, "Available": row.available} for row in short]}
    return StockShort(f"库存不足：{names}，请减少数量或更换商品", body=body)
