"""A rule in words: its conditions, steps, place and days as sentences; the rule as screens show
it; its versions and their differences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast
from django.utils import timezone

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, RuleOrigin, RuleStatus
from apps.approvals.models import ApprovalRule, ApprovalRuleStep, ApprovalRuleVersion
from apps.approvals.selectors.bands import format_range, get_band_range
from apps.approvals.selectors.conditions import CONDITIONS, PAYMENT_TEXT, Shape, describe_condition
from apps.approvals.selectors.rules import Inheritance, Reach
from apps.catalog.models import Category, Product
from apps.org.models import Account, Department, Role

MAX_SHOWN = 5
COPY_ROLE = "copy_role"
# {kind: (the rows of its ids, their name field, their id field in the API)}
NAMED: dict[str, tuple[Callable[[], QuerySet[Any]], str, str]] = {
    ConditionKind.CATEGORY: (Category.objects.all, "name", "pk"),
    ConditionKind.PRODUCT: (Product.objects.all, "name", "code"),
    ConditionKind.DEPARTMENT: (Department.objects.all, "name", "pk"),
    ConditionKind.REQUESTER: (Account.objects.all, "nickname", "pk"),
    # Not a condition: the roles that get a copy (抄送).
    COPY_ROLE: (Role.objects.all, "name", "pk"),
}


@dataclass(frozen=True, slots=True)
class Named:
    """A row that a condition names; `key` is its id in the API."""

    key: str
    name: str


Names = dict[tuple[str, int], Named]


def get_rule_names(rules: Iterable[ApprovalRule]) -> Names:
    """Return {(kind, id): row} of everything that the conditions, bands and copies name. One
    query, a union of the kinds of rows that they name.
    """
    ids_by_kind: dict[str, set[int]] = {}
    for rule in rules:
        ids_by_kind.setdefault(ConditionKind.REQUESTER, set()).update(rule.copy_accounts)
        ids_by_kind.setdefault(COPY_ROLE, set()).update(rule.copy_roles)
        for band in rule.bands:
            ids_by_kind.setdefault(ConditionKind.DEPARTMENT, set()).update(band["departments"])
            ids_by_kind.setdefault(ConditionKind.CATEGORY, set()).update(band["categories"])
        for row in rule.conditions:
            if row["kind"] in NAMED:
                ids_by_kind.setdefault(row["kind"], set()).update(
                    int(pk) for pk in row.get("value") or ()
                )
    parts = [_build_name_query(kind, ids) for kind, ids in ids_by_kind.items() if ids]
    if not parts:
        return {}
    rows = parts[0].union(*parts[1:], all=True) if len(parts) > 1 else parts[0]
    return {(kind, pk): Named(key, name) for kind, pk, key, name in rows}


def _build_name_query(kind: str, ids: set[int]) -> QuerySet[Any]:
    """Return the query for the names of objects of one kind, with the columns of the union:
    kind, pk, code or other key, name.
    """
    rows, name, key = NAMED[kind]
    name_rows: QuerySet[Any] = (
        rows()
        .filter(pk__in=ids)
        .order_by()
        .annotate(condition_kind=Value(kind, output_field=CharField()))
    )
    # Every part of the union needs the same column types.
    values: QuerySet[Any] = name_rows.values_list(
        "condition_kind",
        "pk",
        Cast(key, CharField(max_length=40)),
        Cast(name, CharField(max_length=200)),
    )
    return values


def list_condition_targets(row: dict[str, Any], names: Names) -> list[Named]:
    """Return the rows that a condition names, in its order. A deleted row is named 已删除."""
    if row["kind"] == ConditionKind.PAYMENT:
        return [Named(code, PAYMENT_TEXT.get(code, code)) for code in row.get("value") or ()]
    if row["kind"] not in NAMED:
        return []
    return [
        names.get((row["kind"], int(pk)), Named(str(pk), "已删除")) for pk in row.get("value") or ()
    ]


def _join_names(row: dict[str, Any], names: Names) -> str:
    name_list = [each.name for each in list_condition_targets(row, names)]
    more = f"等 {len(name_list)} 项" if len(name_list) > MAX_SHOWN else ""
    return f"「{'、'.join(name_list[:MAX_SHOWN])}」{more}"


def format_condition(row: dict[str, Any], names: Names) -> str:
    """Return the sentence for one condition."""
    return describe_condition(row, names=_join_names(row, names))


def format_conditions(rule: ApprovalRule, names: Names) -> str:
    """Return one sentence for all conditions of the rule."""
    texts = [format_condition(row, names) for row in rule.conditions]
    return ("，且" if rule.condition_mode == ConditionMode.ALL else "，或").join(
        texts
    ) or "所有订单"


def format_band(row: dict[str, Any], names: Names) -> str:
    """Return a band (分档) in words: its amounts, departments and categories."""
    parts = (
        ("部门", ConditionKind.DEPARTMENT, row["departments"]),
        ("类目", ConditionKind.CATEGORY, row["categories"]),
    )
    texts = [format_range(get_band_range(row))]
    for label, kind, ids in parts:
        if ids:
            texts.append(f"{label}{_join_names({'kind': kind, 'value': ids}, names)}")
    return "，".join(texts)


def format_bands(rule: ApprovalRule, names: Names) -> str:
    """Return all bands of the rule in words."""
    rows = enumerate(rule.bands, start=1)
    return (
        "；".join(f"第 {number} 档 {format_band(row, names)}" for number, row in rows) or "不分档"
    )


def format_place(rule: ApprovalRule) -> str:
    """Return the department, the enterprise or 全集团."""
    if rule.department is not None:
        return f"{rule.department.name}及其下级部门"
    return rule.enterprise.name if rule.enterprise is not None else "全集团"


def format_step(step: ApprovalRuleStep) -> str:
    """Return the approvers of a step in words. The step's accounts must be prefetched."""
    match step.approver_kind:
        case ApproverKind.ACCOUNTS:
            return "、".join(account.nickname for account in step.accounts.all()) or "未指定"
        case ApproverKind.ROLE:
            return f"角色「{step.role.name}」" if step.role else "未指定"
        case ApproverKind.HEAD_UP:
            return f"上 {step.levels_up} 级部门负责人"
    return "部门负责人"


