"""Grow the demo catalogue to N products: python -m bench.grow 20000. Clones get their own
models, prices and sales.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

BATCH = 2000
FIRST_CODE = 300_000_000


def grow(target: int, *, seed: int = 1) -> int:
    """Add clones until there are `target` products, with their prices in the customers' lists.
    Return the number added.
    """
    from apps.catalog.models import Product
    from apps.catalog.services.product_index import dictionary_load

    dictionary_load()
    draw = random.Random(seed)
    originals = list(
        Product.objects.filter(code__lt=str(FIRST_CODE), code__regex=r"^\d{6}$").order_by("pk")
    )
    have = Product.objects.count()
    for begin in range(have, target, BATCH):
        number = min(BATCH, target - begin)
        _clone(draw, [originals[(begin + n) % len(originals)] for n in range(number)], begin)
    return max(0, target - have)


def _clone(draw: random.Random, sources: Sequence[object], begin: int) -> None:
    from django.db import transaction

    from apps.catalog.models import Product
    from apps.catalog.services.product_index import products_index, suggest_terms_write
    from apps.pricing.models import PriceListItem

    fields = [field.attname for field in Product._meta.concrete_fields if not field.primary_key]
    clones, cloned_from = [], {}
    for number, source in enumerate(sources, start=begin):
        clone = Product(**{name: getattr(source, name) for name in fields})
        clone.code = str(FIRST_CODE + number)
        model = f"{clone.model_code}-{number}"
        clone.name = (
            clone.name.replace(clone.model_code, model)[:120] if clone.model_code else clone.name
        )
        clone.model_code = model[:60]
        clone.market_price = (clone.market_price * draw.randrange(80, 130) / 100).quantize(
            Decimal("0.01")
        )
        clone.sales_count = draw.randrange(5000)
        clone.reserved = 0
        clone.family_id = None
        cloned_from[clone.code] = getattr(source, "pk", 0)
        clones.append(clone)
    prices: dict[int, list[PriceListItem]] = defaultdict(list)
    for item in PriceListItem.objects.filter(product_id__in=set(cloned_from.values())):
        prices[item.product_id].append(item)
    with transaction.atomic():
        Product.objects.bulk_create(products_index(products=clones), batch_size=500)
        PriceListItem.objects.bulk_create(
            (
                PriceListItem(
                    price_list_id=item.price_list_id,
                    product=clone,
                    price=item.price,
                    customer_code=clone.code,
                )
                for clone in clones
                for item in prices[cloned_from[clone.code]]
            ),
            batch_size=2000,
        )
        suggest_terms_write(product_ids=[clone.pk for clone in clones])


def main() -> None:
    """Grow the database that DATABASE_URL names."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.dev")
    import django

    django.setup()
    from django.db import connection

    from apps.common.tenancy import platform_scope

    began = time.monotonic()
    with platform_scope(reason="bench: grow the catalogue"):
        added = grow(int(sys.argv[1]))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"{added} products added in {time.monotonic() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
