"""A product for one customer: its detail with documents and related products, its variants
(可选规格: other colours and packs of the same article), and the comparison of a few products.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Any

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Category, ProductDocument
from apps.catalog.selectors.pictures import image_url, media_url
from apps.common.sql import Fragment, all_of, fetch_prepared, in_list
from apps.finders.models import ExpectedArrival
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, build_offers, offers_by_code
from apps.pricing.sql.products import for_sale, product_rows
from apps.search.enums import FavoriteType
from apps.search.errors import DocumentUnavailable
from apps.search.models import RestockReminder
from apps.search.selectors.substitutes import (
    Substitute,
    build_substitutes,
    must_conditions,
    parse_rules,
    rules_expression,
)
from apps.search.sql.on_sale import list_related_ids

if TYPE_CHECKING:
    from apps.org.models import Account

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
MAX_RELATED = 6
CATEGORY_JOINS = (
    "JOIN catalog_category c1 ON c1.id = p.l1_id JOIN catalog_category c2 ON c2.id = p.l2_id JOIN "
    "catalog_category c3 ON c3.id = p.l3_id"
)
FAVORITE_JOIN = (
    " LEFT JOIN search_favorite f ON f.product_id = p.id AND f.group_id = %s AND f.account_id = "
    "%s AND f.type = %s"
)
HAS_DEVICES = "EXISTS (SELECT 1 FROM finders_devicecompatibility fd WHERE fd.product_id = p.id)"
DOCUMENT_KINDS: dict[str, str] = dict(ProductDocument.Kind.choices)
MAX_COMPARED = 4
UNREAD = (
    "description",
    "search_tokens",
    "keywords",
    "model_key",
    "name_key",
    "created_at",
    "updated_at",
)


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
    variants_by_product = {
        product_id: _build_variants(rows) for product_id, rows in articles.items()
    }
    return {
        product_id: variants for product_id, variants in variants_by_product.items() if variants
    }


def _build_variants(rows: list[tuple[Any, ...]]) -> tuple[Variant, ...]:
    """Return the article's products with their differences. Empty for a single product, or if
    no value differs.
    """
    attributes = [_merge_specs(packed, pack) for _, _, _, pack, packed, _ in rows]
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


def _merge_specs(packed: Any, pack: str) -> dict[str, str]:
    attributes: dict[str, Any] = json.loads(packed) if isinstance(packed, str) else packed or {}
    return {**{name: str(value) for name, value in attributes.items()}, PACK: pack}


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
    substitutes: tuple[Substitute, ...]
    goes_with: tuple[Offer, ...]
    has_devices: bool


def product_detail(*, actor: Account | None, code: str) -> ProductDetail:
    """Return the product. A product that is off sale is returned too, so that old links can
    show its state. Seven queries.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
    """
    context = catalogue_context(actor=actor)
    product = next(iter(_fetch_product_rows(context, code)), None)
    if product is None or not product.is_visible:
        raise ProductNotFound
    offer = build_offers(context=context, products=[product])[product.pk]
    substitutes, goes_with = list_related_ids(
        context,
        product,
        limit=MAX_RELATED,
        must=must_conditions(product, parse_rules(product.substitute_rules)),
    )
    others = _fetch_offers(context, [*substitutes, *goes_with])
    return ProductDetail(
        **{field.name: getattr(offer, field.name) for field in fields(Offer)},
        context=context,
        images=tuple(
            url
            for url in (image_url(product), *map(media_url, _list_further_images(product.pk)))
            if url
        ),
        path=_build_category_path(product),
        own_terms=product.own_terms,
        is_favorite=bool(getattr(product, "is_favorite", False)),
        variants=get_variants(context=context, product_ids=[product.pk]).get(product.pk, ()),
        documents=list_documents(product.pk),
        substitutes=build_substitutes(product, [others[pk] for pk in substitutes if pk in others]),
        goes_with=tuple(others[pk] for pk in goes_with if pk in others),
        has_devices=bool(getattr(product, "has_devices", False)),
    )


def _fetch_product_rows(context: CatalogueContext, code: str) -> list[Any]:
    joins, beside = (
        Fragment(CATEGORY_JOINS),
        {
            "l1_name": "c1.name",
            "l2_name": "c2.name",
            "l3_name": "c3.name",
            "has_devices": HAS_DEVICES,
            "substitute_rules": rules_expression("p"),
        },
    )
    if context.account_id is not None and context.group_id is not None:
        joins = Fragment(
            CATEGORY_JOINS + FAVORITE_JOIN,
            [context.group_id, context.account_id, FavoriteType.FAVORITE.value],
        )
        beside["is_favorite"] = "f.id IS NOT NULL"
    return product_rows(
        context,
        Fragment("p.code = %s", [code]),
        joins=joins,
        beside=beside,
        without=("search_tokens",),
    )


def _fetch_offers(context: CatalogueContext, product_ids: Sequence[int]) -> dict[int, Offer]:
    """Return the offers by product id, with the attributes of the products. One query."""
    ids = list(product_ids)
    products = product_rows(context, in_list("p.id", ids), without=UNREAD) if ids else []
    return build_offers(context=context, products=products)


@dataclass(frozen=True, slots=True)
class Shortage:
    """What helps a buyer if too few pieces of a product are there: the expected arrival, whether
    the account waits for a reminder (到货提醒), and substitutes with enough pieces.
    """

    context: CatalogueContext
    offer: Offer
    arrives_on: date | None
    arriving: int | None
    is_reminded: bool
    substitutes: tuple[Substitute, ...]


def get_shortage(*, actor: Account | None, code: str, quantity: int = 1) -> Shortage:
    """Return what helps if fewer than `quantity` pieces of a product are there. Five queries, one
    less for a visitor.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
    """
    context = catalogue_context(actor=actor)
    product = next(iter(_fetch_product_rows(context, code)), None)
    if product is None or not product.is_visible:
        raise ProductNotFound
    ids, _ = list_related_ids(
        context,
        product,
        limit=MAX_RELATED,
        must=must_conditions(product, parse_rules(product.substitute_rules)),
        quantity=quantity,
    )
    others = _fetch_offers(context, ids)
    arrival = ExpectedArrival.objects.filter(product_id=product.pk).first()
    return Shortage(
        context=context,
        offer=build_offers(context=context, products=[product])[product.pk],
        arrives_on=arrival.date if arrival and arrival.date >= context.today else None,
        arriving=arrival.quantity if arrival else None,
        is_reminded=actor is not None
        and RestockReminder.objects.filter(
            account=actor, product_id=product.pk, told_at=None
        ).exists(),
        substitutes=build_substitutes(product, [others[pk] for pk in ids if pk in others]),
    )


def _build_category_path(product: Any) -> tuple[Category, ...]:
    return tuple(
        Category(
            pk=getattr(product, f"l{level}_id"),
            name=getattr(product, f"l{level}_name"),
            level=level,
        )
        for level in (1, 2, 3)
    )


def _list_further_images(product_id: int) -> list[str]:
    return [
        path
        for (path,) in fetch_prepared(
            "SELECT path FROM catalog_productimage WHERE product_id = %s ORDER BY position, id",
            [product_id],
        )
    ]


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the list. `size` is in bytes."""

    pk: int
    kind: str
    title: str
    content_type: str
    size: int

    @property
    def kind_text(self) -> str:
        """The label of the kind."""
        return DOCUMENT_KINDS.get(self.kind, self.kind)


