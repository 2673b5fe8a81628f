"""Scores a product from 0 to 100 points, with a sentence for each reason."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import log, log1p

# The points of a wish add up to 100: words, kind, own history, agreement, stock, sales, price.
WORDS, KIND, HISTORY, AGREED, STOCK, SALES, PRICE = 28, 16, 20, 12, 10, 8, 6
# Deduction for an unknown pack size, so that products with a known one rank first.
UNCOUNTED = 20
# Deduction for surplus pieces, such as a box of twelve for a wish of one.
WASTE = 16
# In a scenario every product is of the requested kind. The points of the words go to the match of
# price and budget, and to sales.
FIT, SCENARIO_SALES = 36, 20
# A price four times too high or too low gets no points.
FARTHEST = log(4)
WELL_SOLD = 0.75
# Points that reviews add or deduct, beyond the hundred. The average starts with three virtual
# reviews of four stars.
RATING = 4
USUAL_STARS, USUAL_REVIEWS = 4, 3
# Minimum number of reviews for a reason, and the average for a good and for a poor rating.
MIN_REVIEWS, WELL_RATED, POORLY_RATED = 2, 4.5, 3


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a proposal: a stable code, and the displayed sentence."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """The facts about a product for the score. Shares are from 0 to 1. `saving` is the share
    that the agreement deducts from the market price. `stars` is the sum over all reviews.
    """

    own_orders: int = 0
    house_orders: int = 0
    agreed: bool = False
    saving: Decimal = Decimal(0)
    stock_share: float = 1.0
    sales: int = 0
    sales_level: float = 0.0
    price_share: float = 0.0
    reviews: int = 0
    stars: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    points: float
    reasons: tuple[Reason, ...]


def compute_base_score(inputs: ScoreInputs, *, sales_points: int) -> Score:
    """Return the points of a product for this customer that do not depend on the request:
    history, agreement, stock, sales, reviews.
    """
    points, reasons = 0.0, []
    if inputs.own_orders:
        points += min(HISTORY, 12 + 4 * log1p(inputs.own_orders))
        reasons.append(Reason("own_history", f"您一年内买过 {inputs.own_orders} 次"))
    elif inputs.house_orders:
        points += min(HISTORY, 7 + 3 * log1p(inputs.house_orders))
        reasons.append(Reason("house_history", f"本企业一年内买过 {inputs.house_orders} 次"))
    if inputs.agreed:
        points += AGREED
        reasons.append(
            Reason(
                "agreement",
                f"协议价，比市场价低 {inputs.saving:.0%}"
                if inputs.saving >= Decimal("0.01")
                else "协议价",
            )
        )
    points += STOCK * inputs.stock_share
    if inputs.stock_share >= 1:
        reasons.append(Reason("stock", "库存充足"))
    points += sales_points * inputs.sales_level
    if inputs.sales_level >= WELL_SOLD and inputs.sales:
        reasons.append(Reason("sales", f"同类热销，已售 {inputs.sales:,}"))
    points += RATING * compute_rating_deviation(inputs)
    if (
        inputs.reviews >= MIN_REVIEWS
        and (average_stars := inputs.stars / inputs.reviews) >= WELL_RATED
    ):
        reasons.append(Reason("rating", f"{inputs.reviews} 条评价，平均 {average_stars:.1f} 分"))
    elif inputs.reviews >= MIN_REVIEWS and average_stars < POORLY_RATED:
        reasons.append(Reason("poor_rating", f"评价偏低，平均 {average_stars:.1f} 分"))
    return Score(points, tuple(reasons))


@dataclass(frozen=True, slots=True)
class Fit:
    """How a product matches the words: share of words, missing words, whether the category
    matches, whether the match is exact or by sound, whether the pack size is known, and the
    share of surplus pieces.
    """

    word_share: float = 1.0
    missing: tuple[str, ...] = ()
    kind: bool = False
    exact: bool = False
    alike: bool = False
    is_pack_known: bool = True
    waste: float = 0.0


def compute_wish_score(inputs: ScoreInputs, fit: Fit) -> Score:
    """Return the score of a product for a line of a wish list."""
    base = compute_base_score(inputs, sales_points=SALES)
    missing_words = fit.missing
    if fit.exact:
        word_reason = Reason("exact", "编码、型号或名称完全一致")
    elif fit.alike:
        word_reason = Reason("alike", "读音相近")
    elif missing_words:
        word_reason = Reason("part", f"未包含“{'”“'.join(missing_words)}”")
    else:
        word_reason = Reason("words", "名称与描述都符合")
    points = (
        WORDS * fit.word_share
        + KIND * (fit.kind or fit.exact)
        + PRICE * inputs.price_share
        + base.points
    )
    return Score(
        max(0.0, min(100.0, points - WASTE * fit.waste - (0 if fit.is_pack_known else UNCOUNTED))),
        (word_reason, *base.reasons),
    )


def compute_scenario_score(inputs: ScoreInputs, *, fit: float) -> Score:
    """Return the score of a product for a kind of a scenario. `fit` is the match of its price
    with the budget, from 0 to 1.
    """
    base = compute_base_score(inputs, sales_points=SCENARIO_SALES)
    reasons = (Reason("fit", "价位与预算相称"), *base.reasons) if fit >= WELL_SOLD else base.reasons
    return Score(max(0.0, min(100.0, FIT * fit + base.points)), reasons)


def compute_rating_deviation(inputs: ScoreInputs) -> float:
    """Return a value from -1 to 1 for reviews that are worse or better than usual. A few
    reviews change it little.
    """
    average = (inputs.stars + USUAL_STARS * USUAL_REVIEWS) / (inputs.reviews + USUAL_REVIEWS)
    return max(-1.0, min(1.0, average - USUAL_STARS))


def compute_price_fit(cost: int, target: float) -> float:
    """Return 1 if the cost equals the target, falling to 0 at four times or a quarter of the
    target.
    """
    if cost <= 0 or target <= 0:
        return 0.0
    return max(0.0, 1 - abs(log(cost / target)) / FARTHEST)


def scale_sales(sales: int, highest: int) -> float:
    """Return the sales on a logarithmic scale: 0 without sales, 1 at the highest sales."""
    return log1p(max(0, sales)) / log1p(highest) if highest > 0 else 0.0
