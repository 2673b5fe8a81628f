"""Replies about spending and budgets, within the person's rights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from django.utils import timezone

from apps.assistant.answers import Delta, Event, Link, Links, Working
from apps.assistant.embedded.periods import NUMBER, Period, parse_number
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.spending import (
    CATEGORY,
    DEPARTMENT,
    MONTH,
    PERSON,
    Spending,
    SpendingQuestion,
    list_budgets_in_scope,
    list_own_budgets,
    look_up_spending,
)
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_forecast import get_budget_forecast
from apps.common.money import format_yuan

MAX_PERIODS = 3
SPENDING, BUDGET = "spending", "budget_left"
GROUPINGS = (
    (re.compile(r"部门"), DEPARTMENT),
    (re.compile(r"采购人|谁|各个人|每个人|人均|员工|同事|按人"), PERSON),
    (re.compile(r"每个?月|哪个?月|按月|月度|各月|逐月"), MONTH),
    (
        re.compile(r"分类|品类|类目|类别|种类|哪些东西|哪方面|什么上|花(?:在)?哪|哪儿|哪里"),
        CATEGORY,
    ),
)


def show_spending(question: Question) -> Iterator[Event]:
    """State the ordered amount of each named period, with its groups if the question asks for
    them.

    Raises:
        NotAllowed: the person asks beyond his rights.
    """
    yield Working(SPENDING, "正在统计花费")
    slots = question.slots
    if slots.future:
        yield Delta(
            f"“{slots.future}”还没有发生，我不能预测花费；可以问已经过去的时间，例如“这个月花了多少”。"
        )
        return
    if slots.people and any(len(person.account_ids) > 1 for person in slots.people):
        yield Delta("有几位同事叫这个名字，请说出全名，您要查哪一位？")
        return
    by = next((name for pattern, name in GROUPINGS if pattern.search(slots.masked_text)), "")
    periods = slots.periods or _get_default_periods()
    texts, amounts = [], []
    for part_question in _split_by_subject(question):
        for period in periods[:MAX_PERIODS]:
            spending = look_up_spending(
                actor=question.actor, question=_build_spending_question(part_question, period, by)
            )
            amounts.append((period, spending.total))
            texts.append(_format_spending(part_question, period, spending))
    if not slots.periods:
        texts.append("您没有说时间，先按今年算；也可以问“上个月”“最近三个月”等。")
    if len(periods) > 1 and len(amounts) == len(periods):
        texts.append(_compare_periods(amounts))
    texts.append("按下单金额统计，含税、含运费（按商品统计时不含运费），已扣除取消的部分。")
    yield Delta("\n\n".join(texts))
    yield Links((Link("我的订单", "/userCenter/order/index"),))


def _split_by_subject(question: Question) -> list[Question]:
    """Return the question once for each named person, or each named department."""
    slots = question.slots
    if len(slots.people) > 1:
        return [
            replace(question, slots=replace(slots, people=(person,))) for person in slots.people
        ]
    return [
        replace(question, slots=replace(slots, departments=(place,))) for place in slots.departments
    ] or [question]


def _get_default_periods() -> tuple[Period, ...]:
    today = timezone.localdate()
    return (Period(today.replace(month=1, day=1), today, "今年"),)


def _build_spending_question(question: Question, period: Period, by: str) -> SpendingQuestion:
    """Return the query of the spending tool: what the request says about goods, people and
    department. `by` is the grouping, "" for none.
    """
    slots = question.slots
    return SpendingQuestion(
        since=period.since,
        until=period.until,
        category_ids=tuple(one.id for kind in slots.kinds for one in kind.categories),
        brand=slots.brands[0] if slots.brands else "",
        requester_ids=tuple(pk for person in slots.people for pk in person.account_ids),
        department_id=slots.departments[0].department_id if slots.departments else None,
        by=by,
        is_own=bool(re.search(r"我(?!们)|本人|自己", slots.text)) and not slots.departments,
    )


def _format_spending(question: Question, period: Period, spending: Spending) -> str:
    """Return the answer as Markdown: who spent how much on what in the period, then one row per
    group.
    """
    slots = question.slots
    subject_name = "、".join(
        [person.word for person in slots.people] or [place.name for place in slots.departments]
    )
    goods_names = "、".join([*slots.brands, *(kind.word for kind in slots.kinds)])
    subject = escape_markdown(subject_name or spending.scope)
    goods = f"在{escape_markdown(goods_names)}上" if goods_names else ""
    head = (
        f"{subject}{period.label}（{period.days_text}）{goods}花了 "
        f"**{format_yuan(spending.total)}**，{spending.orders} 张订单。"
    )
    rows = [f"- {escape_markdown(name)}：{format_yuan(amount)}" for name, amount in spending.groups]
    return "\n".join([head, "", *rows]) if rows else head


def _compare_periods(amounts: Sequence[tuple[Period, Decimal]]) -> str:
    """Return a sentence that compares the amounts in 元 of the first two periods."""
    (first, first_amount), (second, second_amount) = amounts[0], amounts[1]
    if first_amount == second_amount:
        return f"{first.label}和{second.label}一样多。"
    more, less = (first, second) if first_amount > second_amount else (second, first)
    return f"{more.label}比{less.label}多 {format_yuan(abs(first_amount - second_amount))}。"


def show_budgets(question: Question) -> Iterator[Event]:
    """Show the budgets that the question names, or those on which the person can order today.

    Raises:
        NotAllowed: the person has no right to open budgets.
    """
    yield Working(BUDGET, "正在查询预算")
    masked_text = question.slots.masked_text
    budgets, about = _choose_budgets(question)
    links = Links((Link("预算余额", "/userCenter/asset/budget"),))
    if not budgets:
        yield Delta(about or "您今天没有可用的预算。如需设置，请联系贵司的集团管理员。")
        yield links
        return
    with_forecast = bool(
        re.search(
            r"用完|花完|会超|会不会超|速度|啥时候|够不够|够用|月底|预计|什么时候", masked_text
        )
    )
    rows = [_format_budget(row, with_forecast=with_forecast) for row in budgets]
    parts = [f"{about or '您下单可用的预算：'}\n\n" + "\n".join(rows)]
    if (price := _find_named_amount(question)) is not None:
        best = max(budgets, key=lambda row: row.available)
        enough = "够用" if best.available >= price else "不够"
        parts.append(f"按 {format_yuan(price)} 计算，“{escape_markdown(best.name)}”{enough}。")
    yield Delta("\n\n".join(parts))
    yield links


# Words of a budget question that do not belong to the name of a budget.
NOT_A_NAME = re.compile(
    r"预算|经费|啥时候|啥|照|速度|会不会|估计|预计|按|把|几成|成|还剩|剩下|剩余|剩|还有|多少|可以用|可用|用了|用完|花完|快|吗|的|我|这|个|有|百分之|哪些|哪个|部门|年度|"
    r"总|公司|情况|执行|使用|状态|各|还|会|超支|超|什么时候|够|不|用|钱|了|现在|今年|本月|月底|月|买|东西|块|元|大概|"
    r"是|没|里|比例|占比|百分比|额度|余额|能|花|看|查|一下|请|帮|比|吧|呢|啊|几|都|给|告诉|想|知道|到|去|掉|"
    r"咱们?|我们|目前|到底|[A-Z，,。?！!\s\d]"
)


def _choose_budgets(question: Question) -> tuple[list[Budget], str]:
    """Return the budgets that the request asks for, and the heading of the answer. If there are
    none, return [] and the sentence that says so.
    """
    slots, actor = question.slots, question.actor
    masked_text = slots.masked_text
    if re.search(
        r"八成|80|快用完的|紧张|不够用的|(?:哪个|哪些|有没有).{0,8}(?:超|用完)|超了|超支",
        masked_text,
    ):
        least_percent = 80 if re.search(r"八成|80|快|紧张", masked_text) else 100
        used_up_budgets = [
            row
            for row in list_budgets_in_scope(actor=actor)
            if row.used * 100 >= row.amount * least_percent
        ]
        title = "已用完或超出" if least_percent == 100 else "已使用八成以上"
        return (
            used_up_budgets,
            f"{title}的预算共 {len(used_up_budgets)} 个："
            if used_up_budgets
            else f"没有{title}的预算。",
        )
    if slots.departments:
        ids = {place.department_id for place in slots.departments}
        department_budgets = [
            row for row in list_budgets_in_scope(actor=actor) if row.department_id in ids
        ]
        department_budgets = _filter_by_name(department_budgets, masked_text) or department_budgets
        name = slots.departments[0].name
        return (
            department_budgets,
            f"{name}的预算："
            if department_budgets
            else f"没有找到{name}的预算，或不在您可以查看的范围内。",
        )
    if re.search(r"各部门|每个部门|所有|全部|都有哪些", masked_text):
        return list_budgets_in_scope(actor=actor), "您可以查看的预算："
    if re.search(r"年度|总预算|全年|公司", masked_text):
        visible = list_budgets_in_scope(actor=actor)
        own = [row for row in visible if row.enterprise_id == actor.enterprise_id] or visible
        yearly_budgets = [
            row
            for row in own
            if (row.period_to - row.period_from).days > 300 and not row.is_earmarked
        ]
        if yearly_budgets:
            return yearly_budgets, "年度预算："
        return [], "没有找到年度总预算，或不在您可以查看的范围内。"
    words = [word for word in NOT_A_NAME.sub(" ", masked_text).split() if len(word) > 1]
    if words:
        budget_by_id = {
            row.pk: row
            for row in [*list_own_budgets(actor=actor), *list_budgets_in_scope(actor=actor)]
        }
        matching_budgets = [
            row
            for row in budget_by_id.values()
            if all(word in row.name or _is_owner(row, word) for word in words)
        ]
        # 研发预算 is the budget of 研发中心; a project with 研发 in its name was not asked for.
        owned_budgets = [
            row for row in matching_budgets if any(_is_owner(row, word) for word in words)
        ]
        if matching_budgets:
            return owned_budgets or matching_budgets, "您问的预算："
        return [], f"没有找到名称里有“{escape_markdown('、'.join(words))}”的预算。"
    own = list_own_budgets(actor=actor)
    if "部门" in masked_text:
        own = [row for row in own if row.owner_type == "department"]
        return own, "您所在部门的预算：" if own else "您所在的部门今天没有预算。"
    return own, ""


def _is_owner(row: Budget, word: str) -> bool:
    return row.department is not None and row.department.name.startswith(word)


def _filter_by_name(budgets: list[Budget], masked_text: str) -> list[Budget]:
    name_words = [word for word in NOT_A_NAME.sub(" ", masked_text).split() if len(word) > 1]
    return [row for row in budgets if all(word in row.name for word in name_words)]


def _find_named_amount(question: Question) -> Decimal | None:
    """Return the amount in 元 that the budget should cover."""
    amount = re.search(rf"({NUMBER})\s*(?:元|块)|买({NUMBER})", question.slots.text)
    return parse_number(amount[1] or amount[2]) if amount else None


def _format_budget(row: Budget, *, with_forecast: bool) -> str:
    """Return one budget as a Markdown list item. The forecast is the expected use at its last
    day.
    """
    percent = (row.used * 100 / row.amount).quantize(Decimal("0.1")) if row.amount else Decimal(0)
    text = (
        f"- **{escape_markdown(row.name)}**（{row.period_from:%Y-%m-%d} 至 "
        f"{row.period_to:%Y-%m-%d}）：可用 **{format_yuan(row.available)}**，"
        f"额度 {format_yuan(row.amount)}，已预占 {format_yuan(row.reserved)}，已使用 "
        f"{format_yuan(row.consumed)}（共 {percent}%）"
    )
    if not with_forecast:
        return text
    forecast = get_budget_forecast(row, today=timezone.localdate())
    if forecast.at_end is None:
        return f"{text}；期初几天还不能预计期末"
    over = f"，预计超出 {format_yuan(forecast.overrun)}" if forecast.overrun else "，预计够用"
    return f"{text}；照现在的速度，期末预计用到 {format_yuan(forecast.at_end)}{over}"
