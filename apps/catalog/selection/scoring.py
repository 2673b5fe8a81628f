"""How well a product serves: points from 0 to 100, each with the sentence that says why."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import log, log1p

# The points of a wish add up to 100: words, kind, own history, agreement, stock, sales, price.
WORDS, KIND, HISTORY, AGREED, STOCK, SALES, PRICE = 28, 16, 20, 12, 10, 8, 6
# What is sold in a pack that does not tell how many pieces it has stands behind what can be counted.
UNCOUNTED = 20
# A box of twelve for a wish of one is eleven too many.
WASTE = 16
# In a scenario every product is of the asked kind: what the words had goes to how its price fits the budget, and to sales.
FIT, SCENARIO_SALES = 36, 20
# A price four times too high or too low fits not at all.
FARTHEST = log(4)
WELL_SOLD = 0.75
# What reviews add or take, beside the hundred: a product starts as if three people had given it four stars.
RATING = 4
USUAL_STARS, USUAL_REVIEWS = 4, 3
# From so many reviews on the sentence is said; from such stars on, and below such.
SAID_FROM, WELL_RATED, POORLY_RATED = 2, 4.5, 3


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a product was proposed: a stable code, and the sentence shown."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a product beside others. Shares go from 0 to 1; `saving` is what the agreement takes off the market price,
    `stars` are those of all its reviews together."""

    own_orders: int = 0
    house_orders: int = 0
    agreed: bool = False
    saving: Decimal = Decimal(0)
    stock_share: float = 1.0
    sales: int = 0
    sales_share: float = 0.0
    price_share: float = 0.0
    reviews: int = 0
    stars: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    points: float
    reasons: tuple[Reason, ...]


def standing(facts: Facts, *, sales_points: int) -> Score:
    """Return the points of what a product is to this customer, whatever was asked for: history, agreement, stock, sales."""
    points, reasons = 0.0, []
    if facts.own_orders:
        points += min(HISTORY, 12 + 4 * log1p(facts.own_orders))
        reasons.append(Reason("own_history", f"您一年内买过 {facts.own_orders} 次"))
    elif facts.house_orders:
        points += min(HISTORY, 7 + 3 * log1p(facts.house_orders))
        reasons.append(Reason("house_history", f"本企业一年内买过 {facts.house_orders} 次"))
    if facts.agreed:
        points += AGREED
        reasons.append(Reason("agreement", f"协议价，比市场价低 {facts.saving:.0%}" if facts.saving >= Decimal("0.01") else "协议价"))
    points += STOCK * facts.stock_share
    if facts.stock_share >= 1:
        reasons.append(Reason("stock", "库存充足"))
    points += sales_points * facts.sales_share
    if facts.sales_share >= WELL_SOLD and facts.sales:
        reasons.append(Reason("sales", f"同类热销，已售 {facts.sales:,}"))
    points += RATING * rating_share(facts)
    if facts.reviews >= SAID_FROM and (average := facts.stars / facts.reviews) >= WELL_RATED:
        reasons.append(Reason("rating", f"{facts.reviews} 条评价，平均 {average:.1f} 分"))
    elif facts.reviews >= SAID_FROM and average < POORLY_RATED:
        reasons.append(Reason("poor_rating", f"评价偏低，平均 {average:.1f} 分"))
    return Score(points, tuple(reasons))


@dataclass(frozen=True, slots=True)
class Fit:
    """How a product fits the words: the share it has, those it lacks, whether its category is named, whether it is named exactly or
    by sound, whether its pack can be counted, and the share of its pieces that nobody asked for."""

    word_share: float = 1.0
    missing: tuple[str, ...] = ()
    kind: bool = False
    exact: bool = False
    alike: bool = False
    counted: bool = True
    waste: float = 0.0


def wish_score(facts: Facts, fit: Fit) -> Score:
    """Return the score of a product for a typed line."""
    rest = standing(facts, sales_points=SALES)
    missing = fit.missing
    if fit.exact:
        words = Reason("exact", "编码、型号或名称完全一致")
    elif fit.alike:
        words = Reason("alike", "读音相近")
    elif missing:
        words = Reason("part", f"未包含“{'”“'.join(missing)}”")
    else:
        words = Reason("words", "名称与描述都符合")
    points = WORDS * fit.word_share + KIND * (fit.kind or fit.exact) + PRICE * facts.price_share + rest.points
    return Score(max(0.0, min(100.0, points - WASTE * fit.waste - (0 if fit.counted else UNCOUNTED))), (words, *rest.reasons))


def scenario_score(facts: Facts, *, fit: float) -> Score:
    """Return the score of a product for a kind of a scenario; `fit` says how well its price suits the budget, from 0 to 1."""
    rest = standing(facts, sales_points=SCENARIO_SALES)
    reasons = (Reason("fit", "价位与预算相称"), *rest.reasons) if fit >= WELL_SOLD else rest.reasons
    return Score(max(0.0, min(100.0, FIT * fit + rest.points)), reasons)


def rating_share(facts: Facts) -> float:
    """Return from -1 to 1 how much better than usual its reviews are; a few say little."""
    usual = (facts.stars + USUAL_STARS * USUAL_REVIEWS) / (facts.reviews + USUAL_REVIEWS)
    return max(-1.0, min(1.0, usual - USUAL_STARS))


def price_fit(cost: int, target: float) -> float:
    """Return 1 where a kind costs what the budget has for it, falling to 0 at four times or a quarter of that."""
    if cost <= 0 or target <= 0:
        return 0.0
    return max(0.0, 1 - abs(log(cost / target)) / FARTHEST)


def share_of_sales(sales: int, most: int) -> float:
    """Return how near a product's sales come to the best-selling one's, by orders of magnitude."""
    return log1p(max(0, sales)) / log1p(most) if most > 0 else 0.0
