"""Request and response serializers of report subscriptions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    PersonSerializer,
    QuerySerializer,
)
from apps.reports.enums import Frequency, LetterState, ReportName, SendState, Shift
from apps.reports.models import ReportLetter, ReportSend, ReportSubscription
from apps.reports.services.subscription_save import MOST_ADDRESSES, MOST_PEOPLE

FORMATS = (("xlsx", "Excel 明细"), ("pdf", "PDF 摘要"))
TIME = "%H:%M"
# Staff see the technical error of a letter; the owner sees one of these messages.
RETRIED = "生成或发送出错，系统将自动重试"
BROKEN = {
    LetterState.WAITING.value: RETRIED,
    LetterState.SENDING.value: RETRIED,
    LetterState.FAILED.value: "生成或发送出错，多次重试仍未成功，请联系客服",
}


def _asked(text: str) -> Any:
    return dict.fromkeys(
        ("required", "null", "blank", "invalid_choice", "invalid", "min_length"), text
    )


class ReportSubscriptionBodySerializer(BodySerializer):
    """`Weekday` applies to weekly subscriptions; 1 is Monday. `MonthDay` applies to monthly
    ones; 31 is the last day of each month.
    """

    ViewId = IdField(source="view_id", error_messages=_asked("请选择视图"))
    Frequency = serializers.ChoiceField(
        Frequency.choices, source="frequency", error_messages=_asked("请选择发送频率")
    )
    Weekday = serializers.IntegerField(source="weekday", min_value=1, max_value=7, required=False)
    MonthDay = serializers.IntegerField(
        source="month_day", min_value=1, max_value=31, required=False
    )
    Time = serializers.TimeField(
        source="at_time",
        format=TIME,
        input_formats=[TIME],
        error_messages=_asked("请选择发送时间，如 08:30"),
    )
    Shift = serializers.ChoiceField(Shift.choices, source="shift", required=False)
    Formats = serializers.ListField(
        child=serializers.ChoiceField(FORMATS),
        min_length=1,
        max_length=2,
        error_messages=_asked("请至少选择一种附件"),
    )
    PeopleIds = serializers.ListField(child=IdField(), required=False, max_length=MOST_PEOPLE)
    Addresses = serializers.ListField(
        child=serializers.EmailField(max_length=254, error_messages={"invalid": "邮箱格式不正确"}),
        required=False,
        max_length=MOST_ADDRESSES,
    )

    def to_internal_value(self, data: Any) -> Any:
        fields = super().to_internal_value(data)
        if "Formats" in fields:
            formats = fields.pop("Formats")
            fields["has_xlsx"], fields["has_pdf"] = "xlsx" in formats, "pdf" in formats
        return fields


class ReportSubscriptionChangeSerializer(ReportSubscriptionBodySerializer):
    """IsActive false pauses the subscription. True resumes it at its next due time."""

    IsActive = serializers.BooleanField(source="is_active")


class SubscribedViewSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Report = serializers.ChoiceField(ReportName.choices, source="report")


class ReportRecipientSerializer(serializers.Serializer[Any]):
    """A colleague (`Person`) or a mail address. For an address `Person` is null; for a
    colleague `Address` is empty.
    """

    Person = PersonSerializer(source="account", allow_null=True)
    Address = serializers.CharField(source="address")
    Unsubscribed = serializers.SerializerMethodField()

    def get_Unsubscribed(self, row: Any) -> bool:
        return row.unsubscribed_at is not None


class ReportSubscriptionSerializer(AnswerSerializer):
    """`View` is null if the owner of a shared view has deleted it. `PausedReason` explains why
    the system paused the subscription.
    """

    Id = serializers.CharField(source="pk")
    View = SubscribedViewSerializer(source="view", allow_null=True)
    Frequency = serializers.ChoiceField(Frequency.choices, source="frequency")
    Weekday = serializers.IntegerField(source="weekday")
    MonthDay = serializers.IntegerField(source="month_day")
    Time = serializers.TimeField(source="at_time", format=TIME)
    Shift = serializers.ChoiceField(Shift.choices, source="shift")
    Formats = serializers.SerializerMethodField()
    Recipients = ReportRecipientSerializer(source="listed", many=True)
    IsActive = serializers.BooleanField(source="is_active")
    PausedReason = serializers.CharField(source="paused_reason")
    NextAt = serializers.DateTimeField(source="next_at", allow_null=True)
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    def get_Formats(self, row: ReportSubscription) -> list[str]:
        """Return the attached formats: `xlsx`, `pdf` or both."""
        return [name for name, has in (("xlsx", row.has_xlsx), ("pdf", row.has_pdf)) if has]


class ReportLetterSerializer(serializers.Serializer[Any]):
    """`Note` explains why the letter was not sent, or why a file is missing. Technical errors
    are visible to staff only.
    """

    To = serializers.CharField(source="to")
    State = serializers.ChoiceField(LetterState.choices, source="state")
    StateText = serializers.CharField(source="get_state_display")
    Attempts = serializers.IntegerField(source="attempts")
    Rows = serializers.IntegerField(source="rows", allow_null=True)
    Note = serializers.SerializerMethodField()
    SentAt = serializers.DateTimeField(source="sent_at", allow_null=True)

    def get_Note(self, row: ReportLetter) -> str:
        """Return the note of a letter. A letter with a technical error gets a general message."""
        return BROKEN.get(row.state, row.note) if row.note else ""


class ReportSendSerializer(AnswerSerializer):
    """One send, for a due time or started by hand, with the letter of each recipient."""

    Id = serializers.CharField(source="pk")
    DueAt = serializers.DateTimeField(source="due_at")
    IsAsked = serializers.BooleanField(source="is_asked")
    State = serializers.ChoiceField(SendState.choices, source="state")
    StateText = serializers.CharField(source="get_state_display")
    Note = serializers.CharField(source="note")
    EndedAt = serializers.DateTimeField(source="ended_at", allow_null=True)
    Letters = serializers.SerializerMethodField()

    @extend_schema_field(ReportLetterSerializer(many=True))
    def get_Letters(self, row: ReportSend) -> list[dict[str, Any]]:
        """Return the letters in the order of the recipient list."""
        return list(ReportLetterSerializer(list(row.letters.all()), many=True).data)


class ChoicesQuerySerializer(QuerySerializer):
    Report = serializers.ChoiceField(ReportName.choices)
    Keyword = serializers.CharField(required=False, allow_blank=True, default="", max_length=40)


class ReportColleagueSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")
    UserName = serializers.CharField(source="username")
    Department = serializers.CharField(source="department.name", default="")
    HasMail = serializers.SerializerMethodField()

    def get_HasMail(self, row: Any) -> bool:
        return bool(row.email)


class ReportRecipientChoicesSerializer(AnswerSerializer):
    """The first twenty people who have access to the report. `Domains` are the mail domains of
    the group.
    """

    People = ReportColleagueSerializer(many=True)
    Domains = serializers.ListField(child=serializers.CharField())


class ReportLeaveKeySerializer(BodySerializer):
    Key = serializers.CharField(
        max_length=100, error_messages=_asked("链接不完整，请从邮件中重新打开")
    )


class ReportLeaveSerializer(ReportLeaveKeySerializer):
    """IsOn true subscribes the recipient again."""

    IsOn = serializers.BooleanField(required=False, default=False)


class ReportLeavingSerializer(AnswerSerializer):
    Name = serializers.CharField(source="name")
    Owner = serializers.CharField(source="owner")
    To = serializers.CharField(source="to")
    IsOn = serializers.BooleanField(source="is_on")
