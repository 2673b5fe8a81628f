"""Parallel price changes of one list, and parallel undos of one batch, with real processes."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from functools import partial

import pytest

from apps.catalog.tests.factories import PriceListFactory, PriceListItemFactory
from apps.org.models import Account
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import PriceBatch, PriceBatchRow, PriceList, PriceListItem
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.prices import price_batch_apply, price_batch_undo
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
UP = PriceRule(PriceRuleKind.PERCENT, Decimal(10))


@pytest.fixture
def prices(staff: Account) -> PriceList:
    """Fifty products at eight yuan."""
    prices: PriceList = PriceListFactory()
    for _ in range(50):
        PriceListItemFactory(price_list=prices, price=Decimal("8.00"))
    return prices


def list_all_prices() -> set[Decimal | None]:
    return set(PriceListItem.objects.values_list("price", flat=True))


def test_one_preview_confirmed_ten_times_at_once_raises_the_prices_once(
    staff: Account, prices: PriceList
) -> None:
    digest = get_price_plan(choice=PriceChoice(prices), rule=UP).digest

    outcomes = run_race(
        [
            partial(
                price_batch_apply, actor=staff, choice=PriceChoice(prices), rule=UP, digest=digest
            )
        ]
        * 10
    )

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    assert list_all_prices() == {Decimal("8.80")}
    assert (PriceBatch.objects.count(), PriceBatchRow.objects.count()) == (1, 50)


def test_a_batch_undone_ten_times_at_once_is_undone_once(staff: Account, prices: PriceList) -> None:
    digest = get_price_plan(choice=PriceChoice(prices), rule=UP).digest
    batch = price_batch_apply(actor=staff, choice=PriceChoice(prices), rule=UP, digest=digest)

    outcomes = run_race([partial(price_batch_undo, actor=staff, batch_id=batch.pk)] * 10)

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    assert list_all_prices() == {Decimal("8.00")}


def test_a_second_change_beside_an_undo_is_never_lost(staff: Account, prices: PriceList) -> None:
    """If the change is first, the undo finds nothing to restore. If the undo is first, the
    change's preview is out of date.
    """
    choice = PriceChoice(prices)
    batch = price_batch_apply(
        actor=staff, choice=choice, rule=UP, digest=get_price_plan(choice=choice, rule=UP).digest
    )
    digest = get_price_plan(choice=choice, rule=UP).digest

    undo, change = run_race(
        [
            partial(price_batch_undo, actor=staff, batch_id=batch.pk),
            partial(price_batch_apply, actor=staff, choice=choice, rule=UP, digest=digest),
        ]
    )

    assert {undo.code, change.code} == {"", "wrong_state"}
    assert list_all_prices() == ({Decimal("9.68")} if change.ok else {Decimal("8.00")})
    batch.refresh_from_db()
    assert (batch.undone_at is None) is change.ok
