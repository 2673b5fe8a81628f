"""收藏 and 浏览记录 of an account, with the current state of the products."""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.errors import NotInCatalogue, OffSale, StockShort
from apps.common.errors import DomainError
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.enums import FavoriteType
from apps.search.models import Favorite
from apps.search.sql.kept import KeptFilters, KeptSummary, kept_count, kept_page, kept_summary

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class FavoriteRow(Offer):
    """A product of the list, with its current offer for the account."""

    favorite: Favorite

    @property
    def problem(self) -> DomainError | None:
        """The reason why the product cannot be bought now, or None."""
        if not self.visible:
            return NotInCatalogue()
        if not self.is_on_sale:
            return OffSale()
        return StockShort() if self.available < self.product.min_quantity else None

    @property
    def price_change(self) -> Decimal | None:
        """The current price minus the price when the product was added, in 元 含税. None if either
        is unknown.
        """
        added = self.favorite.added_price
        return self.price - added if self.visible and added is not None else None


@dataclass(frozen=True, slots=True)
class FavoriteList:
    """A page of rows, the latest first, and a summary of the whole list."""

    context: CatalogueContext
    rows: tuple[FavoriteRow, ...]
    total: int
    summary: KeptSummary


def favorite_list(
    *, actor: Account, kind: FavoriteType, filters: KeptFilters, index: int, size: int
) -> FavoriteList:
    """Return a page of the list. Products stay in the list even if the account can no longer
    see them. Four queries, five with filters.
    """
    context = catalogue_context(actor=actor)
    summary = kept_summary(context, kind)
    page = kept_page(context, kind, filters, index=index, size=size)
    offers = offers_for(context=context, product_ids=[row.product_id for row in page])
    total = kept_count(context, kind, filters) if filters.are_set else summary.total
    return FavoriteList(
        context, tuple(_row(row, offers[row.product_id]) for row in page), total, summary
    )


def _row(favorite: Favorite, offer: Offer) -> FavoriteRow:
    return FavoriteRow(
        **{field.name: getattr(offer, field.name) for field in fields(Offer)}, favorite=favorite
    )
