"""The visibility of products for a customer, as an SQL condition on a row of `catalog_product`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from apps.catalog.enums import ProductStatus
from apps.common.sql.fragment import Fragment, any_of, in_list
from apps.pricing.selectors.context import AssortmentScope, CatalogueContext, RuleSide

KEPT = 1024
LEVEL_COLUMNS = {1: "l1_id", 2: "l2_id", 3: "l3_id"}


def visible(context: CatalogueContext, alias: str) -> Fragment:
    """Return the condition for visible products: the public products without agreements,
    otherwise the union of the assortments. An exclude applies only within its own
    assortment.
    """
    return _visible(context.assortments, alias)


@lru_cache(maxsize=KEPT)
def _visible(assortments: tuple[AssortmentScope, ...], alias: str) -> Fragment:
    if not assortments:
        return Fragment(f"{alias}.is_public")
    return any_of(_inside(scope, alias) for scope in assortments)


def for_sale(context: CatalogueContext, alias: str) -> list[Fragment]:
    """Return the conditions for products in lists: on sale and visible."""
    return [Fragment(f"{alias}.status = '{ProductStatus.ON_SALE.value}'"), visible(context, alias)]


def _inside(scope: AssortmentScope, alias: str) -> Fragment:
    include = any_of(_side(scope.include, scope, "include", alias))
    excludes = list(_side(scope.exclude, scope, "exclude", alias))
    if not excludes:
        return include
    exclude = any_of(excludes)
    return Fragment(
        f"({include.sql} AND NOT {exclude.sql})", [*include.parameters, *exclude.parameters]
    )


def _side(side: RuleSide, scope: AssortmentScope, mode: str, alias: str) -> Iterable[Fragment]:
    if side.everything:
        yield Fragment("TRUE")
        return
    if side.public:
        yield Fragment(f"{alias}.is_public")
    for level, column in LEVEL_COLUMNS.items():
        ids = [category for at, category in side.categories if at == level]
        if ids:
            yield in_list(f"{alias}.{column}", ids)
    if side.brands:
        yield in_list(f"{alias}.brand_id", side.brands)
    if side.products:
        listed = (
            "SELECT r.product_id FROM pricing_assortmentrule r WHERE r.assortment_id = %s "
            "AND r.mode = %s AND r.kind = 'product'"
        )
        dated, days = (
            (" AND (r.valid_to IS NULL OR r.valid_to >= %s)", [scope.dated_on])
            if scope.dated_on
            else ("", [])
        )
        yield Fragment(f"{alias}.id IN ({listed}{dated})", [scope.assortment_id, mode, *days])
