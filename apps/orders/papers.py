"""送货单 and 采购单: PDF documents that a customer prints. Each order starts on a new page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal

from django.utils import timezone

from apps.common.days import format_moment
from apps.common.money import ZERO
from apps.content.selectors.site import get_site_setting
from apps.dimensions.enums import DimensionKind
from apps.documents.pdf import (
    GREY,
    INNER,
    MARGIN,
    WIDTH,
    Column,
    Paper,
    compute_line_height,
    draw_table,
)
from apps.orders.enums import PaperKind
from apps.orders.models import Order, OrderLine
from apps.orders.snapshots import format_address

BRAND = "文采商城"
HALF = INNER / 2
LABEL = 17.0
DELIVERY = (
    Column("序号", 1.1, "center"),
    Column("商品编码", 2),
    Column("物料编码", 2.2),
    Column("名称", 6.4),
    Column("单位", 1.1, "center"),
    Column("订购", 1.4, "right"),
    Column("已发", 1.4, "right"),
    Column("实收", 1.6, "right"),
)
PURCHASE = (
    Column("序号", 1.1, "center"),
    Column("商品编码", 2),
    Column("物料编码", 2.2),
    Column("名称", 5.6),
    Column("单位", 1.1, "center"),
    Column("数量", 1.3, "right"),
    Column("含税单价", 1.9, "right"),
    Column("税率", 1.1, "right"),
    Column("含税金额", 2.2, "right"),
)


def draw_order_papers(orders: Iterable[Order], *, kind: str) -> bytes:
    """Return one PDF of the orders, in the given order. The orders must have their lines,
    requester and enterprise loaded.
    """
    name = PaperKind(kind).label
    rows = list(orders)
    brand = get_site_setting().brand_name or BRAND
    title = f"{name} {rows[0].order_no}" if len(rows) == 1 else f"{name}（{len(rows)} 单）"
    paper = Paper(title=title, footer=f"{brand} · {format_moment(timezone.now())} 打印")
    for order in rows:
        y = paper.start_part(_build_head_drawer(order, name, brand))
        (_draw_purchase_order if kind == PaperKind.PURCHASE else _draw_delivery_note)(
            paper, order, y
        )
    return paper.finish()


def _build_head_drawer(order: Order, name: str, brand: str) -> Callable[[Paper], float]:
    """Return the function that draws the head of a page and returns the y (mm) below it."""

    def draw(paper: Paper) -> float:
        paper.draw_text(brand, y=MARGIN, size=10, colour=GREY)
        paper.draw_text(name, y=MARGIN - 1, size=18, bold=True, align="center")
        paper.draw_text(order.order_no, y=MARGIN, size=10, bold=True, align="right")
        y = MARGIN + 12
        for left, right in _list_order_facts(order):
            drop = y
            for number, (label, value) in enumerate((left, right)):
                x = MARGIN + number * HALF
                paper.draw_text(label, x=x, y=y, width=LABEL, size=8.5, colour=GREY)
                drop = max(
                    drop,
                    paper.draw_paragraph(
                        value or ("—" if label else ""),
                        x=x + LABEL,
                        y=y,
                        width=HALF - LABEL - 4,
                        size=8.5,
                    ),
                )
            y = drop + 0.8
        return y + 2

    return draw


def _list_order_facts(order: Order) -> Sequence[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the rows of the head. A row has two facts, each as (label, text)."""
    to, title = order.address_snapshot, order.invoice_snapshot
    requester = order.requester.name_with_full_name + (
        f"（{order.department.name}）" if order.department else ""
    )
    return (
        (("购货单位", order.enterprise.name), ("税号", title.get("TaxNumber", ""))),
        (("下单时间", format_moment(order.submitted_at)), ("下单人", requester)),
        (
            ("采购单号", order.purchase_order_no),
            ("付款方式", str(order.get_payment_kind_display())),
        ),
        (
            ("收货人", f"{to.get('Receiver', '')} {to.get('Mobile', '')}"),
            ("送货时间", str(order.get_delivery_wish_display())),
        ),
        (("收货地址", format_address(to)), ("备注", order.remark)),
        *_iterate_dimension_facts(order),
    )


