"""A product for one customer: its detail with documents and related products, its family with the
variants (可选规格: other colours and packs), and the comparison of a few products.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Category, Product, ProductDocument
from apps.catalog.selectors.pictures import build_media_url, get_image_url
from apps.common.money import CENT
from apps.common.sql import Fragment, all_of, fetch_prepared, in_list, is_one_of
from apps.finders.models import ExpectedArrival
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, build_offers, get_offers_by_code
from apps.pricing.sql.products import (
    build_for_sale_conditions,
    build_price_joins,
    fetch_product_rows,
)
from apps.search.enums import FavoriteType
from apps.search.errors import DocumentUnavailable
from apps.search.models import RestockReminder
from apps.search.selectors.substitutes import (
    Substitute,
    build_enough_pieces_condition,
    build_must_conditions,
    build_rules_expression,
    build_substitutes,
    parse_rules,
)
from apps.search.sql.conditions import build_price_expression, fetch_rows
from apps.search.sql.on_sale import ProductQuery, list_best_ids, list_related_ids

if TYPE_CHECKING:
    from apps.org.models import Account

MEMBERS = """
SELECT m.family_id, f.code, f.name, f.axes, p.code, p.image, m."values",
    p.stock - p.reserved >= p.min_quantity, {price}, {matches}
FROM catalog_familymember m JOIN catalog_productfamily f ON f.id = m.family_id
JOIN catalog_product p ON p.id = m.product_id
{joins} WHERE {where} ORDER BY m.family_id, m.position, p.id
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
    """One product of a family. `specs` are the (axis, value) pairs in the order of the axes.
    `price` is the customer's own, None if the context hides prices. `matches`: it passes the
    filters of the list.
    """

    code: str
    image_url: str
    specs: tuple[tuple[str, str], ...]
    in_stock: bool
    price: Decimal | None
    matches: bool


@dataclass(frozen=True, slots=True)
class Family:
    """A product family with the products that the customer can buy, two or more."""

    code: str
    name: str
    axes: tuple[str, ...]
    variants: tuple[Variant, ...]

    @property
    def prices(self) -> set[Decimal]:
        """Return the customer's prices of the products that pass the filters of the list. Empty if
        the context hides prices.
        """
        return {
            variant.price
            for variant in self.variants
            if variant.price is not None and variant.matches
        }

    @property
    def lowest_price(self) -> Decimal | None:
        """Return the lowest price. None if the context hides prices."""
        return min(self.prices, default=None)

    @property
    def has_price_range(self) -> bool:
        """Return whether the products have different prices."""
        return len(self.prices) > 1


def get_families(
    *,
    context: CatalogueContext,
    products: Sequence[Product],
    matching: Fragment | None = None,
) -> dict[int, Family]:
    """Return {product pk: its family with the variants}. The product is one of the variants.
    Products without a family or without other variants have no entry. `matching` is the condition
    of the list on product `p`.

    Only products that the customer can buy. One query, none if no product has a family.
    """
    family_ids = sorted(
        {product.family_id for product in products if product.family_id is not None}
    )
    if not family_ids:
        return {}
    match_condition = matching or Fragment("TRUE")
    where = all_of([is_one_of("m.family_id", family_ids), *build_for_sale_conditions(context, "p")])
    joins = build_price_joins(context)
    sql = MEMBERS.format(
        price=build_price_expression(context),
        matches=match_condition.sql,
        joins=joins.sql,
        where=where.sql,
    )
    # The best plan of a condition depends on its parameters.
    fetch = fetch_prepared if matching is None else fetch_rows
    family_heads: dict[int, tuple[str, str, tuple[str, ...]]] = {}
    variants: dict[int, list[Variant]] = defaultdict(list)
    for family_id, family_code, name, axes, code, image, values, in_stock, cents, is_match in fetch(
        sql, [*match_condition.parameters, *joins.parameters, *where.parameters]
    ):
        if family_id not in family_heads:
            family_heads[family_id] = (family_code, name, tuple(_read_list(axes)))
        variants[family_id].append(
            Variant(
                code=code,
                image_url=build_media_url(image),
                specs=tuple(zip(family_heads[family_id][2], _read_list(values), strict=False)),
                in_stock=bool(in_stock),
                price=None if context.hides_prices else (Decimal(cents) / 100).quantize(CENT),
                matches=bool(is_match),
            )
        )
    families = {
        family_id: Family(*family_heads[family_id], variants=tuple(rows))
        for family_id, rows in variants.items()
        if len(rows) > 1
    }
    return {
        product.pk: families[product.family_id]
        for product in products
        if product.family_id in families
    }


