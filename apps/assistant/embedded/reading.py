"""Parse a question: codes, order numbers, amounts, quantities, and references to products shown
before. `Question` is the parsed question with its author and the earlier turns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from apps.assistant.answers import Event, Turn
from apps.catalog.indexing.text import normalise
from apps.search.enums import ProductSort
from apps.selection.solver.model import Goal

if TYPE_CHECKING:
    from apps.org.models import Account

DIGITS = {
    "零": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "俩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
CHINESE = "零一二两俩三四五六七八九十百千万"
NUMBER = rf"(?:\d+(?:\.\d+)?|[{CHINESE}]+)"
UNITS = (
    "支|只|个|盒|箱|包|本|瓶|桶|卷|把|台|张|件|套|提|条|袋|双|副|块|份|罐|"
    "罐|组|筒|根|枚|册|打|辆|顶|粒"
)
ORDER_NO = re.compile(r"\bso\d{6,20}\b", re.IGNORECASE)
CODE = re.compile(r"(?<![\da-z.])\d{5,13}(?![\da-z]|\.\d|元|块|人|张|页)", re.IGNORECASE)
MODEL = re.compile(r"(?<![a-z0-9])[a-z]{1,5}-?\d{3,}[a-z0-9-]*(?![a-z0-9])", re.IGNORECASE)
MONEY = rf"({NUMBER})\s*(?:元|块钱|块|圆|¥)?"
BETWEEN = re.compile(rf"({NUMBER})\s*(?:元|块)?\s*(?:到|至|-|~|—)\s*({NUMBER})\s*(?:元|块)")
AT_MOST = re.compile(
    rf"{MONEY}\s*(?:钱)?\s*(?:以内|以下|之内|之下|内的|封顶)|(?:不超过|不高于|低于|少于|最多|"
    rf"控制在)\s*{MONEY}"
)
AT_LEAST = re.compile(
    rf"{MONEY}\s*(?:以上|起步)|(?:不低于|高于|超过|至少)\s*{MONEY}(?!\s*(?:个|件|盒))"
)
ABOUT = re.compile(rf"{MONEY}\s*(?:左右|上下|出头|的样子)")
BUDGET = re.compile(rf"(?:预算|经费|总共|一共|总价|总额)[^\d{CHINESE}]{{0,4}}{MONEY}")
QUANTITY = re.compile(rf"({NUMBER})\s*({UNITS})(?!装)")
PEOPLE = re.compile(
    rf"({NUMBER})\s*(?:个|名|位)?\s*(?:人|新员工|新同事|新人|员工|同事|位|名|份(?=[^，。"
    rf",\d]{{0,8}}(?:礼包|福利|礼)))"
)
PER_HEAD = re.compile(
    rf"(?:每人|人均|每位|每份|每个人)[^\d{CHINESE}]{{0,4}}({NUMBER})\s*(?:元|块|圆)|({NUMBER}"
    r")\s*(?:元|块钱|块|圆)\s*(?:/|一|每)个?(?:人|位|份)"
)
EXCLUDED = re.compile(r"(?:不要|不含|不用|不需要|不买|除了|去掉)\s*([^，。,；;!！\s]+)")
NTH = re.compile(rf"第\s*(\d+|[{CHINESE}]+)\s*(?:个|款|种|件|支|项|条|台|盒|号|的)")
FIRST_N = re.compile(rf"前\s*(\d+|[{CHINESE}]+)\s*(?:个|款|种|件|项)?")
LAST = re.compile(r"最后(?:一|1)?(?:个|款|种|件|项)?")
THESE = re.compile(r"(?:这|那)(?:几|些)(?:个|款|种|件)?|全部|都加|所有的?|它们|上面(?:的|这些)")
IT = re.compile(r"(?<!其)它|(?:这|那|该)(?:个|款|种|件|台|盒|支)?(?:商品|产品)?(?![几些里边样么])")
SORTS = (
    (re.compile(r"最?便宜|价格?最低|低价|实惠|划算|省钱"), ProductSort.PRICE),
    (re.compile(r"最贵|价格?最高|高端|最好的"), ProductSort.PRICE_DESC),
    (re.compile(r"热销|畅销|卖得?(?:最)?好|销量|最火|常买"), ProductSort.SALES),
    (re.compile(r"新品|新款|最新|新上"), ProductSort.NEW),
)
GOALS = (
    (re.compile(r"更省|便宜|省钱|最省"), Goal.CHEAPEST),
    (re.compile(r"更?知名|大牌|名牌"), Goal.KNOWN),
    (re.compile(r"品牌更?少"), Goal.FEW_BRANDS),
)
IN_STOCK = re.compile(r"现货|有货的|有库存的|不缺货")
ABOUT_LEAST, ABOUT_MOST = Decimal("0.6"), Decimal("1.2")


def parse_number(text: str) -> Decimal | None:
    """Return the value of digits or a Chinese numeral (两百五十 → 250), or None if the text is
    neither.
    """
    if text[:1].isdigit():
        return Decimal(text)
    total = part = 0
    last_scale = 1
    for letter in text:
        if letter in DIGITS:
            part = DIGITS[letter]
        elif letter in SCALES:
            last_scale = SCALES[letter]
            total += (part or 1) * last_scale
            part = 0
        else:
            return None
    # 两百五 is 250, 十五 is 15.
    return Decimal(
        total
        + (
            part * (last_scale // 10)
            if last_scale >= 100 and text[-1] in DIGITS and text[-2:-1] != "零"
            else part
        )
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed question. `names` are the codes and models in it; amounts are in 元, 含税."""

    text: str
    order_nos: tuple[str, ...]
    names: tuple[str, ...]
    min_price: Decimal | None
    max_price: Decimal | None
    budget: Decimal | None
    per_head: Decimal | None
    quantity: int | None
    people: int | None
    excluded: tuple[str, ...]
    sort: ProductSort | None
    is_in_stock: bool

    def limit(self, people: int) -> Decimal | None:
        """Return the amount in 元 that may be spent on `people` people: per head, as a budget, or
        as a maximum price.
        """
        if self.per_head is not None:
            return self.per_head * people
        return self.budget if self.budget is not None else self.max_price


