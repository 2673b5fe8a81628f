"""Parallel price changes of one list, and parallel undos of one batch, with real processes."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from functools import partial
from io import BytesIO

import pytest

from apps.catalog.services.imports import SheetFile
from apps.catalog.services.imports.run import import_hold
from apps.catalog.tests.factories import PriceListFactory, PriceListItemFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.models import ImportRun
from apps.common.tenancy import no_scope, platform_scope
from apps.dual_control.models import ActLimit, Proposal
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import PriceBatch, PriceBatchRow, PriceList, PriceListItem
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.controlled_acts import CHANGE_PRICES, IMPORT_PRICES
from apps.pricing.services.price_sheet import held_sheet_submit
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


def limit_changes() -> None:
    """商品 changes prices by 7.00 元 a day alone, by batches and by sheets."""
    for kind in (CHANGE_PRICES, IMPORT_PRICES):
        ActLimit.objects.update_or_create(
            kind=kind, job="商品", defaults={"alone": Decimal(7), "release": None}
        )


def confirm_batch(person: Account, price_list: PriceList) -> None:
    """Raise the list's prices by 10 % on the page of 批量调价, as the browser does."""
    form = {"price_list": str(price_list.pk), "kind": "percent", "figure": "10", "step": "0.01"}
    with platform_scope(reason="test"):
        digest = get_price_plan(choice=PriceChoice(price_list), rule=UP).digest
    with no_scope():
        answer = open_office(person).post(
            "/admin/pricing/pricebatch/new/", {**form, "confirm": "1", "digest": digest}
        )
    assert answer.status_code == 302


def make_lists() -> list[PriceList]:
    """Two lists of five products at 8.00 元. A batch of 10 % moves a list by 4.00 元."""
    price_lists = PriceListFactory.create_batch(2)
    for price_list in price_lists:
        PriceListItemFactory.create_batch(5, price_list=price_list, price=Decimal("8.00"))
    return price_lists


def test_two_batches_of_a_person_at_once_are_judged_together() -> None:
    """Each changes 4.00 元. Alone the person may change 7.00 元 a day."""
    person = create_staff("商品")
    with platform_scope(reason="test"):
        limit_changes()
        price_lists = make_lists()

    run_race([partial(confirm_batch, person, row) for row in price_lists], processes=2)

    with platform_scope(reason="test"):
        assert PriceListItem.objects.filter(price=Decimal("8.80")).count() == 5
        assert PriceBatch.objects.count() == 1
        assert Proposal.objects.get().amount == Decimal("8.00")


def test_a_batch_and_a_sheet_of_a_person_at_once_are_judged_together() -> None:
    """Each changes 4.00 元. Alone the person may change 7.00 元 a day."""
    person = create_staff("商品")
    with platform_scope(reason="test"):
        limit_changes()
        batched, imported = make_lists()
        lines = "\n".join(
            f"{imported.code},{row.product.code},8.80"
            for row in imported.items.select_related("product")
        )
        source = SheetFile(lambda: BytesIO(f"编码,商品编码,协议价\n{lines}".encode()))
        run = import_hold(actor=person, kind="price_items", source=source, upload="a.csv")
        assert isinstance(run, ImportRun)

    run_race(
        [partial(confirm_batch, person, batched), partial(submit_held, person, run)], processes=2
    )

    with platform_scope(reason="test"):
        outbox_deliver()
        assert PriceListItem.objects.filter(price=Decimal("8.80")).count() == 5
        assert Proposal.objects.get().amount == Decimal("8.00")


def submit_held(person: Account, run: ImportRun) -> None:
    with platform_scope(reason="test"):
        held_sheet_submit(actor=person, run=run)
