"""Request bodies to write, check and simulate rules, and their conversion to the forms of the
services.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework import serializers

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, StepMode
from apps.approvals.selectors.matching import PAYMENT_TEXT
from apps.approvals.selectors.rule_form import ConditionForm, RuleForm, StepForm
from apps.approvals.selectors.rule_simulate import TrialLine, TrialOrder
from apps.common.api.serializers import (
    BodySerializer,
    DayField,
    MoneyField,
    PartialSerializer,
    QuantityField,
    QuerySerializer,
    SeenAtField,
)
from apps.common.quantity import MAX_QUANTITY

MOST_KEYS = 200
MOST_STEPS = 20


def _key(**kwargs: Any) -> serializers.RegexField:
    return serializers.RegexField(
        r"^[0-9]{1,18}$", error_messages={"invalid": "请重新选择"}, **kwargs
    )


def _number(key: str | None) -> int | None:
    return int(key) if key else None


class ConditionBody(BodySerializer):
    """`Amount` for 订单金额, `Quantity` for 单行数量, `Ids` for the other kinds: products by code,
    payments by kind.
    """

    Kind = serializers.ChoiceField(
        choices=ConditionKind.choices, error_messages={"invalid_choice": "不支持的条件"}
    )
    Amount = MoneyField(required=False, allow_null=True, default=None, min_value=0)
    Quantity = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_QUANTITY
    )
    Ids = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        default=list,
        max_length=MOST_KEYS,
    )


class StepBody(BodySerializer):
    ApproverKind = serializers.ChoiceField(choices=ApproverKind.choices)
    Mode = serializers.ChoiceField(choices=StepMode.choices, default=StepMode.ANY)
    AccountIds = serializers.ListField(child=_key(), required=False, default=list, max_length=50)
    RoleId = _key(required=False, allow_null=True, default=None)
    LevelsUp = serializers.IntegerField(required=False, default=0, min_value=0, max_value=20)


class RuleBody(BodySerializer):
    """A whole rule. `Anyway`: save although the check reports `stop` problems."""

    Name = serializers.CharField(
        max_length=80, error_messages={"required": "请填写规则名称", "blank": "请填写规则名称"}
    )
    EnterpriseId = _key(required=False, allow_null=True, default=None)
    DepartmentId = _key(required=False, allow_null=True, default=None)
    ConditionMode = serializers.ChoiceField(
        choices=ConditionMode.choices, default=ConditionMode.ALL
    )
    Conditions = serializers.ListField(
        child=ConditionBody(), default=list, max_length=len(ConditionKind.values)
    )
    Steps = serializers.ListField(
        child=StepBody(),
        min_length=1,
        max_length=MOST_STEPS,
        error_messages={
            "min_length": "请至少添加一个审批步骤",
            "required": "请至少添加一个审批步骤",
        },
    )
    AllowsSelfApproval = serializers.BooleanField(required=False, default=False)
    ValidFrom = DayField(required=False, allow_null=True, default=None)
    ValidUntil = DayField(required=False, allow_null=True, default=None)
    Anyway = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def form(body: dict[str, Any]) -> RuleForm:
        """Return the form of the service."""
        return RuleForm(**{field: read(body[key]) for key, (field, read) in FORM_FIELDS.items()})


def _conditions(rows: list[dict[str, Any]]) -> tuple[ConditionForm, ...]:
    return tuple(
        ConditionForm(row["Kind"], row["Amount"], row["Quantity"], tuple(row["Ids"]))
        for row in rows
    )


def _steps(rows: list[dict[str, Any]]) -> tuple[StepForm, ...]:
    return tuple(
        StepForm(
            approver_kind=row["ApproverKind"],
            mode=row["Mode"],
            account_ids=tuple(int(pk) for pk in row["AccountIds"]),
            role_id=_number(row["RoleId"]),
            levels_up=row["LevelsUp"],
        )
        for row in rows
    )


def _same(value: Any) -> Any:
    return value


# {JSON key: (field of RuleForm, function that reads the value)}
FORM_FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "Name": ("name", _same),
    "EnterpriseId": ("enterprise_id", _number),
    "DepartmentId": ("department_id", _number),
    "ConditionMode": ("condition_mode", _same),
    "Conditions": ("conditions", _conditions),
    "Steps": ("steps", _steps),
    "AllowsSelfApproval": ("allows_self_approval", _same),
    "ValidFrom": ("valid_from", _same),
    "ValidUntil": ("valid_until", _same),
}


class RuleChangeBody(PartialSerializer, RuleBody):
    """The changed fields, and the `UpdatedAt` of the rule as the editor saw it; without it
    there is no check.
    """

    UpdatedAt = SeenAtField()

    @staticmethod
    def changes(body: dict[str, Any]) -> dict[str, Any]:
        """Return the form fields that the body contains.

        An enterprise without a department replaces both, because a department belongs to one
        enterprise.
        """
        found = {
            field: read(body[key]) for key, (field, read) in FORM_FIELDS.items() if key in body
        }
        if "EnterpriseId" in body:
            found.setdefault("department_id", None)
        return found


class RuleRestoreBody(BodySerializer):
    """The `UpdatedAt` of the rule as the caller saw it. `Anyway`: restore although the check
    reports `stop` problems.
    """

    UpdatedAt = SeenAtField(error_messages={"required": "请刷新页面后重试"})
    Number = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, error_messages={"required": "请选择要恢复的版本"}
    )
    Anyway = serializers.BooleanField(required=False, default=False)


class RuleSwitchBody(BodySerializer):
    """The `UpdatedAt` of the rule as the caller saw it; without it there is no check."""

    UpdatedAt = SeenAtField(required=False)


class RuleSeenQuery(QuerySerializer):
    """`UpdatedAt` as a query parameter, for requests without a body."""

    UpdatedAt = SeenAtField(required=False)


class RuleEnableBody(RuleSwitchBody):
    """`Anyway`: switch on although the check reports `stop` problems."""

    Anyway = serializers.BooleanField(required=False, default=False)


class RuleCheckBody(RuleBody):
    Id = _key(required=False, allow_null=True, default=None)


class SortBody(BodySerializer):
    Ids = serializers.ListField(child=_key(), min_length=1, max_length=1000)


class LineBody(BodySerializer):
    """A product by its code, or any product of a category."""

    ProductCode = _key(required=False, allow_null=True, default=None)
    CategoryId = _key(required=False, allow_null=True, default=None)
    Quantity = QuantityField()


class SimulateBody(BodySerializer):
    AccountId = _key()
    Amount = MoneyField(min_value=0)
    DepartmentId = _key(required=False, allow_null=True, default=None)
    CategoryIds = serializers.ListField(child=_key(), required=False, default=list, max_length=50)
    Lines = serializers.ListField(child=LineBody(), required=False, default=list, max_length=100)
    PaymentKind = serializers.ChoiceField(
        choices=list(PAYMENT_TEXT.items()), required=False, default="credit"
    )
    OverBudget = serializers.BooleanField(required=False, default=False)
    BudgetNeedsApproval = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def trial(body: dict[str, Any]) -> TrialOrder:
        """Return the order to simulate."""
        lines = [
            TrialLine(row["Quantity"], row["ProductCode"] or "", _number(row["CategoryId"]))
            for row in body["Lines"]
        ]
        return TrialOrder(
            account_id=int(body["AccountId"]),
            amount=body["Amount"],
            department_id=_number(body["DepartmentId"]),
            payment_kind=body["PaymentKind"],
            is_over_budget=body["OverBudget"],
            budget_needs_approval=body["BudgetNeedsApproval"],
            lines=(*lines, *(TrialLine(1, "", int(pk)) for pk in body["CategoryIds"])),
        )
