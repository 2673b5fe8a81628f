"""Serializers of approval rules: the rules themselves, and the bodies that write, check and
simulate them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.approvals.enums import (
    ApproverKind,
    ConditionKind,
    ConditionMode,
    ReplayState,
    RuleAction,
    RuleOrigin,
    RuleStatus,
    StepMode,
)
from apps.approvals.selectors.bands import MAX_BANDS
from apps.approvals.selectors.conditions import PAYMENT_TEXT
from apps.approvals.selectors.rule_check import Level
from apps.approvals.selectors.rule_choices import KINDS
from apps.approvals.selectors.rule_form import (
    MAX_DAYS,
    BandForm,
    ConditionForm,
    RuleForm,
    StepForm,
)
from apps.approvals.selectors.rule_simulate import TrialLine, TrialOrder
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    DayField,
    IdField,
    IdTextField,
    MoneyField,
    PartialSerializer,
    QuantityField,
    QuerySerializer,
    RecordedPersonSerializer,
    SeenAtField,
    WholeField,
)
from apps.common.money import ZERO
from apps.common.quantity import MAX_QUANTITY

WRONG_NUMBER = f"数量或百分比须在 0 至 {MAX_QUANTITY:,} 之间"
WRONG_DAYS = f"累计天数须在 1 至 {MAX_DAYS} 之间"


class RuleNamedSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="key")
    Name = serializers.CharField(source="name")


class RuleConditionSerializer(serializers.Serializer[Any]):
    """`Amount` for amounts, `Quantity` for 单行数量 and per cent, `Days` with `Amount` for a
    sum over time, `Items` for the named rows. `Text` is the sentence.
    """

    Kind = serializers.ChoiceField(choices=ConditionKind.choices, source="kind")
    Amount = serializers.CharField(source="amount", allow_null=True)
    Quantity = serializers.IntegerField(source="quantity", allow_null=True)
    Days = serializers.IntegerField(source="days", allow_null=True)
    Items = RuleNamedSerializer(source="items", many=True)
    Text = serializers.CharField(source="text")


class RuleBandSerializer(serializers.Serializer[Any]):
    """One band (分档): orders above `Above` 元 and up to `UpTo` 元 (null: no limit), of these
    departments and categories (empty: all). `Text` is the band in words.
    """

    No = serializers.IntegerField(source="no")
    Above = serializers.CharField(source="above")
    UpTo = serializers.CharField(source="up_to", allow_null=True)
    Departments = RuleNamedSerializer(source="departments", many=True)
    Categories = RuleNamedSerializer(source="categories", many=True)
    Text = serializers.CharField(source="text")


class RuleStepSerializer(serializers.Serializer[Any]):
    """`Band` null: the step applies to all bands."""

    No = serializers.IntegerField(source="step.no")
    Mode = serializers.ChoiceField(choices=StepMode.choices, source="step.mode")
    ModeText = serializers.CharField(source="step.get_mode_display")
    ApproverKind = serializers.ChoiceField(
        choices=ApproverKind.choices, source="step.approver_kind"
    )
    Accounts = RecordedPersonSerializer(source="accounts", many=True)
    RoleId = serializers.CharField(source="step.role_id", allow_null=True)
    RoleName = serializers.CharField(source="step.role.name", default="")
    LevelsUp = serializers.IntegerField(source="step.levels_up")
    Band = serializers.IntegerField(source="step.band", allow_null=True)
    Text = serializers.CharField(source="text")


class ApprovalRuleSerializer(AnswerSerializer):
    """One rule. `UpdatedAt` is sent back with a change. `Origin` is set if the request names a
    department: where that department has the rule from.
    """

    Id = serializers.CharField(source="rule.pk")
    Name = serializers.CharField(source="rule.name")
    Status = serializers.ChoiceField(choices=RuleStatus.choices, source="status")
    StatusText = serializers.CharField(source="status_text")
    IsActive = serializers.BooleanField(source="rule.is_active")
    PlaceKind = serializers.ChoiceField(
        choices=["group", "enterprise", "department"], source="place_kind"
    )
    PlaceText = serializers.CharField(source="place_text")
    EnterpriseId = serializers.CharField(source="rule.enterprise_id", allow_null=True)
    DepartmentId = serializers.CharField(source="rule.department_id", allow_null=True)
    Origin = serializers.ChoiceField(choices=RuleOrigin.choices, source="origin", allow_null=True)
    OriginText = serializers.CharField(source="origin_text")
    ConditionMode = serializers.ChoiceField(
        choices=ConditionMode.choices, source="rule.condition_mode"
    )
    Conditions = RuleConditionSerializer(source="conditions", many=True)
    ConditionsText = serializers.CharField(source="conditions_text")
    Bands = RuleBandSerializer(source="bands", many=True)
    Steps = RuleStepSerializer(source="steps", many=True)
    AllowsSelfApproval = serializers.BooleanField(source="rule.allows_self_approval")
    AllowsSamePerson = serializers.BooleanField(source="rule.allows_same_person")
    CopyAccounts = RuleNamedSerializer(source="copy_people", many=True)
    CopyRoles = RuleNamedSerializer(source="copy_roles", many=True)
    ValidFrom = serializers.DateField(source="rule.valid_from", allow_null=True)
    ValidUntil = serializers.DateField(source="rule.valid_until", allow_null=True)
    ValidityText = serializers.CharField(source="validity_text")
    Version = serializers.IntegerField(source="rule.version")
    InFlight = serializers.IntegerField(source="in_flight")
    CanEdit = serializers.BooleanField(source="can_edit")
    UpdatedAt = serializers.DateTimeField(source="rule.updated_at")


class DifferenceSerializer(AnswerSerializer):
    Field = serializers.CharField(source="field")
    Label = serializers.CharField(source="label")
    Before = serializers.CharField(source="before")
    After = serializers.CharField(source="after")


class RuleVersionSerializer(AnswerSerializer):
    """One version: its differences from the version before, and the whole rule in words."""

    Number = serializers.IntegerField(source="version.number")
    Action = serializers.ChoiceField(choices=RuleAction.choices, source="version.action")
    ActionText = serializers.CharField(source="version.get_action_display")
    By = RecordedPersonSerializer(source="version.actor", allow_null=True)
    At = serializers.DateTimeField(source="version.at")
    Changes = DifferenceSerializer(source="changes", many=True)
    Words = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField()), source="version.words"
    )
    CanRestore = serializers.BooleanField(source="can_restore")


class RuleProblemSerializer(AnswerSerializer):
    """`Level` stop: no named approver could decide. `Step` null: the rule as a whole."""

    Level = serializers.ChoiceField(
        choices=[(level.value, level.value) for level in Level], source="level"
    )
    Code = serializers.CharField(source="code")
    Message = serializers.CharField(source="message")
    Step = serializers.IntegerField(source="step", allow_null=True)


class RuleChoiceSerializer(AnswerSerializer):
    Id = serializers.CharField(source="key")
    Name = serializers.CharField(source="name")
    Text = serializers.CharField(source="text")
    ParentId = serializers.CharField(source="parent", allow_null=True)
    IsAble = serializers.BooleanField(source="is_able")


class VerdictSerializer(serializers.Serializer[Any]):
    RuleId = serializers.CharField(source="rule.pk")
    RuleName = serializers.CharField(source="rule.name")
    IsMatched = serializers.BooleanField(source="is_matched")
    Why = serializers.ListField(child=serializers.CharField(), source="why")
    WhyNot = serializers.ListField(child=serializers.CharField(), source="why_not")


class SimulatedSkipSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="account.pk")
    Name = serializers.CharField(source="account.name_with_full_name")
    Why = serializers.CharField(source="why")


class SimulatedStepSerializer(serializers.Serializer[Any]):
    Step = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")
    Mode = serializers.ChoiceField(choices=StepMode.choices, source="mode")
    Approvers = RecordedPersonSerializer(source="approvers", many=True)
    Skipped = SimulatedSkipSerializer(source="skipped", many=True)
    IsForStaff = serializers.BooleanField(source="is_for_staff")
    Note = serializers.CharField(source="note")


class SimulatedStandInSerializer(serializers.Serializer[Any]):
    """A delegation of today: `By` may decide the step in place of `For`, unless `WhyNot`."""

    Step = serializers.IntegerField(source="step")
    For = RecordedPersonSerializer(source="delegation.delegator")
    By = RecordedPersonSerializer(source="delegation.delegate")
    WhyNot = serializers.CharField(source="why_not")


class SimulatedBudgetSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class SimulationSerializer(AnswerSerializer):
    """`Reasons` are all reasons of the chain. `OtherReasons` are those of them that no rule gives:
    budgets, purchase limits and credit. `Refusals`: messages of a submit that no approval allows.
    """

    Requester = RecordedPersonSerializer(source="requester")
    Department = serializers.CharField(source="department.name", default="")
    Needed = serializers.BooleanField(source="plan.is_needed")
    Reasons = serializers.ListField(child=serializers.CharField(), source="plan.reasons")
    OtherReasons = serializers.ListField(child=serializers.CharField(), source="other_reasons")
    Refusals = serializers.ListField(child=serializers.CharField(), source="charges.refusals")
    Budgets = SimulatedBudgetSerializer(source="charges.choices", many=True)
    BudgetId = serializers.CharField(source="charges.budget_id", allow_null=True)
    Rules = VerdictSerializer(source="verdicts", many=True)
    Chain = SimulatedStepSerializer(source="plan.steps", many=True)
    StandIns = SimulatedStandInSerializer(source="stand_ins", many=True)


class RuleQuery(QuerySerializer):
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=80, default="")
    Status = serializers.ChoiceField(
        choices=RuleStatus.choices, required=False, allow_blank=True, default=""
    )
    DepartmentId = IdTextField()


class ChoiceQuery(QuerySerializer):
    Kind = serializers.ChoiceField(choices=list(KINDS))
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=80, default="")


class RuleStaleSerializer(serializers.Serializer[Any]):
    """The body of a `stale` refusal: the current rule, who changed it, and the differences from
    what the editor saw.
    """

    Rule = ApprovalRuleSerializer()
    By = RecordedPersonSerializer(allow_null=True)
    Changes = DifferenceSerializer(many=True)


MAX_KEYS = 200
MAX_STEPS = 20


def _build_key_field(**kwargs: Any) -> serializers.RegexField:
    return serializers.RegexField(
        r"^[0-9]{1,18}$", error_messages={"invalid": "请重新选择"}, **kwargs
    )


def _parse_number(key: str | None) -> int | None:
    return int(key) if key else None


class ConditionBody(BodySerializer):
    """`Amount` for amounts, `Quantity` for 单行数量 and per cent, `Days` with `Amount` for a
    sum over time, `Ids` for the kinds that name rows: products by code, payments by kind.
    """

    Kind = serializers.ChoiceField(
        choices=ConditionKind.choices, error_messages={"invalid_choice": "不支持的条件"}
    )
    Amount = MoneyField(required=False, allow_null=True, default=None, min_value=0)
    Quantity = WholeField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=MAX_QUANTITY,
        error_messages={"min_value": WRONG_NUMBER, "max_value": WRONG_NUMBER},
    )
    Days = WholeField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=MAX_DAYS,
        error_messages={
            "min_value": WRONG_DAYS,
            "max_value": WRONG_DAYS,
        },
    )
    Ids = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        default=list,
        max_length=MAX_KEYS,
    )


class BandBody(BodySerializer):
    """One band (分档): orders above `Above` 元 and up to `UpTo` 元, of these departments and
    categories. An order takes the first band that fits.
    """

    Above = MoneyField(required=False, default=ZERO, min_value=0)
    UpTo = MoneyField(required=False, allow_null=True, default=None, min_value=0)
    DepartmentIds = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=MAX_KEYS
    )
    CategoryIds = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=MAX_KEYS
    )


class StepBody(BodySerializer):
    """One step. `Band` is the number of a band, from 1; null: all bands."""

    ApproverKind = serializers.ChoiceField(choices=ApproverKind.choices)
    Mode = serializers.ChoiceField(choices=StepMode.choices, default=StepMode.ANY)
    AccountIds = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=50
    )
    RoleId = _build_key_field(required=False, allow_null=True, default=None)
    LevelsUp = WholeField(required=False, default=0, min_value=0, max_value=20)
    Band = WholeField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_BANDS
    )


class RuleBody(BodySerializer):
    """A whole rule. `Anyway`: save although the check reports `stop` problems."""

    Name = serializers.CharField(
        max_length=80, error_messages={"required": "请填写规则名称", "blank": "请填写规则名称"}
    )
    EnterpriseId = _build_key_field(required=False, allow_null=True, default=None)
    DepartmentId = _build_key_field(required=False, allow_null=True, default=None)
    ConditionMode = serializers.ChoiceField(
        choices=ConditionMode.choices, default=ConditionMode.ALL
    )
    Conditions = serializers.ListField(
        child=ConditionBody(), default=list, max_length=len(ConditionKind.values)
    )
    Steps = serializers.ListField(
        child=StepBody(),
        min_length=1,
        max_length=MAX_STEPS,
        error_messages={
            "min_length": "请至少添加一个审批步骤",
            "required": "请至少添加一个审批步骤",
        },
    )
    Bands = serializers.ListField(
        child=BandBody(), required=False, default=list, max_length=MAX_BANDS
    )
    AllowsSelfApproval = serializers.BooleanField(required=False, default=False)
    AllowsSamePerson = serializers.BooleanField(required=False, default=False)
    CopyAccountIds = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=50
    )
    CopyRoleIds = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=20
    )
    ValidFrom = DayField(required=False, allow_null=True, default=None)
    ValidUntil = DayField(required=False, allow_null=True, default=None)
    Anyway = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def build_form(body: dict[str, Any]) -> RuleForm:
        """Return the form of the service."""
        return RuleForm(**{field: read(body[key]) for key, (field, read) in FORM_FIELDS.items()})


def _build_condition_forms(rows: list[dict[str, Any]]) -> tuple[ConditionForm, ...]:
    return tuple(
        ConditionForm(
            row["Kind"], row["Amount"], row["Quantity"], tuple(row["Ids"]), days=row["Days"]
        )
        for row in rows
    )


def _build_step_forms(rows: list[dict[str, Any]]) -> tuple[StepForm, ...]:
    return tuple(
        StepForm(
            approver_kind=row["ApproverKind"],
            mode=row["Mode"],
            account_ids=tuple(int(pk) for pk in row["AccountIds"]),
            role_id=_parse_number(row["RoleId"]),
            levels_up=row["LevelsUp"],
            band=row["Band"],
        )
        for row in rows
    )


def _build_band_forms(rows: list[dict[str, Any]]) -> tuple[BandForm, ...]:
    return tuple(
        BandForm(row["Above"], row["UpTo"], tuple(row["DepartmentIds"]), tuple(row["CategoryIds"]))
        for row in rows
    )


def _parse_numbers(keys: list[str]) -> tuple[int, ...]:
    return tuple(int(key) for key in keys)


def _return_unchanged(value: Any) -> Any:
    return value


# {JSON key: (field of RuleForm, function that reads the value)}
FORM_FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "Name": ("name", _return_unchanged),
    "EnterpriseId": ("enterprise_id", _parse_number),
    "DepartmentId": ("department_id", _parse_number),
    "ConditionMode": ("condition_mode", _return_unchanged),
    "Conditions": ("conditions", _build_condition_forms),
    "Steps": ("steps", _build_step_forms),
    "Bands": ("bands", _build_band_forms),
    "AllowsSelfApproval": ("allows_self_approval", _return_unchanged),
    "AllowsSamePerson": ("allows_same_person", _return_unchanged),
    "CopyAccountIds": ("copy_account_ids", _parse_numbers),
    "CopyRoleIds": ("copy_role_ids", _parse_numbers),
    "ValidFrom": ("valid_from", _return_unchanged),
    "ValidUntil": ("valid_until", _return_unchanged),
}


class RuleChangeBody(PartialSerializer, RuleBody):
    """The changed fields, and the `UpdatedAt` of the rule as the editor saw it; without it
    there is no check.
    """

    UpdatedAt = SeenAtField()

    @staticmethod
    def read_changes(body: dict[str, Any]) -> dict[str, Any]:
        """Return the form fields that the body contains.

        An enterprise without a department replaces both, because a department belongs to one
        enterprise.
        """
        fields = {
            field: read(body[key]) for key, (field, read) in FORM_FIELDS.items() if key in body
        }
        if "EnterpriseId" in body:
            fields.setdefault("department_id", None)
        return fields


class RuleRestoreBody(BodySerializer):
    """The `UpdatedAt` of the rule as the caller saw it. `Anyway`: restore although the check
    reports `stop` problems.
    """

    UpdatedAt = SeenAtField(error_messages={"required": "请刷新页面后重试"})
    Number = WholeField(
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
    Id = _build_key_field(required=False, allow_null=True, default=None)


class ReplayQuery(QuerySerializer):
    ReplayId = IdField()


class ReplayCaughtSerializer(AnswerSerializer):
    """An order that the draft matches. `IsNew`: without the draft it needed no approval."""

    OrderNo = serializers.CharField()
    At = serializers.DateTimeField()
    Requester = serializers.CharField()
    Amount = MoneyField()
    Reason = serializers.CharField()
    IsNew = serializers.BooleanField()


class ReplayQueueSerializer(AnswerSerializer):
    """The tasks of one approver in the days of the replay, without and with the draft."""

    Id = serializers.CharField()
    Name = serializers.CharField()
    Before = serializers.IntegerField()
    After = serializers.IntegerField()


class ReplayResultSerializer(AnswerSerializer):
    """`Before` and `After`: how many orders need approval without and with the draft. `Caught` are
    the first 200 orders that the draft matches.
    """

    Orders = serializers.IntegerField()
    Before = serializers.IntegerField()
    After = serializers.IntegerField()
    CaughtTotal = serializers.IntegerField()
    Newly = serializers.IntegerField()
    Caught = ReplayCaughtSerializer(many=True)
    Approvers = ReplayQueueSerializer(many=True)
    StaffBefore = serializers.IntegerField()
    StaffAfter = serializers.IntegerField()


class ReplaySerializer(AnswerSerializer):
    """The replay of a draft: its progress, and the result when it is done."""

    Id = serializers.CharField(source="pk")
    State = serializers.ChoiceField(choices=ReplayState.choices, source="state")
    StateText = serializers.CharField(source="get_state_display")
    Done = serializers.IntegerField(source="done")
    Total = serializers.IntegerField(source="total")
    Error = serializers.CharField(source="error")
    Result = serializers.SerializerMethodField()

    @extend_schema_field(ReplayResultSerializer(allow_null=True))
    def get_Result(self, replay: Any) -> Any:
        return replay.result


class SortBody(BodySerializer):
    Ids = serializers.ListField(child=_build_key_field(), min_length=1, max_length=1000)


class LineBody(BodySerializer):
    """A product by its code, or any product of a category."""

    ProductCode = _build_key_field(required=False, allow_null=True, default=None)
    CategoryId = _build_key_field(required=False, allow_null=True, default=None)
    Quantity = QuantityField()


class SimulateBody(BodySerializer):
    AccountId = _build_key_field()
    Amount = MoneyField(min_value=0)
    DepartmentId = _build_key_field(required=False, allow_null=True, default=None)
    CategoryIds = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=50
    )
    Lines = serializers.ListField(child=LineBody(), required=False, default=list, max_length=100)
    PaymentKind = serializers.ChoiceField(
        choices=list(PAYMENT_TEXT.items()), required=False, default="credit"
    )
    BudgetId = _build_key_field(required=False, allow_null=True, default=None)
    OverBudget = serializers.BooleanField(required=False, default=False)
    BudgetNeedsApproval = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def build_trial_order(body: dict[str, Any]) -> TrialOrder:
        """Return the order to simulate."""
        lines = [
            TrialLine(row["Quantity"], row["ProductCode"] or "", _parse_number(row["CategoryId"]))
            for row in body["Lines"]
        ]
        return TrialOrder(
            account_id=int(body["AccountId"]),
            amount=body["Amount"],
            department_id=_parse_number(body["DepartmentId"]),
            payment_kind=body["PaymentKind"],
            budget_id=_parse_number(body["BudgetId"]),
            is_over_budget=body["OverBudget"],
            budget_needs_approval=body["BudgetNeedsApproval"],
            lines=(*lines, *(TrialLine(1, "", int(pk)) for pk in body["CategoryIds"])),
        )
