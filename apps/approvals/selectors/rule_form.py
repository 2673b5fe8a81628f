"""A rule as an administrator fills it in: the form, its validation, and the stored content of a
version.

Everything a rule names must be in the administrator's group and reach, or be named by the stored
rule already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from apps.approvals import texts
from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, StepMode
from apps.approvals.errors import (
    BandInvalid,
    ConditionInvalid,
    CopyAccountUnavailable,
    CopyRoleUnavailable,
    PlaceOutOfReach,
    PlaceUnavailable,
    RuleDaysSwapped,
    RuleNameMissing,
    RuleWithoutStep,
    StepApproverUnavailable,
    StepBandUnknown,
    StepInvalid,
)
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.bands import get_band_range
from apps.approvals.selectors.conditions import CONDITIONS, PAYMENT_TEXT, Shape
from apps.approvals.selectors.rules import MENU, Reach, get_rule_reach
from apps.catalog.models import Category, Product
from apps.common.money import ZERO
from apps.org.models import Account, Department, Enterprise, Role
from apps.org.selectors.accounts import list_visible_accounts
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One step of a rule: its approvers, and whether one or all of them must approve."""

    approver_kind: str
    mode: str = StepMode.ANY
    accounts: tuple[Account, ...] = field(default_factory=tuple)
    role: Role | None = None
    levels_up: int = 0
    band: int | None = None


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """A rule without its steps; `conditions` and `bands` as in ApprovalRule."""

    name: str
    conditions: list[dict[str, Any]] = field(default_factory=list)
    condition_mode: str = ConditionMode.ALL
    enterprise: Enterprise | None = None
    department: Department | None = None
    bands: list[dict[str, Any]] = field(default_factory=list)
    allows_self_approval: bool = False
    allows_same_person: bool = False
    copy_accounts: list[int] = field(default_factory=list)
    copy_roles: list[int] = field(default_factory=list)
    position: int = 0
    is_active: bool = True
    valid_from: date | None = None
    valid_until: date | None = None


def find_step_problem(*, spec: StepSpec, group_id: int) -> str:
    """Return the problem of a step in words, or ""."""
    if spec.approver_kind == ApproverKind.ACCOUNTS and not spec.accounts:
        return texts.APPROVERS_MISSING
    if spec.approver_kind == ApproverKind.ROLE and spec.role is None:
        return texts.ROLE_MISSING
    if spec.approver_kind == ApproverKind.HEAD_UP and spec.levels_up < 1:
        return texts.LEVELS_MISSING
    if any(account.group_id != group_id for account in spec.accounts):
        return texts.APPROVERS_OF_OTHER_GROUP
    if spec.role is not None and spec.role.group_id != group_id:
        return texts.ROLE_OF_OTHER_GROUP
    return ""


def find_rule_problem(*, spec: RuleSpec, group_id: int) -> tuple[str, str]:
    """Return (name of an invalid field, problem in words), or ("", "")."""
    if spec.valid_from and spec.valid_until and spec.valid_until < spec.valid_from:
        return "valid_until", texts.DAYS_REVERSED
    kinds = [row.get("kind") for row in spec.conditions]
    if any(kind not in ConditionKind.values for kind in kinds) or len(kinds) != len(set(kinds)):
        return "conditions", texts.CONDITION_TWICE
    if spec.enterprise is not None and spec.enterprise.group_id != group_id:
        return "enterprise", texts.ENTERPRISE_OF_OTHER_GROUP
    if spec.department is not None and spec.department.group_id != group_id:
        return "department", texts.DEPARTMENT_OF_OTHER_GROUP
    if (
        spec.department is not None
        and spec.enterprise is not None
        and spec.department.enterprise_id != spec.enterprise.pk
    ):
        return "department", texts.DEPARTMENT_OF_OTHER_ENTERPRISE
    return "", ""


@dataclass(frozen=True, slots=True)
class ConditionForm:
    """One condition of the form. `keys` are ids; for products their codes, for payments their
    kinds.
    """

    kind: str
    amount: Decimal | None = None
    quantity: int | None = None
    keys: tuple[str, ...] = ()
    days: int | None = None


