"""商品资料: the documents of a product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import ProductDocument
from apps.common.prepared_rows import fetch_prepared
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account

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


def documents_of(product_id: int) -> tuple[DocumentRow, ...]:
    """Return the product's documents in order. One query."""
    sql = (
        "SELECT id, kind, title, content_type, size FROM catalog_productdocument WHERE product_id "
        "= %s ORDER BY position, id"
    )
    return tuple(DocumentRow(*row) for row in fetch_prepared(sql, [product_id]))


def document_get(*, actor: Account | None, product_code: str, pk: int) -> ProductDocument:
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
