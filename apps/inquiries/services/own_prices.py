"""The customer's own prices from quotes: a price list of the customer. Each row is valid until
the last day of its quote.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.models import Product
from apps.catalog.services.changes import change_record
from apps.common.background.periodic import run_for_each
from apps.inquiries.enums import InquiryStatus
from apps.inquiries.models import ProductInquiry, ProductInquiryLine
from apps.org.locks import lock_group
from apps.pricing.enums import PriceListKind, RuleKind, RuleMode
from apps.pricing.models import (
    Agreement,
    Assortment,
    AssortmentRule,
    CustomerAgreement,
    PriceList,
    PriceListItem,
)
from apps.pricing.models.tiers import FLAT_TIER_FIELDS
from apps.pricing.services.price_moves import PriceChange, price_moves_record


def own_price_give(
    *, inquiry: ProductInquiry, product: Product, price: Decimal, valid_to: date
) -> PriceListItem:
    """Set `price` (元, 含税) as the customer's own price until the end of `valid_to`, and make the
    product visible to the customer. Return the price row.

    A newer quote of a product replaces an older one. The older one applies again if the newer one
    ends earlier. The customer is the requester's enterprise, or the group if the requester has no
    enterprise. Runs in the caller's transaction, which holds the group's lock.
    """
    agreement = _get_own_agreement(inquiry)
    return _save_own_price(agreement, product, price=price, valid_to=valid_to)


def own_prices_take_back(*, inquiry: ProductInquiry) -> None:
    """End the prices from this inquiry. If an older quote of a product is still valid, its
    price applies again. Runs in the caller's transaction, which holds the group's lock.
    """
    quote_prices = PriceListItem.objects.filter(
        pk__in=inquiry.lines.filter(price_item__isnull=False).values("price_item")
    )
    for item in quote_prices.select_related("product").order_by("pk"):
        agreement = Agreement.objects.select_related("assortment", "price_list").get(
            price_list=item.price_list_id
        )
        _apply_newest_quote(
            agreement,
            item.product,
            group_id=inquiry.group_id,
            enterprise_id=inquiry.enterprise_id,
            except_inquiry=inquiry.pk,
        )


def own_prices_restore(*, inquiry: ProductInquiry) -> None:
    """Apply the prices of this inquiry again if a newer quote that replaced them has ended.
    Runs in the caller's transaction, which holds the group's lock.
    """
    lines_without_price = inquiry.lines.filter(product__isnull=False, price_item__isnull=True)
    if not lines_without_price.exists():
        return
    agreement = _get_own_agreement(inquiry)
    for product in Product.objects.filter(pk__in=lines_without_price.values("product")).order_by(
        "pk"
    ):
        _apply_newest_quote(
            agreement,
            product,
            group_id=inquiry.group_id,
            enterprise_id=inquiry.enterprise_id,
        )


def own_prices_sweep() -> int:
    """End expired prices in the same way as `own_prices_take_back`. Return their number. The caller
    must open the platform scope.
    """
    late = PriceListItem.objects.filter(
        price_list__agreements__is_addition=True, valid_to__lt=timezone.localdate()
    )
    swept_count = run_for_each(late.order_by("pk").values_list("pk"), _sweep_price)
    AssortmentRule.objects.filter(
        assortment__agreements__is_addition=True, valid_to__lt=timezone.localdate()
    ).delete()
    return swept_count


@transaction.atomic
def _sweep_price(item_id: int) -> bool:
    """Delete an expired price of a quote, or replace it by the newest quote that is still valid.
    Return False if it was renewed meanwhile.
    """
    customer = CustomerAgreement.objects.select_related(
        "agreement__assortment", "agreement__price_list"
    ).get(agreement__price_list__items=item_id)
    lock_group(customer.group_id)
    # Another transaction may have renewed the price before this one locked the group.
    item = (
        PriceListItem.objects.select_related("product")
        .filter(pk=item_id, valid_to__lt=timezone.localdate())
        .first()
    )
    if item is None:
        return False
    _apply_newest_quote(
        customer.agreement,
        item.product,
        group_id=customer.group_id,
        enterprise_id=customer.enterprise_id,
    )
    return True


def _apply_newest_quote(
    agreement: Agreement,
    product: Product,
    *,
    group_id: int,
    enterprise_id: int | None,
    except_inquiry: int = 0,
) -> None:
    """Set the price of the newest valid quote of the product. If there is none, remove the price.
    `except_inquiry` is the id of an inquiry whose quotes do not count.
    """
    holding = ProductInquiryLine.objects.filter(
        inquiry__group=group_id,
        inquiry__enterprise=enterprise_id,
        inquiry__status__in=(InquiryStatus.QUOTED, InquiryStatus.ADOPTED),
        inquiry__valid_to__gte=timezone.localdate(),
        product=product,
    )
    line = (
        holding.exclude(inquiry=except_inquiry)
        .select_related("inquiry")
        .order_by("-inquiry__quoted_at", "-pk")
        .first()
    )
    if line is None:
        AssortmentRule.objects.filter(assortment=agreement.assortment, product=product).delete()
        PriceListItem.objects.filter(price_list=agreement.price_list, product=product).delete()
        _publish_change(agreement, product)
        return
    line.price_item = _save_own_price(
        agreement, product, price=line.quoted_price, valid_to=line.inquiry.valid_to
    )
    line.save(update_fields=["price_item"])


def _save_own_price(
    agreement: Agreement, product: Product, *, price: Decimal, valid_to: date
) -> PriceListItem:
    """Save the price (元, 含税) and the visibility of a product, both until the end of `valid_to`.
    Return the price row. No line of a quotation refers to the row afterwards; the caller links the
    line whose price it is.
    """
    rule: dict[str, Any] = {"mode": RuleMode.INCLUDE, "kind": RuleKind.PRODUCT}
    AssortmentRule.objects.update_or_create(
        assortment=agreement.assortment, product=product, **rule, defaults={"valid_to": valid_to}
    )
    stored = PriceListItem.objects.filter(price_list=agreement.price_list, product=product)
    price_was: Any = stored.values_list("price", flat=True).first()
    item, _ = PriceListItem.objects.update_or_create(
        price_list=agreement.price_list,
        product=product,
        # A quote has one price: tiers of the row would be cheaper than it, or above it.
        defaults={"price": price, "valid_to": valid_to, **dict.fromkeys(FLAT_TIER_FIELDS)},
    )
    price_moves_record([PriceChange(item.pk, product.pk, price_was, price)])
    ProductInquiryLine.objects.filter(price_item=item).update(price_item=None)
    _publish_change(agreement, product)
    return item


def _publish_change(agreement: Agreement, product: Product) -> None:
    change_record(ChangeKind.PRICE, f"{agreement.code}:{product.code}")
    change_record(ChangeKind.ASSORTMENT, agreement.code)


def _get_own_agreement(inquiry: ProductInquiry) -> Agreement:
    """Return the agreement for the customer's quotes. The first quote creates it."""
    code = f"XJ-{inquiry.group_id}-{inquiry.enterprise_id or 0}"
    agreements = Agreement.objects.select_related("price_list", "assortment")
    agreement: Agreement | None = agreements.filter(code=code).first()
    if agreement is not None:
        return agreement
    customer = inquiry.enterprise.name if inquiry.enterprise else inquiry.group.name
    name = f"询价专属价 · {customer}"[:80]
    agreement = Agreement.objects.create(
        code=code,
        name=name,
        price_list=PriceList.objects.create(code=code, name=name, kind=PriceListKind.CUSTOMER),
        assortment=Assortment.objects.create(code=code, name=name),
        valid_from=timezone.localdate(),
        is_addition=True,
    )
    others = CustomerAgreement.objects.filter(
        group=inquiry.group_id, enterprise=inquiry.enterprise_id
    )
    priorities = set(others.values_list("priority", flat=True))
    priority = next(number for number in range(len(priorities) + 1) if number not in priorities)
    CustomerAgreement.objects.create(
        group_id=inquiry.group_id,
        enterprise_id=inquiry.enterprise_id,
        agreement=agreement,
        priority=priority,
    )
    change_record(ChangeKind.AGREEMENT, code)
    return agreement
