"""Find names in a question: categories, brands and attribute values."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.catalog.indexing.text import normalise
from apps.catalog.models import Brand, Category

COLOURS = "黑|蓝|红|白|灰|绿|黄|橙|紫|粉|银|金|棕|米|青|透明|彩|深蓝|原木|胡桃|荧光黄|香槟金"
COLOUR = re.compile(rf"(?:{COLOURS})色|(?<![一-鿿])(?:黑|蓝|红|白|灰|绿)(?=的)")
MEASURE = re.compile(
    r"(?<![a-z0-9.])(?:[ab]\d|kn95|n95|i[3579]|type-?c|\d+(?:\.\d+)?(?:mm|cm|m|ml|l|g|gb|tb|t|"
    r"kg|w|dpi|英寸|寸|页|格|层|号|人位))(?![a-z0-9])"
)
# The catalogue calls A4 纸 A4 复印纸.
SHEETS = re.compile(r"(?<![a-z0-9])([ab]\d)\s*(?:打印)?纸(?!张)")
ALIASES = {"n95": "kn95", "寸": "英寸"}
# Amounts and quantities. A number inside a word (M6) belongs to the word.
FIGURE = re.compile(
    r"(?<![a-z0-9.\-/])\d+(?:\.\d+)?(?:元|块钱|块|盒|箱|支|包|本|瓶|套|件|卷|袋)?(?![a-z0-9.\-/])"
)
# Filler words that do not occur in product names.
NOISE = re.compile(
    r"便宜点|实惠点|帮我|帮忙|请问|请|麻烦|我们|咱们|我想|我要|想要|需要|推荐|找一下|查一下|"
    r"查找|搜索|搜一下|看一下|看看|看下|有没有|有哪些|哪些|有什么|什么|"
    r"几款|一款|一些|一点|一下|一个|一台|一只|来几个|来点|给我|给|买点|买|采购|购买|找|搜|要|"
    r"想|用的|用来|好用的?|好写的?|那种|这种|都有|都|的|了|吗|呢|啊|吧|呀|和|"
    r"便宜|最便宜|实惠|划算|热销|畅销|新款|新品|现货|有货|库存|价格|预算|左右|上下|以内|以下|"
    r"以上|之间|不超过|多少钱|多少|怎么样|"
    r"公司|办公室|会议室|部门|员工|同事|客户|送|配个|配|个|款|种|是|在|有|我|哪款|哪个|哪|"
    r"牌子|品牌|可以|能|换成|换|牌"
)


@dataclass(frozen=True, slots=True)
class Names:
    """The names found in a question. `rest` is the remaining text without names and filler
    words.
    """

    category: tuple[int, str] | None
    brands: tuple[str, ...]
    attributes: tuple[str, ...]
    rest: str


def find_names(text: str, *, without: tuple[str, ...] = ()) -> Names:
    """Return the category, brands and attributes that a text names. Runs two queries."""
    plain = SHEETS.sub(r"\1 复印纸", normalise(text))
    for part in without:
        plain = plain.replace(part, " ")
    brands = tuple(
        name for name in Brand.objects.values_list("name", flat=True) if normalise(name) in plain
    )
    for name in brands:
        plain = plain.replace(normalise(name), " ")
    category = _find_category(plain)
    rest = plain.replace(normalise(category[1]), " ") if category else plain
    attributes = tuple(dict.fromkeys(_find_attributes(rest)))
    for word in (*COLOUR.findall(rest), *MEASURE.findall(rest)):
        rest = rest.replace(word, " ")
    return Names(category, brands, attributes, _extract_keywords(rest))


def _find_category(plain: str) -> tuple[int, str] | None:
    """Return (id, name) of the third-level category with the longest name in the text. If several
    have the same length, the last one in the text counts, because Chinese puts the head noun last.
    """
    rows = Category.objects.filter(level=3).values_list("pk", "name")
    candidates = [
        (len(name), plain.rfind(normalise(name)), pk, name)
        for pk, name in rows
        if normalise(name) in plain
    ]
    if not candidates:
        return None
    *_, pk, name = max(candidates)
    return pk, name


def _find_attributes(plain: str) -> list[str]:
    """Return the colours and measures in a question, as the catalogue spells them."""
    colours = [
        colour if colour.endswith("色") else f"{colour}色" for colour in COLOUR.findall(plain)
    ]
    return colours + [
        _spell_measure(measure)
        for measure in MEASURE.findall(
            re.sub(r"(\d)([gt])(?![a-z0-9])", r"\1\2b", plain) if "容量" in plain else plain
        )
    ]


def _spell_measure(measure: str) -> str:
    for alias, spelling in ALIASES.items():
        if measure.endswith(alias) and not measure.endswith(spelling):
            return measure.replace(alias, spelling)
    return measure


def _extract_keywords(rest: str) -> str:
    words = NOISE.sub(" ", FIGURE.sub(" ", rest))
    return " ".join(re.findall(r"[0-9a-z.\-/]+|[一-鿿]+", words))
