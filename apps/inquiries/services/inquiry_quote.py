"""Quote an inquiry: a product and a price for each available line, until a last day. The prices
apply to the customer at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.catalog.enums import ProductStatus
from apps.catalog.models import Product
from apps.inquiries.enums import InquiryEventKind
from apps.inquiries.errors import NothingQuoted, QuoteLineRefused, QuotePeriodInvalid
from apps.inquiries.locks import locked_quote
from apps.inquiries.models import ProductInquiry, ProductInquiryLine
from apps.inquiries.services.inquiries import INQUIRIES, inquiry_record
from apps.inquiries.services.own_prices import own_price_give
from apps.pricing.selectors.context import get_customer_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_VALIDITY = timedelta(days=365)
MAX_PRICE = Decimal("9999999.99")


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """The quote of a line: a ProductCode with a price (元, 含税), or neither and a note why the
    line is not available.
    """

    product_code: str = ""
    price: Decimal | None = None
    note: str = ""


def inquiry_quote(
    *,
    actor: Account,
    inquiry_id: int,
    lines: Mapping[int, QuotedLine],
    valid_to: date,
    note: str = "",
) -> ProductInquiry:
    """Move the inquiry from 待报价 to 已报价. `lines` are by the key of the inquiry's line.

    Raises:
        WrongState: the inquiry is not 待报价.
        QuoteRefused: no line is quoted, a product does not exist, is off sale or appears twice, a
            price is above the customer's current price, or the last day is out of range.
    """
    with locked_quote(inquiry_id=inquiry_id) as inquiry:
        status_before = INQUIRIES.transition(inquiry, "quote", "报价", at=timezone.now())
        inquiry.valid_to, inquiry.quote_note = _check_last_day(valid_to), note
        offers_by_line = _check_lines(inquiry, lines)
        _save_quote(inquiry, lines, offers_by_line=offers_by_line, valid_to=valid_to)
        inquiry_record(
            inquiry,
            actor=actor,
            kind=InquiryEventKind.QUOTED,
            before=status_before,
            reason=f"报价 {len(offers_by_line)} 项，有效期至 {valid_to}",
        )
    return inquiry


def _check_last_day(valid_to: date) -> date:
    """Return the last day. Raises QuotePeriodInvalid for the past or beyond MAX_VALIDITY."""
    today = timezone.localdate()
    if not today <= valid_to <= today + MAX_VALIDITY:
        raise QuotePeriodInvalid
    return valid_to


def _check_lines(inquiry: ProductInquiry, lines: Mapping[int, QuotedLine]) -> dict[int, Offer]:
    """Check the quoted lines and return the requester's current offer for each quoted product,
    by the line's key.
    """
    codes = [line.product_code for line in lines.values() if line.product_code]
    requester = inquiry.requester
    # The prices decide, whether the requester's role shows them or not.
    context = get_customer_context(
        group_id=requester.group_id,
        enterprise_id=requester.enterprise_id,
        account_id=requester.pk,
    )
    offers = get_offers_by_code(context=context, codes=codes)
    offers_by_line: dict[int, Offer] = {}
    for inquiry_line in inquiry.lines.order_by("no"):
        line = lines.get(inquiry_line.pk, QuotedLine())
        if line.product_code or line.price is not None:
            offers_by_line[inquiry_line.pk] = _check_line(
                inquiry_line,
                line,
                offer=offers.get(line.product_code),
                used_codes={offer.product.code for offer in offers_by_line.values()},
            )
    if not offers_by_line:
        raise NothingQuoted
    return offers_by_line


def _check_line(
    inquiry_line: ProductInquiryLine, line: QuotedLine, *, offer: Offer | None, used_codes: set[str]
) -> Offer:
    """Return the offer of a quoted line. `used_codes` are the codes that other lines quote.

    Raises:
        QuoteRefused: the line cannot be quoted in this way.
    """
    reason = _explain_not_quotable(
        line, offer=offer, quantity=inquiry_line.quantity, used_codes=used_codes
    )
    if offer is None or reason:
        raise QuoteLineRefused(inquiry_line.no, inquiry_line.name, reason)
    return offer


def _explain_not_quotable(
    line: QuotedLine, *, offer: Offer | None, quantity: int, used_codes: set[str]
) -> str:
    """Return why the line cannot be quoted in this way; empty if it can. The customer's price is
    that of the requested quantity.
    """
    code = line.product_code
    if not code or line.price is None:
        return "商品编码和报价须同时填写"
    if offer is None:
        return f"没有编码为 {code} 的商品"
    if offer.product.status != ProductStatus.ON_SALE:
        return f"商品 {code} 已下架，请更换商品或先上架"
    if code in used_codes:
        return f"商品 {code} 已用于其他行，同一商品只能报一个价"
    if not 0 < line.price <= MAX_PRICE:
        return f"报价须大于 0 且不超过 {MAX_PRICE:,}"
    if offer.visible and line.price > (price := offer.get_price_for(quantity)):
        return f"报价 ¥{line.price:,.2f} 高于客户现价 ¥{price:,.2f}，请改低"
    return ""


def _save_quote(
    inquiry: ProductInquiry,
    lines: Mapping[int, QuotedLine],
    *,
    offers_by_line: Mapping[int, Offer],
    valid_to: date,
) -> None:
    """Store note, product and price on each line of the inquiry. A quoted line becomes an own price
    of the requester until `valid_to`; a line without offer is cleared.
    """
    for inquiry_line in inquiry.lines.order_by("no"):
        line, offer = lines.get(inquiry_line.pk, QuotedLine()), offers_by_line.get(inquiry_line.pk)
        inquiry_line.note = line.note
        inquiry_line.product = None
        inquiry_line.quoted_price = None
        inquiry_line.price_before = None
        inquiry_line.price_item = None
        if offer is not None and line.price is not None:
            product: Product = offer.product
            inquiry_line.product = product
            inquiry_line.quoted_price = line.price
            inquiry_line.price_before = offer.get_price_for(inquiry_line.quantity)
            inquiry_line.price_item = own_price_give(
                inquiry=inquiry, product=product, price=line.price, valid_to=valid_to
            )
        inquiry_line.save(
            update_fields=["note", "product", "quoted_price", "price_before", "price_item"]
        )
