"""A sheet of prices that waits for a second person is released and written once, with any number
of people at the same moment. Of two sheets that change the same prices at once, one is written.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from io import BytesIO

import pytest

from apps.catalog.services.imports import SheetFile
from apps.catalog.services.imports.run import import_hold
from apps.catalog.tests.factories import PriceListFactory, PriceListItemFactory, ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.models import ImportRun
from apps.common.tenancy import platform_scope
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.proposals import act_submit, proposal_release
from apps.org.models import Account
from apps.org.tests.office import create_staff
from apps.pricing.models import PriceListItem, PriceMove
from apps.pricing.services.controlled_acts import IMPORT_PRICES, build_price_sheet_parameters
from apps.pricing.services.price_sheet import held_sheet_submit, price_sheet_submit
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
ROWS = 250


def release(person: Account, key: int) -> None:
    with platform_scope(reason="test"):
        proposal_release(actor=person, proposal_id=key)


def deliver() -> None:
    with platform_scope(reason="test"):
        outbox_deliver()


def test_eight_concurrent_releases_write_a_price_sheet_once() -> None:
    with platform_scope(reason="test"):
        price_list = PriceListFactory(code="PL")
        products = [ProductFactory() for _ in range(ROWS)]
        for product in products:
            PriceListItemFactory(price_list=price_list, product=product, price=Decimal(8))
        ActLimit.objects.update_or_create(
            kind=IMPORT_PRICES, job="商品", defaults={"alone": Decimal(0), "release": None}
        )
        proposer, *people = [create_staff("商品") for _ in range(9)]
        lines = "\n".join(f"PL,{product.code},7.00" for product in products)
        source = SheetFile(lambda: BytesIO(f"编码,商品编码,协议价\n{lines}".encode()))
        run = import_hold(actor=proposer, kind="price_items", source=source, upload="a.csv")
        assert isinstance(run, ImportRun)
        parameters = build_price_sheet_parameters(run_id=run.pk, earlier=Decimal(0))
        proposal = act_submit(actor=proposer, kind=IMPORT_PRICES, parameters=parameters).proposal
    assert proposal is not None

    outcomes = run_race([partial(release, person, proposal.pk) for person in people], processes=8)
    run_race([deliver] * 4, processes=4)

    assert sorted(outcome.code for outcome in outcomes) == [""] + ["wrong_state"] * 7
    with platform_scope(reason="test"):
        assert Proposal.objects.get().state == "released"
        assert ImportRun.objects.get().state == "done"
        assert PriceListItem.objects.filter(price=Decimal(7)).count() == ROWS
        assert PriceMove.objects.count() == ROWS


def make_prices(count: int) -> list[str]:
    """Create prices of 8.00 元 and return the codes of their products."""
    price_list = PriceListFactory(code="PL")
    products = [ProductFactory() for _ in range(count)]
    for product in products:
        PriceListItemFactory(price_list=price_list, product=product, price=Decimal(8))
    return [product.code for product in products]


def limit_sheets(alone: int) -> None:
    ActLimit.objects.update_or_create(
        kind=IMPORT_PRICES, job="商品", defaults={"alone": alone, "release": None}
    )


def build_sheet(codes: list[str], price: str) -> SheetFile:
    """Return a sheet that sets this price."""
    lines = "\n".join(f"PL,{code},{price}" for code in codes)
    content = f"编码,商品编码,协议价\n{lines}".encode()
    return SheetFile(lambda: BytesIO(content), stored_path=f"{codes[0]}-{price}.csv")


def confirm(person: Account, codes: list[str], price: str) -> None:
    """Confirm the sheet, as the import page does."""
    with platform_scope(reason="test"):
        price_sheet_submit(
            actor=person,
            kind="price_items",
            source=build_sheet(codes, price),
            is_good_only=False,
        )


def submit_held(person: Account, run: ImportRun) -> None:
    with platform_scope(reason="test"):
        held_sheet_submit(actor=person, run=run)


def test_two_sheets_of_a_person_at_once_are_judged_together() -> None:
    """Each changes 100.00 元. Alone the person may change 150.00 元 a day."""
    with platform_scope(reason="test"):
        codes = make_prices(200)
        limit_sheets(150)
        person = create_staff("商品")

        runs = []
        for some in (codes[:100], codes[100:]):
            source = build_sheet(some, "7.00")
            held = import_hold(
                actor=person, kind="price_items", source=source, upload=source.stored_path
            )
            assert isinstance(held, ImportRun)
            runs.append(held)

    run_race([partial(submit_held, person, run) for run in runs], processes=2)
    run_race([deliver] * 2, processes=2)

    with platform_scope(reason="test"):
        assert PriceListItem.objects.filter(price=Decimal(7)).count() == 100
        assert [run.state for run in ImportRun.objects.order_by("state")] == ["done", "held"]
        assert Proposal.objects.get().amount == Decimal(200)


def test_one_of_two_sheets_with_the_same_rows_is_written() -> None:
    """Both people may do it alone. The later one has confirmed prices that are no longer there."""
    with platform_scope(reason="test"):
        codes = make_prices(ROWS)
        limit_sheets(100_000)
        first, second = create_staff("商品"), create_staff("商品")

    run_race(
        [partial(confirm, first, codes, "7.00"), partial(confirm, second, codes, "6.00")],
        processes=2,
    )
    run_race([deliver] * 2, processes=2)

    with platform_scope(reason="test"):
        states = sorted(run.state for run in ImportRun.objects.all())
        assert states == ["done", "taken_back"]
        assert PriceListItem.objects.order_by().values_list("price").distinct().count() == 1
        # The refused sheet left no moves of its own behind that are not undone.
        assert set(PriceListItem.objects.values_list("price", flat=True)) <= {
            Decimal(7),
            Decimal(6),
        }