def parse_question(raw: str) -> Reading:
    """Parse a question."""
    text = normalise(raw)
    order_nos = tuple(dict.fromkeys(order_no.upper() for order_no in ORDER_NO.findall(text)))
    plain = ORDER_NO.sub(" ", text)
    names = (
        *CODE.findall(plain),
        *(model for model in MODEL.findall(plain) if not _is_measure(model)),
    )
    min_price, max_price = _parse_price_range(plain)
    total = BUDGET.search(plain)
    budget = parse_number(total[1]) if total else None
    if budget is not None and max_price is None and min_price is None:
        max_price = budget
    quantity, people = QUANTITY.search(CODE.sub(" ", plain)), PEOPLE.search(plain)
    return Reading(
        text=text,
        order_nos=order_nos,
        names=tuple(dict.fromkeys(name.upper() for name in names)),
        min_price=min_price,
        max_price=max_price,
        budget=budget,
        per_head=parse_number(each[1] or each[2]) if (each := PER_HEAD.search(plain)) else None,
        quantity=_parse_count(quantity[1]) if quantity else None,
        people=_parse_count(people[1]) if people else None,
        excluded=tuple(
            part
            for words in EXCLUDED.findall(plain)
            for part in re.split(r"[、和与]|以外|之外", words)
            if part
        ),
        sort=next((sort for pattern, sort in SORTS if pattern.search(plain)), None),
        is_in_stock=bool(IN_STOCK.search(plain)),
    )


def _is_measure(model: str) -> bool:
    return bool(re.fullmatch(r"(?:kn|n|a|b|i)\d+", model, re.IGNORECASE))


def _parse_price_range(text: str) -> tuple[Decimal | None, Decimal | None]:
    """Return the requested lowest and highest price in 元."""
    between = BETWEEN.search(text)
    if between:
        return parse_number(between[1]), parse_number(between[2])
    about = ABOUT.search(text)
    if about and (amount := parse_number(about[1])) is not None:
        return amount * ABOUT_LEAST, amount * ABOUT_MOST
    maximum, minimum = AT_MOST.search(text), AT_LEAST.search(text)
    return (parse_number(minimum[1] or minimum[2]) if minimum else None), (
        parse_number(maximum[1] or maximum[2]) if maximum else None
    )


def _parse_count(text: str) -> int | None:
    amount = parse_number(text)
    return int(amount) if amount is not None and 0 < amount < 1_000_000 else None


def get_previous_list(turns: Sequence[Turn]) -> dict[str, Any]:
    """Return the stored facts of the list in the latest answer; empty if it made none."""
    list_facts: dict[str, Any] = turns[-1].facts.get("list", {}) if turns else {}
    return list_facts


def list_shown_codes(turns: Sequence[Turn]) -> list[str]:
    """Return the product codes of the latest answer that showed products."""
    for turn in reversed(turns):
        if turn.codes or turn.proposed:
            return turn.codes or list(turn.proposed)
    return []


def list_referenced_codes(text: str, turns: Sequence[Turn]) -> list[str]:
    """Return the codes of shown products to which the text refers: 第二个, 前两个, 最后一个,
    这几款, 它.
    """
    listed_codes = list_shown_codes(turns)
    if not listed_codes:
        return []
    codes: list[str] = []
    if first := FIRST_N.search(text):
        codes = listed_codes[: _parse_count(first[1]) or 0]
    places = [_parse_count(nth) or 0 for nth in NTH.findall(text)]
    codes += [listed_codes[place - 1] for place in places if 0 < place <= len(listed_codes)]
    if LAST.search(text):
        codes.append(listed_codes[-1])
    if not codes and not places and THESE.search(text):
        codes = listed_codes
    if not codes and not places and IT.search(text):
        codes = listed_codes[:1]
    return list(dict.fromkeys(codes))


def refers_beyond_shown(text: str, turns: Sequence[Turn]) -> bool:
    """Whether the text refers to a product that was not shown, such as 第九个 of four."""
    return bool(NTH.search(text)) and not list_referenced_codes(text, turns)


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question, its author and the earlier turns."""

    actor: Account
    turns: Sequence[Turn]
    reading: Reading


# A reply may raise NotAllowed (tools/orders.py); its message is shown to the person.
Reply = Callable[[Question], Iterator[Event]]
