"""Products of the catalogue that are similar to the lines of an inquiry, for the staff."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from apps.inquiries.models import ProductInquiry, ProductInquiryLine
from apps.pricing.selectors.offers import Offer
from apps.search.query import CatalogQuery
from apps.search.selectors.product_list import product_list

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_LINES = 5
EACH = 10  # the minimum page size


def quote_candidates(
    *, inquiry: ProductInquiry, lines: Iterable[ProductInquiryLine]
) -> dict[int, tuple[Offer, ...]]:
    """Return up to five offers for each of the first five lines, by the line's key. They come
    from the customer's catalogue at the customer's prices, or from the public catalogue if
    the former has none.
    """
    return {
        line.pk: _near(inquiry.requester, line.name) or _near(None, line.name)
        for line in list(lines)[:MOST_LINES]
    }


def _near(actor: Account | None, words: str) -> tuple[Offer, ...]:
    query = CatalogQuery(keyword=words, page_size=EACH, with_total=False, with_facets=False)
    return product_list(actor=actor, query=query).offers[:MOST_LINES]
