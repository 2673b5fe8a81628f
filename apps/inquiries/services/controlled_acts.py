"""The acts of this app under dual control: a quote, which sets the customer's own prices, and a
quote far below the present prices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.selectors.low_prices import is_low_price
from apps.common.money import ZERO, format_yuan
from apps.dual_control.controlled import ActPreview, ControlledAct, JobLimit, Parameters
from apps.inquiries.models import ProductInquiry, ProductInquiryLine
from apps.inquiries.selectors import get_quote_offers
from apps.inquiries.services.inquiry_quote import QuotedLine, inquiry_quote
from apps.pricing.selectors.price_changes import LOW_PRICE_TEXT

if TYPE_CHECKING:
    from apps.org.models import Account

QUOTE, QUOTE_LOW = "inquiries.quote", "inquiries.quote_low"


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A line of an inquiry with its quoted price and the prices before the quote, in 元. The
    present price and the market price are 0 for an unknown product; the service refuses it.
    """

    line: ProductInquiryLine
    code: str
    price: Decimal
    present_price: Decimal
    market_price: Decimal

    @property
    def is_low(self) -> bool:
        """Whether the price is far below the customer's present price or the market price."""
        return is_low_price(
            self.price, present_price=self.present_price, market_price=self.market_price
        )


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


def _list_priced_lines(parameters: Parameters) -> tuple[ProductInquiry, list[PricedLine]]:
    """Return the inquiry and its lines with a quoted price, in their order."""
    rows = ProductInquiry.objects.select_related("group", "enterprise", "requester")
    inquiry: ProductInquiry = rows.get(pk=parameters["inquiry_id"])
    quoted = _parse_quoted_lines(parameters)
    codes = {line.product_code for line in quoted.values()}
    offers = get_quote_offers(inquiry=inquiry, codes=codes)
    priced_lines = []
    for line in inquiry.lines.order_by("no"):
        price = quoted[line.pk].price if line.pk in quoted else None
        if price is None:
            continue
        code = quoted[line.pk].product_code
        present_price = market_price = ZERO
        if offer := offers.get(code):
            market_price = offer.product.market_price
            present_price = offer.get_price_for(line.quantity) if offer.visible else market_price
        priced_lines.append(PricedLine(line, code, price, present_price, market_price))
    return inquiry, priced_lines


def _preview_quote(parameters: Parameters) -> ActPreview:
    """Return the quote as a proposal: inquiry, title, amount and facts. With a low price it is an
    act of its own, with its own limits.

    The amount is the value of the quoted goods in 元, at the market price where the quote is lower.
    Otherwise the most generous quote would be the one that needs no second person.
    """
    inquiry, lines = _list_priced_lines(parameters)
    amount = sum((max(row.price, row.market_price) * row.line.quantity for row in lines), ZERO)
    head = (
        ("客户", (inquiry.enterprise or inquiry.group).name),
        ("状态", inquiry.get_status_display()),
        ("有效期至", parameters["valid_to"]),
    )
    facts = tuple((f"第 {row.line.no} 行 {row.line.name}", _describe(row)) for row in lines)
    preview = ActPreview(inquiry, f"询价 {inquiry.inquiry_no}", amount, (*head, *facts))
    is_low = any(row.is_low for row in lines)
    return replace(preview, reason=LOW_PRICE_TEXT, kind=QUOTE_LOW) if is_low else preview


def _describe(row: PricedLine) -> str:
    """Return a quoted line for the second person."""
    low = "（低价）" if row.is_low else ""
    return (
        f"商品 {row.code}，{format_yuan(row.price)}{low} × {row.line.quantity}，"
        f"客户现价 {format_yuan(row.present_price)}，市场价 {format_yuan(row.market_price)}"
    )


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
        preview=_preview_quote,
        run=_quote_inquiry,
    ),
    ControlledAct(
        kind=QUOTE_LOW,
        title="低价询价报价（低于现价七成或市场价五成）",
        permission="inquiries.quote_productinquiry",
        limits={
            "客服": JobLimit(alone=ZERO, release=ZERO),
            "商品": JobLimit(alone=ZERO, release=None),
        },
        preview=_preview_quote,
        run=_quote_inquiry,
    ),
)
