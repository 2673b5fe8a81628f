"""Describes how a basket differs from the recommended one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.selection.solver.model import Goal

NAMES = {
    Goal.BALANCED: "推荐方案",
    Goal.CHEAPEST: "更省",
    Goal.KNOWN: "更知名",
    Goal.FEW_BRANDS: "品牌更少",
}
AIMS = {
    Goal.BALANCED: "综合历史采购、协议价、库存、销量与预算",
    Goal.CHEAPEST: "满足全部需求的最低总价",
    Goal.KNOWN: "优先销量领先的品牌",
    Goal.FEW_BRANDS: "用尽可能少的品牌，便于收货与对账",
}
SAME = {
    Goal.CHEAPEST: "与推荐方案相同：推荐方案已是最低总价",
    Goal.KNOWN: "与推荐方案相同：预算内没有更知名的组合",
    Goal.FEW_BRANDS: "与推荐方案相同：品牌数已经最少",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures for the comparison of two baskets: total in 元, brand names, products by kind,
    fame of the brands (0 to 100).
    """

    total: Decimal
    brands: frozenset[str]
    products: Mapping[str, frozenset[int]]
    fame: float


def changed_kinds(best: Figures, other: Figures) -> list[str]:
    """Return the kinds with different products in the other basket."""
    return [
        kind for kind, products in other.products.items() if best.products.get(kind) != products
    ]


def difference(goal: Goal, best: Figures, other: Figures) -> str:
    """Return the sentence that explains the other basket."""
    changed = changed_kinds(best, other)
    if not changed:
        return SAME.get(goal, "")
    said = [_money(best.total, other.total)]
    if len(best.brands) != len(other.brands):
        said.append(f"品牌 {len(best.brands)} → {len(other.brands)} 个")
    if goal == Goal.KNOWN:
        said.append(f"品牌知名度 {best.fame:.0f} → {other.fame:.0f} 分")
    said.append(
        f"换了 {len(changed)} 种：{'、'.join(changed[:4])}{'等' if len(changed) > 4 else ''}"
    )
    return "；".join(said)


def _money(best: Decimal, other: Decimal) -> str:
    if best == other:
        return "总价相同"
    share = f"（{(other - best) / best:+.0%}）" if best and abs(other - best) * 200 >= best else ""
    return (
        f"比推荐方案{'省' if other < best else '多'} ¥{abs(other - best):,.2f}"
        f"{share.replace('-', '−')}"
    )
