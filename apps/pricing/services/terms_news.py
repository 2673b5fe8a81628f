"""Notify customers that an agreement or its price list ends soon, or was changed. Daily jobs
that read the stored data, so every kind of change is covered.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.models import CatalogChange, Product
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.days import start_of_day
from apps.common.tenancy import tenant_scope
from apps.org.menus import MenuCode
from apps.org.selectors.roles import list_entitled_accounts
from apps.pricing.models import CustomerAgreement

ENDING_TOPIC, CHANGED_TOPIC = "terms.ending", "terms.changed"
# Days before the end on which customers are notified.
WARNINGS = (30, 7)
# Days to catch up after an outage of the runner. `Once` prevents duplicates.
DAYS_BACK = 3
MAX_NAMES = 3
MAX_CODES = 500
LINK = "/product/index"


def ending_terms_publish() -> int:
    """Publish a message for each customer agreement that ends within 30 days, and again within 7
    days. Return the number of messages. The caller must open the platform scope.
    """
    today = timezone.localdate()
    last = today + timedelta(days=WARNINGS[0])
    ends_soon = Q(agreement__valid_to__range=(today, last)) | Q(
        agreement__price_list__valid_to__range=(today, last)
    )
    ending = CustomerAgreement.objects.filter(
        ends_soon, agreement__is_addition=False
    ).select_related("agreement__price_list")
    return run_for_each([(row, today) for row in ending.order_by("pk")], _publish_ending)


def _publish_ending(customer_agreement: CustomerAgreement, today: date) -> bool:
    """Publish that the agreement or its price list ends soon, once for each warning level."""
    agreement, prices = customer_agreement.agreement, customer_agreement.agreement.price_list
    rows = [("协议", agreement.name, agreement.valid_to), ("价目表", prices.name, prices.valid_to)]
    ends = [
        (topic, name, day)
        for topic, name, day in rows
        if day is not None and 0 <= (day - today).days <= WARNINGS[0]
    ]
    topic, name, day = min(ends, key=lambda row: row[2])
    days_left = (day - today).days
    level = min(warning_days for warning_days in WARNINGS if days_left <= warning_days)
    when = "今天" if days_left == 0 else f"还有 {days_left} 天"
    text = f"{when}。到期后相关商品不再按协议价供应，请联系客服或客户经理续签"
    _publish_news(
        ENDING_TOPIC,
        customer_agreement,
        title=f"{topic}“{name}”将于 {day:%Y-%m-%d} 到期",
        text=text,
        once=f"{customer_agreement.pk}:{day}:{level}",
    )
    return True


def changed_terms_publish() -> int:
    """Publish a message for each customer agreement and each of the last 3 days on which the
    agreement or its prices changed. Return the number of messages. The caller must open the
    platform scope.
    """
    today = timezone.localdate()
    return sum(
        _publish_changes_of(today - timedelta(days=back)) for back in range(1, DAYS_BACK + 1)
    )


def _publish_changes_of(day: date) -> int:
    """Publish the changes of a day to each customer of a changed agreement. Return the number of
    messages.
    """
    changes = CatalogChange.objects.filter(
        at__gte=start_of_day(day),
        at__lt=start_of_day(day + timedelta(days=1)),
        kind__in=[ChangeKind.PRICE, ChangeKind.AGREEMENT],
    )
    products: dict[str, set[str]] = {}
    agreements: set[str] = set()
    for kind, key in changes.values_list("kind", "key").distinct():
        code, _, product = key.partition(":")
        if kind == ChangeKind.AGREEMENT:
            # The key is "agreement" or "group:agreement".
            agreements.add(key.rpartition(":")[2])
        else:
            products.setdefault(code, set()).update({product} - {""})
    customer_agreements = CustomerAgreement.objects.filter(
        Q(agreement__code__in=agreements) | Q(agreement__price_list__code__in=products),
        agreement__is_addition=False,
        group__created_at__lt=start_of_day(day),
    )
    rows = customer_agreements.select_related("agreement__price_list").order_by("pk")
    return run_for_each(
        [
            (
                row,
                day,
                products.get(row.agreement.price_list.code),
                row.agreement.code in agreements,
            )
            for row in rows
        ],
        _publish_changed,
    )


def _publish_changed(
    customer_agreement: CustomerAgreement, day: date, products: set[str] | None, is_agreement: bool
) -> bool:
    """Publish the news that an agreement changed on `day`. `products` are the codes with a new
    price, None if no price changed. Always returns True.
    """
    words = [] if products is None else [_format_prices(products)]
    if is_agreement:
        words.append("协议内容或有效期有调整")
    title = f"协议“{customer_agreement.agreement.name}”于 {day:%Y-%m-%d} 有变更"
    _publish_news(
        CHANGED_TOPIC,
        customer_agreement,
        title=title,
        text="；".join(words),
        once=f"{customer_agreement.pk}:{day}",
        products=products,
    )
    return True


def _format_prices(codes: set[str]) -> str:
    """Return how many prices changed and the names of up to MAX_NAMES products."""
    if not codes:
        return "价目表有调整"
    names = list(
        Product.objects.filter(code__in=sorted(codes)[:MAX_NAMES])
        .order_by("code")
        .values_list("name", flat=True)
    )
    return f"{len(codes)} 种商品的协议价有变更：{'、'.join(names)}" + (
        "等" if len(codes) > MAX_NAMES else ""
    )


def _publish_news(
    topic: str,
    customer_agreement: CustomerAgreement,
    *,
    title: str,
    text: str,
    once: str,
    products: Iterable[str] | None = None,
) -> None:
    """Publish a message to the accounts of the customer that may see budgets. `once` prevents a
    second one.
    """
    with tenant_scope(group_id=customer_agreement.group_id), transaction.atomic():
        to: Iterable[int] = list_entitled_accounts(
            menu=MenuCode.ASSET_BUDGET, enterprise_id=customer_agreement.enterprise_id
        ).values_list("pk", flat=True)
        payload: dict[str, Any] = {
            "To": sorted(to),
            "Title": title,
            "Text": text,
            "Link": LINK,
            "Once": once,
        }
        if topic == CHANGED_TOPIC:
            # For webhooks: the enterprise, and the products whose prices to fetch again.
            payload |= {
                "EnterpriseId": customer_agreement.enterprise_id,
                "ProductCodes": sorted(products or ())[:MAX_CODES],
            }
        outbox_publish(topic=topic, key=customer_agreement.agreement.code, payload=payload)
