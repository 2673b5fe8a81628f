"""The slide captcha checks the position and the track of the slide. Each captcha works once."""

from __future__ import annotations

import base64
import io
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from PIL import Image

from apps.identity.errors import CaptchaFailed, CaptchaRequired
from apps.identity.models import Captcha
from apps.identity.puzzle import HEIGHT, PIECE, WIDTH, Puzzle, make_puzzle
from apps.identity.services.captcha import captcha_issue, captcha_verify
from apps.identity.tests.hand import solve
from bench.captcha_solvers import INFORMED, SOLVERS, Solver, solves

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle() -> str:
    return str(captcha_issue()[0])


@pytest.mark.parametrize("off_by", [-4, 0, 4])
def test_the_right_place_within_four_pixels_passes(puzzle: str, off_by: int) -> None:
    captcha_verify(answer=solve(puzzle, off_by=off_by))


@pytest.mark.parametrize("off_by", [-5, 5, 60])
def test_a_wrong_place_fails(puzzle: str, off_by: int) -> None:
    with pytest.raises(CaptchaFailed, match="验证码验证失败，请重试"):
        captcha_verify(answer=solve(puzzle, off_by=off_by))


def test_an_answer_works_once(puzzle: str) -> None:
    captcha_verify(answer=solve(puzzle))

    with pytest.raises(CaptchaFailed):
        captcha_verify(answer=solve(puzzle))


def test_a_failed_try_uses_the_puzzle_up(puzzle: str) -> None:
    with pytest.raises(CaptchaFailed):
        captcha_verify(answer=solve(puzzle, off_by=50))

    with pytest.raises(CaptchaFailed):
        captcha_verify(answer=solve(puzzle))


def test_an_answer_after_two_minutes_fails(puzzle: str) -> None:
    Captcha.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(CaptchaFailed):
        captcha_verify(answer=solve(puzzle))


@pytest.mark.parametrize(
    "track",
    [
        [],
        "slide",
        [[0, 0, 0]] * 3,
        [[0, 0, 0], [1, 0, 100], [2, 0, 200], [999, 0, 300]],
        [[0, 0], [1, 0], [2, 0], [3, 0]],
        [[0, 0, "a"], [1, 0, 1], [2, 0, 2], [3, 0, 3]],
        [[0, 0, 0]] * 700,
    ],
    ids=["none", "text", "too few", "a leap", "no times", "no numbers", "too many"],
)
def test_a_track_that_no_hand_made_fails(puzzle: str, track: Any) -> None:
    with pytest.raises(CaptchaFailed):
        captcha_verify(answer={**solve(puzzle), "Track": track})


def test_a_slide_faster_than_a_hand_fails(puzzle: str) -> None:
    answer = solve(puzzle)
    answer["Track"] = [[x, y, at / 100] for x, y, at in answer["Track"]]

    with pytest.raises(CaptchaFailed):
        captcha_verify(answer=answer)


@pytest.mark.parametrize("answer", [None, "", "{", "[]", {}, 5, "[" * 5000])
def test_missing_captcha_answer_is_refused(answer: object) -> None:
    with pytest.raises(CaptchaRequired, match="请先完成滑动验证"):
        captcha_verify(answer=answer)


@pytest.mark.parametrize("public_id", ["x", 5, None, "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_puzzle_fails(public_id: object) -> None:
    with pytest.raises(CaptchaFailed):
        captcha_verify(answer={"Id": public_id, "X": 100, "Track": []})


def _image(data_url: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data_url.partition(",")[2])))


def test_captcha_pictures_differ_and_have_fixed_sizes() -> None:
    one, two = make_puzzle(), make_puzzle()

    assert _image(one.background).size == (WIDTH, HEIGHT)
    assert _image(one.piece).size == (PIECE, PIECE)
    assert _image(one.piece).mode == "RGBA"
    assert one.background != two.background


def test_the_hole_is_never_under_the_piece_nor_beyond_its_reach() -> None:
    places = [make_puzzle(seed).x for seed in range(20)]

    assert min(places) > PIECE
    assert max(places) < WIDTH - PIECE


@pytest.fixture(scope="module")
def drawn() -> list[Puzzle]:
    return [make_puzzle(seed) for seed in range(1000, 1030)]


@pytest.mark.parametrize(
    "solver", [solver for name, solver in SOLVERS.items() if name not in INFORMED]
)
def test_simple_solver_solves_at_most_six_of_thirty_puzzles(
    drawn: list[Puzzle], solver: Solver
) -> None:
    assert sum(solves(solver, puzzle) for puzzle in drawn) <= 6
