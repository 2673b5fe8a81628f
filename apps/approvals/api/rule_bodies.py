"""What is sent to write, check and try rules, and the forms that services take."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, StepMode
from apps.approvals.selectors.matching import PAYMENT_TEXT
from apps.approvals.selectors.rule_form import ConditionForm, RuleForm, StepForm
from apps.approvals.selectors.rule_simulate import LineAsked, OrderAsked
from apps.common.api.serializers import BodySerializer, DayField, MoneyField, QuantityField, QuerySerializer, SeenAtField
from apps.common.quantity import MAX_QUANTITY

MOST_KEYS = 200
MOST_STEPS = 20


def _key(**kwargs: Any) -> serializers.RegexField:
    return serializers.RegexField(r"^[0-9]{1,18}$", error_messages={"invalid": "请重新选择"}, **kwargs)


def _number(key: str | None) -> int | None:
    return int(key) if key else None


class ConditionBody(BodySerializer):
    """`Amount` of 订单金额, `Quantity` of 单行数量, `Ids` of the others: products by their codes, payments by their kinds."""

    Kind = serializers.ChoiceField(choices=ConditionKind.choices, error_messages={"invalid_choice": "不支持的条件"})
    Amount = MoneyField(required=False, allow_null=True, default=None, min_value=0)
    Quantity = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=MAX_QUANTITY)
    Ids = serializers.ListField(child=serializers.CharField(max_length=40), required=False, default=list, max_length=MOST_KEYS)


class StepBody(BodySerializer):
    ApproverKind = serializers.ChoiceField(choices=ApproverKind.choices)
    Mode = serializers.ChoiceField(choices=StepMode.choices, default=StepMode.ANY)
    AccountIds = serializers.ListField(child=_key(), required=False, default=list, max_length=50)
    RoleId = _key(required=False, allow_null=True, default=None)
    LevelsUp = serializers.IntegerField(required=False, default=0, min_value=0, max_value=20)


class RuleBody(BodySerializer):
    """A rule as a whole: a change sends all of it. `Anyway`: also where the check says stop."""

    Name = serializers.CharField(max_length=80, error_messages={"required": "请填写规则名称", "blank": "请填写规则名称"})
    EnterpriseId = _key(required=False, allow_null=True, default=None)
    DepartmentId = _key(required=False, allow_null=True, default=None)
    ConditionMode = serializers.ChoiceField(choices=ConditionMode.choices, default=ConditionMode.ALL)
    Conditions = serializers.ListField(child=ConditionBody(), default=list, max_length=len(ConditionKind.values))
    Steps = serializers.ListField(
        child=StepBody(),
        min_length=1,
        max_length=MOST_STEPS,
        error_messages={"min_length": "请至少添加一个审批步骤", "required": "请至少添加一个审批步骤"},
    )
    AllowsSelfApproval = serializers.BooleanField(required=False, default=False)
    ValidFrom = DayField(required=False, allow_null=True, default=None)
    ValidUntil = DayField(required=False, allow_null=True, default=None)
    Anyway = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def form(body: dict[str, Any]) -> RuleForm:
        """Return what was filled in."""
        return RuleForm(
            name=body["Name"],
            enterprise_id=_number(body["EnterpriseId"]),
            department_id=_number(body["DepartmentId"]),
            condition_mode=body["ConditionMode"],
            conditions=tuple(_condition(row) for row in body["Conditions"]),
            steps=tuple(_step(row) for row in body["Steps"]),
            allows_self_approval=body["AllowsSelfApproval"],
            valid_from=body["ValidFrom"],
            valid_until=body["ValidUntil"],
        )


def _condition(row: dict[str, Any]) -> ConditionForm:
    return ConditionForm(row["Kind"], row["Amount"], row["Quantity"], tuple(row["Ids"]))


def _step(row: dict[str, Any]) -> StepForm:
    accounts = tuple(int(pk) for pk in row["AccountIds"])
    return StepForm(row["ApproverKind"], row["Mode"], accounts, _number(row["RoleId"]), row["LevelsUp"])


class RuleChangeBody(RuleBody):
    """The rule as it is to be, and the `UpdatedAt` that the editor had before him."""

    UpdatedAt = SeenAtField(error_messages={"required": "请刷新页面后重新修改"})


class RuleRestoreBody(BodySerializer):
    """The `UpdatedAt` of the rule as it was shown; `Anyway`: also where nobody whom it names could decide."""

    UpdatedAt = SeenAtField(error_messages={"required": "请刷新页面后重试"})
    Number = serializers.IntegerField(min_value=1, max_value=2**31 - 1, error_messages={"required": "请选择要恢复的版本"})
    Anyway = serializers.BooleanField(required=False, default=False)


class RuleSwitchBody(BodySerializer):
    """The `UpdatedAt` of the rule as it was shown, left out for no check."""

    UpdatedAt = SeenAtField(required=False)


class RuleSeenQuery(QuerySerializer):
    """The same in the address, where there is no body."""

    UpdatedAt = SeenAtField(required=False)


class RuleEnableBody(RuleSwitchBody):
    """`Anyway`: also where nobody whom it names could decide."""

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
    PaymentKind = serializers.ChoiceField(choices=list(PAYMENT_TEXT.items()), required=False, default="credit")
    OverBudget = serializers.BooleanField(required=False, default=False)
    BudgetNeedsApproval = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def asked(body: dict[str, Any]) -> OrderAsked:
        """Return the order that is tried."""
        lines = [LineAsked(row["Quantity"], row["ProductCode"] or "", _number(row["CategoryId"])) for row in body["Lines"]]
        return OrderAsked(
            account_id=int(body["AccountId"]),
            amount=body["Amount"],
            department_id=_number(body["DepartmentId"]),
            payment_kind=body["PaymentKind"],
            is_over_budget=body["OverBudget"],
            budget_needs_approval=body["BudgetNeedsApproval"],
            lines=(*lines, *(LineAsked(1, "", int(pk)) for pk in body["CategoryIds"])),
        )
