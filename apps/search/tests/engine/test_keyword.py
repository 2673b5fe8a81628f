"""Parsing a keyword into concepts with the lexicon of search words."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.search.keyword import (
    CategoryName,
    Lexicon,
    find_named_categories,
    format_concepts,
    parse_concepts,
)

LEXICON = Lexicon(
    synonyms={"签字笔": ("中性笔",), "a4纸": ("a4 复印纸",)},
    units={"千瓦": (("w", Decimal(1000)),), "寸": (("英寸", Decimal(1)),)},
    ignored=frozenset({"我想买", "的", "型号"}),
    categories={
        "中性笔": (CategoryName(3, 3),),
        "文件夹": (CategoryName(2, 2),),
        "会议桌": (CategoryName(20, 2), CategoryName(30, 3)),
        "防护口罩": (CategoryName(4, 3),),
    },
)


@pytest.mark.parametrize(
    ("keyword", "meant"),
    [
        ("我想买黑色的签字笔", "黑色 签字笔"),
        ("型号VY-3118", "vy-3118"),
        ("A4 纸", "a4纸"),
        ("7号电池", "7号 电池"),
        ("27寸显示器", "27寸 显示器"),
        ("4500硒鼓", "4500 硒鼓"),
        ("0.38红 笔芯", "0.38 红 笔芯"),
        ("给我来一箱纸", "来 纸"),
        ("的", "的"),
        ("", ""),
        ("!?", ""),
    ],
)
def test_words_are_parted_joined_and_left_out(keyword: str, meant: str) -> None:
    assert format_concepts(parse_concepts(keyword, LEXICON)) == meant


@pytest.mark.parametrize(
    ("keyword", "spellings"),
    [
        ("签字笔", ("签字笔", "中性笔")),
        ("a4纸", ("a4纸", "a4 复印纸")),
        ("1.5千瓦", ("1.5千瓦", "1500w", "1500瓦", "1.5kw")),
        ("27寸", ("27寸", "27英寸")),
        ("黑", ("黑色",)),
        ("黑白", ("黑白",)),
        ("160cm", ("160cm", "1600mm", "1.6m")),
        (
            "24x6",
            ("24×6", "24×6mm", "24×6cm", "24×6m", "24×6kg", "24×6g", "24×6l", "24×6ml", "24×6kw"),
        ),
        (
            "0.50",
            ("0.50", "0.50mm", "0.50cm", "0.50m", "0.50kg", "0.50g", "0.50l", "0.50ml", "0.50kw"),
        ),
        ("24", ("24",)),
    ],
)
def test_a_word_has_its_other_spellings_and_a_number_its_units(
    keyword: str, spellings: tuple[str, ...]
) -> None:
    (concept,) = parse_concepts(keyword, LEXICON)

    assert concept.spellings == spellings


def test_keyword_uses_the_deepest_last_category_or_the_end_of_a_name() -> None:
    def ids(keyword: str) -> list[int]:
        return [
            category.id
            for category in find_named_categories(parse_concepts(keyword, LEXICON), LEXICON)
        ]

    assert ids("会议桌 文件夹") == [2]
    assert ids("签字笔 黑色") == [3]
    assert ids("会议桌") == [30]
    assert ids("口罩") == [4]
    assert ids("黑色") == []


def test_without_a_lexicon_a_keyword_is_its_words() -> None:
    assert format_concepts(parse_concepts("黑色签字笔", Lexicon())) == "黑色 签字笔"
