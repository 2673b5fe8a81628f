"""Parsing of wish-list lines in free text and of the rows of an uploaded sheet."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.selection.solver.packs import count_pieces_in
from apps.selection.solver.wishes import parse_wish, parse_wishes, parse_wishes_of_rows


@pytest.mark.parametrize(
    ("line", "words", "quantity", "unit"),
    [
        ("中性笔 20支", "中性笔", 20, "支"),
        ("2盒 中性笔", "中性笔", 2, "盒"),
        ("1. 便利贴 5本", "便利贴", 5, "本"),
        ("帮我买保温杯 12个", "保温杯", 12, "个"),
        ("１２　盒　签字笔", "签字笔", 12, "盒"),
        ("两盒订书钉", "订书钉", 2, "盒"),
        ("十二个保温杯", "保温杯", 12, "个"),
        ("中性笔*20", "中性笔", 20, ""),
        ("笔记本 20", "笔记本", 20, ""),
        ("中性笔 1,200支", "中性笔", 1200, "支"),
        ("订书钉24/6 10盒", "订书钉24/6", 10, "盒"),
        ("中性笔0.5mm 12支/盒 5盒", "中性笔0.5mm 12支/盒", 5, "盒"),
        ("按动笔 12支装 2盒", "按动笔 12支装", 2, "盒"),
        ("四件套 3套", "四件套", 3, "套"),
        ("5号电池 24节", "5号电池", 24, "节"),
        ("一次性纸杯 100只 5袋", "一次性纸杯 100只", 5, "袋"),
        ("得力 7780", "得力 7780", 1, ""),
        ("纸 6901234567892", "纸 6901234567892", 1, ""),
        ("A4", "a4", 1, ""),
    ],
)
def test_line_is_parsed_into_words_quantity_and_unit(
    line: str, words: str, quantity: int, unit: str
) -> None:
    wish = parse_wish(line)

    assert (wish.words, wish.quantity, wish.unit, wish.problem) == (words, quantity, unit, "")


@pytest.mark.parametrize(
    ("line", "words", "limit"),
    [
        ("保温杯 12个 50元以内", "保温杯", "50"),
        ("单价不超过15元的笔记本 20本", "笔记本", "15"),
        ("中性笔 20支 ≤2.5元", "中性笔", "2.5"),
        ("水杯 ￥60 元以下 3个", "水杯", "60"),
    ],
)
def test_a_line_may_limit_the_price(line: str, words: str, limit: str) -> None:
    wish = parse_wish(line)

    assert (wish.words, wish.max_price) == (words, Decimal(limit))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("笔" * 10_000, "这一行超过 200 个字"),
        ("20支", "没有看出要买什么"),
        ("中性笔 0支", "数量须大于 0"),
        ("中性笔 9999999支", "数量不能超过 999999"),
        ("纸 99999999999999999999999", "数量不能超过 999999"),
        ("中性笔×100000000", "数量不能超过 999999"),
        ("中性笔 1.5盒", "数量须为整数"),
    ],
)
def test_unusable_line_gives_its_problem(line: str, problem: str) -> None:
    assert problem in parse_wish(line).problem


def test_a_line_of_several_things_with_amounts_is_several_wishes() -> None:
    wishes = [
        (wish.words, wish.quantity)
        for wish in parse_wishes("中性笔2盒，笔记本20本、便利贴5本\n\n红色，黑色中性笔 3支")
    ]

    assert wishes == [("中性笔", 2), ("笔记本", 20), ("便利贴", 5), ("红色,黑色中性笔", 3)]


def test_sheet_is_read_from_its_header_row_at_any_position() -> None:
    rows = [
        ["采购需求"],
        [],
        ["序号", "品名", "规格", "数量", "单位", "限价", "品牌"],
        ["1", "中性笔", "黑色", "20", "支", "2.5元", "墨岚"],
        ["2", "笔记本"],
    ]

    first, second = parse_wishes_of_rows(rows)

    assert (first.words, first.quantity, first.unit, first.max_price) == (
        "墨岚 中性笔 黑色",
        20,
        "支",
        Decimal("2.50"),
    )
    assert (second.words, second.quantity, second.has_quantity) == ("笔记本", 1, False)


def test_a_sheet_without_a_header_is_read_as_lines() -> None:
    wishes = parse_wishes_of_rows([["中性笔", "20"], ["2盒 笔记本"], ["便利贴", "", "5本"]])

    assert [(wish.words, wish.quantity) for wish in wishes] == [
        ("中性笔", 20),
        ("笔记本", 2),
        ("便利贴", 5),
    ]


def test_invalid_quantity_is_reported_and_its_row_kept() -> None:
    (result,) = parse_wishes_of_rows([["名称", "数量"], ["中性笔", "很多"]])

    assert (result.words, result.problem) == ("中性笔", "数量“很多”无法识别，请填写整数")


@pytest.mark.parametrize(
    ("unit", "pack", "wanted", "pieces"),
    [
        ("盒", "12支/盒", "支", 12),
        ("盒", "12支/盒", "个", 12),
        ("盒", "12支/盒", "盒", 1),
        ("支", "1支", "个", 1),
        ("本", "100页/本", "本", 1),
        ("包", "500张/包", "包", 1),
        ("箱", "20袋/箱", "只", None),
        ("支", "1支", "盒", None),
        ("罐", "1罐", "盒/罐", 1),
        ("箱", "5包/箱", "", 1),
    ],
)
def test_pack_is_converted_to_its_number_of_pieces(
    unit: str, pack: str, wanted: str, pieces: int | None
) -> None:
    assert count_pieces_in(unit=unit, pack=pack, piece_unit=wanted) == pieces


def test_the_contents_of_a_product_count_before_the_text_of_its_pack() -> None:
    assert [
        count_pieces_in(unit="箱", pack="5包/箱", piece_unit=wanted, base_unit="张", contents=2500)
        for wanted in ("张", "箱", "盒")
    ] == [2500, 1, None]
