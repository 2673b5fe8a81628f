"""The PDF of a quotation: the customer, the lines with their prices, and the state. Only a valid
quotation promises anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from django.utils import timezone

from apps.common.days import format_moment
from apps.content.selectors.site import get_site_setting
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
from apps.quotations.enums import QuotationState
from apps.quotations.models import Quotation, QuotationLine

BRAND = "文采商城"
# In the other states the last day says nothing any more.
DATED_STATES = (QuotationState.VALID, QuotationState.EXPIRED)
COLUMNS = (
    Column("序号", 1.1, "center"),
    Column("商品编码", 2),
    Column("物料编码", 2.2),
    Column("名称与规格", 6),
    Column("单位", 1.1, "center"),
    Column("数量", 1.3, "right"),
    Column("含税单价", 1.9, "right"),
    Column("税率", 1.1, "right"),
    Column("含税金额", 2.2, "right"),
)
TERMS = (
    "价格为含税单价，不含运费；运费在下单时按收货地址计算。",
    "有效期内按本报价单下单，单价不高于报价；下单时现价更低的，按现价结算。"
    "价格所依据的协议提前结束的，报价同时失效。",
    "报价不预留库存，能否购买以下单时的库存和采购目录为准。本报价单只能下单一次。",
)


def draw_quotation_paper(quotation: Quotation, lines: Sequence[QuotationLine]) -> bytes:
    """Return the PDF. The quotation must have its requester and enterprise loaded."""
    brand = get_site_setting().brand_name or BRAND
    paper = Paper(
        title=f"报价单 {quotation.quotation_no}",
        footer=f"{brand} · {format_moment(timezone.now())} 打印",
    )
    y = paper.start_part(lambda page: _draw_head(page, quotation, brand))
    rows = [
        [
            str(line.no),
            line.product_code,
            line.customer_code or "—",
            " ".join(filter(None, (line.brand, line.name, line.pack))),
            line.unit,
            str(line.quantity),
            _format_money(line.price),
            f"{line.tax_rate:.0%}",
            _format_money(line.amount),
        ]
        for line in lines
    ]
    y = draw_table(paper, y=y, columns=COLUMNS, rows=rows)
    y = (y if y + 40 < 282 else paper.start_page()) + 3
    paper.draw_text(
        f"商品金额（含税）¥{_format_money(quotation.goods_amount)}",
        x=WIDTH - MARGIN - 100,
        y=y,
        width=98.4,
        bold=True,
        align="right",
    )
    y += compute_line_height(9) + 4
    for term in list_terms(quotation):
        y = paper.draw_paragraph(term, x=MARGIN, y=y, width=INNER, size=8.5)
    return paper.finish()


def list_terms(quotation: Quotation) -> tuple[str, ...]:
    """Return the paragraphs below the amount: the terms of a valid quotation, otherwise why it
    cannot be ordered.
    """
    state = quotation.state
    if state == QuotationState.VALID:
        return TERMS
    if state == QuotationState.ORDERED:
        return (f"本报价单已下单（订单 {quotation.order_no}），不能再次下单，仅供存档。",)
    return (f"本报价单{state.label}，不能下单，仅供存档。",)


def describe_state(quotation: Quotation) -> str:
    """Return the state for the head, with the order or the reason of the void."""
    note = quotation.order_no or quotation.void_reason
    return f"{quotation.state.label}（{note}）" if note else str(quotation.state.label)


def _draw_head(paper: Paper, quotation: Quotation, brand: str) -> float:
    """Draw the head, and return the y (mm) below it."""
    paper.draw_text(brand, y=MARGIN, size=10, colour=GREY)
    paper.draw_text("报价单", y=MARGIN - 1, size=18, bold=True, align="center")
    paper.draw_text(quotation.quotation_no, y=MARGIN, size=10, bold=True, align="right")
    y = MARGIN + 12
    last_day = f"{quotation.valid_to:%Y-%m-%d}（含当天）"
    for label, value in (
        ("客户", quotation.enterprise.name),
        ("生成人", quotation.requester.name_with_full_name),
        ("生成时间", format_moment(quotation.quoted_at)),
        ("状态", describe_state(quotation)),
        ("有效期至", last_day if quotation.state in DATED_STATES else ""),
        ("备注", quotation.remark),
    ):
        if value:
            paper.draw_text(label, x=MARGIN, y=y, width=17, size=8.5, colour=GREY)
            y = paper.draw_paragraph(value, x=MARGIN + 17, y=y, width=INNER - 17, size=8.5) + 0.8
    return y + 2


def _format_money(amount: Decimal) -> str:
    return f"{amount:,.2f}"
