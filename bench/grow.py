"""Grow the demo catalogue to N products: python -m bench.grow 20000. Clones get their own
models, prices and sales. The clones of a family are a family.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

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
    _clone_families(originals, [FIRST_CODE + number for number in range(have, target)])
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


def _clone_families(originals: Sequence[Any], codes: Sequence[int]) -> None:
    """Put the clones with these codes into families like those of their originals. Each round of
    clones has families of its own.
    """
    from django.db import transaction

    from apps.catalog.models import FamilyMember, Product, ProductFamily

    cloned_of = {member.product_id: member for member in FamilyMember.objects.all()}
    clones = {int(clone.code): clone for clone in Product.objects.filter(code__in=map(str, codes))}
    groups: dict[tuple[int, int], list[tuple[FamilyMember, Product]]] = defaultdict(list)
    for code in codes:
        repeat, place = divmod(code - FIRST_CODE, len(originals))
        member = cloned_of.get(originals[place].pk)
        if member is not None:
            groups[member.family_id, repeat].append((member, clones[code]))
    groups = {key: rows for key, rows in groups.items() if len(rows) > 1}
    sources = ProductFamily.objects.in_bulk({family_id for family_id, _ in groups})
    families = {
        (family_id, repeat): ProductFamily(
            code=f"{sources[family_id].code}-{repeat}",
            name=sources[family_id].name,
            category_id=sources[family_id].category_id,
            axes=sources[family_id].axes,
        )
        for family_id, repeat in groups
    }
    with transaction.atomic():
        ProductFamily.objects.bulk_create(families.values(), batch_size=500)
        FamilyMember.objects.bulk_create(
            (
                FamilyMember(
                    family=families[key],
                    product=clone,
                    values=member.values,
                    values_key=member.values_key,
                    position=member.position,
                )
                for key, rows in groups.items()
                for member, clone in rows
            ),
            batch_size=500,
        )
        for key, rows in groups.items():
            Product.objects.filter(pk__in=[clone.pk for _, clone in rows]).update(
                family=families[key]
            )


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
