"""The detail of a product for one customer."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Category
from apps.catalog.selectors.pictures import image_url, media_url
from apps.common.prepared_rows import fetch_prepared
from apps.common.sql.fragment import Fragment
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, build_offers, offers_for
from apps.pricing.sql.products import product_rows
from apps.search.enums import FavoriteType
from apps.search.selectors.documents import DocumentRow, documents_of
from apps.search.selectors.variants import Variant, variants_of
from apps.search.sql.related import related_ids

if TYPE_CHECKING:
    from apps.org.models import Account

RELATED = 6


@dataclass(frozen=True, slots=True)
class ProductDetail(Offer):
    """The offer with its gallery, the group's own name and code, the category path from level 1
    down, and related products.
    """

    context: CatalogueContext
    images: tuple[str, ...]
    path: tuple[Category, ...]
    is_favorite: bool
    own_terms: tuple[str, str]
    variants: tuple[Variant, ...]
    documents: tuple[DocumentRow, ...]
    substitutes: tuple[Offer, ...]
    goes_with: tuple[Offer, ...]


def product_detail(*, actor: Account | None, code: str) -> ProductDetail:
    """Return the product. A product that is off sale is returned too, so that old links can
    show its state. Seven queries.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
    """
    context = catalogue_context(actor=actor)
    product = next(iter(_rows(context, code)), None)
    if product is None or not product.is_visible:
        raise ProductNotFound
    offer = build_offers(context=context, products=[product])[product.pk]
    substitutes, goes_with = related_ids(context, product, limit=RELATED)
    others = offers_for(context=context, product_ids=[*substitutes, *goes_with])
    return ProductDetail(
        **{field.name: getattr(offer, field.name) for field in fields(Offer)},
        context=context,
        images=tuple(
            url for url in (image_url(product), *map(media_url, _further_images(product.pk))) if url
        ),
        path=_path(product),
        own_terms=product.own_terms,
        is_favorite=bool(getattr(product, "is_favorite", False)),
        variants=variants_of(context=context, product_ids=[product.pk]).get(product.pk, ()),
        documents=documents_of(product.pk),
        substitutes=tuple(others[pk] for pk in substitutes),
        goes_with=tuple(others[pk] for pk in goes_with),
    )


PLACED = (
    "JOIN catalog_category c1 ON c1.id = p.l1_id JOIN catalog_category c2 ON c2.id = p.l2_id JOIN "
    "catalog_category c3 ON c3.id = p.l3_id"
)
MINE = (
    " LEFT JOIN search_favorite f ON f.product_id = p.id AND f.group_id = %s AND f.account_id = "
    "%s AND f.type = %s"
)


def _rows(context: CatalogueContext, code: str) -> list[Any]:
    joins, beside = (
        Fragment(PLACED),
        {"l1_name": "c1.name", "l2_name": "c2.name", "l3_name": "c3.name"},
    )
    if context.account_id is not None and context.group_id is not None:
        joins = Fragment(
            PLACED + MINE, [context.group_id, context.account_id, FavoriteType.FAVORITE.value]
        )
        beside["is_favorite"] = "f.id IS NOT NULL"
    return product_rows(
        context,
        Fragment("p.code = %s", [code]),
        joins=joins,
        beside=beside,
        without=("search_tokens",),
    )


def _path(product: Any) -> tuple[Category, ...]:
    return tuple(
        Category(
            pk=getattr(product, f"l{level}_id"),
            name=getattr(product, f"l{level}_name"),
            level=level,
        )
        for level in (1, 2, 3)
    )


def _further_images(product_id: int) -> list[str]:
    return [
        path
        for (path,) in fetch_prepared(
            "SELECT path FROM catalog_productimage WHERE product_id = %s ORDER BY position, id",
            [product_id],
        )
    ]
