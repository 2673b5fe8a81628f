"""收藏 and 浏览记录 of an account, with what the products are to it now."""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.enums import FavoriteType
from apps.catalog.errors import NotInCatalogue, OffSale, StockShort
from apps.catalog.models import Favorite
from apps.catalog.search.sql.kept import KeptFilters, KeptSummary, kept_count, kept_page, kept_summary
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.offers import Offer, offers_for
from apps.common.errors import DomainError

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class FavoriteRow(Offer):
    """A kept product, as it is to the account now."""

    favorite: Favorite

    @property
    def problem(self) -> DomainError | None:
        """What is in the way of buying it."""
        if not self.visible:
            return NotInCatalogue()
        if not self.is_on_sale:
            return OffSale()
        return StockShort() if self.available < self.product.min_quantity else None

    @property
    def price_change(self) -> Decimal | None:
        """Today's price less the one at which it was kept, in 元; None where one of them is not known."""
        added = self.favorite.added_price
        return self.price - added if self.visible and added is not None else None


@dataclass(frozen=True, slots=True)
class FavoriteList:
    """A page of them, the latest first, and what there is in all."""

    context: CatalogueContext
    rows: tuple[FavoriteRow, ...]
    total: int
    summary: KeptSummary


def favorite_list(*, actor: Account, kind: FavoriteType, filters: KeptFilters, index: int, size: int) -> FavoriteList:
    """Return the page; nothing that was kept disappears, also when it may no longer be seen. Four queries, five where it is narrowed."""
    context = catalogue_context(actor=actor)
    summary = kept_summary(context, kind)
    page = kept_page(context, kind, filters, index=index, size=size)
    offers = offers_for(context=context, product_ids=[row.product_id for row in page])
    total = kept_count(context, kind, filters) if filters.are_set else summary.total
    return FavoriteList(context, tuple(_row(row, offers[row.product_id]) for row in page), total, summary)


def _row(favorite: Favorite, offer: Offer) -> FavoriteRow:
    return FavoriteRow(**{field.name: getattr(offer, field.name) for field in fields(Offer)}, favorite=favorite)
