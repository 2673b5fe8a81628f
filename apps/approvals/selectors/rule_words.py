"""A rule in words: its conditions as a sentence, its steps, its place and its days; what versions keep and screens show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.matching import PAYMENT_TEXT
from apps.catalog.models import Category, Product
from apps.org.models import Account, Department

SHOWN = 5
# What a condition's ids are of: the rows, and the fields that name them and that the wire knows them by.
NAMED: dict[str, tuple[Callable[[], QuerySet[Any]], str, str]] = {
    ConditionKind.CATEGORY: (Category.objects.all, "name", "pk"),
    ConditionKind.PRODUCT: (Product.objects.all, "name", "code"),
    ConditionKind.DEPARTMENT: (Department.objects.all, "name", "pk"),
    ConditionKind.REQUESTER: (Account.objects.all, "nickname", "pk"),
}


@dataclass(frozen=True, slots=True)
class Named:
    """One row that a condition names; `key` is what the wire knows it by."""

    key: str
    name: str


Names = dict[tuple[str, int], Named]


def names_of(rules: Iterable[ApprovalRule]) -> Names:
    """Return {(kind, id): row} of all that the conditions name; one query, none where they name nothing."""
    wanted: dict[str, set[int]] = {}
    for rule in rules:
        for row in rule.conditions:
            if row["kind"] in NAMED:
                wanted.setdefault(row["kind"], set()).update(int(pk) for pk in row.get("value") or ())
    parts = [_part(kind, ids) for kind, ids in wanted.items() if ids]
    if not parts:
        return {}
    rows = parts[0].union(*parts[1:], all=True) if len(parts) > 1 else parts[0]
    return {(kind, pk): Named(key, name) for kind, pk, key, name in rows}


def _part(kind: str, ids: set[int]) -> QuerySet[Any]:
    rows, name, key = NAMED[kind]
    found: QuerySet[Any] = rows().filter(pk__in=ids).order_by().annotate(said_kind=Value(kind, output_field=CharField()))
    # One type on every side of the union, whatever the columns' own.
    values: QuerySet[Any] = found.values_list("said_kind", "pk", Cast(key, CharField(max_length=40)), Cast(name, CharField(max_length=200)))
    return values


def named_in(row: dict[str, Any], names: Names) -> list[Named]:
    """Return the rows that a condition names, in its order; what is gone says so."""
    if row["kind"] == ConditionKind.PAYMENT:
        return [Named(code, PAYMENT_TEXT.get(code, code)) for code in row.get("value") or ()]
    if row["kind"] not in NAMED:
        return []
    return [names.get((row["kind"], int(pk)), Named(str(pk), "已删除")) for pk in row.get("value") or ()]


def _listed(row: dict[str, Any], names: Names) -> str:
    found = [each.name for each in named_in(row, names)]
    more = f"等 {len(found)} 项" if len(found) > SHOWN else ""
    return f"「{'、'.join(found[:SHOWN])}」{more}"


SENTENCES: dict[str, Callable[[dict[str, Any], Names], str]] = {
    ConditionKind.AMOUNT: lambda row, _names: f"订单金额达到 ¥{Decimal(str(row['value'])):,.2f}",
    ConditionKind.CATEGORY: lambda row, names: f"含类目{_listed(row, names)}的商品",
    ConditionKind.PRODUCT: lambda row, names: f"含商品{_listed(row, names)}",
    ConditionKind.LINE_QUANTITY: lambda row, _names: f"任一商品的数量达到 {int(row['value'])}",
    ConditionKind.DEPARTMENT: lambda row, names: f"申请部门是{_listed(row, names)}或其下级",
    ConditionKind.REQUESTER: lambda row, names: f"申请人是{_listed(row, names)}",
    ConditionKind.OVER_BUDGET: lambda _row, _names: "超出预算余额",
    ConditionKind.PAYMENT: lambda row, names: f"付款方式是{_listed(row, names)}",
}


def condition_text(row: dict[str, Any], names: Names) -> str:
    """Return one condition as the screen says it."""
    return SENTENCES[row["kind"]](row, names)


def conditions_text(rule: ApprovalRule, names: Names) -> str:
    """Return the conditions as one sentence."""
    texts = [condition_text(row, names) for row in rule.conditions]
    return ("，且" if rule.condition_mode == ConditionMode.ALL else "，或").join(texts) or "所有订单"


def place_text(rule: ApprovalRule) -> str:
    """Return to whom the rule applies."""
    if rule.department is not None:
        return f"{rule.department.name}及其下级部门"
    return rule.enterprise.name if rule.enterprise is not None else "全集团"


def step_text(step: ApprovalRuleStep) -> str:
    """Return who approves in a step, whose people are at hand."""
    match step.approver_kind:
        case ApproverKind.ACCOUNTS:
            return "、".join(account.nickname for account in step.accounts.all()) or "未指定"
        case ApproverKind.ROLE:
            return f"角色「{step.role.name}」" if step.role else "未指定"
        case ApproverKind.HEAD_UP:
            return f"上 {step.levels_up} 级部门负责人"
    return "部门负责人"


def days_text(valid_from: date | None, valid_until: date | None) -> str:
    """Return the days a rule holds on."""
    if valid_from and valid_until:
        return f"{valid_from:%Y-%m-%d} 至 {valid_until:%Y-%m-%d}"
    if valid_from:
        return f"{valid_from:%Y-%m-%d} 起"
    return f"至 {valid_until:%Y-%m-%d}" if valid_until else "长期有效"


def rule_words(rule: ApprovalRule) -> list[dict[str, str]]:
    """Return the whole rule in words, field by field, as a version keeps it."""
    steps = rule.steps.select_related("role").prefetch_related("accounts").order_by("no")
    chain = " → ".join(f"{step.no}. {step_text(step)}（{step.get_mode_display()}）" for step in steps)
    rows = (
        ("Name", "规则名称", rule.name),
        ("Place", "适用范围", place_text(rule)),
        ("Conditions", "触发条件", conditions_text(rule, names_of([rule]))),
        ("Steps", "审批步骤", chain),
        ("Validity", "有效期", days_text(rule.valid_from, rule.valid_until)),
        ("AllowsSelfApproval", "申请人审批本人订单", "允许" if rule.allows_self_approval else "不允许"),
        ("IsActive", "状态", "启用" if rule.is_active else "停用"),
    )
    return [{"field": field, "label": label, "text": text} for field, label, text in rows]


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that reads otherwise than before."""

    field: str
    label: str
    before: str
    after: str


def differences(*, before: list[dict[str, str]], after: list[dict[str, str]]) -> list[Difference]:
    """Return what of a rule's words has changed, in the order of the fields."""
    earlier = {row["field"]: row["text"] for row in before}
    return [
        Difference(row["field"], row["label"], earlier.get(row["field"], ""), row["text"])
        for row in after
        if row["text"] != earlier.get(row["field"], "")
    ]
