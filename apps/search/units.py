"""Units of measure, paper sizes and colours: words that describe a product without naming it."""

from __future__ import annotations

import re
from decimal import Decimal

# Units of one dimension, with their size in its smallest unit.
DIMENSIONS: tuple[dict[str, Decimal], ...] = (
    {unit: Decimal(size) for unit, size in (("g", 1), ("kg", 1000), ("斤", 500))},
    {unit: Decimal(size) for unit, size in (("mm", 1), ("cm", 10), ("m", 1000))},
    {unit: Decimal(size) for unit, size in (("ml", 1), ("l", 1000))},
    {unit: Decimal(size) for unit, size in (("w", 1), ("瓦", 1), ("千瓦", 1000), ("kw", 1000))},
    {unit: Decimal(size) for unit, size in (("mah", 1), ("毫安时", 1), ("毫安", 1))},
)
MEASURE = (
    r"[0-9]+(?:\.[0-9]+)?(?:mah|mm|cm|ml|kg|gb|tb|kw|dpi|g|l|m|w|v|"
    r"毫安时?|千瓦|瓦|千克|公斤|毫米|厘米|毫升|克(?![拉力莱])|升(?![级降])|米(?![色白黄兰字粒饭其])|斤|"
    r"英寸|寸|码|号)"
)
PAPER = r"(?:a[0-6]|b[45])"
COLOURS = "黑白红蓝绿黄灰粉紫橙银金棕青"
SINGLE_COLOURS = frozenset(COLOURS)
COLOUR_NAMES = tuple(f"{colour}色" for colour in COLOURS)
COLOUR = rf"(?:深|浅|品|荧光)?(?:[{COLOURS}]|原木|胡桃|透明|彩|咖啡|米)色|透明"
_IS_DESCRIPTION = re.compile(rf"(?:{MEASURE}|{PAPER}|{COLOUR}|[0-9].*)")
# Filler words and quantities (一个, 几箱). They describe no product.
FILLERS = frozenset(
    {
        *"的了吗呢啊吧呀和与给用装一有要买找想我你您请帮多些点能订就行",
        *("我们", "你们", "请问", "麻烦", "帮忙", "帮我", "一些", "一下", "一点", "左右", "有货"),
        *("怎么", "怎么买", "多少", "看看", "推荐", "需要", "准备", "适合", "就行", "就是", "可以"),
        *("或者", "大概", "急用", "多买点"),
    }
)
_QUANTITY = re.compile("[一二两三四五六七八九十百几多]+[个只支把张箱包盒瓶台款套件种本条批双]")


def is_filler(word: str) -> bool:
    """Return whether the word is a filler word or a quantity, which describes no product."""
    return word in FILLERS or _QUANTITY.fullmatch(word) is not None


def is_description(word: str) -> bool:
    """Return whether a normalised word is a size, a number with a unit, a pack or a colour."""
    return _IS_DESCRIPTION.fullmatch(word) is not None


def list_equal_measures(number: Decimal, unit: str) -> list[tuple[Decimal, str]]:
    """Return the same measure in the other units of its dimension, as pairs of number and unit: 1
    kg is 1000 g. Empty for units without a dimension.
    """
    return [
        (number * size_by_unit[unit] / size, other_unit)
        for size_by_unit in DIMENSIONS
        if unit in size_by_unit
        for other_unit, size in size_by_unit.items()
        if other_unit != unit
    ]
