"""The parser of typed phrases as a table: what a phrase means, and what remains to search for."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.search.enums import PhraseKind
from apps.search.keyword import CategoryName, Lexicon
from apps.search.phrase import parse_phrase, without_phrase_prices

LEXICON = Lexicon(
    categories={
        name: (CategoryName(number, 3, name),)
        for number, name in enumerate(("中性笔", "耳机", "电池", "充电电池", "文件夹"))
    }
)


@pytest.mark.parametrize(
    ("text", "keyword", "low", "high"),
    [
        ("10元以下的笔", "笔", None, 10),
        ("中性笔 10块钱以内", "中性笔", None, 10),
        ("不超过 1000 元的打印机", "打印机", None, 1000),
        ("１００以内的鼠标", "鼠标", None, 100),
        ("两百五以内的电钻", "电钻", None, 250),
        ("1.5万以下投影仪", "投影仪", None, 15000),
        ("预算500 椅子", "椅子", None, 500),
        ("100以上的键盘", "键盘", 100, None),
        ("至少一百二十元的台灯", "台灯", 120, None),
        ("50到100", "", 50, 100),
        ("100到50的杯子", "杯子", 50, 100),
        ("办公椅 300-600元", "办公椅", 300, 600),
        ("100元左右的杯子", "杯子", 80, 120),
        ("50以上100以下的杯子", "杯子", 50, 100),
        ("不超过50元 A4纸", "A4纸", None, 50),
        ("低于100元 U盘", "U盘", None, 100),
        # Numbers that are no price.
        ("不超过5千克 大米", "不超过5千克 大米", None, None),
        ("最多二十页 文件夹", "最多二十页 文件夹", None, None),
        ("一万万万万万万万万元左右", "一万万万万万万万万元左右", None, None),
        ("万万万万万万元以内", "万万万万万万元以内", None, None),
        ("241-1打印纸", "241-1打印纸", None, None),
        ("打孔机 30页以内", "打孔机 30页以内", None, None),
        ("至少10支的中性笔", "至少10支的中性笔", None, None),
        ("600到800mm的桌子", "600到800mm的桌子", None, None),
        ("123456789012元以下", "123456789012元以下", None, None),
        # Two spellings of one thing.
        ("80克a4", "80克 a4", None, None),
        ("80ga4复印纸", "80g a4复印纸", None, None),
        ("复印纸a480克", "复印纸a4 80克", None, None),
        ("128gU盘", "128g U盘", None, None),
        ("半斤茶叶", "0.5斤茶叶", None, None),
        # A code stays in one piece.
        ("ZY-1103", "ZY-1103", None, None),
        ("ik2104硒鼓", "ik2104硒鼓", None, None),
        ("", "", None, None),
    ],
)
def test_prices_and_joined_sizes(
    text: str, keyword: str, low: int | None, high: int | None
) -> None:
    phrase = parse_phrase(text, LEXICON)

    assert (phrase.keyword, phrase.min_price, phrase.max_price) == (keyword, low, high)


@pytest.mark.parametrize(
    ("text", "keyword", "excluded"),
    [
        ("中性笔 不要红色", "中性笔", ("红色",)),
        ("不要红色的中性笔", "中性笔", ("红色",)),
        ("不要红色中性笔", "中性笔", ("红色",)),
        ("非蓝牙耳机", "耳机", ("蓝牙",)),
        ("保温杯 不要红色和蓝色", "保温杯", ("红色", "蓝色")),
        ("保温杯不要黑色不要白色", "保温杯", ("黑色", "白色")),
        ("中性笔 除了黑色都可以", "中性笔", ("黑色",)),
        ("除墨岚以外的荧光笔", "荧光笔", ("墨岚",)),
        ("电池 除了充电电池", "电池", ("充电电池",)),
        ("手套 不要L码", "手套", ("L",)),
        ("20元以内中性笔不要红色", "中性笔", ("红色",)),
        ("不要红色", "", ("红色",)),
        # Words that only look negated.
        ("无线鼠标", "无线鼠标", ()),
        ("有没有笔", "有没有笔", ()),
        ("要不要红色", "要不要红色", ()),
        ("非接触体温计", "非接触体温计", ()),
        ("除湿机", "除湿机", ()),
        ("不要", "不要", ()),
    ],
)
def test_negated_words(text: str, keyword: str, excluded: tuple[str, ...]) -> None:
    phrase = parse_phrase(text, LEXICON)

    assert (phrase.keyword, phrase.excluded) == (keyword, excluded)


def test_each_part_knows_the_phrase_without_it() -> None:
    phrase = parse_phrase("20元以内 黑色 a4文件夹 不要塑料", LEXICON)

    assert [(part.kind, part.label, part.rest) for part in phrase.parts] == [
        (PhraseKind.PRICE, "价格 ≤ 20 元", "黑色 a4文件夹 不要塑料"),
        (PhraseKind.EXCLUDED, "不含 塑料", "20元以内 黑色 a4文件夹"),
        (PhraseKind.ATTRIBUTE, "黑色", "20元以内 a4文件夹 不要塑料"),
        (PhraseKind.ATTRIBUTE, "A4", "20元以内 黑色 文件夹 不要塑料"),
    ]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("100以上50以下的笔", "价格 ≥ 100 元与价格 ≤ 50 元互相矛盾，未按价格筛选"),
        ("-10元以下的笔", "价格不能为负数，未按价格筛选"),
        ("负10元以下的笔", "价格不能为负数，未按价格筛选"),
    ],
)
def test_prices_that_cannot_be_met_are_left_out_and_named(text: str, label: str) -> None:
    phrase = parse_phrase(text, LEXICON)

    assert (phrase.keyword, phrase.min_price, phrase.max_price) == ("笔", None, None)
    assert [(part.kind, part.label) for part in phrase.parts] == [(PhraseKind.IGNORED, label)]


def test_prices_can_be_left_out_with_a_reason() -> None:
    phrase = without_phrase_prices(parse_phrase("10.5元以下的笔", LEXICON), reason="未按价格筛选")

    assert (phrase.keyword, phrase.max_price) == ("笔", None)
    assert phrase.parts[0].label == "未按价格筛选"


def test_a_hundred_negations_and_prices_are_read_quickly() -> None:
    phrase = parse_phrase("不要红色100以内" * 10, LEXICON)

    assert (phrase.max_price, phrase.excluded) == (Decimal(100), ("红色",))


def test_at_most_eight_negated_words_are_understood() -> None:
    phrase = parse_phrase("不要" + "、".join(f"红{number}" for number in range(12)), LEXICON)

    assert phrase.excluded == tuple(f"红{number}" for number in range(8))
    assert parse_phrase("非甲" * 40, LEXICON).excluded == ("甲",)
