"""对比: a few products side by side, as one customer may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.catalog.search.sql.fragment import in_list
from apps.catalog.search.sql.rows import product_rows
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.offers import Offer, priced

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_COMPARED = 4
UNREAD = ("description", "search_tokens", "keywords", "model_key", "name_key", "created_at", "updated_at")


@dataclass(frozen=True, slots=True)
class Compared:
    """The offers in the order asked for."""

    context: CatalogueContext
    offers: tuple[Offer, ...]


def product_compare(*, actor: Account | None, codes: Sequence[str]) -> Compared:
    """Return the products with their attributes; one that does not exist or may not be seen is left out. Two queries."""
    context = catalogue_context(actor=actor)
    wanted = list(dict.fromkeys(codes))
    products = [product for product in product_rows(context, in_list("p.code", wanted), without=UNREAD) if product.is_visible]
    by_code = {offer.product.code: offer for offer in priced(context=context, products=products).values()}
    return Compared(context, tuple(by_code[code] for code in wanted if code in by_code))
