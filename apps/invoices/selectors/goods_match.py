"""收货核对: read a customer's goods-received sheet and compare it with the goods of a statement."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from apps.common.money import ZERO, format_yuan, parse_cell_amount
from apps.documents.excel import read_named_cells
from apps.documents.excel.writer import Cell
from apps.invoices import texts
from apps.invoices.enums import MatchResult, StatementKind
from apps.invoices.models import (
    GoodsMatch,
    GoodsMatchLine,
    Statement,
    StatementLine,
    StatementRemark,
)
from apps.orders.models import ReceiptLine

if TYPE_CHECKING:
    from apps.common.files.intake import Upload

R = MatchResult
MAX_ROWS, MAX_MB = 10_000, 5
MAX_QUANTITY = 10_000_000
HEAD = ("订单号", "物料编码", "数量", "金额（含税）")
REQUIRED_COLUMNS = HEAD[:3]
# The remembered mapping of columns.
SHEET_KIND = "goods_received"
EXAMPLE = ("SO26030512345678", "WL-10086", 12, Decimal("150.00"))
Key = tuple[str, str]


@dataclass(slots=True)
class SheetRow:
    """A row of the sheet, with its errors. `amount` is None without an amount."""

    number: int
    order_ref: str
    material_code: str
    quantity_text: str
    amount_text: str
    quantity: int = 0
    amount: Decimal | None = None
    errors: list[str] = field(default_factory=list)


@dataclass(slots=True)
class OurGoods:
    """The received goods of one order and material on the statement, in pieces and 元 含税."""

    name: str
    quantity: int
    amount: Decimal
    line_id: int


def read_goods_sheet(upload: Upload) -> list[SheetRow]:
    """Return every row of the sheet with its errors.

    Raises:
        FileRefused: the file is not a sheet, has other columns, no rows or more than 10,000 rows.
    """
    cells = read_named_cells(
        upload,
        kind=SHEET_KIND,
        header=HEAD,
        needed=REQUIRED_COLUMNS,
        max_rows=MAX_ROWS,
        max_mb=MAX_MB,
    )
    return [
        _parse_row(SheetRow(number, _clean(order_ref), _clean(code), quantity, amount))
        for number, (order_ref, code, quantity, amount) in cells
    ]


def compare_goods(
    statement: Statement, rows: Sequence[SheetRow], *, has_amounts: bool
) -> Iterator[GoodsMatchLine]:
    """Yield one unsaved line for each order and material, differences first. Two queries.

    The sheet may name an order by its number or by the customer's purchase order number, and goods
    by material code or product code. Upper and lower case, full-width letters and spaces make no
    difference. Rows with the same order and material are added up.
    """
    goods, aliases = get_our_goods(statement, {row.order_ref for row in rows})
    key_by_spelling = {_fold(*name): key for name, key in aliases.items()}
    quantities: dict[Key, int] = defaultdict(int)
    amounts: dict[Key, Decimal] = defaultdict(lambda: ZERO)
    for row in rows:
        name = row.order_ref, row.material_code
        folded_name = _fold(*name)
        # Two codes of ours may differ in case only. Then the exact one is meant.
        key = aliases.get(name) or key_by_spelling.setdefault(folded_name, name)
        quantities[key] += row.quantity
        amounts[key] += row.amount or ZERO
    for key in sorted(goods.keys() | quantities.keys()):
        our_goods = goods.get(key)
        their_quantity = quantities.get(key)
        their_amount = amounts[key] if has_amounts else None
        yield GoodsMatchLine(
            group_id=statement.group_id,
            result=_compare_goods(our_goods, their_quantity, their_amount),
            order_ref=key[0][:60],
            material_code=key[1][:60],
            name=our_goods.name if our_goods else "",
            our_quantity=our_goods.quantity if our_goods else None,
            their_quantity=their_quantity,
            our_amount=our_goods.amount if our_goods else None,
            their_amount=None if their_quantity is None else their_amount,
            line_id=our_goods.line_id if our_goods else None,
        )


def get_our_goods(
    statement: Statement, sheet_refs: Iterable[str]
) -> tuple[dict[Key, OurGoods], dict[Key, Key]]:
    """Return the received goods of the statement by (order, material code), and other names of
    these keys. Two queries.

    An order goes by its purchase order number if `sheet_refs` has this number, in any spelling.
    Goods without a material code go by their product code.
    """
    refs = {_fold(ref) for ref in sheet_refs}
    goods: dict[Key, OurGoods] = {}
    aliases: dict[Key, Key] = {}
    lines = {
        line.source_id: line
        for line in StatementLine.objects.filter(
            statement=statement, kind=StatementKind.DELIVERY
        ).order_by("at", "pk")
    }
    orders = ReceiptLine.objects.filter(pk__in=_query_receipt_line_ids(statement)).values_list(
        "pk",
        "order_line__order__order_no",
        "order_line__order__purchase_order_no",
        "order_line__customer_code",
        "order_line__product_code",
    )
    names = {pk: rest for pk, *rest in orders}
    for source_id, line in lines.items():
        order_no, purchase_no, customer_code, product_code = names[source_id]
        ref = purchase_no if purchase_no and _fold(purchase_no) in refs else order_no
        code = customer_code or product_code
        key = ref, code
        for other_ref in (order_no, purchase_no or order_no):
            for other_code in (code, product_code):
                aliases.setdefault((other_ref, other_code), key)
        if key in goods:
            goods[key].quantity += line.quantity or 0
            goods[key].amount += line.amount
        else:
            goods[key] = OurGoods(line.text, line.quantity or 0, line.amount, line.pk)
    return goods, aliases


def find_goods_match(*, statement: Statement) -> GoodsMatch | None:
    """Return the latest match of the statement, or None."""
    rows = GoodsMatch.objects.filter(statement=statement).select_related("matched_by")
    goods_match: GoodsMatch | None = rows.first()
    return goods_match


def count_results(match: GoodsMatch) -> dict[str, int]:
    """Return the number of lines by result, and of undisputed differences under `open`."""
    lines = GoodsMatchLine.objects.filter(match=match)
    counts = dict(lines.order_by().values_list("result").annotate(total=Count("pk")))
    open_lines = lines.filter(remark__isnull=True).exclude(result=R.EQUAL).count()
    return {**{result: counts.get(result, 0) for result in R.values}, "open": open_lines}


def list_match_lines(*, match: GoodsMatch, result: str = "") -> QuerySet[GoodsMatchLine]:
    """Return the lines of a result; without a result, all differences."""
    rows: QuerySet[GoodsMatchLine] = GoodsMatchLine.objects.filter(match=match)
    rows = rows.filter(result=result) if result else rows.exclude(result=R.EQUAL)
    return rows.select_related("remark").order_by("no")


def get_difference_key(line: GoodsMatchLine) -> str:
    """Return a text that is equal for the same difference in two matches of a statement: the order
    and material, the result, and both quantities; both amounts only if just these differ.
    """
    sides: list[Any] = [line.our_quantity, line.their_quantity]
    if line.result == R.AMOUNT:
        sides += [line.our_amount, line.their_amount]
    # The sheet may name the order in two ways. The line of the statement is the same in both.
    order = line.line_id or line.order_ref
    return "|".join(str(part) for part in (order, line.material_code, line.result, *sides))


def find_disputes(statement: Statement) -> dict[str, StatementRemark]:
    """Return the unanswered remarks that dispute a difference, by `get_difference_key`. One query.
    After an answer the same difference may be disputed again.
    """
    answers = StatementRemark.objects.filter(
        statement=OuterRef("statement"), is_answer=True, at__gt=OuterRef("at")
    )
    remarks = StatementRemark.objects.filter(~Exists(answers), statement=statement).exclude(
        difference=""
    )
    return {remark.difference: remark for remark in remarks}


def match_line_text(line: GoodsMatchLine) -> str:
    """Return the text of the dispute about a difference, up to 500 characters."""
    reference_text = texts.match_reference(
        order_ref=line.order_ref, material_code=line.material_code
    )
    our_text = _format_side(texts.STATEMENT_SIDE, line.our_quantity, line.our_amount)
    their_text = _format_side(texts.RECEIPT_SIDE, line.their_quantity, line.their_amount)
    return texts.match_line(
        result=R(line.result).label, reference=reference_text, ours=our_text, theirs=their_text
    )[:500]


def match_cells(match: GoodsMatch) -> Iterator[Sequence[Cell]]:
    """Yield all lines as cells of a sheet: see MATCH_HEADER."""
    lines = GoodsMatchLine.objects.filter(match=match).select_related("remark").order_by("no")
    for line in lines.iterator(chunk_size=2000):
        yield (
            line.get_result_display(),
            line.order_ref,
            line.material_code,
            line.name,
            line.our_quantity,
            line.their_quantity,
            line.our_amount,
            line.their_amount,
            "已提异议" if line.remark_id else "",
        )


MATCH_HEADER = (
    "结果",
    "订单",
    "物料编码",
    "商品",
    "对账单数量",
    "收货单数量",
    "对账单金额",
    "收货单金额",
    "异议",
)


def _query_receipt_line_ids(statement: Statement) -> QuerySet[Any]:
    """Return the query of the pks of the receipt lines on the statement."""
    rows: QuerySet[Any] = StatementLine.objects.filter(
        statement=statement, kind=StatementKind.DELIVERY
    )
    return rows.order_by().values("source_id")


def _format_side(name: str, quantity: int | None, amount: Decimal | None) -> str:
    if quantity is None:
        return texts.side_without(name)
    return texts.side_pieces(side=name, quantity=quantity) + (
        "" if amount is None else f" {format_yuan(amount)}"
    )


def _compare_goods(
    our_goods: OurGoods | None, quantity: int | None, amount: Decimal | None
) -> MatchResult:
    """Return how one article of the customer's sheet matches our deliveries. None: the side does
    not have it.
    """
    if our_goods is None:
        return R.ONLY_THEIRS
    if quantity is None:
        return R.ONLY_OURS
    if our_goods.quantity != quantity:
        return R.QUANTITY
    return R.EQUAL if amount is None or amount == our_goods.amount else R.AMOUNT


def _clean(text: str) -> str:
    """Return the text of a cell with half-width letters and digits, without spaces around it."""
    return unicodedata.normalize("NFKC", text).strip()


def _fold(*texts: str) -> tuple[str, ...]:
    """Return order numbers and codes in a form that is equal for all spellings of one."""
    return tuple("".join(_clean(text).split()).casefold() for text in texts)


def _parse_row(row: SheetRow) -> SheetRow:
    """Set quantity and amount (元) of the row from its text, or its errors. Return the row."""
    for text, title in ((row.order_ref, "订单号"), (row.material_code, "物料编码")):
        if not text:
            row.errors.append(texts.value_missing(title))
        elif len(text) > 60:
            row.errors.append(texts.value_too_long(title))
    digits = row.quantity_text.replace(",", "").removesuffix(".0")
    if digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit():
        row.quantity = int(digits) if len(digits) < 12 else MAX_QUANTITY + 1
    else:
        row.errors.append(texts.QUANTITY_NOT_INTEGER)
    if abs(row.quantity) > MAX_QUANTITY:
        row.errors.append(texts.quantity_out_of_range(MAX_QUANTITY))
    if row.amount_text:
        try:
            row.amount = parse_cell_amount(row.amount_text)
        except ValueError as error:
            row.errors.append(str(error))
        if row.amount is not None and abs(row.amount) >= Decimal("10000000000"):
            row.errors.append(texts.AMOUNT_OUT_OF_RANGE)
    return row
