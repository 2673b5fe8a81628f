"""到货提醒 of an account: the products that it waits for, and those that it was told of."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db.models import Count, F, Q

from apps.finders.models import ExpectedArrival
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.search.enums import RestockStatus
from apps.search.models import RestockReminder
from apps.search.selectors.favorites import SavedOffer

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ReminderRow(SavedOffer):
    """A product that the account waits for, or was told of."""

    created_at: datetime
    told_at: datetime | None
    arrives_on: date | None

    @property
    def status(self) -> RestockStatus:
        """Return whether the account still waits."""
        return RestockStatus.WAITING if self.told_at is None else RestockStatus.TOLD


@dataclass(frozen=True, slots=True)
class ReminderPage:
    """A page of the list. `counts` are the reminders by status over the whole list, "" for all."""

    context: CatalogueContext
    rows: tuple[ReminderRow, ...]
    counts: dict[str, int]


def get_reminder_page(*, actor: Account, status: str, index: int, size: int) -> ReminderPage:
    """Return a page of the account's reminders of a status ("" for all), open ones first, then the
    latest told. Products stay in the list even if the account can no longer see them, so that they
    can be removed. Five queries.
    """
    context = get_catalogue_context(actor=actor)
    own_reminders = RestockReminder.objects.filter(account=actor)
    counts = own_reminders.aggregate(
        waiting=Count("pk", filter=Q(told_at=None)),
        told=Count("pk", filter=Q(told_at__isnull=False)),
    )
    listed_reminders = (
        own_reminders.filter(told_at__isnull=status == RestockStatus.WAITING)
        if status
        else own_reminders
    )
    start = (index - 1) * size
    reminders = list(
        listed_reminders.order_by(F("told_at").desc(nulls_first=True), "-pk").values_list(
            "product_id", "created_at", "told_at"
        )[start : start + size]
    )
    ids = [product_id for product_id, *_ in reminders]
    offers = get_offers(context=context, product_ids=ids)
    arrivals = dict(
        ExpectedArrival.objects.filter(product__in=ids, date__gte=context.today).values_list(
            "product_id", "date"
        )
    )
    rows = tuple(
        ReminderRow(
            **{field.name: getattr(offers[product_id], field.name) for field in fields(Offer)},
            created_at=created_at,
            told_at=told_at,
            arrives_on=arrivals.get(product_id),
        )
        for product_id, created_at, told_at in reminders
    )
    return ReminderPage(context, rows, {"": sum(counts.values()), **counts})