@dataclass(frozen=True, slots=True)
class StepForm:
    """One step of the form. `band` is the number of a band, from 1; None: all bands."""

    approver_kind: str
    mode: str = StepMode.ANY
    account_ids: tuple[int, ...] = ()
    role_id: int | None = None
    levels_up: int = 0
    band: int | None = None


@dataclass(frozen=True, slots=True)
class BandForm:
    """One band (分档) of the form: amounts in 元 above the first and up to the second, and the
    departments and categories to which it is limited.
    """

    above: Decimal = ZERO
    up_to: Decimal | None = None
    department_keys: tuple[str, ...] = ()
    category_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleForm:
    """The form of a rule."""

    name: str
    enterprise_id: int | None = None
    department_id: int | None = None
    condition_mode: str = ConditionMode.ALL
    conditions: tuple[ConditionForm, ...] = ()
    steps: tuple[StepForm, ...] = field(default_factory=tuple)
    bands: tuple[BandForm, ...] = ()
    allows_self_approval: bool = False
    allows_same_person: bool = False
    copy_account_ids: tuple[int, ...] = ()
    copy_role_ids: tuple[int, ...] = ()
    valid_from: date | None = None
    valid_until: date | None = None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one form for one administrator. `present` is the stored rule that the form changes."""

    actor: Account
    reach: Reach
    present: ApprovalRule | None

    def list_existing_ids(self, kind: str) -> set[int]:
        """Return the ids that the stored rule names in this kind of condition. They stay valid
        outside the actor's reach.
        """
        rows = self.present.conditions if self.present else []
        bands = self.present.bands if self.present and kind == ConditionKind.DEPARTMENT else []
        ids = {int(pk) for row in rows if row["kind"] == kind for pk in row.get("value") or ()}
        return ids | {pk for row in bands for pk in row["departments"]}

    def read_place(self, form: RuleForm) -> tuple[Enterprise | None, Department | None]:
        """Return (enterprise, department) of the rule. A department implies its enterprise.

        Raises:
            PlaceUnavailable: the department or the enterprise does not exist.
            PlaceOutOfReach: the actor may not write rules there.
        """
        department = (
            Department.objects.filter(pk=form.department_id, is_active=True).first()
            if form.department_id
            else None
        )
        enterprise_id = department.enterprise_id if department else form.enterprise_id
        enterprise = (
            Enterprise.objects.filter(pk=enterprise_id, is_active=True).first()
            if enterprise_id
            else None
        )
        if (form.department_id and department is None) or (
            form.enterprise_id and enterprise is None
        ):
            raise PlaceUnavailable
        if not self.reach.may_manage(
            enterprise_id=enterprise_id,
            department_id=form.department_id,
            department_enterprise_id=enterprise_id,
        ):
            raise PlaceOutOfReach
        return enterprise, department

    def read_people(self, ids: set[int], existing_ids: set[int]) -> dict[int, Account]:
        """Return {id: account} of the accounts in the actor's reach or in `existing_ids`."""
        visible_accounts = list_visible_accounts(actor=self.actor, menu=MENU).filter(pk__in=ids)
        account_by_id = {account.pk: account for account in visible_accounts}
        invisible_ids = (ids - set(account_by_id)) & existing_ids
        return account_by_id | (
            {account.pk: account for account in Account.objects.filter(pk__in=invisible_ids)}
            if invisible_ids
            else {}
        )

    def read_products(self, keys: tuple[str, ...]) -> list[int]:
        """Return the pks of the products with these codes.

        Raises:
            _ConditionError: the actor cannot see one of them, and the stored rule does not name it.
        """
        offers = get_offers_by_code(context=get_catalogue_context(actor=self.actor), codes=keys)
        visible = {code: offer.product.pk for code, offer in offers.items() if offer.visible}
        existing = dict(
            Product.objects.filter(
                pk__in=self.list_existing_ids(ConditionKind.PRODUCT), code__in=keys
            ).values_list("code", "pk")
        )
        return _lookup_all(keys, existing | visible, texts.PRODUCT_UNKNOWN)

    def read_categories(self, keys: tuple[str, ...]) -> list[int]:
        """Return the pks of the categories.

        Raises:
            _ConditionError: one does not exist.
        """
        return _lookup_all(
            keys,
            {
                str(pk): pk
                for pk in Category.objects.filter(pk__in=_parse_numbers(keys)).values_list(
                    "pk", flat=True
                )
            },
            texts.CATEGORY_UNKNOWN,
        )

    def read_departments(self, keys: tuple[str, ...]) -> list[int]:
        """Return the pks of the departments.

        Raises:
            _ConditionError: one is out of the actor's reach, and the stored rule does not name it.
        """
        ids = _parse_numbers(keys)
        visible_ids = set(
            self.reach.get_departments().filter(pk__in=ids).values_list("pk", flat=True)
        )
        return _lookup_all(
            keys,
            {
                str(pk): pk
                for pk in visible_ids | (self.list_existing_ids(ConditionKind.DEPARTMENT) & ids)
            },
            texts.DEPARTMENT_UNKNOWN,
        )

    def read_requesters(self, keys: tuple[str, ...]) -> list[int]:
        """Return the pks of the accounts.

        Raises:
            _ConditionError: one is out of the actor's reach, and the stored rule does not name it.
        """
        account_by_id = self.read_people(
            _parse_numbers(keys), self.list_existing_ids(ConditionKind.REQUESTER)
        )
        return _lookup_all(keys, {str(pk): pk for pk in account_by_id}, texts.ACCOUNT_UNKNOWN)

    def read_payments(self, keys: tuple[str, ...]) -> list[str]:
        if any(key not in PAYMENT_TEXT for key in keys):
            raise _ConditionError(texts.PAYMENT_KIND_INVALID)
        return list(keys)

    def read_condition(self, form: ConditionForm) -> dict[str, Any]:
        """Return the condition in the format of ApprovalRule.conditions."""
        match CONDITIONS[form.kind].shape:
            case Shape.NONE:
                return {"kind": form.kind, "value": None}
            case Shape.AMOUNT:
                return {"kind": form.kind, "value": f"{_require(form.amount, '请填写金额'):.2f}"}
            case Shape.QUANTITY:
                return {"kind": form.kind, "value": _at_least_one(form.quantity)}
            case Shape.PERCENT:
                return {"kind": form.kind, "value": _check_percent(form.quantity)}
            case Shape.SUM:
                return {"kind": form.kind, "value": _read_sum_value(form)}
        readers: dict[str, Callable[[tuple[str, ...]], list[Any]]] = {
            ConditionKind.CATEGORY: self.read_categories,
            ConditionKind.PRODUCT: self.read_products,
            ConditionKind.DEPARTMENT: self.read_departments,
            ConditionKind.REQUESTER: self.read_requesters,
            ConditionKind.PAYMENT: self.read_payments,
        }
        keys = tuple(dict.fromkeys(form.keys))
        return {
            "kind": form.kind,
            "value": readers[form.kind](_require(keys, texts.NOTHING_CHOSEN)),
        }

    def read_conditions(self, form: RuleForm) -> list[dict[str, Any]]:
        """Return the conditions of the form in their stored shape, {"kind": …, "value": …}.

        Raises:
            ConditionInvalid: a value is missing or wrong.
        """
        conditions = []
        for row in form.conditions:
            try:
                conditions.append(self.read_condition(row))
            except _ConditionError as wrong:
                condition = ConditionKind(row.kind).label
                raise ConditionInvalid(condition=condition, problem=str(wrong)) from None
        return conditions

    def read_bands(self, form: RuleForm) -> list[dict[str, Any]]:
        """Return the bands in the format of ApprovalRule.bands.

        Raises:
            BandInvalid: amounts, departments or categories of a band are wrong.
        """
        bands = []
        for number, row in enumerate(form.bands, start=1):
            try:
                if row.up_to is not None and row.up_to <= row.above:
                    raise _ConditionError(texts.BAND_LIMITS_REVERSED)
                departments = (
                    self.read_departments(row.department_keys) if row.department_keys else []
                )
                categories = self.read_categories(row.category_keys) if row.category_keys else []
            except _ConditionError as wrong:
                raise BandInvalid(number=number, problem=str(wrong)) from None
            bands.append(_build_band_row(row, departments=departments, categories=categories))
        return bands

    def read_steps(self, form: RuleForm) -> list[StepSpec]:
        """Return the steps of the form with their accounts and roles.

        Raises:
            StepApproverUnavailable, StepBandUnknown, StepInvalid: a step is wrong. The error has
                its number.
        """
        account_ids = {
            pk
            for step in form.steps
            for pk in step.account_ids
            if step.approver_kind == ApproverKind.ACCOUNTS
        }
        existing = (
            {account.pk for step in self.present.steps.all() for account in step.accounts.all()}
            if self.present
            else set()
        )
        people = self.read_people(account_ids, existing) if account_ids else {}
        roles = {
            role.pk: role
            for role in Role.objects.filter(
                pk__in={step.role_id for step in form.steps if step.role_id}
            )
        }
        specs: list[StepSpec] = []
        for number, step in enumerate(form.steps, start=1):
            account_ids_of_step = (
                step.account_ids if step.approver_kind == ApproverKind.ACCOUNTS else ()
            )
            if any(pk not in people for pk in account_ids_of_step):
                raise StepApproverUnavailable(number)
            role = roles.get(step.role_id or 0) if step.approver_kind == ApproverKind.ROLE else None
            levels_up = step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
            spec = StepSpec(
                step.approver_kind,
                step.mode,
                tuple(people[pk] for pk in dict.fromkeys(account_ids_of_step)),
                role,
                levels_up,
                step.band,
            )
            if step.band is not None and step.band > len(form.bands):
                raise StepBandUnknown(number)
            text = find_step_problem(spec=spec, group_id=self.actor.group_id or 0)
            if text:
                raise StepInvalid(number=number, problem=text)
            specs.append(spec)
        return specs

    def read_copies(self, form: RuleForm) -> tuple[list[int], list[int]]:
        """Return (pks of the accounts, pks of the roles) that get a copy (抄送).

        Raises:
            CopyAccountUnavailable, CopyRoleUnavailable: one does not exist, or is out of the
                actor's reach.
        """
        accounts = list(dict.fromkeys(form.copy_account_ids))
        roles = list(dict.fromkeys(form.copy_role_ids))
        existing = set(self.present.copy_accounts) if self.present else set()
        people = self.read_people(set(accounts), existing) if accounts else {}
        if any(pk not in people for pk in accounts):
            raise CopyAccountUnavailable
        if roles and Role.objects.filter(pk__in=roles).count() != len(roles):
            raise CopyRoleUnavailable
        return accounts, roles


