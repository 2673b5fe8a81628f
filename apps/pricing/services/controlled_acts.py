"""The act of this app under dual control: 批量调价."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.models import Brand, Category
from apps.common.money import ZERO, yuan_text
from apps.dual_control.controlled import ControlledAct, JobLimit, Parameters, Reading
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import PriceBatch, PriceList
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.prices import price_batch_apply, require_plan

if TYPE_CHECKING:
    from apps.org.models import Account

CHANGE_PRICES = "pricing.change_prices"


def price_change_parameters(
    *, choice: PriceChoice, rule: PriceRule, digest: str, skips_refused: bool
) -> Parameters:
    """Return the parameters of 批量调价."""
    return {
        "price_list_id": choice.price_list.pk,
        "category_id": choice.category.pk if choice.category else None,
        "brand_id": choice.brand.pk if choice.brand else None,
        "codes": list(choice.codes),
        "kind": str(rule.kind),
        "figure": str(rule.figure),
        "step": str(rule.step),
        "digest": digest,
        "skips_refused": skips_refused,
    }


def _parse_choice(parameters: Parameters) -> PriceChoice:
    return PriceChoice(
        PriceList.objects.get(pk=parameters["price_list_id"]),
        Category.objects.filter(pk=parameters["category_id"]).first(),
        Brand.objects.filter(pk=parameters["brand_id"]).first(),
        tuple(parameters["codes"]),
    )


def _parse_rule(parameters: Parameters) -> PriceRule:
    return PriceRule(
        PriceRuleKind(parameters["kind"]),
        Decimal(parameters["figure"]),
        Decimal(parameters["step"]),
    )


def _read_change(parameters: Parameters) -> Reading:
    """The amount is the sum of all changes of a price, up and down, in 元."""
    choice, rule = _parse_choice(parameters), _parse_rule(parameters)
    plan = get_price_plan(choice=choice, rule=rule)
    require_plan(plan, digest=parameters["digest"], skips_refused=parameters["skips_refused"])
    amount = sum((abs(row.after - row.before) for row in plan.changes), ZERO)
    ups = sum(row.after > row.before for row in plan.changes)
    largest = "；".join(
        f"{row.code} {yuan_text(row.before)} → {yuan_text(row.after)}" for row in plan.largest(10)
    )
    facts = (
        ("价目表", str(choice.price_list)),
        ("范围", str(choice)),
        ("规则", str(rule)),
        ("调整的价目", f"{len(plan.changes)} 个：上涨 {ups} 个，下降 {len(plan.changes) - ups} 个"),
        ("变动金额合计", yuan_text(amount)),
        ("变动最大的", largest),
    )
    return Reading(choice.price_list, str(choice.price_list), amount, facts)


def _apply_price_batch(actor: Account, parameters: Parameters) -> PriceBatch:
    return price_batch_apply(
        actor=actor,
        choice=_parse_choice(parameters),
        rule=_parse_rule(parameters),
        digest=parameters["digest"],
        skips_refused=parameters["skips_refused"],
    )


CONTROLLED_ACTS = (
    ControlledAct(
        kind=CHANGE_PRICES,
        title="批量调价",
        permission="pricing.change_pricebatch",
        limits={"商品": JobLimit(alone=Decimal(10_000), release=None)},
        read=_read_change,
        run=_apply_price_batch,
        # Reading makes the same checks, and a trial would write every price.
        is_tried=False,
    ),
)