def _read_list(packed: Any) -> list[str]:
    """Return a JSON list, which SQLite returns as text."""
    return json.loads(packed) if isinstance(packed, str) else list(packed or ())


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
    family: Family | None
    documents: tuple[DocumentRow, ...]
    substitutes: tuple[Substitute, ...]
    goes_with: tuple[Offer, ...]
    has_devices: bool

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Return the products of the family. Empty without a family."""
        return () if self.family is None else self.family.variants


def get_product_detail(*, actor: Account | None, code: str) -> ProductDetail:
    """Return the product. A product that is off sale is returned too, so that old links can
    show its state. Six queries, one more for a product with a family.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
    """
    context = get_catalogue_context(actor=actor)
    product = next(iter(_fetch_product_rows(context, code)), None)
    if product is None or not product.is_visible:
        raise ProductNotFound
    offer = build_offers(context=context, products=[product])[product.pk]
    substitutes, goes_with = list_related_ids(
        context,
        product,
        limit=MAX_RELATED,
        must=build_must_conditions(product, parse_rules(product.substitute_rules)),
    )
    others = _fetch_offers(context, [*substitutes, *goes_with])
    return ProductDetail(
        **{field.name: getattr(offer, field.name) for field in fields(Offer)},
        context=context,
        images=tuple(
            url
            for url in (
                get_image_url(product),
                *map(build_media_url, _list_further_images(product.pk)),
            )
            if url
        ),
        path=_build_category_path(product),
        own_terms=product.own_terms,
        is_favorite=bool(getattr(product, "is_favorite", False)),
        family=get_families(context=context, products=[product]).get(product.pk),
        documents=list_documents(product.pk),
        substitutes=build_substitutes(product, [others[pk] for pk in substitutes if pk in others]),
        goes_with=tuple(others[pk] for pk in goes_with if pk in others),
        has_devices=bool(getattr(product, "has_devices", False)),
    )


def _fetch_product_rows(context: CatalogueContext, code: str) -> list[Any]:
    """Return the rows of the product with this code, with its category path and the reader's
    favorite.
    """
    joins, extra_columns = (
        Fragment(CATEGORY_JOINS),
        {
            "l1_name": "c1.name",
            "l2_name": "c2.name",
            "l3_name": "c3.name",
            "has_devices": HAS_DEVICES,
            "substitute_rules": build_rules_expression("p"),
        },
    )
    if context.account_id is not None and context.group_id is not None:
        joins = Fragment(
            CATEGORY_JOINS + FAVORITE_JOIN,
            [context.group_id, context.account_id, FavoriteType.FAVORITE.value],
        )
        extra_columns["is_favorite"] = "f.id IS NOT NULL"
    return fetch_product_rows(
        context,
        Fragment("p.code = %s", [code]),
        joins=joins,
        extra_columns=extra_columns,
        without=("search_tokens",),
    )


def _fetch_offers(context: CatalogueContext, product_ids: Sequence[int]) -> dict[int, Offer]:
    """Return the offers by product id, with the attributes of the products. One query."""
    ids = list(product_ids)
    products = fetch_product_rows(context, in_list("p.id", ids), without=UNREAD) if ids else []
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


@dataclass(frozen=True, slots=True)
class ShortageList:
    """What helps for several products, in the order of the request."""

    context: CatalogueContext
    rows: tuple[Shortage, ...]


def get_shortage(*, actor: Account | None, code: str, quantity: int = 1) -> Shortage:
    """Return what helps if fewer than `quantity` pieces of a product are there. Queries as
    `get_shortages`.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
    """
    shortage_by_code = get_shortages(actor=actor, quantities={code: quantity})
    if not shortage_by_code.rows:
        raise ProductNotFound
    return shortage_by_code.rows[0]


def get_shortages(*, actor: Account | None, quantities: Mapping[str, int]) -> ShortageList:
    """Return what the page offers for products of which fewer pieces are in stock than `quantities`
    asks for, by code: substitutes, the expected arrival and the reminder. Products that do not
    exist or that the actor cannot see are left out.

    Five queries for up to fifty products, one less for a visitor.
    """
    context = get_catalogue_context(actor=actor)
    products = [
        product
        for product in fetch_product_rows(
            context,
            in_list("p.code", list(quantities)),
            extra_columns={"substitute_rules": build_rules_expression("p")},
            without=UNREAD,
        )
        if product.is_visible
    ]
    product_by_code = {product.code: product for product in products}
    requested_offers = [product_by_code[code] for code in quantities if code in product_by_code]
    ids_by_product = list_best_ids(
        context,
        [
            _build_substitute_query(product, quantities[product.code])
            for product in requested_offers
        ],
        limit=MAX_RELATED,
    )
    substitute_offers = _fetch_offers(context, [pk for ids in ids_by_product for pk in ids])
    product_ids = [product.pk for product in requested_offers]
    arrival_by_product = {
        arrival.product_id: arrival
        for arrival in ExpectedArrival.objects.filter(
            product__in=product_ids, date__gte=context.today
        )
    }
    reminded_ids = set(
        RestockReminder.objects.filter(
            account=actor, product__in=product_ids, told_at=None
        ).values_list("product_id", flat=True)
        if actor is not None
        else ()
    )
    offers = build_offers(context=context, products=requested_offers)
    return ShortageList(
        context,
        tuple(
            Shortage(
                context=context,
                offer=offers[product.pk],
                arrives_on=arrival_by_product[product.pk].date
                if product.pk in arrival_by_product
                else None,
                arriving=arrival_by_product[product.pk].quantity
                if product.pk in arrival_by_product
                else None,
                is_reminded=product.pk in reminded_ids,
                substitutes=build_substitutes(
                    product,
                    [substitute_offers[pk] for pk in ids if pk in substitute_offers],
                    quantity=quantities[product.code],
                ),
            )
            for product, ids in zip(requested_offers, ids_by_product, strict=True)
        ),
    )


def _build_substitute_query(product: Any, quantity: int) -> ProductQuery:
    """Return the query of the substitutes with enough pieces for `quantity` units of a product."""
    return ProductQuery(
        all_of(
            [
                Fragment("p.l3_id = %s AND p.id <> %s", [product.l3_id, product.pk]),
                build_enough_pieces_condition(product, quantity),
                *build_must_conditions(product, parse_rules(product.substitute_rules)),
            ]
        )
    )


def _build_category_path(product: Any) -> tuple[Category, ...]:
    """Return the product's categories of level 1 to 3 from the columns that the query has read."""
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
    offer = get_offers_by_code(
        context=get_catalogue_context(actor=actor), codes=[product_code]
    ).get(product_code)
    document = None
    if offer is not None and offer.visible:
        document = ProductDocument.objects.filter(pk=pk, product_id=offer.product.pk).first()
    if document is None:
        raise DocumentUnavailable
    return document


@dataclass(frozen=True, slots=True)
class ComparedProduct(Offer):
    """The offer with the products of its family, empty without a family."""

    variants: tuple[Variant, ...]


@dataclass(frozen=True, slots=True)
class ProductComparison:
    """The products in the requested order."""

    context: CatalogueContext
    products: tuple[ComparedProduct, ...]


def get_product_comparison(*, actor: Account | None, codes: Sequence[str]) -> ProductComparison:
    """Return the products with their attributes. Products that do not exist or that the actor
    cannot see are left out. Two queries, one more with members of families.
    """
    context = get_catalogue_context(actor=actor)
    distinct_codes = list(dict.fromkeys(codes))
    products = [
        product
        for product in fetch_product_rows(
            context, in_list("p.code", distinct_codes), without=UNREAD
        )
        if product.is_visible
    ]
    families = get_families(context=context, products=products)
    by_code = {}
    for offer in build_offers(context=context, products=products).values():
        family = families.get(offer.product.pk)
        by_code[offer.product.code] = ComparedProduct(
            **{field.name: getattr(offer, field.name) for field in fields(Offer)},
            variants=() if family is None else family.variants,
        )
    return ProductComparison(
        context, tuple(by_code[code] for code in distinct_codes if code in by_code)
    )
