"""Tests of the notations in which people write orders. Each notation is one row of the table."""

from __future__ import annotations

import pytest

from apps.cart.parsing import Kind, WrittenLine, read_text
from apps.common.errors import TooLarge
from apps.common.quantity import parse_chinese_number

# The written line, and (word, quantity, unit) of its first interpretation.
SHAPES: list[tuple[str, tuple[str, int | None, str]]] = [
    ("110001\t2", ("110001", 2, "")),
    ("2\t110001", ("110001", 2, "")),
    ("110001 2", ("110001", 2, "")),
    ("2 110001", ("110001", 2, "")),
    ("110001,2", ("110001", 2, "")),
    ("110001，2", ("110001", 2, "")),
    ("110001;2", ("110001", 2, "")),
    ("110001    2", ("110001", 2, "")),
    ("M6笔|2|盒", ("M6笔", 2, "盒")),
    ("M6笔 2盒", ("M6笔", 2, "盒")),
    ("M6笔2盒", ("M6笔", 2, "盒")),
    ("M6笔 2 盒", ("M6笔", 2, "盒")),
    ("M6笔 盒 2", ("M6笔", 2, "盒")),
    ("2盒M6笔", ("M6笔", 2, "盒")),
    ("2盒 M6笔", ("M6笔", 2, "盒")),
    ("M6笔x2", ("M6笔", 2, "")),
    ("M6笔 X2", ("M6笔", 2, "")),
    ("M6笔*2", ("M6笔", 2, "")),
    ("M6笔 × 2盒", ("M6笔", 2, "盒")),
    ("110001x2", ("110001", 2, "")),
    ("5 x M6笔", ("M6笔", 5, "")),
    ("Ｍ６笔　２盒", ("M6笔", 2, "盒")),
    ("１１０００１　１２", ("110001", 12, "")),
    ("两盒M6笔", ("M6笔", 2, "盒")),
    ("M6笔 十二支", ("M6笔", 12, "支")),
    ("M6笔 一百二十支", ("M6笔", 120, "支")),
    ("1. A4纸 5包", ("A4纸", 5, "包")),
    ("1、A4纸 5包", ("A4纸", 5, "包")),
    ("① A4纸 5包", ("A4纸", 5, "包")),
    ("- A4纸 5包", ("A4纸", 5, "包")),
    ("M6笔：2盒", ("M6笔", 2, "盒")),
    ("M6笔-2盒", ("M6笔", 2, "盒")),
    ("M6笔 数量2", ("M6笔", 2, "")),
    ("请帮我订2盒M6笔，谢谢", ("M6笔", 2, "盒")),
    ("@李雷 帮我订 订书机 4 个", ("订书机", 4, "个")),
    ("＠李雷 @韩梅 请订 订书机4个", ("订书机", 4, "个")),
    ("帮我订订书机4个", ("订书机", 4, "个")),
    ("要 订书机 4个", ("订书机", 4, "个")),
    ("订书机 4个", ("订书机", 4, "个")),
    ("M6笔 一打", ("M6笔", 12, "打")),
    ("M6笔 半打", ("M6笔", 6, "个")),
    ("M6笔 2盒（急用）", ("M6笔", 2, "盒")),
    ("M6笔 2盒，要黑色", ("M6笔", 2, "盒")),
    ("M6笔 2盒 黑色的", ("M6笔", 2, "盒")),
    ("A4纸 1,000包", ("A4纸", 1000, "包")),
    ("110001,100", ("110001", 100, "")),
    ("2.0\t110001", ("110001", 2, "")),
    ('"中性笔, 黑色",3', ("中性笔, 黑色", 3, "")),
    ('110001,"中性笔, 黑色",3,盒', ("110001", 3, "盒")),
    ("110001\t卓砚 中性笔\t2\t盒\t急", ("110001", 2, "盒")),
    ("1\t110001\t中性笔\t2", ("110001", 2, "")),
    ("110001\t2\t16.70\t33.40", ("110001", 2, "")),
    ("卓砚 12支/盒 签字笔 3盒", ("卓砚 12支/盒 签字笔", 3, "盒")),
    ("牛皮纸 210*297 5包", ("牛皮纸 210*297", 5, "包")),
    ("三只松鼠 2包", ("三只松鼠", 2, "包")),
    ("A4复印纸70g 5包", ("A4复印纸70g", 5, "包")),
    ("ZY-1103", ("ZY-1103", None, "")),
    ("复印纸 A4 70g", ("复印纸 A4 70g", None, "")),
]


