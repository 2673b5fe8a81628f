"""到货提醒 of an account: the products it waits for, and those it was told of lately."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import TYPE_CHECKING

from apps.finders.models import ExpectedArrival
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.models import RestockReminder

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ReminderRow(Offer):
    """A product that the account waits for, or was told of."""

    created_at: datetime
    told_at: datetime | None
    arrives_on: date | None


def list_reminders(*, actor: Account) -> tuple[CatalogueContext, list[ReminderRow]]:
    """Return the account's reminders, open ones first, then the newest. Products that the account
    can no longer see are left out. Four queries.
    """
    context = catalogue_context(actor=actor)
    reminders = list(
        RestockReminder.objects.filter(account=actor)
        .order_by("-pk")
        .values_list("product_id", "created_at", "told_at")[:MAX_SHOWN]
    )
    ids = [row[0] for row in reminders]
    offers = offers_for(context=context, product_ids=ids)
    arrivals = dict(
        ExpectedArrival.objects.filter(product__in=ids, date__gte=context.today).values_list(
            "product_id", "date"
        )
    )
    rows = [
        ReminderRow(
            **{one.name: getattr(offers[product_id], one.name) for one in fields(Offer)},
            created_at=created_at,
            told_at=told_at,
            arrives_on=arrivals.get(product_id),
        )
        for product_id, created_at, told_at in reminders
        if product_id in offers and offers[product_id].visible
    ]
    return context, sorted(rows, key=lambda row: row.told_at is not None)
