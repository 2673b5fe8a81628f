"""Add the products of a quotation to the cart at the quoted price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from apps.cart.errors import NothingAdopted, NotQuoted
from apps.cart.locks import lock_cart
from apps.cart.services.cart_add import cart_fill
from apps.inquiries.enums import InquiryEventKind
from apps.inquiries.errors import QuoteExpired
from apps.inquiries.locks import lock_own_inquiry
from apps.inquiries.models import ProductInquiry
from apps.inquiries.selectors import has_expired
from apps.inquiries.services.inquiries import INQUIRIES, inquiry_record
from apps.inquiries.services.own_prices import own_prices_restore
from apps.org.enums import PurchasingRight
from apps.org.locks import lock_group
from apps.org.selectors.purchasing import require_purchasing

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class LeftOutLine:
    """A quoted product that was not added to the cart, and the reason."""

    product_code: str
    name: str
    brand: str
    message: str


@transaction.atomic
def inquiry_adopt(
    *, actor: Account, inquiry_no: str, quantities: Mapping[int, int] | None = None
) -> tuple[int, list[LeftOutLine]]:
    """已报价 → 已采纳: add the quoted products to the actor's cart. Quantities are rounded up
    to legal ones.

    `quantities` are by key of the inquiry line; None adopts all lines as requested. Returns the
    number of added products and the products that were left out. A product with a current price
    above the quoted one is left out.

    Raises:
        InquiryNotFound, NotYourInquiry: the inquiry does not belong to the actor.
        WrongState, QuoteExpired: the inquiry is not 已报价, or its quotation has expired.
        ValidationFailed: a key is not a quoted line of the inquiry.
        NothingAdopted: no quoted product can be bought now.
        PurchasingRefused: the actor may only browse.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.REQUEST)
    # Lock order: group (of the prices from quotes), cart owner, inquiry.
    lock_group(actor.group_id)
    lock_cart(actor=actor)
    inquiry = lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)
    before = INQUIRIES.transition(inquiry, "adopt", "采纳")
    if has_expired(inquiry):
        raise QuoteExpired
    own_prices_restore(inquiry=inquiry)
    added_count, refusals = cart_fill(
        actor=actor,
        quantities=_get_quantities_by_code(inquiry, quantities),
        at_most=_get_quoted_prices_by_code(inquiry),
    )
    left_out = [
        LeftOutLine(
            product_code=code,
            name=offer.name if offer else code,
            brand=offer.product.brand.name if offer else "",
            message=reason,
        )
        for code, offer, reason in refusals
    ]
    if not added_count:
        first = left_out[0]
        raise NothingAdopted(f"“{first.name}”{first.message}")
    inquiry_record(
        inquiry,
        actor=actor,
        kind=InquiryEventKind.ADOPTED,
        before=before,
        reason=f"{added_count} 项加入购物车",
    )
    return added_count, left_out


def _get_quoted_prices_by_code(inquiry: ProductInquiry) -> dict[str, Decimal]:
    """Return the quoted prices in 元 by product code."""
    lines = inquiry.lines.select_related("product")
    return {
        line.product.code: line.quoted_price
        for line in lines
        if line.product is not None and line.quoted_price is not None
    }


def _get_quantities_by_code(
    inquiry: ProductInquiry, quantities: Mapping[int, int] | None
) -> dict[str, int]:
    """Return the quantities to add by product code. `quantities` are by line id; None means those
    of the inquiry. Raises NotQuoted for lines without a quoted product.
    """
    rows = (
        inquiry.lines.filter(product__isnull=False)
        .order_by("no")
        .values_list("pk", "product__code", "quantity")
    )
    code_by_line: dict[int, str] = {pk: code for pk, code, _ in rows}
    if quantities is None:
        return {code: quantity for _, code, quantity in rows}
    if not quantities or not quantities.keys() <= code_by_line.keys():
        raise NotQuoted
    return {code_by_line[pk]: quantity for pk, quantity in quantities.items()}
