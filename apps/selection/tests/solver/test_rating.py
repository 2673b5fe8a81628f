"""The effect of reviews on the score of a product: at most four points up or down, and less
with few reviews.
"""

from __future__ import annotations

import pytest

from apps.selection.solver.scoring import Fit, ScoreInputs, compute_wish_score

PLAIN = compute_wish_score(ScoreInputs(), Fit()).points


@pytest.mark.parametrize(
    ("reviews", "stars", "points"),
    [
        (0, 0, 0.0),
        (1, 5, 1.0),
        (9, 45, 3.0),
        (1000, 5000, 3.99),
        (1, 1, -3.0),
        (100, 100, -4.0),
        (10, 40, 0.0),
    ],
)
def test_reviews_move_the_score(reviews: int, stars: int, points: float) -> None:
    assert (
        round(
            compute_wish_score(ScoreInputs(reviews=reviews, stars=stars), Fit()).points - PLAIN, 2
        )
        == points
    )


@pytest.mark.parametrize(
    ("stars", "message"), [(48, "10 条评价，平均 4.8 分"), (24, "评价偏低，平均 2.4 分"), (40, "")]
)
def test_rating_reason_appears_only_for_good_or_bad_stars(stars: int, message: str) -> None:
    reasons = [
        reason.text
        for reason in compute_wish_score(ScoreInputs(reviews=10, stars=stars), Fit()).reasons
        if "rating" in reason.code
    ]
    assert reasons == ([message] if message else [])
