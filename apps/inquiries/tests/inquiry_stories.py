"""Helpers that bring inquiries into any state through the services."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from django.utils import timezone

from apps.catalog.models import Product
from apps.inquiries.models import ProductInquiry
from apps.inquiries.services.inquiries import InquiryForm, InquiryFormLine, inquiry_create
from apps.inquiries.services.inquiry_quote import QuotedLine, inquiry_quote
from apps.org.models import Account
from apps.pricing.models import AssortmentRule, PriceListItem


def create_inquiry(actor: Account, *names: str, quantity: int = 10) -> ProductInquiry:
    """Create an inquiry that waits for a quote, with one line per name."""
    lines = tuple(
        InquiryFormLine(name, quantity, "支", "黑色", Decimal("8.00"))
        for name in names or ("定制钢笔",)
    )
    return inquiry_create(actor=actor, form=InquiryForm(lines))


def quote_inquiry(
    inquiry: ProductInquiry,
    staff: Account,
    product: Product,
    price: str = "7.50",
    *,
    valid_to: date | None = None,
) -> ProductInquiry:
    """Quote the first line of the inquiry and return the inquiry. Without `valid_to`, the quote
    is valid for a month.
    """
    line = inquiry.lines.order_by("no")[0]
    until = valid_to or timezone.localdate() + timedelta(days=30)
    return inquiry_quote(
        actor=staff,
        inquiry_id=inquiry.pk,
        lines={line.pk: QuotedLine(product.code, Decimal(price))},
        valid_to=until,
    )


def run_out(inquiry: ProductInquiry) -> None:
    """Make the quote of the inquiry expire yesterday."""
    yesterday = timezone.localdate() - timedelta(days=1)
    for line in inquiry.lines.all():
        PriceListItem.objects.filter(pk=line.price_item_id).update(valid_to=yesterday)
        AssortmentRule.objects.filter(product=line.product_id).update(valid_to=yesterday)
    ProductInquiry.objects.filter(pk=inquiry.pk).update(valid_to=yesterday)
