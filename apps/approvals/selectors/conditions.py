"""The kinds of conditions of a rule, as one table: the shape of the value, the sentence, and the
function that judges a subject.

Every function is given the stored value of the condition, the subject, and the ids of the
requester's department and all departments above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from apps.approvals.enums import ConditionKind
from apps.approvals.subjects import ApprovalSubject, PastFacts, PastNeeds
from apps.common.money import ZERO

K = ConditionKind
PAYMENT_TEXT = {"credit": "月结", "cod": "货到付款", "transfer": "公司转账", "online": "在线支付"}
MAX_NAMED = 3


class Shape(StrEnum):
    """The value of a condition: nothing, 元 as "500.00", a whole number, a whole number of per
    cent, ids, codes, or {"days", "amount"} for a sum over time.
    """

    NONE = "none"
    AMOUNT = "amount"
    QUANTITY = "quantity"
    PERCENT = "percent"
    IDS = "ids"
    CODES = "codes"
    SUM = "sum"


Judge = Callable[[Any, ApprovalSubject, set[int]], str | None]
Fact = Callable[[Any, ApprovalSubject, str], str]


@dataclass(frozen=True, slots=True)
class Condition:
    """One kind of condition. `judge` returns why a subject meets it, or None. `fact` returns what
    the subject is instead; its last argument is the name of the requester's department.

    `sentence` is the text on the screen with {amount}, {quantity}, {days} or {names}. `needs_past`:
    earlier orders are read to judge it. `is_shared`: submits of different people change the value
    that is judged, so they have to be judged one after the other.
    """

    shape: Shape
    sentence: str
    judge: Judge
    fact: Fact
    needs_past: bool = False
    is_shared: bool = False


def _parse_ids(value: Any) -> set[int]:
    return {int(item) for item in value or ()}


def _join(names: Iterable[str]) -> str:
    rows = list(dict.fromkeys(name for name in names if name))
    more = f"等 {len(rows)} 项" if len(rows) > MAX_NAMED else ""
    return f"「{'、'.join(rows[:MAX_NAMED])}」{more}"


def _judge_amount(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    """Return the reason if the judged amount of the subject reaches `value` 元."""
    floor = Decimal(str(value))
    amount, name = (
        subject.judged_amount,
        "订单金额" if subject.whole_amount is None else "同批订单合计",
    )
    return f"{name} ¥{amount:,.2f} 达到 ¥{floor:,.2f}" if amount >= floor else None


def _judge_category(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    """Return the reason if a line belongs to one of the categories `value`, of any level."""
    category_ids = _parse_ids(value)
    return (
        "含需审批类目的商品"
        if any(category_ids & set(line.category_ids) for line in subject.lines)
        else None
    )


def _judge_product(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    """Return the reason if a line has one of the products `value`."""
    product_ids = _parse_ids(value)
    return (
        "含需审批的商品" if any(line.product_id in product_ids for line in subject.lines) else None
    )


def _judge_line_quantity(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    """Return the reason if a line has at least `value` pieces."""
    return (
        f"单行数量达到 {int(value)}"
        if any(line.quantity >= int(value) for line in subject.lines)
        else None
    )


def _judge_department(value: Any, _subject: ApprovalSubject, path: set[int]) -> str | None:
    """Return the reason if the department or one above it (`path`) is in `value`."""
    return "申请部门需审批" if _parse_ids(value) & path else None


def _judge_requester(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    """Return the reason if the requester is in `value`."""
    return "申请人的订单需审批" if subject.requester.pk in _parse_ids(value) else None


def _check_over_budget(_value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    """Return the reason if a budget is exceeded. It names the budgets: an order may leave one
    budget for another, and the reader has to know which of them is exceeded.
    """
    if not subject.is_over_budget:
        return None
    names = subject.over_budget_names
    return f"超出预算{_join(names)}的余额" if names else "超出预算余额"


def _check_payment(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    text = PAYMENT_TEXT.get(subject.payment_kind, subject.payment_kind)
    return f"付款方式为{text}" if subject.payment_kind in (value or ()) else None


def _check_off_agreement(_value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    names = [line.name for line in subject.lines if line.is_off_agreement]
    return f"含协议外商品{_join(names)}" if names else None


@dataclass(frozen=True, slots=True)
class OwnSum:
    """What the subject itself adds to a sum, in 元. `name` is "" if the key has no own name."""

    key: str
    name: str
    amount: Decimal


def _list_own_sums(kind: str, subject: ApprovalSubject) -> list[OwnSum]:
    """Return what the subject adds to the sums of this kind: one amount for each key, such as a
    department or a category. Amounts without a key are left out.
    """
    sum_by_key: dict[str, OwnSum] = {}
    for key, name, amount in _SHARES[kind](subject):
        if key:
            earlier = sum_by_key.get(key)
            total = amount + (earlier.amount if earlier else ZERO)
            sum_by_key[key] = OwnSum(key, name, total)
    return list(sum_by_key.values())


def _list_category_amounts(subject: ApprovalSubject) -> list[tuple[str, str, Decimal]]:
    """Return (key, name, 元) of each line by its second-level category, or by the first if it has
    no second.
    """
    return [
        (str(line.category_ids[min(1, len(line.category_ids) - 1)]), "", line.amount)
        for line in subject.lines
        if line.category_ids
    ]


_SHARES: dict[str, Callable[[ApprovalSubject], list[tuple[str, str, Decimal]]]] = {
    K.SUM_REQUESTER: lambda subject: [(str(subject.requester.pk), "", subject.judged_amount)],
    K.SUM_DEPARTMENT: lambda subject: [
        (part.department_key, part.department, part.amount) for part in subject.parts
    ],
    K.SUM_CATEGORY: _list_category_amounts,
    K.SUM_BRAND: lambda subject: [
        (str(line.brand_id or ""), line.brand, line.amount) for line in subject.lines
    ],
    K.SUM_ADDRESS: lambda subject: [
        (part.address_key, part.address, part.amount) for part in subject.parts
    ],
}
SUM_NAMES = {
    K.SUM_REQUESTER: "申请人",
    K.SUM_DEPARTMENT: "部门",
    K.SUM_CATEGORY: "类目",
    K.SUM_BRAND: "品牌",
    K.SUM_ADDRESS: "收货地址",
}


@dataclass(frozen=True, slots=True)
class JudgedSum:
    """A sum over time: what the subject adds to what came before, in 元."""

    own_sum: OwnSum
    past_amount: Decimal

    @property
    def total(self) -> Decimal:
        """Return the past and the own amount together."""
        return self.past_amount + self.own_sum.amount


def _list_sums(kind: str, value: Any, subject: ApprovalSubject) -> list[JudgedSum]:
    """Return the sums of the subject's keys, the largest first."""
    days = int(value["days"])
    rows = [
        JudgedSum(own_sum, subject.past.sums.get((kind, days, own_sum.key), ZERO))
        for own_sum in _list_own_sums(kind, subject)
    ]
    return sorted(rows, key=lambda row: -row.total)