def only(text: str) -> WrittenLine:
    (line,) = read_text(text)
    return line


@pytest.mark.parametrize(("text", "expected"), SHAPES, ids=[text for text, _ in SHAPES])
def test_a_shape_is_read(text: str, expected: tuple[str, int | None, str]) -> None:
    reading = only(text).readings[0]
    assert (reading.word, reading.quantity, reading.unit) == expected


def test_several_items_of_a_chat_line_become_several_lines() -> None:
    lines = read_text("A4纸 5包，M6笔 2盒；订书机 1个，谢谢")
    assert [(line.no, line.readings[0].word, line.readings[0].quantity) for line in lines] == [
        (1, "A4纸", 5),
        (1, "M6笔", 2),
        (1, "订书机", 1),
    ]


def test_header_row_defines_the_columns() -> None:
    head, line = read_text("序号\t数量\t品名\t规格\t备注\n1\t3\t签字笔\t0.5mm 黑\t前台")
    assert (head.kind, head.reason) == (Kind.SKIPPED, "表头")
    assert (line.readings[0].word, line.readings[0].quantity, line.search, line.remark) == (
        "签字笔",
        3,
        "签字笔 0.5mm 黑",
        "前台",
    )


def test_header_separated_by_blanks_is_recognized() -> None:
    head, line = read_text("商品编码 数量\n110001 2")
    assert (head.reason, line.readings[0].quantity) == ("表头", 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "空行"),
        ("   ", "空行"),
        ("-----", "空行"),
        ("合计\t12", "合计行"),
        ("总计：120元", "合计行"),
    ],
)
def test_line_without_a_product_is_skipped_with_its_reason(text: str, reason: str) -> None:
    line = read_text(f"{text}\n")[0]
    assert (line.kind, line.reason) == (Kind.SKIPPED, reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("M6笔 2.5盒", "数量须为整数，请修改"),
        ("M6笔 0盒", "数量须大于 0，请修改"),
        ("M6笔\t-3", "数量须大于 0，请修改"),
        ("M6笔 9999999", "数量不能超过 999999，请修改"),
        ("编码\t数量\n110001\t#N/A", "数量“#N/A”无法识别，请填写整数"),
        ("编码\t数量\n\t5", "这一行没有商品编码或名称，请补填（合并的单元格请先拆分）"),
        ("笔" * 501, "这一行超过 500 个字，请拆分"),
    ],
)
def test_unreadable_line_is_kept_with_its_reason(text: str, reason: str) -> None:
    line = read_text(text)[-1]
    assert (line.kind, line.reason) == (Kind.UNREADABLE, reason)


def test_second_quantity_in_a_line_is_reported() -> None:
    assert only("M6笔 2盒 A4纸 5包").doubt == "行内有多个数量，已按“5包”识别，请核对"


def test_name_beside_a_code_is_a_secondary_reading() -> None:
    readings = only("110001\t中性笔\t2").readings
    assert [(reading.word, reading.is_primary) for reading in readings] == [
        ("110001", True),
        ("中性笔", False),
        ("110001 中性笔", False),
    ]


def test_two_bare_numbers_are_read_in_both_orders() -> None:
    assert [(one.word, one.quantity) for one in only("110001\t120004").readings] == [
        ("110001", 120004),
        ("120004", 110001),
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("两", 2),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("一百零五", 105),
        ("三千二百", 3200),
        ("一万二千", 12000),
    ],
)
def test_chinese_numbers(text: str, number: int) -> None:
    assert parse_chinese_number(text) == number


def test_10001_lines_are_refused_with_the_limit() -> None:
    with pytest.raises(TooLarge, match="一次最多识别 10,000 行"):
        read_text("110001 1\n" * 10_001)


def test_10000_lines_are_read() -> None:
    assert len(read_text("110001 1\n" * 10_000)) == 10_000
