"""商品资料 of a product, and one of them to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import ProductDocument
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.offers import offers_by_code
from apps.common.hot_rows import hot_rows

if TYPE_CHECKING:
    from apps.org.models import Account

KINDS: dict[str, str] = dict(ProductDocument.Kind.choices)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """What the page lists; `size` in bytes."""

    pk: int
    kind: str
    title: str
    content_type: str
    size: int

    @property
    def kind_text(self) -> str:
        """The kind as the page says it."""
        return KINDS.get(self.kind, self.kind)


def documents_of(product_id: int) -> tuple[DocumentRow, ...]:
    """Return the product's documents in their order. One query."""
    sql = "SELECT id, kind, title, content_type, size FROM catalog_productdocument WHERE product_id = %s ORDER BY position, id"
    return tuple(DocumentRow(*row) for row in hot_rows(sql, [product_id]))


def document_get(*, actor: Account | None, product_code: str, pk: int) -> ProductDocument:
    """Return a document of a product that the actor may see.

    Raises:
        ProductNotFound: he may not, or there is none.
    """
    offer = offers_by_code(context=catalogue_context(actor=actor), codes=[product_code]).get(product_code)
    document = None
    if offer is not None and offer.visible:
        document = ProductDocument.objects.filter(pk=pk, product_id=offer.product.pk).first()
    if document is None:
        raise ProductNotFound("该资料不存在，或已被更新，请刷新页面后重试")
    return document
