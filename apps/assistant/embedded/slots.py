"""The parser: finds the objects and constraints of a question, and leaves its masked text.

The masked text is the question with one capital letter in the place of each object:
林晓雨上个月买复印纸 becomes PT买K. The table of acts (acts.py) matches masked texts. The question
itself is folded to lower case, so a capital letter is always an object.

| letter | object | letter | object |
|---|---|---|---|
| O | order number | Q | quantity with unit |
| G | product code or model | N | pack: 12支/盒 |
| R | reference: 它, 第二个 | H | number of people |
| T | period | E | amount per person |
| F | period in the future | W | total budget |
| P | person | B | brand |
| D | department | C | colour |
| K | kind of product | M | size or other measure |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import CharField, F, Q, Value
from django.utils import timezone

from apps.assistant.embedded.periods import (
    CHINESE,
    NUMBER,
    Period,
    find_periods,
    parse_count,
    parse_number,
)
from apps.catalog.indexing.text import normalise
from apps.org.models import Account, Department
from apps.search.enums import ProductSort
from apps.search.keyword import CategoryName, Lexicon
from apps.search.phrase import parse_phrase
from apps.search.units import COLOUR, COLOURS, MEASURE, PAPER

if TYPE_CHECKING:
    from apps.org.models import Account as Actor

UNITS = (
    "支|只|个|盒|箱|包|本|瓶|桶|卷|把|台|张|件|套|提|条|袋|双|副|块|份|罐|组|筒|根|枚|册|打|辆|顶|"
    "粒|款"
)
ORDER_NO = re.compile(r"(?<![a-z0-9])so\d{6,20}(?!\d)", re.IGNORECASE)
CODE = re.compile(r"(?<![\da-z.×])\d{5,13}(?![\da-z]|\.\d|元|块|人|张|页|件)")
MODEL = re.compile(r"(?<![a-z0-9])[a-z]{2,5}-?\d{3,}[a-z0-9-]*(?![a-z0-9])")
MEASURE_MODEL = re.compile(r"(?:kn|n|a|b|i|sata|usb)\d+")
NTH = re.compile(rf"第\s*({NUMBER})\s*(?:个|款|种|件|支|项|条|台|盒|号|单|张|位)?(?![季次])")
FIRST_N = re.compile(rf"前\s*({NUMBER})\s*(?:个|款|种|件|项|单|张)")
LAST = re.compile(r"最后(?:一|1)?(?:个|款|种|件|项|单)")
CHEAPEST = re.compile(r"(?:最便宜|最低价|最实惠)的?(?:那个|那款|那支|那种|一个|一款)")
THESE = re.compile(r"(?:这|那|它)(?:几|些)(?:个|款|种|件|单)?|它们|上面(?:的|这些|几个)")
IT = re.compile(
    r"(?<!其)它|(?<!的)(?:这|那|该|此)(?:个|款|种|件|台|盒|支|单|张|本|把)(?:商品|产品)?(?![月周星季礼])"
)
PER_HEAD = re.compile(
    rf"(?:每人|人均|每位|每份|每个人|一人|一个人)[^\d{CHINESE}]{{0,4}}({NUMBER})\s*(?:元|块钱|块|圆)?"
    rf"(?:以内|以下|之内|左右)?(?![个支本把只件套份瓶])|({NUMBER})\s*(?:元|块钱|块|圆)\s*(?:/|一|每)个?(?:人|位|份)"
)
BUDGET = re.compile(
    rf"(?:总)?(?:预算|经费|总价|总额)(?:是|为|在|控制在|不超过|大概|大约|约|只有|有|总共)?\s*"
    rf"({NUMBER})\s*(?:元|块钱|块|圆)?(?:以内|以下|之内|左右)?(?![号日月%成])"
)
PEOPLE = re.compile(
    rf"({NUMBER})\s*(?:个|名|位)?\s*(?:人|新员工|新同事|新人|员工|同事|份(?=[^，。,\d]{{0,8}}(?:礼包|福利|礼)))(?!民)|"
    rf"(?:人|入职|员工|同事)\s*({NUMBER})\s*(?:个|名|位)(?!月)人?"
)
PACK = re.compile(
    rf"(?:一|1|每)(?P<box>{UNITS})(?:是|有|装)?(?P<n>{NUMBER})(?P<unit>{UNITS})(?:装|的)?(?:那种)?|"
    rf"(?P<n2>{NUMBER})(?P<unit2>{UNITS})\s*(?:/|一|每)\s*(?P<box2>{UNITS})(?:装|的)?|"
    rf"(?P<n3>{NUMBER})(?P<unit3>{UNITS})装的?|整(?P<box4>{UNITS})(?:装|的)?"
)
QUANTITY = re.compile(rf"({NUMBER})\s*({UNITS})(?!装|/)")
AMOUNT = re.compile(rf"({NUMBER})\s*(?:元|块钱|块)(?!糖|橡皮|毛巾)")
BARE_QUANTITY = re.compile(r"(?<=[来要加买购])\s*(\d{1,4})(?=$|[，,。;\s])")
THAN_PRICE = re.compile(rf"比\s*({NUMBER})\s*(?:元|块钱|块)\s*(?:钱)?(?:还|更)?(?:便宜|低)")
# 黑色不要 is 不要黑色.
UNWANTED_COLOUR = re.compile(rf"({COLOUR})(?:的)?(?:不要|不行|除外)")
SHEETS = re.compile(rf"(?<![a-z0-9])({PAPER})\s*(?:的)?(?:打印|复印)?纸(?![袋杯箱张])")
SIZE = re.compile(
    rf"(?<![a-z0-9.\-×])(?:{MEASURE}|{PAPER}(?![0-9])|[a-z]\d{{2,4}}(?:系列)?|"
    r"\d+(?:\.\d+)?×\d+(?:\.\d+)?(?:×\d+(?:\.\d+)?)?(?:mm|cm|m)?|\d+/\d+|\d+\.\d+|kn95|n95|i[3579]|"
    r"type-?c|\d+(?:页|格|层|号|位|级|键|英寸|人位|口|瓦|孔|联|抽))(?![a-z0-9.])|"
    r"[一二两三四五六七八九十](?:层|格|孔|联)"
)
BARE_COLOUR = re.compile(
    rf"(?<![{COLOURS}深浅品])([{COLOURS}])(?=的)|(?<=[来要换成有是])([{COLOURS}])(?=$|[，,。;\s吗呢])"
)
SORTS = (
    (re.compile(r"最便宜|最低价|价格?最低|最划算|最省钱|最实惠|最合算"), ProductSort.PRICE),
    (re.compile(r"最贵|价格?最高|高端|最好的"), ProductSort.PRICE_DESC),
    (re.compile(r"热销|畅销|卖得?(?:最)?(?:好|多)|销量|最火|常买"), ProductSort.SALES),
    (re.compile(r"新品|新款|最新款|新上"), ProductSort.NEW),
    (re.compile(r"便宜|低价|实惠|划算|省钱|不贵|别太贵"), ProductSort.PRICE),
)
IN_STOCK = re.compile(r"现货|有货|有库存|不缺货")
MAX_WORD = 8
MAX_FRAGMENT = 60


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of product: the word of the question, its categories, and words that the name of the
    category does not say (黑笔 is 黑色 中性笔).
    """

    word: str
    categories: tuple[CategoryName, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """Places of the last shown list, from 1; 0 is the last one. `is_all`: all of them."""

    places: tuple[int, ...] = ()
    is_all: bool = False
    is_cheapest: bool = False


@dataclass(frozen=True, slots=True)
class Pack:
    """A wanted pack: 12 支 in a 盒. `count` is None if only the outer unit matters (整盒)."""

    count: int | None
    unit: str
    box: str


@dataclass(frozen=True, slots=True)
class Person:
    """A named colleague. Several accounts may have the name."""

    word: str
    account_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A named department."""

    word: str
    department_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Slots:
    """The objects and constraints of one request. Amounts are in 元, 含税.

    `fragments` are the words of each kind of object, by its letter, so that a later turn can repeat
    them.
    """

    text: str
    masked_text: str = ""
    order_nos: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    periods: tuple[Period, ...] = ()
    future: str = ""
    people: tuple[Person, ...] = ()
    departments: tuple[Place, ...] = ()
    kinds: tuple[Kind, ...] = ()
    brands: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    packs: tuple[Pack, ...] = ()
    quantities: tuple[tuple[int, str], ...] = ()
    heads: int | None = None
    per_head: Decimal | None = None
    budget: Decimal | None = None
    money: Decimal | None = None
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    excluded: tuple[str, ...] = ()
    sort: ProductSort | None = None
    is_in_stock: bool = False
    fragments: dict[str, list[str]] = field(default_factory=dict)

    @property
    def has_product(self) -> bool:
        """Whether the request names a product or describes one."""
        return bool(self.codes or self.kinds or self.brands or self.colours or self.measures)

    def get_spending_limit(self, people: int) -> Decimal | None:
        """Return the amount in 元 that may be spent on `people` people."""
        if self.per_head is not None:
            return self.per_head * people
        return next(
            (amount for amount in (self.budget, self.max_price, self.money) if amount is not None),
            None,
        )


class _Text:
    """The text during parsing: objects leave it and their letters stay."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.fragments: dict[str, list[str]] = {}

    def take(self, letter: str, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """Replace each match by the letter and keep its words. Return the matches. Without a
        letter, the match is a colour whose words the caller keeps.
        """
        matches = list(pattern.finditer(self.text))
        if matches and letter:
            self.fragments.setdefault(letter, []).extend(match[0] for match in matches)
        if matches:
            self.text = pattern.sub(f" {letter or 'C'} ", self.text)
        return matches


def parse_slots(raw: str, *, actor: Actor, lexicon: Lexicon) -> Slots:
    """Parse one request. Three queries: people, departments, and none for the cached lexicon."""
    today = timezone.localdate()
    text = _Text(normalise(raw))
    orders = text.take("O", ORDER_NO)
    codes = [match[0].upper() for match in text.take("G", CODE)]
    codes += _take_models(text)
    references = list(_take_references(text))
    text_with_periods = text.text
    text.text, periods = find_periods(text.text, today)
    future = " ".join(
        re.findall(r"下个?(?:周|星期|礼拜|月|季度)|明天|后天|明年", text_with_periods)
    )
    text.fragments["T"] = [period.label for period in periods]
    per_head = [parse_number(match[1] or match[2]) for match in text.take("E", PER_HEAD)]
    heads = [parse_count(match[1] or match[2]) for match in text.take("H", PEOPLE)]
    budgets = [parse_number(match[1]) for match in text.take("W", BUDGET)]
    text.text = SHEETS.sub(r" \1 复印纸", text.text)
    text.text = THAN_PRICE.sub(r"\1元以内", text.text)
    text.text = UNWANTED_COLOUR.sub(r"不要\1", text.text)
    packs = [_build_pack(match) for match in text.take("N", PACK)]
    phrase = parse_phrase(text.text, lexicon)
    if phrase.min_price is not None or phrase.max_price is not None or phrase.excluded:
        _keep_phrase(text, phrase.keyword)
        text.text = phrase.keyword
    sizes, brands, kinds = [], [], []
    quantities = [
        (count, match[2])
        for match in text.take("Q", QUANTITY)
        if (count := parse_count(match[1])) is not None
    ]
    quantities += [
        (count, "")
        for match in text.take("Q", BARE_QUANTITY)
        if (count := parse_count(match[1])) is not None
    ]
    people = _take_people(text, actor)
    departments = _take_departments(text, actor)
    sizes = [match[0].removesuffix("系列") for match in text.take("M", SIZE)]
    kinds = _take_kinds(text, lexicon)
    brands = _take_brands(text, lexicon)
    colours = [match[0] for match in text.take("C", re.compile(COLOUR))]
    bare_colours = [f"{match[1] or match[2]}色" for match in text.take("", BARE_COLOUR)]
    text.fragments.setdefault("C", []).extend(bare_colours)
    colours += bare_colours
    kind_colours = [word for kind in kinds for word in kind.words if re.fullmatch(COLOUR, word)]
    return Slots(
        text=normalise(raw),
        masked_text=_remove_blanks(text.text),
        order_nos=tuple(dict.fromkeys(match[0].upper() for match in orders)),
        codes=tuple(dict.fromkeys(codes)),
        references=tuple(references),
        periods=tuple(periods),
        future=future,
        people=tuple(people),
        departments=tuple(departments),
        kinds=tuple(kinds),
        brands=tuple(dict.fromkeys(brands)),
        colours=tuple(dict.fromkeys([*colours, *kind_colours])),
        measures=tuple(dict.fromkeys(map(_spell_measure, sizes))),
        packs=tuple(packs),
        quantities=tuple(quantities),
        heads=max((count for count in heads if count), default=None),
        per_head=next(iter(per_head), None),
        budget=next(iter(budgets), None),
        money=_find_last_amount(text.text),
        min_price=phrase.min_price,
        max_price=phrase.max_price,
        excluded=phrase.excluded,
        sort=next((sort for pattern, sort in SORTS if pattern.search(normalise(raw))), None),
        is_in_stock=bool(IN_STOCK.search(text.text)),
        fragments=text.fragments,
    )


def _find_last_amount(text: str) -> Decimal | None:
    """Return the last bare amount of money: 500 块."""
    amounts = AMOUNT.findall(text)
    return parse_number(amounts[-1]) if amounts else None


def _remove_blanks(text: str) -> str:
    """Return the text without blanks."""
    return re.sub(r"\s+", "", text)


def _keep_phrase(text: _Text, keyword: str) -> None:
    """Keep the price and the negations as the fragments ¥ and X: the part that left the text."""
    remaining_text = text.text
    for word in keyword.split():
        remaining_text = remaining_text.replace(word, "\n", 1)
    for piece in remaining_text.split("\n"):
        words = piece.strip(" ，,。;；的")
        if words:
            letter = (
                "X"
                if re.search(r"不|除|非|别|排除", words) and not re.search(r"\d|[百千万]", words)
                else "¥"
            )
            text.fragments.setdefault(letter, []).append(words[:MAX_FRAGMENT])


def _take_models(text: _Text) -> list[str]:
    """Replace each model by the letter G and return the models in upper case. Names of measures
    such as a4 and usb3 stay in the text.
    """
    models: list[str] = []

    def take(match: re.Match[str]) -> str:
        if MEASURE_MODEL.fullmatch(match[0]):
            return match[0]
        models.append(match[0].upper())
        return " G "

    text.text = MODEL.sub(take, text.text)
    text.fragments.setdefault("G", []).extend(models)
    return models


def _take_references(text: _Text) -> Iterator[Reference]:
    """Replace each reference by the letter R and yield the references: the nth, the last, all, the
    cheapest. Positions count from 1; 0 is the last.
    """
    for match in text.take("R", FIRST_N):
        yield Reference(tuple(range(1, min(parse_count(match[1]) or 0, 20) + 1)))
    for match in text.take("R", NTH):
        # A place beyond the list stays beyond it.
        yield Reference((parse_count(match[1]) or MAX_PLACE,))
    for _ in text.take("R", LAST):
        yield Reference((0,))
    for _ in text.take("R", CHEAPEST) if not re.search(r"K|的.+最便宜", text.text) else ():
        yield Reference(is_cheapest=True)
    for _ in text.take("R", THESE):
        yield Reference(is_all=True)
    for _ in text.take("R", IT):
        yield Reference((1,))


MAX_PLACE = 9999
DOCUMENT_NO = re.compile(r"(?:快递|物流|运|订|对账)?单号|发票号码?|快递单(?!据)|对账单")


def _build_pack(match: re.Match[str]) -> Pack:
    """Return the pack of a match of PACK, which has three ways to write it: 一盒12支, 12支/盒,
    12支装.
    """
    number = match["n"] or match["n2"] or match["n3"]
    return Pack(
        parse_count(number) if number else None,
        match["unit"] or match["unit2"] or match["unit3"] or "",
        match["box"] or match["box2"] or match["box4"] or "",
    )


def _spell_measure(measure: str) -> str:
    """Return a measure as the catalogue spells it."""
    for colloquial, catalogue_unit in (
        ("寸", "英寸"),
        ("克", "g"),
        ("毫米", "mm"),
        ("厘米", "cm"),
        ("升", "l"),
    ):
        if measure.endswith(colloquial) and not measure.endswith("英寸"):
            return measure.removesuffix(colloquial) + catalogue_unit
    return re.sub(r"^(\d+)([gt])$", r"\1\2", measure)


def _iterate_names(text: str, names: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield the places of the longest names in the text, from left to right, as (start, end,
    key).
    """
    at = 0
    longest = max(map(len, names), default=0)
    while at < len(text):
        for width in range(min(longest, len(text) - at), 1, -1):
            word = text[at : at + width]
            if word in names:
                yield at, at + width, names[word]
                at += width
                break
        else:
            at += 1


def _replace_places(text: _Text, letter: str, places: Iterable[tuple[int, int, str]]) -> list[str]:
    """Replace the places by the letter. Return their keys."""
    pieces, keys, at = [], [], 0
    for start, end, key in places:
        pieces += [text.text[at:start], f" {letter} "]
        text.fragments.setdefault(letter, []).append(text.text[start:end])
        keys.append(key)
        at = end
    text.text = "".join([*pieces, text.text[at:]])
    return keys


def _take_kinds(text: _Text, lexicon: Lexicon) -> list[Kind]:
    """Replace each kind of product by the letter K and return the kinds in text order. The longest
    name at a position wins.
    """
    kinds: list[Kind] = []
    spans: list[tuple[int, int, str]] = []
    # The number of a document is no product, although 快递单 is one.
    start, searched_text = 0, DOCUMENT_NO.sub(lambda match: "\n" * len(match[0]), text.text)
    while start < len(searched_text):
        for width in range(min(MAX_WORD, len(searched_text) - start), 1, -1):
            word = searched_text[start : start + width]
            kind = _find_kind(word, lexicon) if not word.isascii() or width > 1 else None
            if kind is not None:
                spans.append((start, start + width, word))
                kinds.append(kind)
                start += width
                break
        else:
            start += 1
    _replace_places(text, "K", spans)
    return kinds


def _find_kind(word: str, lexicon: Lexicon) -> Kind | None:
    """Return the kind that a word names: a category, or a synonym of one."""
    if word in lexicon.categories:
        return Kind(word, _list_deepest(lexicon.categories[word]))
    categories: list[CategoryName] = []
    words: list[str] = []
    for phrase in lexicon.synonyms.get(word, ()):
        *modifiers, head = phrase.split()
        if head in lexicon.categories:
            categories += _list_deepest(lexicon.categories[head])
            words += modifiers
    return (
        Kind(word, tuple(dict.fromkeys(categories)), tuple(dict.fromkeys(words)))
        if (categories)
        else None
    )


def find_near_kind(word: str, lexicon: Lexicon) -> Kind | None:
    """Return the kind whose name has all characters of the word and one more: 双肩包 for 双肩背包.
    None if several names fit.
    """
    names = [
        name
        for name in lexicon.categories
        if len(word) > 2 and len(name) == len(word) + 1 and _is_subsequence(word, name)
    ]
    return Kind(word, _list_deepest(lexicon.categories[names[0]])) if len(names) == 1 else None


def _is_subsequence(word: str, name: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in word)


def _list_deepest(categories: Sequence[CategoryName]) -> tuple[CategoryName, ...]:
    level = max(category.level for category in categories)
    return tuple(category for category in categories if category.level == level)


def _take_brands(text: _Text, lexicon: Lexicon) -> list[str]:
    names = {word: brand.name for word, brand in lexicon.brands.items()}
    return _replace_places(text, "B", list(_iterate_names(text.text, names)))


# 小周 is a colleague with the family name 周, unless a nickname says who it is.
FAMILIAR_NAME = re.compile(r"[小老]([一-鿿])")


def _take_people(text: _Text, actor: Actor) -> list[Person]:
    """Replace each colleague's name by the letter P and return the people of the actor's group in
    text order. One query.
    """
    if actor.group_id is None:
        return []
    searched_text = text.text[:200]
    rows = (
        Account.objects.filter(group_id=actor.group_id)
        .annotate(question=Value(searched_text, output_field=CharField()))
        .filter(
            Q(question__contains=F("full_name")) & ~Q(full_name="")
            | Q(question__contains=F("nickname"))
        )
        .values_list("pk", "full_name", "nickname")
    )
    ids_by_name: dict[str, list[int]] = {}
    for pk, full_name, nickname in rows:
        for name in dict.fromkeys((full_name, nickname)):
            if len(name) > 1 and name in searched_text:
                ids_by_name.setdefault(name, []).append(pk)
    words = _replace_places(
        text, "P", list(_iterate_names(text.text, {name: name for name in ids_by_name}))
    )
    return [Person(word, tuple(ids_by_name[word])) for word in words] or _take_familiar(text, actor)


def _take_familiar(text: _Text, actor: Actor) -> list[Person]:
    """Return the colleagues with the family name of a familiar name (小周). One query if the text
    has one.
    """
    match = FAMILIAR_NAME.search(text.text)
    if match is None:
        return []
    rows = Account.objects.filter(group_id=actor.group_id, full_name__startswith=match[1])
    ids = tuple(rows.exclude(full_name="").values_list("pk", flat=True))
    if not ids:
        return []
    _replace_places(text, "P", [(match.start(), match.end(), match[0])])
    return [Person(match[0], ids)]


def _take_departments(text: _Text, actor: Actor) -> list[Place]:
    """Return the departments of the group that the text names, in full or without 部 and 中心. One
    query.
    """
    if actor.group_id is None or not re.search(r"[一-鿿]{2}", text.text):
        return []
    rows = Department.objects.filter(group_id=actor.group_id).values_list("pk", "name")
    department_by_word: dict[str, tuple[int, str]] = {}
    for pk, name in rows:
        department_by_word.setdefault(normalise(name), (pk, name))
    words = _replace_places(
        text, "D", list(_iterate_names(text.text, {word: word for word in department_by_word}))
    )
    return [Place(word, *department_by_word[word]) for word in words]
