"""Create shoppers with bearers and filled carts: python -m bench.prepare IDS.json [ORDERS]
writes the lists for requests.

Each shopper buys for one enterprise of the demo's first group, with its agreements, prices and
approval rules.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import sys
import time
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.scale import size

ADDERS, BIG, BIG_LINES, TEN_LINES = size(400, 4), size(8, 2), 100, 10
ENOUGH = Decimal("100000000.00")
PREFIXES = ("中性", "zxb", "fuyin", "订书", "墨", "dsj")
TERMS = size(200, 10)


def prepare(orders: int) -> dict[str, list[dict[str, Any]]]:
    """Return the lists leaf, product, term, prefix, and the shoppers by the contents of their
    carts: add, ten, big, order.
    """
    from apps.catalog.models import Category, Product
    from apps.pricing.selectors.context import get_catalogue_context
    from apps.pricing.selectors.offers import get_offers_by_code

    Product.objects.update(stock=10**8)
    boss = create_boss()
    draw = random.Random(7)
    sold = list(Product.objects.filter(status="on").values_list("code", flat=True).order_by("code"))
    offers = get_offers_by_code(
        context=get_catalogue_context(actor=boss), codes=draw.sample(sold, min(6000, len(sold)))
    )
    seen = [offer.product for offer in offers.values() if offer.visible][:4000]
    leaves = dict(Category.objects.filter(level=3).values_list("pk", "name"))
    carts = (
        ("add", ADDERS, TEN_LINES),
        ("ten", 1, TEN_LINES),
        ("big", BIG, BIG_LINES),
        ("order", orders, TEN_LINES),
    )
    return {
        "leaf": [{"id": pk} for pk in sorted({product.l3_id for product in seen})],
        "product": [{"code": product.code, "quantity": product.min_quantity} for product in seen],
        "term": [
            {"q": quote(f"{product.brand.name} {leaves[product.l3_id]}")}
            for product in draw.sample(seen, TERMS)
        ],
        "prefix": [{"key": key} for key in PREFIXES],
        **{
            name: create_shoppers(boss, name, count, lines, seen, draw)
            for name, count, lines in carts
        },
    }


def create_boss() -> Any:
    """Return an account of a new enterprise with everything that ordering needs."""
    from apps.orders.tests.factories import settle_in
    from apps.org.models import Account
    from apps.org.tests.factories import AccountFactory, DepartmentFactory, EnterpriseFactory

    like = Account.objects.get(username="buyer")
    stamp = f"B{time.time_ns() % 10**9}"
    enterprise = EnterpriseFactory(
        group=like.group,
        code=stamp,
        name=f"压测{stamp}有限公司",
        credit_code=f"91310000MA{stamp[1:8]}X",
    )
    account = AccountFactory(
        department=DepartmentFactory(enterprise=enterprise, code=stamp),
        username=stamp,
        roles=list(like.roles.all()),
    )
    settle_in(account)
    enterprise.credit_limit = ENOUGH
    enterprise.save()
    return account


def create_shoppers(
    boss: Any, name: str, count: int, lines: int, products: list[Any], draw: random.Random
) -> list[dict[str, Any]]:
    """Return bearers of new accounts, each with its own budget and a cart of that many
    products.
    """
    from django.utils import timezone

    from apps.budgets.models import Budget
    from apps.cart.models import CartItem
    from apps.identity.models import TokenFamily
    from apps.identity.tokens import create_access_token, hash_text
    from apps.org.models import Account

    now, place = (
        timezone.now(),
        {"group": boss.group, "enterprise": boss.enterprise, "department": boss.department},
    )
    accounts = Account.objects.bulk_create(
        Account(username=f"{boss.username}-{name}-{n}".casefold(), nickname=f"压测{n}", **place)
        for n in range(count)
    )
    roles = boss.roles.all()
    Account.roles.through.objects.bulk_create(
        Account.roles.through(account=account, role=role) for account in accounts for role in roles
    )
    year = {"period": "year", "period_from": date(2000, 1, 1), "period_to": date(2099, 12, 31)}
    Budget.objects.bulk_create(
        Budget(
            name="个人预算",
            owner_type="account",
            group=boss.group,
            enterprise=boss.enterprise,
            account=account,
            amount=ENOUGH,
            **year,
        )
        for account in accounts
    )
    families = TokenFamily.objects.bulk_create(
        TokenFamily(
            account=account,
            token_hash=hash_text(secrets.token_hex()),
            used_at=now,
            expires_at=now + timedelta(days=1),
        )
        for account in accounts
    )
    CartItem.objects.bulk_create(
        (
            CartItem(
                group=boss.group,
                account=account,
                product=product,
                quantity=product.min_quantity,
                is_selected=True,
                updated_at=now,
            )
            for account in accounts
            for product in draw.sample(products, lines)
        ),
        batch_size=2000,
    )
    return [
        {
            "bearer": create_access_token(account=account, family=family.public_id),
            "key": secrets.token_hex(16),
        }
        for account, family in zip(accounts, families, strict=True)
    ]


def main() -> None:
    """Write the lists for the database that DATABASE_URL names."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    import django

    django.setup()
    from django.db import connection

    from apps.common.tenancy import platform_scope

    with platform_scope(reason="bench"):
        lists = prepare(int(sys.argv[2]) if len(sys.argv) > 2 else 400)
    Path(sys.argv[1]).write_text(json.dumps(lists), encoding="utf-8")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    main()