def format_copies(rule: ApprovalRule, names: Names) -> str:
    """Return the people and roles that get a copy (抄送) in words."""
    texts = [row.name for row in copy_people(rule, names)]
    texts += [f"角色「{row.name}」" for row in copy_roles(rule, names)]
    return "、".join(texts) or "无"


def copy_people(rule: ApprovalRule, names: Names) -> list[Named]:
    """Return the accounts that get a copy, without deleted ones."""
    keys = ((ConditionKind.REQUESTER, pk) for pk in sorted(rule.copy_accounts))
    return [names[key] for key in keys if key in names]


def copy_roles(rule: ApprovalRule, names: Names) -> list[Named]:
    """Return the roles that get a copy, without deleted ones."""
    keys = ((COPY_ROLE, pk) for pk in sorted(rule.copy_roles))
    return [names[key] for key in keys if key in names]


def format_days(valid_from: date | None, valid_until: date | None) -> str:
    """Return the days of validity in words."""
    if valid_from and valid_until:
        return f"{valid_from:%Y-%m-%d} 至 {valid_until:%Y-%m-%d}"
    if valid_from:
        return f"{valid_from:%Y-%m-%d} 起"
    return f"至 {valid_until:%Y-%m-%d}" if valid_until else "长期有效"


def describe_rule(rule: ApprovalRule) -> list[dict[str, str]]:
    """Return the whole rule in words, field by field, as a version stores it."""
    names = get_rule_names([rule])
    steps = rule.steps.select_related("role").prefetch_related("accounts").order_by("no")
    chain = " → ".join(
        f"{step.no}. {format_step(step)}（{step.get_mode_display()}"
        f"{f'，第 {step.band} 档' if step.band else ''}）"
        for step in steps
    )
    rows = (
        ("Name", "规则名称", rule.name),
        ("Place", "适用范围", format_place(rule)),
        ("Conditions", "触发条件", format_conditions(rule, names)),
        ("Bands", "分档", format_bands(rule, names)),
        ("Steps", "审批步骤", chain),
        ("Validity", "有效期", format_days(rule.valid_from, rule.valid_until)),
        (
            "AllowsSelfApproval",
            "申请人审批本人订单",
            "允许" if rule.allows_self_approval else "不允许",
        ),
        (
            "AllowsSamePerson",
            "同一人审批多个步骤",
            "允许" if rule.allows_same_person else "不允许",
        ),
        ("Copies", "抄送", format_copies(rule, names)),
        ("IsActive", "状态", "启用" if rule.is_active else "停用"),
    )
    return [{"field": field, "label": label, "text": text} for field, label, text in rows]


@dataclass(frozen=True, slots=True)
class Difference:
    """A field whose text differs between two versions."""

    field: str
    label: str
    before: str
    after: str


def find_differences(
    *, before: list[dict[str, str]], after: list[dict[str, str]]
) -> list[Difference]:
    """Return the changed fields in the order of the fields."""
    earlier = {row["field"]: row["text"] for row in before}
    return [
        Difference(row["field"], row["label"], earlier.get(row["field"], ""), row["text"])
        for row in after
        if row["text"] != earlier.get(row["field"], "")
    ]


@dataclass(frozen=True, slots=True)
class ConditionDisplay:
    """One condition; `amount` as "500.00", `quantity` a number or per cent, `items` are the rows
    it names.
    """

    kind: str
    amount: str | None
    quantity: int | None
    days: int | None
    items: list[Named]
    text: str