T = TypeVar("T")


class _ConditionError(Exception):
    """The message about one invalid condition."""


def _require(value: T | None, text: str) -> T:
    if value is None or value == ():
        raise _ConditionError(text)
    return value


MAX_DAYS = 366
MAX_PERCENT = 1000


def _at_least_one(quantity: int | None) -> int:
    if _require(quantity, texts.QUANTITY_MISSING) < 1:
        raise _ConditionError(texts.QUANTITY_TOO_SMALL)
    return quantity or 1


def _check_percent(quantity: int | None) -> int:
    percent = _require(quantity, texts.PERCENT_MISSING)
    if not 0 <= percent <= MAX_PERCENT:
        raise _ConditionError(texts.percent_out_of_range(MAX_PERCENT))
    return percent


def _read_sum_value(form: ConditionForm) -> dict[str, Any]:
    """Return {"days": …, "amount": 元 as text}, the stored value of a condition on past sums.

    Raises:
        _ConditionError: days or amount are missing or wrong.
    """
    days = _require(form.days, texts.DAYS_MISSING)
    if not 1 <= days <= MAX_DAYS:
        raise _ConditionError(texts.days_out_of_range(MAX_DAYS))
    return {"days": days, "amount": f"{_require(form.amount, '请填写金额'):.2f}"}