def list_documents(product_id: int) -> tuple[DocumentRow, ...]:
    """Return the product's documents in order. One query."""
    sql = (
        "SELECT id, kind, title, content_type, size FROM catalog_productdocument WHERE product_id "
        "= %s ORDER BY position, id"
    )
    return tuple(DocumentRow(*row) for row in fetch_prepared(sql, [product_id]))


def get_document(*, actor: Account | None, product_code: str, pk: int) -> ProductDocument:
    """Return a document of a product that the actor can see.

    Raises:
        ProductNotFound: the product or the document does not exist, or the actor cannot see the
            product.
    """
    offer = offers_by_code(context=catalogue_context(actor=actor), codes=[product_code]).get(
        product_code
    )
    document = None
    if offer is not None and offer.visible:
        document = ProductDocument.objects.filter(pk=pk, product_id=offer.product.pk).first()
    if document is None:
        raise DocumentUnavailable
    return document


@dataclass(frozen=True, slots=True)
class ProductComparison:
    """The offers in the requested order."""

    context: CatalogueContext
    offers: tuple[Offer, ...]


def get_product_comparison(*, actor: Account | None, codes: Sequence[str]) -> ProductComparison:
    """Return the products with their attributes. Products that do not exist or that the actor
    cannot see are left out. Two queries.
    """
    context = catalogue_context(actor=actor)
    distinct_codes = list(dict.fromkeys(codes))
    products = [
        product
        for product in product_rows(context, in_list("p.code", distinct_codes), without=UNREAD)
        if product.is_visible
    ]
    by_code = {
        offer.product.code: offer
        for offer in build_offers(context=context, products=products).values()
    }
    return ProductComparison(
        context, tuple(by_code[code] for code in distinct_codes if code in by_code)
    )
