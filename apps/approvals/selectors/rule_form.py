"""What an administrator has filled in, read into a rule: everything it names is of his group and within his reach, or was there before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, StepMode
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.matching import PAYMENT_TEXT
from apps.approvals.selectors.rule_spec import RuleSpec, StepSpec, step_problem
from apps.approvals.selectors.rules import MENU, Reach, reach_of
from apps.catalog.models import Category, Product
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.offers import offers_by_code
from apps.common.errors import ValidationFailed
from apps.org.models import Account, Department, Enterprise, Role
from apps.org.selectors.accounts import accounts_visible


@dataclass(frozen=True, slots=True)
class ConditionForm:
    """One condition as filled in; `keys` are ids, of products their codes, of payments their kinds."""

    kind: str
    amount: Decimal | None = None
    quantity: int | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepForm:
    """One step as filled in."""

    approver_kind: str
    mode: str = StepMode.ANY
    account_ids: tuple[int, ...] = ()
    role_id: int | None = None
    levels_up: int = 0


@dataclass(frozen=True, slots=True)
class RuleForm:
    """A rule as filled in."""

    name: str
    enterprise_id: int | None = None
    department_id: int | None = None
    condition_mode: str = ConditionMode.ALL
    conditions: tuple[ConditionForm, ...] = ()
    steps: tuple[StepForm, ...] = field(default_factory=tuple)
    allows_self_approval: bool = False
    valid_from: date | None = None
    valid_until: date | None = None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one form for one administrator; `present` is the rule that it changes."""

    actor: Account
    reach: Reach
    present: ApprovalRule | None

    def kept(self, kind: str) -> set[int]:
        """The ids that the rule names already: they may stay, whoever looks at it."""
        rows = self.present.conditions if self.present else []
        return {int(pk) for row in rows if row["kind"] == kind for pk in row.get("value") or ()}

    def place(self, form: RuleForm) -> tuple[Enterprise | None, Department | None]:
        """Return to whom the rule applies; a department's rule is its enterprise's too."""
        department = Department.objects.filter(pk=form.department_id, is_active=True).first() if form.department_id else None
        enterprise_id = department.enterprise_id if department else form.enterprise_id
        enterprise = Enterprise.objects.filter(pk=enterprise_id, is_active=True).first() if enterprise_id else None
        if (form.department_id and department is None) or (form.enterprise_id and enterprise is None):
            raise ValidationFailed({"Place": ["所选的企业或部门不存在或已停用，请重新选择"]})
        if not self.reach.may_manage(enterprise_id=enterprise_id, department_id=form.department_id, department_enterprise_id=enterprise_id):
            raise ValidationFailed({"Place": ["只能为您管理范围内的企业或部门设置规则，请重新选择适用范围"]})
        return enterprise, department

    def people(self, ids: set[int], kept: set[int]) -> dict[int, Account]:
        """Return the accounts by id: within his reach, or named before."""
        seen = accounts_visible(actor=self.actor, menu=MENU).filter(pk__in=ids)
        found = {account.pk: account for account in seen}
        missing = (ids - set(found)) & kept
        return found | ({account.pk: account for account in Account.objects.filter(pk__in=missing)} if missing else {})

    def products(self, keys: tuple[str, ...]) -> list[int]:
        offers = offers_by_code(context=catalogue_context(actor=self.actor), codes=keys)
        visible = {code: offer.product.pk for code, offer in offers.items() if offer.visible}
        kept = dict(Product.objects.filter(pk__in=self.kept(ConditionKind.PRODUCT), code__in=keys).values_list("code", "pk"))
        return _all_of(keys, kept | visible, "商品不存在，或不在您的采购目录内")

    def categories(self, keys: tuple[str, ...]) -> list[int]:
        return _all_of(
            keys, {str(pk): pk for pk in Category.objects.filter(pk__in=_numbers(keys)).values_list("pk", flat=True)}, "类目不存在"
        )

    def departments(self, keys: tuple[str, ...]) -> list[int]:
        ids = _numbers(keys)
        seen = set(self.reach.departments().filter(pk__in=ids).values_list("pk", flat=True))
        return _all_of(keys, {str(pk): pk for pk in seen | (self.kept(ConditionKind.DEPARTMENT) & ids)}, "部门不存在，或不在您的管理范围内")

    def requesters(self, keys: tuple[str, ...]) -> list[int]:
        found = self.people(_numbers(keys), self.kept(ConditionKind.REQUESTER))
        return _all_of(keys, {str(pk): pk for pk in found}, "账号不存在，或不在您的管理范围内")

    def payments(self, keys: tuple[str, ...]) -> list[str]:
        if any(key not in PAYMENT_TEXT for key in keys):
            raise _Wrong("付款方式不正确")
        return list(keys)

    def condition(self, form: ConditionForm) -> dict[str, Any]:
        """Return the condition as ApprovalRule stores it."""
        if form.kind == ConditionKind.OVER_BUDGET:
            return {"kind": form.kind, "value": None}
        if form.kind == ConditionKind.AMOUNT:
            return {"kind": form.kind, "value": f"{_given(form.amount, '请填写金额'):.2f}"}
        if form.kind == ConditionKind.LINE_QUANTITY:
            return {"kind": form.kind, "value": _given(form.quantity, "请填写数量")}
        readers: dict[str, Callable[[tuple[str, ...]], list[Any]]] = {
            ConditionKind.CATEGORY: self.categories,
            ConditionKind.PRODUCT: self.products,
            ConditionKind.DEPARTMENT: self.departments,
            ConditionKind.REQUESTER: self.requesters,
            ConditionKind.PAYMENT: self.payments,
        }
        keys = tuple(dict.fromkeys(form.keys))
        return {"kind": form.kind, "value": readers[form.kind](_given(keys, "请至少选择一项"))}

    def conditions(self, form: RuleForm) -> list[dict[str, Any]]:
        found = []
        for row in form.conditions:
            try:
                found.append(self.condition(row))
            except _Wrong as wrong:
                raise ValidationFailed({"Conditions": [f"「{ConditionKind(row.kind).label}」：{wrong}"]}) from None
        return found

    def steps(self, form: RuleForm) -> list[StepSpec]:
        asked = {pk for step in form.steps for pk in step.account_ids if step.approver_kind == ApproverKind.ACCOUNTS}
        kept = {account.pk for step in self.present.steps.all() for account in step.accounts.all()} if self.present else set()
        people = self.people(asked, kept) if asked else {}
        roles = {role.pk: role for role in Role.objects.filter(pk__in={step.role_id for step in form.steps if step.role_id})}
        specs: list[StepSpec] = []
        for number, step in enumerate(form.steps, start=1):
            named = step.account_ids if step.approver_kind == ApproverKind.ACCOUNTS else ()
            if any(pk not in people for pk in named):
                raise ValidationFailed({"Steps": [f"第 {number} 步：审批人不存在，或不在您的管理范围内"]})
            role = roles.get(step.role_id or 0) if step.approver_kind == ApproverKind.ROLE else None
            levels_up = step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
            spec = StepSpec(step.approver_kind, step.mode, tuple(people[pk] for pk in dict.fromkeys(named)), role, levels_up)
            text = step_problem(spec=spec, group_id=self.actor.group_id or 0)
            if text:
                raise ValidationFailed({"Steps": [f"第 {number} 步：{text}"]})
            specs.append(spec)
        return specs


