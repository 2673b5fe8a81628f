"""PDFs: line breaks, page breaks, and a file that embeds only the characters it shows."""

from __future__ import annotations

import re
import zlib
from io import BytesIO

from fontTools.ttLib import TTFont

from apps.documents.pdf import FOOT, Column, Paper, draw_table
from apps.documents.pdf.fonts import load_font
from apps.documents.pdf.paper import Text, drop_unwritable, fit_text, measure_text, wrap_text

COLUMNS = [Column("名称", 3), Column("数量", 1, "right")]


def get_head(paper: Paper) -> float:
    paper.draw_text("送货单", y=14, size=16, bold=True)
    return 30.0


def list_texts(paper: Paper, page: int) -> list[str]:
    return [mark.text for mark in paper.pages[page].marks if isinstance(mark, Text)]


def test_font_subset_contains_exactly_the_requested_characters() -> None:
    small = TTFont(BytesIO(load_font(is_bold=False).build_subset("送货单é")))
    assert set(small.getBestCmap()) == {ord(character) for character in "送货单é □"}
    assert small["glyf"][small.getBestCmap()[ord("送")]].numberOfContours > 0


def test_a_small_font_is_as_wide_as_the_large_one() -> None:
    small = TTFont(BytesIO(load_font(is_bold=True).build_subset("Wi龘")))
    widths = {
        chr(code): small["hmtx"][name][0] / 1000 for code, name in small.getBestCmap().items()
    }
    assert [widths[character] for character in "Wi龘"] == [
        load_font(is_bold=True).measure_width(character) for character in "Wi龘"
    ]


def test_unsupported_character_becomes_a_box() -> None:
    assert drop_unwritable("李\U0002ebef\n明") == "李□ 明"


def test_too_long_text_ends_in_an_ellipsis() -> None:
    fitted = fit_text("得力复印纸" * 20, width=30, size=9)
    assert fitted.endswith("…")
    assert measure_text(fitted, size=9) <= 30


def test_chinese_breaks_anywhere_but_before_a_stop() -> None:
    em = measure_text("纸", size=10)
    assert wrap_text("复印纸，白", width=3.2 * em, size=10) == ["复印纸，", "白"]


def test_a_model_is_kept_in_one_piece() -> None:
    em = measure_text("纸", size=10)
    assert wrap_text("墨盒 CF-400X", width=5 * em, size=10) == ["墨盒", "CF-400X"]


def test_a_table_repeats_its_head_on_each_page() -> None:
    paper = Paper(title="送货单")
    end = draw_table(
        paper,
        y=paper.start_part(get_head),
        columns=COLUMNS,
        rows=[[f"商品 {number}", "1"] for number in range(60)],
    )
    assert [list_texts(paper, page)[:3] for page in range(len(paper.pages))] == [
        ["送货单", "名称", "数量"]
    ] * 2
    assert [
        text for page in (0, 1) for text in list_texts(paper, page) if text.startswith("商品")
    ] == [f"商品 {number}" for number in range(60)]
    assert end < FOOT


def test_each_part_counts_its_own_pages() -> None:
    paper = Paper(title="送货单", footer="文采商城")
    for rows in (60, 1):
        draw_table(
            paper, y=paper.start_part(get_head), columns=COLUMNS, rows=[["商品", "1"]] * rows
        )
    paper.finish()
    assert [list_texts(paper, page)[-1] for page in range(3)] == [
        "第 1 页 / 共 2 页",
        "第 2 页 / 共 2 页",
        "第 1 页 / 共 1 页",
    ]


def test_a_mark_lies_under_each_page() -> None:
    paper = Paper(title="发票", mark="样票")
    for _ in range(2):
        paper.start_part(get_head)
    paper.finish()
    assert [list_texts(paper, page)[0] for page in (0, 1)] == ["样票", "样票"]


def test_the_file_is_small_and_its_text_can_be_copied() -> None:
    paper = Paper(title="送货单")
    draw_table(
        paper,
        y=paper.start_part(get_head),
        columns=COLUMNS,
        rows=[["得力 A4 复印纸 70g 500 张", "12"]] * 30,
    )
    written = paper.finish()
    assert (written[:5], len(written) < 60_000) == (b"%PDF-", True)
    streams = [written] + [
        zlib.decompress(raw)
        for raw in re.findall(rb"stream\n(.*?)\nendstream", written, re.S)
        if raw[:1] == b"x"
    ]
    maps = b"".join(
        stream for stream in streams if b"beginbfchar" in stream or b"beginbfrange" in stream
    )
    assert f"{ord('纸'):04X}".encode() in maps.upper()
