"""Parse a line without columns: `M6笔 2盒`, `2盒 M6笔`, `A4纸*5`, `两盒M6笔（急）`. The
position of the number decides how certain the reading is.
"""

from __future__ import annotations

import re

from apps.cart.parsing.line import Reading, WrittenLine, build_item_line, build_unreadable_line
from apps.common.quantity import (
    CHINESE,
    PLAIN,
    UNIT,
    BadFigure,
    is_unit,
    parse_figure,
    parse_quantity,
)

# Text that may follow a quantity: brackets, punctuation, or words that begin a remark.
REMARK = r"(?P<remark>(?:\s*[(（\[【,，;；。!！/#~].*|\s+(?:备注|急|谢|请|要|注).*)?)"
ALONE = r"(?<![A-Za-z0-9./])(?<![A-Za-z0-9]-)(?<!\d,)(?<![零〇一二两三四五六七八九十百千万])"
FREE = r"(?!\s*[/每])(?!装)"
COUNTED = rf"{ALONE}(?P<figure>-?{PLAIN}|{CHINESE})\s*(?P<unit>{UNIT}){FREE}"
ASKING = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|给我|我要|我们要|需要|还要|再来|再|要|来|订购|采购|订|买|加|各)++(?=\s*(?:\d|[一二两三四五六七八九十百]))"
)
# 帮我订 订书机: the request ends at a space, or before a noun that starts with the same character.
POLITE = re.compile(
    r"^(?:请|麻烦|帮忙|帮我们?|给我们?|我们?(?=要|想|需)|想要?|需要|还要|再来|要(?=\s))+"
    r"(?:(?:订购|采购|购买|下单|买|加|要|来|拿|订(?!书|阅|制))(?:一下)?(?:\s+|[:：,，]\s*)?|\s+|[:：,，]\s*)"
)
MENTION = re.compile(r"^\s*(?:@[^\s@]{1,30}\s+)+")
HALF_DOZEN = re.compile(r"半打")
BULLET = re.compile(
    r"^\s*(?:[①-⑳]|[•·●▪■◆]|[-*]\s+|[(（]\d{1,3}[)）]\s*|\d{1,3}(?:[、)）]\s*|\.\s+|\.(?=[^\d\s])))\s*"
)
LEADING = re.compile(r"^(?:[的:：,，;；。、\-—=\s]+)")
# Matches the reversed text, so that the pattern runs only once, from the end.
TRAILING = re.compile(
    r"\A(?:[:：,，;；、\-—=~\s]|(?:ytq|x)(?![一-鿿])|量数|共|计共|各|数|\A[xX*×])++", re.IGNORECASE
)
# Patterns in order of priority. The first match decides the reading.
WAYS = (
    re.compile(
        rf"^(?P<before>.*?(?:\s|[一-鿿)）]))[xX*×]\s*(?P<figure>{PLAIN})\s*(?P<unit>{UNIT})?{REMARK}$",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?P<before>.*){COUNTED}{REMARK}$", re.IGNORECASE),
    re.compile(rf"^(?P<before>.*\S)[x*×](?P<figure>{PLAIN})\s*(?P<unit>{UNIT})?{REMARK}$"),
    re.compile(rf"^(?P<before>){COUNTED}(?P<after>.+)$", re.IGNORECASE),
    re.compile(rf"^(?P<before>)(?P<figure>{PLAIN})\s*[xX*×]\s*(?P<after>\D.*)$"),
    re.compile(rf"^(?P<before>.+?)[\s:：=]\s*(?P<figure>-?{PLAIN})(?P<unit>){REMARK}$"),
    re.compile(rf"^(?P<before>)(?P<figure>-?{PLAIN})\s+(?P<after>.+)$"),
    re.compile(rf"^(?P<before>.+?){COUNTED}(?P<remark>\s*\S.*)$", re.IGNORECASE),
    re.compile(rf"^(?P<before>.*[一-鿿)）])(?P<figure>\d{{1,4}}){REMARK}$"),
)
COUNTS = re.compile(COUNTED, re.IGNORECASE)
CODE_DIGITS = 5
CODE = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9._/-]{4,}")
MARKS = "()（）[]【】,，;；。!！/#~ "
COURTESY = re.compile(
    r"(?<![\s,;。!])[\s,;。!]*+(?:谢谢|多谢|谢了|感谢|thanks|thx)[\s~!。.]*$", re.IGNORECASE
)


