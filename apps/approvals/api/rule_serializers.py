"""Serializers of approval rules."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.approvals.enums import (
    ApproverKind,
    ConditionKind,
    ConditionMode,
    RuleAction,
    RuleOrigin,
    RuleStatus,
    StepMode,
)
from apps.approvals.selectors.rule_check import Level
from apps.approvals.selectors.rule_choices import KINDS
from apps.common.api.serializers import AnswerSerializer, PersonSerializer, QuerySerializer


class RuleNamedSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="key")
    Name = serializers.CharField(source="name")


class RuleConditionSerializer(serializers.Serializer[Any]):
    """`Amount` for 订单金额, `Quantity` for 单行数量, `Items` for the named rows.

    `Text` is the sentence.
    """

    Kind = serializers.ChoiceField(choices=ConditionKind.choices, source="kind")
    Amount = serializers.CharField(source="amount", allow_null=True)
    Quantity = serializers.IntegerField(source="quantity", allow_null=True)
    Items = RuleNamedSerializer(source="items", many=True)
    Text = serializers.CharField(source="text")


class RuleStepSerializer(serializers.Serializer[Any]):
    No = serializers.IntegerField(source="step.no")
    Mode = serializers.ChoiceField(choices=StepMode.choices, source="step.mode")
    ModeText = serializers.CharField(source="step.get_mode_display")
    ApproverKind = serializers.ChoiceField(
        choices=ApproverKind.choices, source="step.approver_kind"
    )
    Accounts = PersonSerializer(source="accounts", many=True)
    RoleId = serializers.CharField(source="step.role_id", allow_null=True)
    RoleName = serializers.CharField(source="step.role.name", default="")
    LevelsUp = serializers.IntegerField(source="step.levels_up")
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
    Steps = RuleStepSerializer(source="steps", many=True)
    AllowsSelfApproval = serializers.BooleanField(source="rule.allows_self_approval")
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
    By = PersonSerializer(source="version.actor", allow_null=True)
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
    Name = serializers.CharField(source="account.nickname")
    Why = serializers.CharField(source="why")


class SimulatedStepSerializer(serializers.Serializer[Any]):
    Step = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")
    Mode = serializers.ChoiceField(choices=StepMode.choices, source="mode")
    Approvers = PersonSerializer(source="approvers", many=True)
    Skipped = SimulatedSkipSerializer(source="skipped", many=True)
    IsForStaff = serializers.BooleanField(source="is_for_staff")
    Note = serializers.CharField(source="note")


class SimulationSerializer(AnswerSerializer):
    Requester = PersonSerializer(source="requester")
    Department = serializers.CharField(source="department.name", default="")
    Needed = serializers.BooleanField(source="plan.needed")
    Reasons = serializers.ListField(child=serializers.CharField(), source="plan.reasons")
    Rules = VerdictSerializer(source="verdicts", many=True)
    Chain = SimulatedStepSerializer(source="plan.steps", many=True)


class RuleQuery(QuerySerializer):
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=80, default="")
    Status = serializers.ChoiceField(
        choices=RuleStatus.choices, required=False, allow_blank=True, default=""
    )
    DepartmentId = serializers.RegexField(
        r"^[0-9]{1,18}$", required=False, allow_blank=True, default=""
    )


class ChoiceQuery(QuerySerializer):
    Kind = serializers.ChoiceField(choices=list(KINDS))
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=80, default="")


class RuleStaleSerializer(serializers.Serializer[Any]):
    """The body of a `stale` refusal: the current rule, who changed it, and the differences from
    what the editor saw.
    """

    Rule = ApprovalRuleSerializer()
    By = PersonSerializer(allow_null=True)
    Changes = DifferenceSerializer(many=True)
