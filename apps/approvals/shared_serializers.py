"""Serializers of approvals that other apps use as well."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.approvals.enums import ApprovalStatus, Box, RemarkKind, StepMode, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalRemark, ApprovalTask
from apps.approvals.selectors.approvals import list_allowed_actions
from apps.approvals.selectors.inbox import BoxFilter
from apps.approvals.selectors.waiting import build_late_tasks_condition, get_wait, may_urge
from apps.calendar.selectors import WorkingCalendar, get_working_calendar
from apps.common.api.pagination import TabSerializer
from apps.common.api.serializers import (
    AnswerSerializer,
    IdField,
    MoneyField,
    PeriodFields,
    QuerySerializer,
    RecordedPersonSerializer,
)
from apps.org.models import Account


class TaskSerializer(serializers.Serializer[Any]):
    """`EscalatedFrom` is the approver who did not decide in time, so that `Approver` was asked
    as well.
    """

    Approver = RecordedPersonSerializer(source="approver")
    ActingFor = RecordedPersonSerializer(source="acting_for", allow_null=True)
    Status = serializers.ChoiceField(choices=TaskStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    At = serializers.DateTimeField(source="decided_at", allow_null=True)
    ArrivedAt = serializers.DateTimeField(source="arrived_at")
    EscalatedFrom = serializers.SerializerMethodField()
    AddedBy = RecordedPersonSerializer(
        source="added_by", allow_null=True, help_text="并加签的审批人"
    )
    Comment = serializers.CharField(source="comment")

    @extend_schema_field(RecordedPersonSerializer(allow_null=True))
    def get_EscalatedFrom(self, task: ApprovalTask) -> Any:
        # The late task is in the same step, whose tasks are prefetched, so this needs no
        # query.
        first = (
            next((row for row in task.step.tasks.all() if row.pk == task.escalated_from_id), None)
            if task.escalated_from_id
            else None
        )
        return RecordedPersonSerializer(first.asked).data if first else None


class StepSerializer(serializers.Serializer[Any]):
    No = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")
    Mode = serializers.ChoiceField(choices=StepMode.choices, source="mode")
    Status = serializers.ChoiceField(choices=StepStatus.choices, source="status")
    StatusText = serializers.CharField(source="status_text")
    AskedAt = serializers.DateTimeField(
        source="asked_at", allow_null=True, help_text="自何时起等待申请人答复"
    )
    ForStaff = serializers.BooleanField(source="is_for_staff")
    AddedBy = RecordedPersonSerializer(source="added_by", allow_null=True, help_text="加签的审批人")
    Note = serializers.CharField(source="note")
    Tasks = TaskSerializer(source="tasks.all", many=True)


class WaitSerializer(AnswerSerializer):
    """The wait in working hours, for the caller or, if the caller is not asked, for any
    approver.
    """

    Hours = serializers.FloatField(source="hours")
    Text = serializers.CharField(source="text")
    IsOverdue = serializers.BooleanField(source="is_overdue")


class ApprovalSerializer(serializers.Serializer[Any]):
    """One approval with its chain and the actions the caller may take now. `context["actor"]`
    is the caller.
    """

    Id = serializers.CharField(source="pk")
    Version = serializers.IntegerField(source="version")
    SubjectType = serializers.CharField(source="subject_type")
    SubjectNo = serializers.CharField(source="subject_no")
    Status = serializers.ChoiceField(choices=ApprovalStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Requester = RecordedPersonSerializer(source="requester")
    Department = serializers.CharField(source="requester.department.name", default="")
    Amount = MoneyField(source="amount")
    Reasons = serializers.ListField(child=serializers.CharField(), source="reasons")
    CreatedAt = serializers.DateTimeField(source="created_at")
    DecidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    Steps = StepSerializer(source="steps.all", many=True)
    AllowedActions = serializers.SerializerMethodField()
    Waiting = serializers.SerializerMethodField()
    CanUrge = serializers.SerializerMethodField()

    @extend_schema_field(WaitSerializer(allow_null=True))
    def get_Waiting(self, approval: Approval) -> Any:
        wait = get_wait(
            actor=self.context["actor"], approval=approval, calendar=self._get_calendar(approval)
        )
        return WaitSerializer.answer(wait) if wait else None

    def get_CanUrge(self, approval: Approval) -> bool:
        return may_urge(
            actor=self.context["actor"], approval=approval, calendar=self._get_calendar(approval)
        )

    def _get_calendar(self, approval: Approval) -> WorkingCalendar:
        """Return the working calendar. It is read once per response, and not at all for an
        approval that has ended.
        """
        if approval.status != ApprovalStatus.PENDING:
            return WorkingCalendar({})
        context = cast("dict[str, Any]", self.context)
        if "calendar" not in context:
            context["calendar"] = get_working_calendar()
        calendar: WorkingCalendar = context["calendar"]
        return calendar

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, approval: Approval) -> list[str]:
        return list_allowed_actions(actor=self.context["actor"], approval=approval)


class CopySerializer(AnswerSerializer):
    """抄送 to one person. `By` null: by a rule. `ReadAt` null: not read yet."""

    To = RecordedPersonSerializer(source="account")
    By = RecordedPersonSerializer(source="sent_by", allow_null=True)
    At = serializers.DateTimeField(source="at")
    ReadAt = serializers.DateTimeField(source="read_at", allow_null=True)


class LineChangeSerializer(AnswerSerializer):
    """One line before and after; `After` 0: the line was dropped."""

    LineId = serializers.CharField()
    Code = serializers.CharField()
    Name = serializers.CharField()
    Unit = serializers.CharField()
    Before = serializers.IntegerField()
    After = serializers.IntegerField()


class FigureChangeSerializer(AnswerSerializer):
    """One amount in 元 before and after."""

    Name = serializers.CharField()
    Before = MoneyField()
    After = MoneyField()


class AmendmentSerializer(AnswerSerializer):
    """The reductions of one approver, with the reason."""

    Id = serializers.CharField(source="pk")
    At = serializers.DateTimeField(source="at")
    By = RecordedPersonSerializer(source="actor")
    ActingFor = RecordedPersonSerializer(source="acting_for", allow_null=True)
    Reason = serializers.CharField(source="reason")
    Before = MoneyField(source="amount_before")
    After = MoneyField(source="amount_after")
    ReasonsBefore = serializers.ListField(child=serializers.CharField(), source="reasons_before")
    ReasonsAfter = serializers.ListField(child=serializers.CharField(), source="reasons_after")
    Lines = serializers.SerializerMethodField()
    Figures = serializers.SerializerMethodField()

    @extend_schema_field(LineChangeSerializer(many=True))
    def get_Lines(self, row: Any) -> Any:
        return row.lines

    @extend_schema_field(FigureChangeSerializer(many=True))
    def get_Figures(self, row: Any) -> Any:
        return row.figures


class QuestionSerializer(AnswerSerializer):
    """A question that waits for the requester's answer."""

    Id = serializers.CharField(source="pk")
    By = RecordedPersonSerializer(source="author")
    ActingFor = RecordedPersonSerializer(source="acting_for", allow_null=True)
    At = serializers.DateTimeField(source="at")
    Text = serializers.CharField(source="text")


