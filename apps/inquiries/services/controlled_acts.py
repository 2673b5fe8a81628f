"""The act of this app under dual control: a quote, which sets the customer's own prices."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.models import Product
from apps.common.money import ZERO, yuan_text
from apps.dual_control.controlled import ControlledAct, JobLimit, Parameters, Reading
from apps.inquiries.models import ProductInquiry
from apps.inquiries.services.inquiry_quote import QuotedLine, inquiry_quote

if TYPE_CHECKING:
    from apps.org.models import Account

QUOTE = "inquiries.quote"


def quote_parameters(
    *, inquiry_id: int, lines: Mapping[int, QuotedLine], valid_to: date, note: str
) -> Parameters:
    """Return the parameters of a quote. `lines` are by the key of the inquiry's line."""
    return {
        "inquiry_id": inquiry_id,
        "lines": {
            str(pk): {
                "code": line.product_code,
                "price": None if line.price is None else str(line.price),
                "note": line.note,
            }
            for pk, line in lines.items()
        },
        "valid_to": valid_to.isoformat(),
        "note": note,
    }


def _parse_quoted_lines(parameters: Parameters) -> dict[int, QuotedLine]:
    """Return the quoted lines of a proposal by the id of the inquiry line."""
    return {
        int(pk): QuotedLine(
            line["code"], None if line["price"] is None else Decimal(line["price"]), line["note"]
        )
        for pk, line in parameters["lines"].items()
    }


def _read_quote(parameters: Parameters) -> Reading:
    """Return the quote as a proposal: inquiry, title, amount and facts.

    The amount is the value of the quoted goods in 元, at the market price where the quote is lower.
    Otherwise the most generous quote would be the one that needs no second person.
    """
    rows = ProductInquiry.objects.select_related("group", "enterprise")
    inquiry: ProductInquiry = rows.get(pk=parameters["inquiry_id"])
    quoted, amount, facts = _parse_quoted_lines(parameters), ZERO, []
    codes = {line.product_code for line in quoted.values()}
    products = Product.objects.filter(code__in=codes).only("code", "market_price")
    market_prices = {product.code: product.market_price for product in products}
    for line in inquiry.lines.order_by("no"):
        price = quoted[line.pk].price if line.pk in quoted else None
        if price is not None:
            code = quoted[line.pk].product_code
            market_price = market_prices.get(code, ZERO)
            amount += max(price, market_price) * line.quantity
            text = f"商品 {code}，{yuan_text(price)} × {line.quantity}"
            facts.append(
                (f"第 {line.no} 行 {line.name}", f"{text}，市场价 {yuan_text(market_price)}")
            )
    head = (
        ("客户", (inquiry.enterprise or inquiry.group).name),
        ("状态", inquiry.get_status_display()),
        ("有效期至", parameters["valid_to"]),
    )
    return Reading(inquiry, f"询价 {inquiry.inquiry_no}", amount, (*head, *facts))


def _quote_inquiry(actor: Account, parameters: Parameters) -> ProductInquiry:
    return inquiry_quote(
        actor=actor,
        inquiry_id=parameters["inquiry_id"],
        lines=_parse_quoted_lines(parameters),
        valid_to=date.fromisoformat(parameters["valid_to"]),
        note=parameters["note"],
    )


CONTROLLED_ACTS = (
    ControlledAct(
        kind=QUOTE,
        title="询价报价（客户专属价）",
        permission="inquiries.quote_productinquiry",
        limits={
            "客服": JobLimit(alone=Decimal(20_000), release=ZERO),
            "商品": JobLimit(alone=Decimal(100_000), release=None),
        },
        read=_read_quote,
        run=_quote_inquiry,
    ),
)
