"""Adopting a quotation puts the product into the cart at the quoted price. It works once."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from apps.cart.errors import NothingAdopted
from apps.cart.selectors.cart import get_cart
from apps.cart.services.cart_add import cart_fill
from apps.cart.services.inquiry_adopt import inquiry_adopt
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed, WrongState
from apps.common.tenancy import tenant_scope
from apps.inquiries.errors import InquiryNotFound, NotYourInquiry, QuoteExpired
from apps.inquiries.models import ProductInquiry
from apps.inquiries.services.inquiries import inquiry_close
from apps.inquiries.services.inquiry_quote import QuotedLine, inquiry_quote
from apps.inquiries.tests.inquiry_stories import create_inquiry, quote_inquiry, run_out
from apps.org.models import Account
from apps.pricing.models import PriceListItem


@pytest.fixture
def pen(db: None) -> Product:
    """A product with minimum quantity 6, increment 6 and stock 100. It is hidden from the
    catalogue.
    """
    return ProductFactory(
        code="700001", name="定制签字笔", min_quantity=6, step_quantity=6, is_public=False
    )


@pytest.fixture
def inquiry(buyer: Account, staff: Account, pen: Product) -> ProductInquiry:
    """An inquiry for 10 pieces, quoted at 7.50 元."""
    return quote_inquiry(create_inquiry(buyer), staff, pen)


def in_cart(account: Account) -> list[tuple[str, int, Decimal, bool]]:
    return [
        (line.offer.product.code, line.quantity, line.offer.price, line.problem is None)
        for line in get_cart(actor=account).lines
    ]


def test_adopted_quotation_enters_the_cart_at_its_price_in_a_legal_quantity(
    buyer: Account, inquiry: ProductInquiry
) -> None:
    assert inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no) == (1, [])
    assert in_cart(buyer) == [("700001", 12, Decimal("7.50"), True)]
    assert ProductInquiry.objects.get(pk=inquiry.pk).status == "adopted"


def test_inquiry_is_adopted_once(buyer: Account, inquiry: ProductInquiry) -> None:
    inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)
    with pytest.raises(WrongState, match="询价单已采纳，无需重复采纳"):
        inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)
    assert in_cart(buyer)[0][1] == 12


def test_inquiry_may_be_adopted_with_other_quantities(
    buyer: Account, inquiry: ProductInquiry
) -> None:
    inquiry_adopt(
        actor=buyer, inquiry_no=inquiry.inquiry_no, quantities={inquiry.lines.get().pk: 18}
    )
    assert in_cart(buyer)[0][1] == 18


def test_a_line_that_was_not_quoted_is_refused(buyer: Account, inquiry: ProductInquiry) -> None:
    with pytest.raises(ValidationFailed, match="不在本次报价中"):
        inquiry_adopt(
            actor=buyer, inquiry_no=inquiry.inquiry_no, quantities={inquiry.lines.get().pk + 1: 6}
        )


def test_adopted_inquiry_lists_products_without_stock(
    buyer: Account, staff: Account, pen: Product
) -> None:
    sold_out = ProductFactory(code="700002", name="钢笔", stock=0)
    inquiry = create_inquiry(buyer, "签字笔", "钢笔")
    first, second = inquiry.lines.order_by("no")
    lines = {
        first.pk: QuotedLine(pen.code, Decimal("7.50")),
        second.pk: QuotedLine(sold_out.code, Decimal("5.00")),
    }
    inquiry_quote(actor=staff, inquiry_id=inquiry.pk, lines=lines, valid_to=timezone.localdate())

    added, left_out = inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)

    assert (added, [(line.product_code, line.message[:4]) for line in left_out]) == (
        1,
        [("700002", "库存不足")],
    )


def test_inquiry_without_available_products_stays_quoted(
    buyer: Account, inquiry: ProductInquiry
) -> None:
    Product.objects.update(stock=0)
    with pytest.raises(NothingAdopted, match="“定制签字笔”库存不足"):
        inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)
    assert ProductInquiry.objects.get(pk=inquiry.pk).status == "quoted"


def test_expired_quotation_is_refused_before_the_expiry_job_runs(
    buyer: Account, inquiry: ProductInquiry
) -> None:
    run_out(inquiry)
    with pytest.raises(QuoteExpired):
        inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)


def test_closed_inquiry_cannot_be_adopted(buyer: Account, inquiry: ProductInquiry) -> None:
    inquiry_close(actor=buyer, inquiry_no=inquiry.inquiry_no, reason="不需要了")
    with pytest.raises(WrongState, match="询价单已关闭"):
        inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)


def test_colleague_cannot_adopt_and_another_group_gets_not_found(
    approver: Account, other_ga: Account, inquiry: ProductInquiry
) -> None:
    with pytest.raises(NotYourInquiry):
        inquiry_adopt(actor=approver, inquiry_no=inquiry.inquiry_no)
    assert other_ga.group_id
    with tenant_scope(group_id=other_ga.group_id), pytest.raises(InquiryNotFound):
        inquiry_adopt(actor=other_ga, inquiry_no=inquiry.inquiry_no)


def test_older_quotation_applies_again_after_the_newer_is_closed(
    buyer: Account, staff: Account, pen: Product, inquiry: ProductInquiry
) -> None:
    newer = quote_inquiry(create_inquiry(buyer), staff, pen, "7.00")
    inquiry_close(actor=buyer, inquiry_no=newer.inquiry_no, reason="不需要了")

    assert inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no) == (1, [])
    assert in_cart(buyer) == [("700001", 12, Decimal("7.50"), True)]


def test_older_quotation_applies_after_the_newer_expired(
    buyer: Account, staff: Account, pen: Product, inquiry: ProductInquiry
) -> None:
    run_out(quote_inquiry(create_inquiry(buyer), staff, pen, "7.00"))

    assert inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no) == (1, [])
    assert in_cart(buyer) == [("700001", 12, Decimal("7.50"), True)]


def test_price_above_the_quotation_refuses_the_adoption(
    buyer: Account, inquiry: ProductInquiry
) -> None:
    PriceListItem.objects.update(price=Decimal("9.00"))
    with pytest.raises(
        NothingAdopted, match=r"“定制签字笔”现价 ¥9\.00 高于报价 ¥7\.50，请重新询价"
    ):
        inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)
    assert in_cart(buyer) == []


def test_quantity_above_the_line_limit_is_left_out_with_a_suggestion(
    buyer: Account, pen: Product, inquiry: ProductInquiry
) -> None:
    Product.objects.update(stock=2_000_000)
    inquiry_adopt(actor=buyer, inquiry_no=inquiry.inquiry_no)

    assert [row[2] for row in cart_fill(actor=buyer, quantities={pen.code: 999_999})[1]] == [
        "单次最多购买 999999 支，请改为 999996 支"
    ]
    assert in_cart(buyer)[0][1] == 12
