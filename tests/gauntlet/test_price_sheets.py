"""A sheet of prices that waits for a second person is released and written once, with any number
of people at the same moment.
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
from apps.org.tests.office import staff_of
from apps.pricing.models import PriceListItem, PriceMove
from apps.pricing.services.controlled_acts import IMPORT_PRICES, price_sheet_parameters
from tests.gauntlet.race import race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
ROWS = 250


def release(person: Account, key: int) -> None:
    with platform_scope(reason="test"):
        proposal_release(actor=person, proposal_id=key)


def deliver() -> None:
    with platform_scope(reason="test"):
        outbox_deliver()


def test_eight_who_release_a_sheet_at_once_write_it_once() -> None:
    with platform_scope(reason="test"):
        price_list = PriceListFactory(code="PL")
        products = [ProductFactory() for _ in range(ROWS)]
        for product in products:
            PriceListItemFactory(price_list=price_list, product=product, price=Decimal(8))
        ActLimit.objects.update_or_create(
            kind=IMPORT_PRICES, job="商品", defaults={"alone": Decimal(0), "release": None}
        )
        proposer, *people = [staff_of("商品") for _ in range(9)]
        lines = "\n".join(f"PL,{product.code},7.00" for product in products)
        source = SheetFile(lambda: BytesIO(f"编码,商品编码,协议价\n{lines}".encode()))
        run = import_hold(actor=proposer, kind="price_items", source=source, upload="a.csv")
        assert isinstance(run, ImportRun)
        parameters = price_sheet_parameters(run_id=run.pk, earlier=Decimal(0))
        proposal = act_submit(actor=proposer, kind=IMPORT_PRICES, parameters=parameters).proposal
    assert proposal is not None

    outcomes = race([partial(release, person, proposal.pk) for person in people], processes=8)
    race([deliver] * 4, processes=4)

    assert sorted(outcome.code for outcome in outcomes) == [""] + ["wrong_state"] * 7
    with platform_scope(reason="test"):
        assert Proposal.objects.get().state == "released"
        assert ImportRun.objects.get().state == "done"
        assert PriceListItem.objects.filter(price=Decimal(7)).count() == ROWS
        assert PriceMove.objects.count() == ROWS
