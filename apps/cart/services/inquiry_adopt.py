"""Put what was quoted into the cart, at the price that was quoted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from apps.cart.errors import NothingAdopted
from apps.cart.locks import lock_cart
from apps.cart.services.cart_add import cart_fill
from apps.catalog.enums import InquiryEventKind
from apps.catalog.errors import QuoteExpired
from apps.catalog.locks import lock_own_inquiry
from apps.catalog.models import ProductInquiry
from apps.catalog.selectors.inquiries import has_expired
from apps.catalog.services.inquiry_moves import inquiry_move, inquiry_record
from apps.catalog.services.own_prices import own_prices_restore
from apps.common.errors import ValidationFailed

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class LeftOutLine:
    """A quoted product that is not in the cart now, and why."""

    product_code: str
    name: str
    message: str


@transaction.atomic
def inquiry_adopt(*, actor: Account, inquiry_no: str, quantities: Mapping[int, int] | None = None) -> tuple[int, list[LeftOutLine]]:
    """已报价 → 已采纳: add the quoted products to the actor's cart, quantities raised to legal ones.

    `quantities` by the key of the inquiry's line, None for all as asked. Returns how many products were added, and what could not be:
    also what the actor would now pay more for than was quoted.

    Raises:
        InquiryNotFound, NotYourInquiry: it is not the actor's.
        WrongState, QuoteExpired: it is not 已报价, or its quote holds no more.
        ValidationFailed: a line is none of the quoted ones.
        NothingAdopted: nothing of it can be bought now.
    """
    lock_cart(actor=actor)  # cart owner → the subject, as everywhere
    inquiry = lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)
    before = inquiry_move(inquiry, "adopt", "采纳")
    if has_expired(inquiry):
        raise QuoteExpired
    own_prices_restore(inquiry=inquiry)
    added, refused = cart_fill(actor=actor, quantities=_wanted(inquiry, quantities), at_most=_prices(inquiry))
    left_out = [LeftOutLine(code, offer.name if offer else code, why) for code, offer, why in refused]
    if not added:
        first = left_out[0]
        raise NothingAdopted(f"“{first.name}”{first.message}")
    inquiry_record(inquiry, actor=actor, kind=InquiryEventKind.ADOPTED, before=before, reason=f"{added} 项加入购物车")
    return added, left_out


def _prices(inquiry: ProductInquiry) -> dict[str, Decimal]:
    lines = inquiry.lines.select_related("product")
    return {line.product.code: line.quoted_price for line in lines if line.product is not None and line.quoted_price is not None}


def _wanted(inquiry: ProductInquiry, quantities: Mapping[int, int] | None) -> dict[str, int]:
    rows = inquiry.lines.filter(product__isnull=False).order_by("no").values_list("pk", "product__code", "quantity")
    quoted: dict[int, str] = {pk: code for pk, code, _ in rows}
    if quantities is None:
        return {code: quantity for _, code, quantity in rows}
    if not quantities or not quantities.keys() <= quoted.keys():
        raise ValidationFailed({"Lines": ["所选商品不在本次报价中，请刷新后重试"]})
    return {quoted[pk]: quantity for pk, quantity in quantities.items()}
