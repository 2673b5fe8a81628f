"""Bulk changes of the prices of a list, and their undo."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.catalog.errors import BatchOvertaken, BatchUndone
from apps.catalog.models import CatalogChange
from apps.catalog.tests.factories import PriceListFactory, PriceListItemFactory, ProductFactory
from apps.org.models import Account
from apps.pricing.enums import PriceRuleKind
from apps.pricing.errors import PricePlanRefused, PricePlanStale
from apps.pricing.models import PriceBatch, PriceList, PriceListItem
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.prices import price_batch_apply, price_batch_undo

UP = PriceRule(PriceRuleKind.PERCENT, Decimal(5))


@pytest.fixture
def prices(platform: None) -> PriceList:
    """Three rows of a list: one at 8 元, one at 4 元 and one with only a customer name. Each
    market price is 10 元.
    """
    prices: PriceList = PriceListFactory(code="PL")
    for code, price in (("1", "8.00"), ("2", "4.00"), ("3", None)):
        PriceListItemFactory(
            price_list=prices,
            product=ProductFactory(code=code),
            price=price and Decimal(price),
            customer_name="笔",
        )
    return prices


def now(prices: PriceList) -> list[str]:
    return [
        str(price)
        for price in PriceListItem.objects.filter(price_list=prices)
        .order_by("product__code")
        .values_list("price", flat=True)
    ]


def apply_batch(
    staff: Account, choice: PriceChoice, rule: PriceRule, *, skips_refused: bool = False
) -> PriceBatch:
    digest = get_price_plan(choice=choice, rule=rule).digest
    return price_batch_apply(
        actor=staff, choice=choice, rule=rule, digest=digest, skips_refused=skips_refused
    )


@pytest.mark.parametrize(
    ("kind", "figure", "step", "price"),
    [
        ("percent", "5", "0.01", "4.20"),
        ("percent", "-3.33", "0.01", "3.87"),
        ("percent", "5", "1", "4"),
        ("percent", "13.75", "0.1", "4.6"),
        ("amount", "-0.45", "0.1", "3.6"),
        ("market", "88", "0.01", "8.80"),
    ],
)
def test_price_rule_rounds_half_up_to_its_step(
    kind: str, figure: str, step: str, price: str
) -> None:
    rule = PriceRule(PriceRuleKind(kind), Decimal(figure), Decimal(step))
    assert rule.compute_price(old=Decimal("4.00"), market=Decimal("10.00")) == Decimal(price)


def test_price_batch_changes_existing_prices_and_stores_each_row(
    staff: Account, prices: PriceList
) -> None:
    batch = apply_batch(staff, PriceChoice(prices), UP)

    assert now(prices) == ["8.40", "4.20", "None"]
    rows = batch.rows.order_by("product__code").values_list("product__code", "before", "after")
    assert [(code, str(before), str(after)) for code, before, after in rows] == [
        ("1", "8.00", "8.40"),
        ("2", "4.00", "4.20"),
    ]
    assert (batch.rows_changed, batch.rule_text, batch.chosen, batch.made_by) == (
        2,
        "现价 +5%",
        "整个价目表",
        staff,
    )


def test_price_batch_records_one_catalogue_change_per_price(
    staff: Account, prices: PriceList
) -> None:
    CatalogChange.objects.all().delete()
    apply_batch(staff, PriceChoice(prices, codes=("2", "3")), UP)

    assert list(CatalogChange.objects.values_list("kind", "key")) == [("price", "PL:2")]


def test_category_and_brand_narrow_the_batch(staff: Account, prices: PriceList) -> None:
    first = PriceListItem.objects.get(product__code="1").product
    apply_batch(staff, PriceChoice(prices, category=first.l2, brand=first.brand), UP)

    assert now(prices) == ["8.40", "4.00", "None"]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            PriceRule(PriceRuleKind.AMOUNT, Decimal("-4.00")),
            "1 个商品不能这样调价，例如 2：新价不大于 0",
        ),
        (
            PriceRule(PriceRuleKind.PERCENT, Decimal(30)),
            "1 个商品不能这样调价，例如 1：新价高于市场价 ¥10.00",
        ),
    ],
)
def test_price_batch_with_one_invalid_price_is_refused(
    staff: Account, prices: PriceList, rule: PriceRule, message: str
) -> None:
    with pytest.raises(PricePlanRefused, match=message):
        apply_batch(staff, PriceChoice(prices), rule)
    assert now(prices) == ["8.00", "4.00", "None"]


def test_price_batch_may_skip_refused_rows(staff: Account, prices: PriceList) -> None:
    apply_batch(
        staff,
        PriceChoice(prices),
        PriceRule(PriceRuleKind.PERCENT, Decimal(30)),
        skips_refused=True,
    )

    assert now(prices) == ["8.00", "5.20", "None"]


def test_a_price_above_the_market_may_be_lowered(staff: Account, prices: PriceList) -> None:
    PriceListItem.objects.filter(product__code="1").update(price=Decimal("20.00"))
    apply_batch(
        staff, PriceChoice(prices, codes=("1",)), PriceRule(PriceRuleKind.PERCENT, Decimal(-10))
    )

    assert now(prices)[0] == "18.00"


def test_a_price_changed_after_the_preview_refuses_the_batch(
    staff: Account, prices: PriceList
) -> None:
    digest = get_price_plan(choice=PriceChoice(prices), rule=UP).digest
    PriceListItem.objects.filter(product__code="2").update(price=Decimal("5.00"))

    with pytest.raises(PricePlanStale):
        price_batch_apply(actor=staff, choice=PriceChoice(prices), rule=UP, digest=digest)
    assert now(prices) == ["8.00", "5.00", "None"]


def test_undone_each_row_has_its_price_of_before(staff: Account, prices: PriceList) -> None:
    batch = apply_batch(staff, PriceChoice(prices), UP)
    CatalogChange.objects.all().delete()

    undone = price_batch_undo(actor=staff, batch_id=batch.pk)

    assert now(prices) == ["8.00", "4.00", "None"]
    assert (undone.undone_by, undone.rows_left) == (staff, 0)
    assert sorted(CatalogChange.objects.values_list("kind", "key")) == [
        ("price", "PL:1"),
        ("price", "PL:2"),
    ]


def test_price_batch_undo_keeps_and_marks_rows_changed_or_deleted_since(
    staff: Account, prices: PriceList
) -> None:
    PriceListItemFactory(price_list=prices, product=ProductFactory(code="4"), price=Decimal("6.00"))
    batch = apply_batch(staff, PriceChoice(prices), UP)
    PriceListItem.objects.filter(product__code="1").update(price=Decimal("9.00"))
    PriceListItem.objects.get(product__code="4").delete()

    undone = price_batch_undo(actor=staff, batch_id=batch.pk)

    assert now(prices) == ["9.00", "4.00", "None"]
    assert undone.rows_left == 2
    assert sorted(undone.rows.filter(is_left=True).values_list("product__code", flat=True)) == [
        "1",
        "4",
    ]


def test_overtaken_price_batch_can_be_undone_after_the_later_batch(
    staff: Account, prices: PriceList
) -> None:
    first, second = (apply_batch(staff, PriceChoice(prices), UP) for _ in range(2))

    with pytest.raises(BatchOvertaken):
        price_batch_undo(actor=staff, batch_id=first.pk)
    first.refresh_from_db()
    assert (first.undone_at, first.rows.filter(is_left=True).count()) == (None, 0)

    for batch in (second, first):
        price_batch_undo(actor=staff, batch_id=batch.pk)
    assert now(prices) == ["8.00", "4.00", "None"]


def test_a_batch_is_undone_once(staff: Account, prices: PriceList) -> None:
    batch = apply_batch(staff, PriceChoice(prices), UP)
    price_batch_undo(actor=staff, batch_id=batch.pk)

    with pytest.raises(BatchUndone):
        price_batch_undo(actor=staff, batch_id=batch.pk)
    assert now(prices) == ["8.00", "4.00", "None"]


TIERS: dict[str, Any] = {
    "tier1_quantity": 10,
    "tier1_price": Decimal("7.00"),
    "tier2_quantity": 50,
    "tier2_price": Decimal("6.50"),
}


def list_tiers_now(prices: PriceList) -> list[str]:
    item = PriceListItem.objects.get(price_list=prices, product__code="1")
    return [str(item.price), str(item.tier1_price), str(item.tier2_price), str(item.tier3_price)]


@pytest.mark.parametrize(
    ("kind", "figure", "step", "expected"),
    [
        ("percent", "5", "0.01", ["8.40", "7.35", "6.83", "None"]),
        ("percent", "-50", "1.00", ["4.00", "4.00", "3.00", "None"]),
        ("amount", "-0.80", "0.01", ["7.20", "6.30", "5.85", "None"]),
        ("market", "100", "0.10", ["10.00", "8.80", "8.10", "None"]),
    ],
)
def test_the_tiers_move_in_proportion_and_come_back_with_the_undo(
    staff: Account, prices: PriceList, kind: str, figure: str, step: str, expected: list[str]
) -> None:
    PriceListItem.objects.filter(product__code="1").update(**TIERS)
    rule = PriceRule(PriceRuleKind(kind), Decimal(figure), Decimal(step))
    batch = apply_batch(staff, PriceChoice(prices), rule)
    assert list_tiers_now(prices) == expected

    price_batch_undo(actor=staff, batch_id=batch.pk)
    assert list_tiers_now(prices) == ["8.00", "7.00", "6.50", "None"]
    assert now(prices) == ["8.00", "4.00", "None"]


def test_a_tier_that_changed_since_is_not_restored(staff: Account, prices: PriceList) -> None:
    PriceListItem.objects.filter(product__code="1").update(**TIERS)
    batch = apply_batch(staff, PriceChoice(prices), UP)
    PriceListItem.objects.filter(product__code="1").update(tier2_price=Decimal("6.00"))

    assert price_batch_undo(actor=staff, batch_id=batch.pk).rows_left == 1
    assert list_tiers_now(prices) == ["8.40", "7.35", "6.00", "None"]
    assert now(prices) == ["8.40", "4.00", "None"]


def test_tier_price_rounded_to_zero_refuses_the_batch(staff: Account, prices: PriceList) -> None:
    PriceListItem.objects.filter(product__code="1").update(
        tier1_quantity=10, tier1_price=Decimal("0.40")
    )
    rule = PriceRule(PriceRuleKind.PERCENT, Decimal(10), Decimal("1.00"))
    with pytest.raises(PricePlanRefused, match="例如 1：阶梯价的新价不大于 0"):
        apply_batch(staff, PriceChoice(prices), rule)


def test_a_tier_that_changed_since_the_preview_refuses_the_batch(
    staff: Account, prices: PriceList
) -> None:
    PriceListItem.objects.filter(product__code="1").update(**TIERS)
    digest = get_price_plan(choice=PriceChoice(prices), rule=UP).digest
    PriceListItem.objects.filter(product__code="1").update(tier2_price=Decimal("6.00"))
    with pytest.raises(PricePlanStale):
        price_batch_apply(actor=staff, choice=PriceChoice(prices), rule=UP, digest=digest)
