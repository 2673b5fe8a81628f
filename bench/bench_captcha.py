"""The slide captcha: the share of 200 puzzles that each program solves, and the time to draw
one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from statistics import median
from time import process_time

from bench.registry import Figure, at_most, benchmark
from bench.scale import size

PUZZLES = size(200, 10)


@benchmark("captcha")
def captcha() -> Iterable[Figure]:
    """Measure without a database. Gates apply to usual programs. Two programs that know how
    puzzles are chosen have no gate.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.test")
    import django

    django.setup()
    from apps.identity.puzzle import make_puzzle
    from bench.captcha_solvers import INFORMED, measure

    for name, share in measure(puzzles=PUZZLES).items():
        what = f"{name}: solved share of {PUZZLES} puzzles"
        yield Figure(what, share, "") if name in INFORMED else at_most(what, share, 0.1, "")
    seconds = []
    for seed in range(size(50, 3)):
        begun = process_time()
        make_puzzle(seed)
        seconds.append(process_time() - begun)
    yield at_most("drawing a puzzle, processor time, p50", median(seconds) * 1000, 30, "ms")
