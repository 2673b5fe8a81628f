"""Approvals on the wire (api.md, Bodies that many depend on)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.approvals.enums import ApprovalStatus, StepMode, StepStatus, TaskStatus
from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import allowed_actions
from apps.common.api.serializers import BodySerializer, MoneyField, PersonSerializer, QuerySerializer


class TaskSerializer(serializers.Serializer[Any]):
    Approver = PersonSerializer(source="approver")
    ActingFor = PersonSerializer(source="acting_for", allow_null=True)
    Status = serializers.ChoiceField(choices=TaskStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    At = serializers.DateTimeField(source="decided_at", allow_null=True)
    Comment = serializers.CharField(source="comment")


class StepSerializer(serializers.Serializer[Any]):
    No = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")
    Mode = serializers.ChoiceField(choices=StepMode.choices, source="mode")
    Status = serializers.ChoiceField(choices=StepStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    ForStaff = serializers.BooleanField(source="is_for_staff")
    Note = serializers.CharField(source="note")
    Tasks = TaskSerializer(source="tasks.all", many=True)


class ApprovalSerializer(serializers.Serializer[Any]):
    """One approval with its chain and what the caller may do now; `context["actor"]` is the caller."""

    Id = serializers.CharField(source="pk")
    SubjectType = serializers.CharField(source="subject_type")
    SubjectNo = serializers.CharField(source="subject_no")
    Status = serializers.ChoiceField(choices=ApprovalStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Requester = PersonSerializer(source="requester")
    Department = serializers.CharField(source="requester.department.name", default="")
    Amount = MoneyField(source="amount")
    Reasons = serializers.ListField(child=serializers.CharField(), source="reasons")
    CreatedAt = serializers.DateTimeField(source="created_at")
    DecidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    Steps = StepSerializer(source="steps.all", many=True)
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, approval: Approval) -> list[str]:  # noqa: N802
        return allowed_actions(actor=self.context["actor"], approval=approval)


class BoxQuery(QuerySerializer):
    Box = serializers.ChoiceField(choices=[("todo", "待我审批"), ("done", "我已审批"), ("mine", "我发起的")], default="todo")


class ApproveBody(BodySerializer):
    Comment = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")


class RejectBody(BodySerializer):
    Reason = serializers.CharField(max_length=500, error_messages={"required": "请填写驳回原因", "blank": "请填写驳回原因"})


class TransferBody(BodySerializer):
    To = serializers.RegexField(r"^\d{1,18}$", error_messages={"invalid": "请选择要转交的同事"})
    Reason = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")


class BulkBody(BodySerializer):
    Ids = serializers.ListField(child=serializers.RegexField(r"^\d{1,18}$"), min_length=1, max_length=100)
    Comment = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")


class BulkOutcomeSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="approval_id")
    Success = serializers.BooleanField(source="success")
    RetCode = serializers.CharField(source="code")
    RetMessage = serializers.CharField(source="message")


class BulkResultSerializer(serializers.Serializer[Any]):
    Results = BulkOutcomeSerializer(many=True)
    Approved = serializers.IntegerField()
    Refused = serializers.IntegerField()