def _parse_numbers(keys: tuple[str, ...]) -> set[int]:
    return {int(key) for key in keys if key.isascii() and key.isdecimal() and len(key) < 19}


def _lookup_all(keys: tuple[str, ...], id_by_key: dict[str, int], text: str) -> list[int]:
    if any(key not in id_by_key for key in keys):
        raise _ConditionError(text)
    return [id_by_key[key] for key in keys]


def read_rule_form(
    *, actor: Account, form: RuleForm, present: ApprovalRule | None = None
) -> tuple[RuleSpec, list[StepSpec]]:
    """Validate the form and return (rule, its steps). Position and switch are those of the stored
    rule.

    Raises:
        ValidationFailed: something named is missing, invalid, or outside the actor's reach.
    """
    reader = _Reader(actor, get_rule_reach(actor=actor), present)
    enterprise, department = reader.read_place(form)
    if not form.name.strip():
        raise RuleNameMissing
    if form.valid_from and form.valid_until and form.valid_until < form.valid_from:
        raise RuleDaysSwapped
    if not form.steps:
        raise RuleWithoutStep
    copy_accounts, copy_roles = reader.read_copies(form)
    spec = RuleSpec(
        name=form.name.strip(),
        conditions=reader.read_conditions(form),
        bands=reader.read_bands(form),
        condition_mode=form.condition_mode,
        enterprise=enterprise,
        department=department,
        allows_self_approval=form.allows_self_approval,
        allows_same_person=form.allows_same_person,
        copy_accounts=copy_accounts,
        copy_roles=copy_roles,
        position=present.position if present else 0,
        is_active=present.is_active if present else True,
        valid_from=form.valid_from,
        valid_until=form.valid_until,
    )
    return spec, reader.read_steps(form)


