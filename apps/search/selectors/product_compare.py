"""对比: a few products side by side, for one customer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.common.sql.fragment import in_list
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, build_offers
from apps.pricing.sql.products import product_rows

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_COMPARED = 4
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
class Compared:
    """The offers in the requested order."""

    context: CatalogueContext
    offers: tuple[Offer, ...]


def product_compare(*, actor: Account | None, codes: Sequence[str]) -> Compared:
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
    return Compared(context, tuple(by_code[code] for code in wanted if code in by_code))