def _build_sum_judge(kind: str) -> Judge:
    """Return the judge of a condition on past sums. It returns the reason if a sum exceeds the
    limit.
    """

    def judge(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
        limit = Decimal(str(value["amount"]))
        exceeded_sums = [row for row in _list_sums(kind, value, subject) if row.total > limit]
        if not exceeded_sums:
            return None
        first = exceeded_sums[0]
        more = (
            f"，另有 {len(exceeded_sums) - 1} 个{SUM_NAMES[K(kind)]}"
            if len(exceeded_sums) > 1
            else ""
        )
        return f"{_describe_sum(kind, value, first)}，超过 ¥{limit:,.2f}{more}"

    return judge


def _describe_sum(kind: str, value: Any, row: JudgedSum) -> str:
    """Return a sum over days in words, with the part before the order and the part of the order."""
    name = f"「{row.own_sum.name}」" if row.own_sum.name else ""
    return (
        f"同一{SUM_NAMES[K(kind)]}{name} {int(value['days'])} 天内累计 ¥{row.total:,.2f}"
        f"（此前 ¥{row.past_amount:,.2f}，本单 ¥{row.own_sum.amount:,.2f}）"
    )


def _build_sum_fact(kind: str) -> Fact:
    """Return the function that says what the largest sum of the kind is."""

    def fact(value: Any, subject: ApprovalSubject, _place: str) -> str:
        rows = _list_sums(kind, value, subject)
        return _describe_sum(kind, value, rows[0]) if rows else f"本单没有{SUM_NAMES[K(kind)]}"

    return fact


def _list_price_rises(value: Any, subject: ApprovalSubject) -> list[str]:
    """Return one text for each line whose unit price is more than `value` per cent above the last
    one.
    """
    factor = 1 + Decimal(int(value)) / 100
    texts = []
    for line in subject.lines:
        last = subject.past.last_prices.get(line.product_id)
        if last is not None and line.price > last * factor:
            texts.append(f"{line.name} ¥{line.price:,.2f}，上次 ¥{last:,.2f}")
    return texts


def _judge_price_rise(value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
    """Return the reason if a unit price is more than `value` % above the last one."""
    texts = _list_price_rises(value, subject)
    if not texts:
        return None
    more = f"，另有 {len(texts) - 1} 种" if len(texts) > 1 else ""
    return f"单价比上次采购高 {int(value)}% 以上（{texts[0]}{more}）"


def _get_first_use_keys(kind: str, subject: ApprovalSubject) -> dict[str, str]:
    """Return {key: name} of what the subject buys or uses, for a condition on first use."""
    return {key: name for key, name in _USES[kind](subject) if key}


_USES: dict[str, Callable[[ApprovalSubject], Iterable[tuple[str, str]]]] = {
    K.FIRST_PRODUCT: lambda subject: [
        (str(line.product_id or ""), line.name) for line in subject.lines
    ],
    K.FIRST_BRAND: lambda subject: [
        (str(line.brand_id or ""), line.brand) for line in subject.lines
    ],
    K.FIRST_ADDRESS: lambda subject: [(part.address_key, part.address) for part in subject.parts],
    K.FIRST_COST_CENTER: lambda subject: [(key, key) for key in subject.cost_centers],
    K.FIRST_PROJECT: lambda subject: subject.projects,
    K.FIRST_PAYMENT: lambda subject: [
        (subject.payment_kind, PAYMENT_TEXT.get(subject.payment_kind, subject.payment_kind))
    ],
}
FIRST_NAMES = {
    K.FIRST_PRODUCT: "首次采购的商品",
    K.FIRST_BRAND: "首次采购的品牌",
    K.FIRST_ADDRESS: "首次使用的收货地址",
    K.FIRST_COST_CENTER: "首次使用的成本中心",
    K.FIRST_PROJECT: "首次使用的项目",
    K.FIRST_PAYMENT: "首次使用的付款方式",
}


def _build_first_judge(kind: str) -> Judge:
    """Return the judge of a 首次采购 condition: are there products, brands … never bought
    before?
    """

    def judge(_value: Any, subject: ApprovalSubject, _path: set[int]) -> str | None:
        earlier_keys = subject.past.used_before.get(kind)
        if earlier_keys is None:
            return None
        new_names = [
            name
            for key, name in _get_first_use_keys(kind, subject).items()
            if key not in earlier_keys
        ]
        return f"{FIRST_NAMES[K(kind)]}{_join(new_names)}" if new_names else None

    return judge


def _build_first_fact(kind: str) -> Fact:
    """Return the function that says why a 首次采购 condition is not met."""

    def fact(_value: Any, _subject: ApprovalSubject, _place: str) -> str:
        return f"本单没有{FIRST_NAMES[K(kind)]}"

    return fact


def _build_lines_fact(text: str) -> Fact:
    return lambda _value, subject, _place: text if subject.lines else "本单未填商品"


def _find_largest(subject: ApprovalSubject) -> int:
    return max((line.quantity for line in subject.lines), default=0)


def _build_sum_condition(kind: str, *, is_shared: bool = True) -> Condition:
    """Return a condition on what was ordered in a number of days, together with the present
    order.
    """
    return Condition(
        Shape.SUM,
        f"同一{SUM_NAMES[K(kind)]} {{days}} 天内累计超过 ¥{{amount}}",
        _build_sum_judge(kind),
        _build_sum_fact(kind),
        needs_past=True,
        is_shared=is_shared,
    )


def _build_first_condition(kind: str) -> Condition:
    return Condition(
        Shape.NONE,
        f"含{FIRST_NAMES[K(kind)]}",
        _build_first_judge(kind),
        _build_first_fact(kind),
        needs_past=True,
    )


CONDITIONS: dict[str, Condition] = {
    K.AMOUNT: Condition(
        Shape.AMOUNT,
        "订单金额达到 ¥{amount}",
        _judge_amount,
        lambda _value, subject, _place: f"本单 ¥{subject.amount:,.2f}",
    ),
    K.CATEGORY: Condition(
        Shape.IDS,
        "含类目{names}的商品",
        _judge_category,
        _build_lines_fact("本单没有这些类目的商品"),
    ),
    K.PRODUCT: Condition(
        Shape.IDS, "含商品{names}", _judge_product, _build_lines_fact("本单没有这些商品")
    ),
    K.LINE_QUANTITY: Condition(
        Shape.QUANTITY,
        "任一商品的数量达到 {quantity}",
        _judge_line_quantity,
        lambda _value, subject, _place: f"本单最大数量 {_find_largest(subject)}",
    ),
    K.DEPARTMENT: Condition(
        Shape.IDS,
        "申请部门是{names}或其下级",
        _judge_department,
        lambda _value, _subject, place: f"申请部门是{place or '（无部门）'}",
    ),
    K.REQUESTER: Condition(
        Shape.IDS,
        "申请人是{names}",
        _judge_requester,
        lambda _value, subject, _place: f"申请人是{subject.requester.nickname}",
    ),
    K.OVER_BUDGET: Condition(
        Shape.NONE,
        "超出预算余额",
        _check_over_budget,
        lambda _value, _subject, _place: "本单未超预算",
    ),
    K.PAYMENT: Condition(
        Shape.CODES,
        "付款方式是{names}",
        _check_payment,
        lambda _value, subject, _place: (
            f"本单为{PAYMENT_TEXT.get(subject.payment_kind, subject.payment_kind)}"
        ),
    ),
    # The submit holds the lock of the requester's cart, so this sum is not shared.
    K.SUM_REQUESTER: _build_sum_condition(K.SUM_REQUESTER, is_shared=False),
    K.SUM_DEPARTMENT: _build_sum_condition(K.SUM_DEPARTMENT),
    K.SUM_CATEGORY: _build_sum_condition(K.SUM_CATEGORY),
    K.SUM_BRAND: _build_sum_condition(K.SUM_BRAND),
    K.SUM_ADDRESS: _build_sum_condition(K.SUM_ADDRESS),
    K.OFF_AGREEMENT: Condition(
        Shape.NONE, "含协议外商品", _check_off_agreement, _build_lines_fact("本单没有协议外商品")
    ),
    K.PRICE_RISE: Condition(
        Shape.PERCENT,
        "单价比上次采购高 {quantity}% 以上",
        _judge_price_rise,
        _build_lines_fact("本单没有涨价的商品"),
        needs_past=True,
    ),
    K.FIRST_PRODUCT: _build_first_condition(K.FIRST_PRODUCT),
    K.FIRST_BRAND: _build_first_condition(K.FIRST_BRAND),
    K.FIRST_ADDRESS: _build_first_condition(K.FIRST_ADDRESS),
    K.FIRST_COST_CENTER: _build_first_condition(K.FIRST_COST_CENTER),
    K.FIRST_PROJECT: _build_first_condition(K.FIRST_PROJECT),
    K.FIRST_PAYMENT: _build_first_condition(K.FIRST_PAYMENT),
}
# The kinds whose value has days.
PAST_DAYS_KINDS = frozenset(_SHARES)


def judge_condition(
    row: Mapping[str, Any], *, subject: ApprovalSubject, path: set[int]
) -> str | None:
    """Return why the subject meets a stored condition, or None."""
    return CONDITIONS[row["kind"]].judge(row.get("value"), subject, path)


def describe_fact(row: Mapping[str, Any], *, subject: ApprovalSubject, place: str) -> str:
    """Return the value of the subject that a stored condition looks at, in words."""
    return CONDITIONS[row["kind"]].fact(row.get("value"), subject, place)


def describe_condition(row: Mapping[str, Any], *, names: str) -> str:
    """Return the sentence of a stored condition. `names` are the names of its ids or codes."""
    condition, value = CONDITIONS[row["kind"]], row.get("value")
    sum_value: Mapping[str, Any] = (value or {}) if condition.shape == Shape.SUM else {}
    amount = sum_value.get("amount", value if condition.shape == Shape.AMOUNT else None)
    return condition.sentence.format(
        amount="" if amount is None else f"{Decimal(str(amount)):,.2f}",
        quantity=value,
        days=sum_value.get("days"),
        names=names,
    )


def get_past_needs(
    conditions: Iterable[Mapping[str, Any]], *, subject: ApprovalSubject
) -> PastNeeds:
    """Return what the conditions have to know about earlier orders."""
    sums: dict[tuple[str, int], frozenset[str]] = {}
    firsts: dict[str, frozenset[str]] = {}
    needs_prices = False
    for row in conditions:
        kind = row["kind"]
        if kind in _SHARES:
            keys = frozenset(own_sum.key for own_sum in _list_own_sums(kind, subject))
            if keys:
                sums[kind, int(row["value"]["days"])] = keys
        elif kind in _USES:
            firsts[kind] = frozenset(_get_first_use_keys(kind, subject))
        needs_prices = needs_prices or kind == K.PRICE_RISE
    products = frozenset(line.product_id for line in subject.lines if line.product_id)
    return PastNeeds(sums=sums, firsts=firsts, products=products if needs_prices else frozenset())


def read_past(conditions: Iterable[Mapping[str, Any]], *, subject: ApprovalSubject) -> PastFacts:
    """Return what the conditions have to know about earlier orders, read through the subject's
    history. No query if the conditions ask for nothing, or the subject has no history.
    """
    needs = get_past_needs(conditions, subject=subject)
    if subject.history is None or not needs.has_needs:
        return PastFacts()
    return subject.history.read(needs)


def has_shared_sums(conditions: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether one of the conditions sums the orders of several people."""
    return any(CONDITIONS[row["kind"]].is_shared for row in conditions)