def _iterate_dimension_facts(order: Order) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield rows of two facts, each as (label, text): the cost centre, and project and subject
    if the order has any. Several of a kind have their amounts.
    """
    sums: dict[str, dict[str, Decimal]] = {kind: {} for kind in DimensionKind.values}
    for row in order.allocations.all() if order.is_allocated else ():
        of_kind = sums[row.kind]
        name = f"{row.code} {row.name}"
        of_kind[name] = of_kind.get(name, ZERO) + row.amount
    texts = {
        kind: "、".join(
            name if len(parts) == 1 else f"{name} {_format_money(amount)}"
            for name, amount in parts.items()
        )
        for kind, parts in sums.items()
    }
    center = texts[DimensionKind.COST_CENTER] or order.cost_center
    project, subject = texts[DimensionKind.PROJECT], texts[DimensionKind.SUBJECT]
    if center or project:
        yield ("成本中心", center), ("项目", project)
    if subject:
        yield ("会计科目", subject), ("", "")


def _draw_delivery_note(paper: Paper, order: Order, y: float) -> None:
    """Draw the lines from `y` (mm) on, with ordered and shipped pieces, and the signatures."""
    rows = [
        [*_list_article_cells(line), str(line.quantity), str(line.shipped_quantity), ""]
        for line in order.lines.all()
    ]
    y = draw_table(paper, y=y, columns=DELIVERY, rows=rows)
    y = _ensure_room(paper, y, 24)
    total = sum(line.shipped_quantity for line in order.lines.all())
    paper.draw_text(f"共 {len(rows)} 种，已发 {total} 件", y=y + 3, bold=True, align="right")
    _draw_signatures(paper, y + 14, "送货人：", "收货人签字：", "日期：")


def _draw_purchase_order(paper: Paper, order: Order, y: float) -> None:
    """Draw the lines from `y` (mm) on, the sums in 元 and the signatures."""
    rows = [
        [
            *_list_article_cells(line),
            str(line.quantity),
            _format_money(line.unit_price_incl_tax),
            f"{line.tax_rate:.0%}",
            _format_money(line.amount_incl_tax),
        ]
        for line in order.lines.all()
    ]
    y = draw_table(paper, y=y, columns=PURCHASE, rows=rows)
    sums = (
        ("商品金额（含税）", order.goods_amount),
        ("其中商品税额", order.tax_amount),
        ("运费", order.freight_amount),
        ("应付总额", order.total_amount),
    )
    y = _ensure_room(paper, y, 24 + len(sums) * compute_line_height(9)) + 2
    for label, amount in sums:
        is_last = amount is sums[-1][1]
        paper.draw_text(label, x=WIDTH - MARGIN - 80, y=y, width=45, colour=GREY, align="right")
        paper.draw_text(
            f"¥{_format_money(amount)}",
            x=WIDTH - MARGIN - 35,
            y=y,
            width=33.4,
            bold=is_last,
            align="right",
        )
        y += compute_line_height(9)
    _draw_signatures(paper, y + 10, "采购经办：", "审核：", "日期：")


def _list_article_cells(line: OrderLine) -> list[str]:
    """Return number, code, the customer's code, name and unit of the line."""
    name = line.customer_name or line.name
    return [
        str(line.no),
        line.product_code,
        line.customer_code or "—",
        f"{name} {line.model_code}".strip(),
        line.unit,
    ]


def _ensure_room(paper: Paper, y: float, height: float) -> float:
    """Return y if so many millimetres are left on the page. Otherwise start a page and return
    its top.
    """
    return y if y + height < 282 else paper.start_page()


def _draw_signatures(paper: Paper, y: float, *labels: str) -> None:
    for number, label in enumerate(labels):
        x = MARGIN + number * INNER / len(labels)
        paper.draw_text(label, x=x, y=y, width=22)
        paper.draw_line(x=x + 20, y=y + 4.5, width=INNER / len(labels) - 26)


def _format_money(amount: Decimal) -> str:
    return f"{amount:,.2f}"
