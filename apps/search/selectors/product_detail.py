"""A product for one customer: its detail with documents and related products, and the comparison
of a few products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Category, ProductDocument
from apps.catalog.selectors.pictures import image_url, media_url
from apps.common.prepared_rows import fetch_prepared
from apps.common.sql.fragment import Fragment, in_list
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, build_offers, offers_by_code, offers_for
from apps.pricing.sql.products import product_rows
from apps.search.enums import FavoriteType
from apps.search.selectors.variants import Variant, get_variants
from apps.search.sql.on_sale import list_related_ids

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
    substitutes, goes_with = list_related_ids(context, product, limit=RELATED)
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
        variants=get_variants(context=context, product_ids=[product.pk]).get(product.pk, ()),
        documents=list_documents(product.pk),
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


KINDS: dict[str, str] = dict(ProductDocument.Kind.choices)


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
        return KINDS.get(self.kind, self.kind)


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
        raise ProductNotFound("该资料不存在，或已被更新，请刷新页面后重试")
    return document


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
class ProductComparison:
    """The offers in the requested order."""

    context: CatalogueContext
    offers: tuple[Offer, ...]


def get_product_comparison(*, actor: Account | None, codes: Sequence[str]) -> ProductComparison:
    """Return the products with their attributes. Products that do not exist or that the actor
    cannot see are left out. Two queries.
    """
    context = catalogue_context(actor=actor)
    wanted = list(dict.fromkeys(codes))
    products = [
        product
        for product in product_rows(context, in_list("p.code", wanted), without=UNREAD)
        if product.is_visible
    ]
    by_code = {
        offer.product.code: offer
        for offer in build_offers(context=context, products=products).values()
    }
    return ProductComparison(context, tuple(by_code[code] for code in wanted if code in by_code))
