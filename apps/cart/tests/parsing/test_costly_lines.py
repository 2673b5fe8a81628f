"""Tests of parsing time with hostile lines. The time must grow linearly with a line's length,
not quadratically.
"""

from __future__ import annotations

import time

import pytest

from apps.cart.parsing import MAX_LINES, Kind, read_text
from apps.cart.parsing.document import read_rows_of_cells
from apps.common.errors import TooLarge

COSTLY = {
    "blanks": "a" + " " * 488 + "b",
    "wide blanks": "a" + "\u3000" * 488 + "b",
    "blanks before a unit": "2" + " " * 480 + "盒x",
    "blanks after a sum": "合计" + " " * 480 + "x",
    "blanks and x": "1" + " " * 240 + "x" + " " * 240 + "a",
    "signs that unfold": "\ufdfa" * 490,
    "amounts and brackets": "1盒(" * 120,
    "brackets": "编码" + "(" * 480,
    "remark of brackets": "中x1" + "(" * 480,
    "figures": "1," * 245,
    "figures and tabs": "1\t" * 245,
    "thousands": "1" + ",111" * 122,
    "thanks": "a" + "," * 480 + "谢谢x",
    "what may follow": "a" + "-" * 480 + "b 1盒",
    "asking again": "再来" * 240 + "x",
    "digits": "1" * 490,
}


def get_milliseconds(line: str, *, times: int) -> float:
    """Return the processor time (ms) to parse a line: the minimum of three runs, because the
    machine may be busy.
    """
    spent = []
    for _ in range(3):
        began = time.process_time()
        read_text("\n".join([line] * times))
        read_rows_of_cells([[line]] * times)
        spent.append((time.process_time() - began) * 1000 / times)
    return min(spent)


@pytest.mark.parametrize("line", COSTLY.values(), ids=COSTLY.keys())
def test_costly_line_takes_less_than_fifty_times_a_plain_one(line: str) -> None:
    assert get_milliseconds(line, times=20) < 50 * get_milliseconds(
        "110001 中性笔 黑色 5盒", times=100
    )


def test_a_line_is_measured_in_half_width() -> None:
    (line,) = read_text("\ufdfa" * 100)
    assert (line.kind, line.reason) == (Kind.UNREADABLE, "这一行超过 500 个字，请拆分")


def test_many_blanks_part_columns_as_two_do() -> None:
    (line,) = read_text("中性笔" + " " * 100 + "5盒")
    assert (line.readings[0].word, line.readings[0].quantity) == ("中性笔", 5)


def test_a_line_of_more_than_forty_cells_is_not_guessed_at() -> None:
    (line,) = read_text("\t".join(["1"] * 41))
    assert (line.kind, line.reason) == (Kind.UNREADABLE, "这一行超过 40 列，请拆分")


def test_words_after_a_name_are_dropped() -> None:
    ends = ("：", " - ", " QTY ", "数量", "共", " x ", "数量：", " -- ")
    assert {read_text(f"中性笔{end}5盒")[0].readings[0].word for end in ends} == {"中性笔"}


def test_lines_of_several_products_are_bounded_as_well() -> None:
    with pytest.raises(TooLarge, match="10,000 行"):
        read_text("a 1盒;" * 80 + "\n" + ("a 1盒;" * 80 + "\n") * (MAX_LINES // 80))