class RemarkSerializer(AnswerSerializer):
    """A question, an answer or a comment. `Waits`: the question can still be answered."""

    Id = serializers.CharField(source="pk")
    Kind = serializers.ChoiceField(choices=RemarkKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    By = RecordedPersonSerializer(source="author")
    ActingFor = RecordedPersonSerializer(source="acting_for", allow_null=True)
    At = serializers.DateTimeField(source="at")
    Text = serializers.CharField(source="text")
    Mentions = RecordedPersonSerializer(source="mentions.all", many=True)
    QuestionId = serializers.SerializerMethodField()
    Waits = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_QuestionId(self, remark: ApprovalRemark) -> str | None:
        """Return the id of the question that an answer belongs to."""
        return str(remark.question_id) if remark.question_id else None

    def get_Waits(self, remark: ApprovalRemark) -> bool:
        return bool(getattr(remark, "waits", remark.is_open))


class BoxQuery(PeriodFields, QuerySerializer):
    """A box and its filter."""

    Box = serializers.ChoiceField(choices=Box.choices, default=Box.TODO)
    Keyword = serializers.CharField(
        max_length=60, required=False, allow_blank=True, default="", help_text="单号或申请人"
    )
    Requester = IdField(required=False)
    Department = IdField(required=False)
    AmountFrom = MoneyField(required=False, min_value=Decimal(0))
    AmountTo = MoneyField(required=False, min_value=Decimal(0))
    OverBudget = serializers.BooleanField(required=False, default=False)
    Overdue = serializers.BooleanField(
        required=False, default=False, help_text="仅等待时间已超过集团设置的"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Also refuse a highest amount below the lowest."""
        low, high = attrs.get("AmountFrom"), attrs.get("AmountTo")
        if low is not None and high is not None and low > high:
            raise serializers.ValidationError({"AmountTo": ["最高金额不能低于最低金额"]})
        return super().validate(attrs)

    @staticmethod
    def get_calendar(query: dict[str, Any]) -> WorkingCalendar | None:
        """Return the working calendar if the query filters by overdue, else None."""
        return get_working_calendar() if query["Overdue"] else None

    @staticmethod
    def build_filter(
        query: dict[str, Any], *, actor: Account, calendar: WorkingCalendar | None
    ) -> BoxFilter:
        """Return the filter for the selectors. Filtering by overdue needs the calendar."""
        return BoxFilter(
            keyword=query["Keyword"].strip(),
            requester_id=query.get("Requester"),
            department_id=query.get("Department"),
            amount_from=query.get("AmountFrom"),
            amount_to=query.get("AmountTo"),
            since=query["From"],
            until=query["To"],
            over_budget=query["OverBudget"],
            late=build_late_tasks_condition(actor=actor, calendar=calendar) if calendar else None,
        )


class BoxTabSerializer(TabSerializer):
    Code = serializers.ChoiceField(choices=Box.choices)  # type: ignore[assignment]


class BoxChoiceSerializer(AnswerSerializer):
    Id = serializers.CharField(source="key")
    Name = serializers.CharField(source="name")


class BoxChoicesSerializer(AnswerSerializer):
    """The requesters and departments a box can be filtered by."""

    Requesters = BoxChoiceSerializer(source="requesters", many=True)
    Departments = BoxChoiceSerializer(source="departments", many=True)