def serialize_rule(rule: ApprovalRule) -> dict[str, Any]:
    """Return the data that a version stores. People and places are ids. Switch and position are
    not included.
    """
    steps = rule.steps.prefetch_related("accounts").order_by("no")
    return {
        "name": rule.name,
        "enterprise": rule.enterprise_id,
        "department": rule.department_id,
        "condition_mode": rule.condition_mode,
        "conditions": rule.conditions,
        "steps": [
            {
                "approver_kind": step.approver_kind,
                "mode": step.mode,
                "accounts": [account.pk for account in step.accounts.all()],
                "role": step.role_id,
                "levels_up": step.levels_up,
                "band": step.band,
            }
            for step in steps
        ],
        "bands": rule.bands,
        "allows_self_approval": rule.allows_self_approval,
        "allows_same_person": rule.allows_same_person,
        "copy_accounts": rule.copy_accounts,
        "copy_roles": rule.copy_roles,
        "valid_from": rule.valid_from.isoformat() if rule.valid_from else None,
        "valid_until": rule.valid_until.isoformat() if rule.valid_until else None,
    }


def serialize_form(form: RuleForm) -> dict[str, Any]:
    """Return a form as data, to read it again with `build_draft_form`. The days of validity are
    left out: a replay judges all days.
    """
    return {
        "name": form.name,
        "enterprise": form.enterprise_id,
        "department": form.department_id,
        "condition_mode": form.condition_mode,
        "conditions": [
            {
                "kind": row.kind,
                "amount": None if row.amount is None else f"{row.amount:.2f}",
                "quantity": row.quantity,
                "keys": list(row.keys),
                "days": row.days,
            }
            for row in form.conditions
        ],
        "steps": [
            {
                "approver_kind": step.approver_kind,
                "mode": step.mode,
                "accounts": list(step.account_ids),
                "role": step.role_id,
                "levels_up": step.levels_up,
                "band": step.band,
            }
            for step in form.steps
        ],
        "bands": [
            _build_band_row(
                row, departments=[*row.department_keys], categories=[*row.category_keys]
            )
            for row in form.bands
        ],
        "allows_self_approval": form.allows_self_approval,
    }


