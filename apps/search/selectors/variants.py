"""可选规格: other colours and packs of the same article, with the attributes that distinguish
them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.catalog.selectors.pictures import media_url
from apps.common.prepared_rows import fetch_prepared
from apps.common.sql.fragment import all_of, in_list
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import for_sale

PACK = "规格"
MAX_VARIANTS = 24
MAX_ROWS = 8000

# An article is a model of one brand in one category, because two brands can use the same model
# code.
SIBLINGS = """
SELECT s.id, p.id, p.code, p.image, p.pack, p.attributes, p.stock - p.reserved >= p.min_quantity
FROM catalog_product s
JOIN catalog_product p ON p.model_key = s.model_key AND p.brand_id = s.brand_id
    AND p.l3_id = s.l3_id
WHERE s.model_key <> '' AND {where} ORDER BY s.id, p.id LIMIT {limit}
"""


@dataclass(frozen=True, slots=True)
class Variant:
    """One product of an article. `specs` are the (name, value) pairs that differ between the
    products.
    """

    code: str
    image_url: str
    specs: tuple[tuple[str, str], ...]
    in_stock: bool


def get_variants(
    *, context: CatalogueContext, product_ids: Sequence[int]
) -> dict[int, tuple[Variant, ...]]:
    """Return, by product pk, the variants of its article, including the product itself.
    Products without other variants have no entry.

    Only products that the customer can buy. One query, none without products.
    """
    if not product_ids:
        return {}
    where = all_of([in_list("s.id", product_ids), *for_sale(context, "p")])
    articles: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for product_id, *row in fetch_prepared(
        SIBLINGS.format(where=where.sql, limit=MAX_ROWS), where.parameters
    ):
        articles[product_id].append(tuple(row))
    found = {product_id: _build_variants(rows) for product_id, rows in articles.items()}
    return {product_id: variants for product_id, variants in found.items() if variants}


def _build_variants(rows: list[tuple[Any, ...]]) -> tuple[Variant, ...]:
    """Return the article's products with their differences. Empty for a single product, or if
    no value differs.
    """
    attributes = [_specs(packed, pack) for _, _, _, pack, packed, _ in rows]
    names = list(dict.fromkeys(name for specs in attributes for name in specs))
    differing = [name for name in names if len({specs.get(name, "") for specs in attributes}) > 1]
    if not differing:
        return ()
    return tuple(
        Variant(
            code,
            media_url(image),
            tuple((name, specs.get(name, "—")) for name in differing),
            bool(in_stock),
        )
        for (_, code, image, _, _, in_stock), specs in zip(
            rows[:MAX_VARIANTS], attributes, strict=False
        )
    )


def _specs(packed: Any, pack: str) -> dict[str, str]:
    attributes: dict[str, Any] = json.loads(packed) if isinstance(packed, str) else packed or {}
    return {**{name: str(value) for name, value in attributes.items()}, PACK: pack}