T = TypeVar("T")


class _Wrong(Exception):
    """What is wrong with one condition."""


def _given(value: T | None, text: str) -> T:
    if value is None or value == ():
        raise _Wrong(text)
    return value


def _numbers(keys: tuple[str, ...]) -> set[int]:
    return {int(key) for key in keys if key.isascii() and key.isdecimal() and len(key) < 19}


def _all_of(keys: tuple[str, ...], found: dict[str, int], text: str) -> list[int]:
    if any(key not in found for key in keys):
        raise _Wrong(text)
    return [found[key] for key in keys]


def rule_read(*, actor: Account, form: RuleForm, present: ApprovalRule | None = None) -> tuple[RuleSpec, list[StepSpec]]:
    """Return the rule that the form says, with its steps; place and switch of a present one stay as they are.

    Raises:
        ValidationFailed: something it names is missing, of no meaning, or outside the actor's reach.
    """
    reader = _Reader(actor, reach_of(actor=actor), present)
    enterprise, department = reader.place(form)
    if not form.name.strip():
        raise ValidationFailed({"Name": ["请填写规则名称"]})
    if form.valid_from and form.valid_until and form.valid_until < form.valid_from:
        raise ValidationFailed({"ValidUntil": ["失效日不能早于生效日"]})
    if not form.steps:
        raise ValidationFailed({"Steps": ["请至少添加一个审批步骤"]})
    spec = RuleSpec(
        name=form.name.strip(),
        conditions=reader.conditions(form),
        condition_mode=form.condition_mode,
        enterprise=enterprise,
        department=department,
        allows_self_approval=form.allows_self_approval,
        position=present.position if present else 0,
        is_active=present.is_active if present else True,
        valid_from=form.valid_from,
        valid_until=form.valid_until,
    )
    return spec, reader.steps(form)