def build_draft_form(content: dict[str, Any]) -> RuleForm:
    """Return the form that `serialize_form` stored."""
    return RuleForm(
        name=content["name"],
        enterprise_id=content["enterprise"],
        department_id=content["department"],
        condition_mode=content["condition_mode"],
        conditions=tuple(
            ConditionForm(
                row["kind"],
                None if row["amount"] is None else Decimal(row["amount"]),
                row["quantity"],
                tuple(row["keys"]),
                row["days"],
            )
            for row in content["conditions"]
        ),
        steps=tuple(_build_step_form(row) for row in content["steps"]),
        # A content that was stored before rules had bands has none.
        bands=tuple(_build_band_form(row) for row in content.get("bands", ())),
        allows_self_approval=content["allows_self_approval"],
    )


def build_rule_form(content: dict[str, Any]) -> RuleForm:
    """Return the form for the stored content of a version."""
    codes = _get_product_codes(content["conditions"])
    return RuleForm(
        name=content["name"],
        enterprise_id=content["enterprise"],
        department_id=content["department"],
        condition_mode=content["condition_mode"],
        conditions=tuple(_build_condition_form(row, codes) for row in content["conditions"]),
        steps=tuple(_build_step_form(row) for row in content["steps"]),
        # A content that was stored before rules had bands has none.
        bands=tuple(_build_band_form(row) for row in content.get("bands", ())),
        allows_self_approval=content["allows_self_approval"],
        # Older versions have no copies.
        allows_same_person=content.get("allows_same_person", False),
        copy_account_ids=tuple(content.get("copy_accounts", ())),
        copy_role_ids=tuple(content.get("copy_roles", ())),
        valid_from=_parse_day(content["valid_from"]),
        valid_until=_parse_day(content["valid_until"]),
    )


def _get_product_codes(conditions: list[dict[str, Any]]) -> dict[int, str]:
    """Return {product pk: code} of the products that the conditions name."""
    code_fields = [
        pk for row in conditions if row["kind"] == ConditionKind.PRODUCT for pk in row["value"]
    ]
    return (
        dict(Product.objects.filter(pk__in=code_fields).values_list("pk", "code"))
        if code_fields
        else {}
    )


def _build_condition_form(row: dict[str, Any], codes: dict[int, str]) -> ConditionForm:
    """Return a stored condition as the form shows it. `codes`: product code by pk."""
    kind, value = row["kind"], row.get("value")
    match CONDITIONS[kind].shape:
        case Shape.AMOUNT:
            return ConditionForm(kind, amount=Decimal(str(value)))
        case Shape.QUANTITY | Shape.PERCENT:
            return ConditionForm(kind, quantity=int(value or 0))
        case Shape.SUM if value:
            return ConditionForm(
                kind, amount=Decimal(str(value["amount"])), days=int(value["days"])
            )
    # A deleted product keeps its id as key. No product has such a code, so the form is
    # refused.
    return ConditionForm(
        kind,
        keys=tuple(
            codes.get(key, str(key)) if kind == ConditionKind.PRODUCT else str(key)
            for key in value or ()
        ),
    )


def _build_step_form(row: dict[str, Any]) -> StepForm:
    return StepForm(
        row["approver_kind"],
        row["mode"],
        tuple(row["accounts"]),
        row["role"],
        row["levels_up"],
        row.get("band"),
    )


def _build_band_row(
    band: BandForm, *, departments: list[Any], categories: list[Any]
) -> dict[str, Any]:
    """Return a band of the form in the format of ApprovalRule.bands."""
    return {
        "above": f"{band.above:.2f}",
        "up_to": None if band.up_to is None else f"{band.up_to:.2f}",
        "departments": departments,
        "categories": categories,
    }


def _build_band_form(row: dict[str, Any]) -> BandForm:
    """Return a stored amount band as the form shows it."""
    above, up_to = get_band_range(row)
    return BandForm(
        above,
        up_to,
        tuple(str(pk) for pk in row["departments"]),
        tuple(str(pk) for pk in row["categories"]),
    )


def _parse_day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
