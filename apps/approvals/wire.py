"""An approval on the wire, as every app that shows approvals writes it."""

from decimal import Decimal
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.approvals.enums import ApprovalStatus, Box, RemarkKind, StepMode, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalRemark, ApprovalTask
from apps.approvals.selectors.approvals import allowed_actions
from apps.approvals.selectors.deadlines import late_tasks
from apps.approvals.selectors.inbox import BoxFilter
from apps.approvals.selectors.wait import may_urge, wait_of
from apps.common.api.bodies import PeriodFields
from apps.common.api.pages import TabSerializer
from apps.common.api.serializers import AnswerSerializer, MoneyField, PersonSerializer, QuerySerializer
from apps.content.selectors.working_time import WorkingCalendar, working_calendar
from apps.org.models import Account

ID = r"^\d{1,18}$"
ID_MESSAGES: dict[str, Any] = {"invalid": "编号不正确，请刷新后重试"}


class TaskSerializer(serializers.Serializer[Any]):
    """`EscalatedFrom`: who let it lie, so that `Approver` is asked beside him."""

    Approver = PersonSerializer(source="approver")
    ActingFor = PersonSerializer(source="acting_for", allow_null=True)
    Status = serializers.ChoiceField(choices=TaskStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    At = serializers.DateTimeField(source="decided_at", allow_null=True)
    ArrivedAt = serializers.DateTimeField(source="arrived_at")
    EscalatedFrom = serializers.SerializerMethodField()
    Comment = serializers.CharField(source="comment")

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_EscalatedFrom(self, task: ApprovalTask) -> Any:  # noqa: N802
        # The first stands in the same step, which carries its tasks: no query.
        first = next((row for row in task.step.tasks.all() if row.pk == task.escalated_from_id), None) if task.escalated_from_id else None
        return PersonSerializer(first.asked).data if first else None


class StepSerializer(serializers.Serializer[Any]):
    No = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")
    Mode = serializers.ChoiceField(choices=StepMode.choices, source="mode")
    Status = serializers.ChoiceField(choices=StepStatus.choices, source="status")
    StatusText = serializers.CharField(source="status_text")
    AskedAt = serializers.DateTimeField(source="asked_at", allow_null=True, help_text="自何时起等待申请人答复")
    ForStaff = serializers.BooleanField(source="is_for_staff")
    Note = serializers.CharField(source="note")
    Tasks = TaskSerializer(source="tasks.all", many=True)


class WaitSerializer(AnswerSerializer):
    """How long it has waited for the caller, else for whomever it waits, in working hours."""

    Hours = serializers.FloatField(source="hours")
    Text = serializers.CharField(source="text")
    IsOverdue = serializers.BooleanField(source="is_overdue")


class ApprovalSerializer(serializers.Serializer[Any]):
    """One approval with its chain and what the caller may do now; `context["actor"]` is the caller."""

    Id = serializers.CharField(source="pk")
    Version = serializers.IntegerField(source="version")
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
    Waiting = serializers.SerializerMethodField()
    CanUrge = serializers.SerializerMethodField()

    @extend_schema_field(WaitSerializer(allow_null=True))
    def get_Waiting(self, approval: Approval) -> Any:  # noqa: N802
        wait = wait_of(actor=self.context["actor"], approval=approval, calendar=self._calendar(approval))
        return WaitSerializer.answer(wait) if wait else None

    def get_CanUrge(self, approval: Approval) -> bool:  # noqa: N802
        return may_urge(actor=self.context["actor"], approval=approval, calendar=self._calendar(approval))

    def _calendar(self, approval: Approval) -> WorkingCalendar:
        """The calendar, read once for all that are shown; what has ended needs none."""
        if approval.status != ApprovalStatus.PENDING:
            return WorkingCalendar({})
        context = cast("dict[str, Any]", self.context)
        if "calendar" not in context:
            context["calendar"] = working_calendar()
        calendar: WorkingCalendar = context["calendar"]
        return calendar

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, approval: Approval) -> list[str]:  # noqa: N802
        return allowed_actions(actor=self.context["actor"], approval=approval)


class LineChangeSerializer(AnswerSerializer):
    """One line, was → is; After 0: it was dropped."""

    LineId = serializers.CharField()
    Code = serializers.CharField()
    Name = serializers.CharField()
    Unit = serializers.CharField()
    Before = serializers.IntegerField()
    After = serializers.IntegerField()


class FigureChangeSerializer(AnswerSerializer):
    """One figure in 元, was → is."""

    Name = serializers.CharField()
    Before = MoneyField()
    After = MoneyField()