def _build_condition_display(row: dict[str, Any], names: Names) -> ConditionDisplay:
    shape, value = CONDITIONS[row["kind"]].shape, row.get("value")
    amount: str | None = None
    quantity: int | None = None
    days: int | None = None
    if shape == Shape.AMOUNT:
        amount = str(value)
    elif shape == Shape.SUM and value:
        amount, days = str(value["amount"]), int(value["days"])
    elif shape in (Shape.QUANTITY, Shape.PERCENT):
        quantity = int(value or 0)
    return ConditionDisplay(
        kind=row["kind"],
        amount=amount,
        quantity=quantity,
        days=days,
        items=list_condition_targets(row, names),
        text=format_condition(row, names),
    )


@dataclass(frozen=True, slots=True)
class BandDisplay:
    """One band (分档) with the names of its departments and categories."""

    no: int
    above: str
    up_to: str | None
    departments: list[Named]
    categories: list[Named]
    text: str


def _build_band_display(no: int, row: dict[str, Any], names: Names) -> BandDisplay:
    return BandDisplay(
        no=no,
        above=row["above"],
        up_to=row["up_to"],
        departments=list_condition_targets(
            {"kind": ConditionKind.DEPARTMENT, "value": row["departments"]}, names
        ),
        categories=list_condition_targets(
            {"kind": ConditionKind.CATEGORY, "value": row["categories"]}, names
        ),
        text=format_band(row, names),
    )


@dataclass(frozen=True, slots=True)
class StepDisplay:
    """One step with its approvers in words."""

    step: ApprovalRuleStep

    @property
    def text(self) -> str:
        """Return the approvers in words."""
        return format_step(self.step)

    @property
    def accounts(self) -> list[Account]:
        return list(self.step.accounts.all())


@dataclass(frozen=True, slots=True)
class RuleDisplay:
    """One rule as one administrator sees it."""

    rule: ApprovalRule
    names: Names
    can_edit: bool
    origin: str | None
    today: date

    @property
    def status(self) -> RuleStatus:
        """Return the status today."""
        return self.rule.get_status_on(self.today)

    @property
    def status_text(self) -> str:
        return str(self.status.label)

    @property
    def place_text(self) -> str:
        return format_place(self.rule)

    @property
    def place_kind(self) -> str:
        """Return "department", "enterprise" or "group"."""
        if self.rule.department_id is not None:
            return "department"
        return "enterprise" if self.rule.enterprise_id is not None else "group"

    @property
    def origin_text(self) -> str:
        """Return from where the requested department inherits the rule; "" without a
        department.
        """
        if self.origin is None:
            return ""
        return (
            "本部门"
            if self.origin == RuleOrigin.OWN
            else f"继承自{format_place(self.rule).removesuffix('及其下级部门')}"
        )

    @property
    def conditions(self) -> list[ConditionDisplay]:
        return [_build_condition_display(row, self.names) for row in self.rule.conditions]

    @property
    def conditions_text(self) -> str:
        return format_conditions(self.rule, self.names)

    @property
    def bands(self) -> list[BandDisplay]:
        return [
            _build_band_display(number, row, self.names)
            for number, row in enumerate(self.rule.bands, start=1)
        ]

    @property
    def steps(self) -> list[StepDisplay]:
        """Return the steps in order."""
        return [StepDisplay(step) for step in self.rule.steps.all()]

    @property
    def copy_people(self) -> list[Named]:
        return copy_people(self.rule, self.names)

    @property
    def copy_roles(self) -> list[Named]:
        return copy_roles(self.rule, self.names)

    @property
    def validity_text(self) -> str:
        return format_days(self.rule.valid_from, self.rule.valid_until)

    @property
    def in_flight(self) -> int:
        """Return the number of running approvals that the rule started."""
        return getattr(self.rule, "in_flight", None) or 0


def build_rule_displays(
    *, rules: Iterable[ApprovalRule], reach: Reach, inherited: Inheritance | None = None
) -> list[RuleDisplay]:
    """Return the rules as screens show them. `rules` come from `list_whole_rules`.
    Without `inherited` no rule has an origin.
    """
    rows = list(rules)
    names, today = get_rule_names(rows), timezone.localdate()
    return [
        RuleDisplay(
            rule,
            names,
            reach.manages(rule),
            inherited.get_origin(rule) if inherited else None,
            today,
        )
        for rule in rows
    ]


@dataclass(frozen=True, slots=True)
class VersionDisplay:
    """A version and its differences from the version before."""

    version: ApprovalRuleVersion
    changes: list[Difference]
    is_present: bool

    @property
    def can_restore(self) -> bool:
        """Return whether it is an earlier version that has stored data."""
        return not self.is_present and self.version.content is not None


def list_rule_versions(*, rule: ApprovalRule) -> list[VersionDisplay]:
    """Return the versions of the rule, the latest first."""
    rows: list[ApprovalRuleVersion] = list(rule.versions.select_related("actor").order_by("number"))
    earlier: Iterable[ApprovalRuleVersion | None] = [None, *rows]
    displays = [
        VersionDisplay(
            row,
            find_differences(before=before.words, after=row.words) if before else [],
            row.number == rule.version,
        )
        for before, row in zip(earlier, rows, strict=False)
    ]
    return displays[::-1]
