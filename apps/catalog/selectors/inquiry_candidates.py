"""What of the catalogue comes near the lines of an inquiry: for the staff who quote it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from apps.catalog.models import ProductInquiry, ProductInquiryLine
from apps.catalog.search.query import CatalogQuery
from apps.catalog.selectors.offers import Offer
from apps.catalog.selectors.product_list import product_list

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_LINES = 5
EACH = 10  # the smallest page


def quote_candidates(*, inquiry: ProductInquiry, lines: Iterable[ProductInquiryLine]) -> dict[int, tuple[Offer, ...]]:
    """Return up to five offers for each of the first five lines, by the line's key: of the customer's catalogue at his prices,
    else of the public one."""
    return {line.pk: _near(inquiry.requester, line.name) or _near(None, line.name) for line in list(lines)[:MOST_LINES]}


def _near(actor: Account | None, words: str) -> tuple[Offer, ...]:
    query = CatalogQuery(keyword=words, page_size=EACH, with_total=False, with_facets=False)
    return product_list(actor=actor, query=query).offers[:MOST_LINES]