def read_phrase(no: int, text: str, half_width_text: str) -> WrittenLine:
    """Return the line of a phrase like 给我来5盒得力黑色中性笔: a product (code or name), a
    quantity with its unit, and a remark. `half_width_text` is the text in half-width letters and
    digits.
    """
    request = MENTION.sub("", BULLET.sub("", half_width_text))
    content = POLITE.sub("", ASKING.sub("", HALF_DOZEN.sub("6个", request)))
    content = content.strip(" \t。.!！?？\"'“”")
    match = next(
        (match for way in WAYS if (match := way.match(content)) and _extract_word(match)), None
    )
    if match is None:
        if content:
            return build_item_line(no, text, [Reading(content)])
        return build_unreadable_line(no, text, "没有可以识别的商品编码或名称")
    word, unit, remark = (
        _extract_word(match),
        _extract_unit(match),
        _get_group_text(match, "remark").strip(),
    )
    figure = match["figure"]
    readings = (
        _list_code_readings(figure, word) if _is_code_shorter_than_figure(word, figure) else []
    )
    try:
        readings += [
            Reading(name, parse_quantity(figure, unit), unit)
            for name in dict.fromkeys([word, _find_leading_code(word)])
            if name
        ]
    except BadFigure as error:
        if not readings:
            return build_unreadable_line(no, text, str(error))
        # Each number may be the code. The other one is then an invalid quantity.
        readings.append(Reading(word, problem=f"数量“{figure}”无效：{error}"))
    if not readings[0].problem and _is_code(word) and _is_code(figure):
        readings.append(_build_code_reading(figure, word))
    # A model can end in a number. The number in the name of a product is not a quantity.
    readings.append(Reading(content))
    counts_in_text = [other["figure"] + other["unit"] for other in COUNTS.finditer(content)]
    doubt = (
        f"行内有多个数量，已按“{figure}{unit}”识别，请核对"
        if len(counts_in_text) > 1 and f"{figure}{unit}" in counts_in_text
        else ""
    )
    return build_item_line(
        no,
        text,
        readings,
        search=f"{word} {remark.strip(MARKS)}".strip(),
        remark=remark.strip(MARKS),
        doubt=doubt,
    )


def has_own_quantity(plain: str) -> bool:
    """Return whether a part of a line has its own quantity: `A4纸 5包`, `订书机x2`."""
    return any((match := way.match(plain)) and _extract_word(match) for way in WAYS[:4])


def _get_group_text(match: re.Match[str], name: str) -> str:
    return (match.groupdict().get(name) or "").strip()


def _extract_word(match: re.Match[str]) -> str:
    """Return the name or code in a matched phrase, without filler words and without a trailing
    unit.
    """
    name_text = f"{_get_group_text(match, 'before')} {_get_group_text(match, 'after')}".strip()
    word = LEADING.sub("", TRAILING.sub("", name_text[::-1])[::-1])
    words_before, _, last_word = word.rpartition(" ")
    return words_before.strip() if words_before and is_unit(last_word) else word


def _extract_unit(match: re.Match[str]) -> str:
    unit = _get_group_text(match, "unit")
    last = _get_group_text(match, "before").rpartition(" ")[2]
    return unit or (last if is_unit(last) else "")


def _find_leading_code(word: str) -> str:
    """Return the code or model at the start of a longer text, or an empty string."""
    first, _, rest = word.partition(" ")
    return first if rest and CODE.fullmatch(first) else ""


def _is_code_shorter_than_figure(word: str, figure: str) -> bool:
    """Return whether both are numbers and the figure has more digits, so that it may be the
    code.
    """
    return (
        word.isascii()
        and word.isdigit()
        and "." not in figure
        and figure.isdigit()
        and len(word) < len(figure)
    )


def _is_code(figure: str) -> bool:
    return figure.isascii() and figure.isdigit() and len(figure) >= CODE_DIGITS


def _build_code_reading(code: str, figure: str) -> Reading:
    """Return the reading of a code with its quantity, or with the problem of the figure."""
    try:
        return Reading(code, parse_figure(figure))
    except BadFigure as error:
        return Reading(code, problem=f"数量“{figure}”无效：{error}")


def _list_code_readings(code: str, figure: str) -> list[Reading]:
    reading = _build_code_reading(code, figure)
    return [] if reading.problem else [reading]