class AmendmentSerializer(AnswerSerializer):
    """What an approver took out, and why."""

    Id = serializers.CharField(source="pk")
    At = serializers.DateTimeField(source="at")
    By = PersonSerializer(source="actor")
    ActingFor = PersonSerializer(source="acting_for", allow_null=True)
    Reason = serializers.CharField(source="reason")
    Before = MoneyField(source="amount_before")
    After = MoneyField(source="amount_after")
    Lines = serializers.SerializerMethodField()
    Figures = serializers.SerializerMethodField()

    @extend_schema_field(LineChangeSerializer(many=True))
    def get_Lines(self, row: Any) -> Any:  # noqa: N802 - DRF names it after the key
        """Return the lines that changed, as they were kept."""
        return row.lines

    @extend_schema_field(FigureChangeSerializer(many=True))
    def get_Figures(self, row: Any) -> Any:  # noqa: N802
        """Return the figures, as they were kept."""
        return row.figures


class QuestionSerializer(AnswerSerializer):
    """A question that waits for the requester."""

    Id = serializers.CharField(source="pk")
    By = PersonSerializer(source="author")
    ActingFor = PersonSerializer(source="acting_for", allow_null=True)
    At = serializers.DateTimeField(source="at")
    Text = serializers.CharField(source="text")


class RemarkSerializer(AnswerSerializer):
    """A question, an answer or a comment; a question that still Waits can be answered."""

    Id = serializers.CharField(source="pk")
    Kind = serializers.ChoiceField(choices=RemarkKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    By = PersonSerializer(source="author")
    ActingFor = PersonSerializer(source="acting_for", allow_null=True)
    At = serializers.DateTimeField(source="at")
    Text = serializers.CharField(source="text")
    Mentions = PersonSerializer(source="mentions.all", many=True)
    QuestionId = serializers.SerializerMethodField()
    Waits = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_QuestionId(self, remark: ApprovalRemark) -> str | None:  # noqa: N802
        """Return which question it answers."""
        return str(remark.question_id) if remark.question_id else None

    def get_Waits(self, remark: ApprovalRemark) -> bool:  # noqa: N802
        """Return whether it waits for the requester."""
        return bool(getattr(remark, "waits", remark.is_open))


class BoxQuery(PeriodFields, QuerySerializer):
    """A box, and what it is narrowed by."""

    Box = serializers.ChoiceField(choices=Box.choices, default=Box.TODO)
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="", help_text="单号或申请人")
    Requester = serializers.RegexField(ID, required=False, error_messages=ID_MESSAGES)
    Department = serializers.RegexField(ID, required=False, error_messages=ID_MESSAGES)
    AmountFrom = MoneyField(required=False, min_value=Decimal(0))
    AmountTo = MoneyField(required=False, min_value=Decimal(0))
    OverBudget = serializers.BooleanField(required=False, default=False)
    Overdue = serializers.BooleanField(required=False, default=False, help_text="仅等待时间已超过集团设置的")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        low, high = attrs.get("AmountFrom"), attrs.get("AmountTo")
        if low is not None and high is not None and low > high:
            raise serializers.ValidationError({"AmountTo": ["最高金额不能低于最低金额"]})
        return super().validate(attrs)

    @staticmethod
    def calendar(query: dict[str, Any]) -> WorkingCalendar | None:
        """Return the calendar that only what is overdue needs; one query, None without."""
        return working_calendar() if query["Overdue"] else None

    @staticmethod
    def filter(query: dict[str, Any], *, actor: Account, calendar: WorkingCalendar | None) -> BoxFilter:
        """Return what the selectors speak; the calendar is needed where only what is overdue is wanted."""
        return BoxFilter(
            keyword=query["Keyword"].strip(),
            requester_id=int(query["Requester"]) if "Requester" in query else None,
            department_id=int(query["Department"]) if "Department" in query else None,
            amount_from=query.get("AmountFrom"),
            amount_to=query.get("AmountTo"),
            since=query["From"],
            until=query["To"],
            over_budget=query["OverBudget"],
            late=late_tasks(actor=actor, calendar=calendar) if calendar else None,
        )


class BoxTabSerializer(TabSerializer):
    Code = serializers.ChoiceField(choices=Box.choices)  # type: ignore[assignment]


class BoxChoiceSerializer(AnswerSerializer):
    Id = serializers.CharField(source="key")
    Name = serializers.CharField(source="name")


class BoxChoicesSerializer(AnswerSerializer):
    """Whom and which departments a box can be narrowed to."""

    Requesters = BoxChoiceSerializer(source="requesters", many=True)
    Departments = BoxChoiceSerializer(source="departments", many=True)
