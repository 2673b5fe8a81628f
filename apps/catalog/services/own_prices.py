"""A customer's own prices that come from quotes: his own price list, each row until the last day of its quote."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import ChangeKind, InquiryStatus, PriceListKind, RuleKind, RuleMode
from apps.catalog.models import (
    Agreement,
    Assortment,
    AssortmentRule,
    CustomerAgreement,
    PriceList,
    PriceListItem,
    Product,
    ProductInquiry,
    ProductInquiryLine,
)
from apps.catalog.services.changes import change_record
from apps.catalog.services.price_moves import Moved, price_moves_record
from apps.common.background.periodic import done_for_each
from apps.org.models import Group


def own_price_give(*, inquiry: ProductInquiry, product: Product, price: Decimal, valid_to: date) -> PriceListItem:
    """Return `price` (元, 含税) as the customer's own until the end of `valid_to`; the product is visible to him.

    A newer quote of a product stands before an older, which holds again when the newer ends before it.
    The customer is the enterprise that asked, or the group where the person belongs to none.
    In the caller's transaction.
    """
    agreement = _own_agreement(inquiry)
    return _write(agreement, product, price, valid_to)


def own_prices_take_back(*, inquiry: ProductInquiry) -> None:
    """End the prices this inquiry gave: what an older quote still promises is his price again. In the caller's transaction."""
    _lock(inquiry.group_id)
    given = PriceListItem.objects.filter(pk__in=inquiry.lines.filter(price_item__isnull=False).values("price_item"))
    for item in given.select_related("product").order_by("pk"):
        agreement = Agreement.objects.select_related("assortment", "price_list").get(price_list=item.price_list_id)
        _settle(agreement, item.product, inquiry.group_id, inquiry.enterprise_id, without=inquiry.pk)


def own_prices_restore(*, inquiry: ProductInquiry) -> None:
    """Give what this inquiry quotes its place again where a newer quote that is over stands in it. In the caller's transaction."""
    lost = inquiry.lines.filter(product__isnull=False, price_item__isnull=True)
    if not lost.exists():
        return
    agreement = _own_agreement(inquiry)
    for product in Product.objects.filter(pk__in=lost.values("product")).order_by("pk"):
        _settle(agreement, product, inquiry.group_id, inquiry.enterprise_id)


def own_prices_sweep() -> int:
    """End the rows whose last day is over, as `own_prices_take_back` does; return how many. Runs in the platform's scope."""
    late = PriceListItem.objects.filter(price_list__agreements__is_addition=True, valid_to__lt=timezone.localdate())
    done = done_for_each(late.order_by("pk").values_list("pk"), _sweep)
    AssortmentRule.objects.filter(assortment__agreements__is_addition=True, valid_to__lt=timezone.localdate()).delete()
    return done


@transaction.atomic
def _sweep(item_id: int) -> bool:
    customer = CustomerAgreement.objects.select_related("agreement__assortment", "agreement__price_list").get(
        agreement__price_list__items=item_id
    )
    _lock(customer.group_id)
    # Quoted anew while we came here.
    item = PriceListItem.objects.select_related("product").filter(pk=item_id, valid_to__lt=timezone.localdate()).first()
    if item is None:
        return False
    _settle(customer.agreement, item.product, customer.group_id, customer.enterprise_id)
    return True


def _settle(agreement: Agreement, product: Product, group_id: int, enterprise_id: int | None, *, without: int = 0) -> None:
    """Make the newest quote of the product that holds, other than that of the inquiry `without`, the price; or have none."""
    holding = ProductInquiryLine.objects.filter(
        inquiry__group=group_id,
        inquiry__enterprise=enterprise_id,
        inquiry__status__in=(InquiryStatus.QUOTED, InquiryStatus.ADOPTED),
        inquiry__valid_to__gte=timezone.localdate(),
        product=product,
    )
    line = holding.exclude(inquiry=without).select_related("inquiry").order_by("-inquiry__quoted_at", "-pk").first()
    if line is None:
        AssortmentRule.objects.filter(assortment=agreement.assortment, product=product).delete()
        PriceListItem.objects.filter(price_list=agreement.price_list, product=product).delete()
        _told(agreement, product)
        return
    line.price_item = _write(agreement, product, line.quoted_price, line.inquiry.valid_to)
    line.save(update_fields=["price_item"])


def _write(agreement: Agreement, product: Product, price: Decimal, valid_to: date) -> PriceListItem:
    rule: dict[str, Any] = {"mode": RuleMode.INCLUDE, "kind": RuleKind.PRODUCT}
    AssortmentRule.objects.update_or_create(assortment=agreement.assortment, product=product, **rule, defaults={"valid_to": valid_to})
    stored = PriceListItem.objects.filter(price_list=agreement.price_list, product=product)
    price_was: Any = stored.values_list("price", flat=True).first()
    item, _ = PriceListItem.objects.update_or_create(
        price_list=agreement.price_list,
        product=product,
        defaults={"price": price, "valid_to": valid_to},  # type: ignore[misc]
    )
    price_moves_record([Moved(item.pk, product.pk, price_was, price)])
    ProductInquiryLine.objects.filter(price_item=item).update(price_item=None)
    _told(agreement, product)
    return item


def _told(agreement: Agreement, product: Product) -> None:
    change_record(ChangeKind.PRICE, f"{agreement.code}:{product.code}")
    change_record(ChangeKind.ASSORTMENT, agreement.code)


def _lock(group_id: int) -> None:
    """Quotes for one group are given and taken back one after another."""
    Group.objects.select_for_update(no_key=True).filter(pk=group_id).values_list("pk").first()


def _own_agreement(inquiry: ProductInquiry) -> Agreement:
    """Return the agreement of the customer's quotes, made with the first of them."""
    _lock(inquiry.group_id)
    code = f"XJ-{inquiry.group_id}-{inquiry.enterprise_id or 0}"
    found = Agreement.objects.select_related("price_list", "assortment").filter(code=code).first()
    if found is not None:
        return found
    whose = inquiry.enterprise.name if inquiry.enterprise else inquiry.group.name
    name = f"询价专属价 · {whose}"[:80]
    agreement = Agreement.objects.create(
        code=code,
        name=name,
        price_list=PriceList.objects.create(code=code, name=name, kind=PriceListKind.CUSTOMER),
        assortment=Assortment.objects.create(code=code, name=name),
        valid_from=timezone.localdate(),
        is_addition=True,
    )
    theirs = CustomerAgreement.objects.filter(group=inquiry.group_id, enterprise=inquiry.enterprise_id)
    taken = set(theirs.values_list("priority", flat=True))
    priority = next(number for number in range(len(taken) + 1) if number not in taken)
    CustomerAgreement.objects.create(group_id=inquiry.group_id, enterprise_id=inquiry.enterprise_id, agreement=agreement, priority=priority)
    change_record(ChangeKind.AGREEMENT, code)
    return agreement
