"""/api/ReportSubscription: views of a report that are mailed on a schedule.

/report-mail/end/<key>: the one-click unsubscribe endpoint of RFC 8058. Mail programs post to it
when the reader clicks their 退订 button. It needs no sign-in and no cookie.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    PersonSerializer,
    QuerySerializer,
    WholeField,
)
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.reports.enums import Frequency, LetterState, ReportName, SendState, Shift
from apps.reports.errors import LetterLinkUnknown
from apps.reports.models import ReportLetter, ReportSend, ReportSubscription
from apps.reports.selectors.question import allow_report
from apps.reports.selectors.saved_views import (
    get_subscription,
    list_mail_domains,
    list_possible_recipients,
    list_sends,
    list_subscriptions,
)
from apps.reports.services.sends import subscription_send_now
from apps.reports.services.subscriptions import (
    MAX_ADDRESSES,
    MAX_PEOPLE,
    UNSUBSCRIBE_PAGE,
    subscription_create,
    subscription_delete,
    subscription_update,
    unsubscribe_info,
    unsubscribe_one_click,
    unsubscribe_set,
)

FORMATS = (("xlsx", "Excel 明细"), ("pdf", "PDF 摘要"))
TIME = "%H:%M"
# Staff see the technical error of a letter; the owner sees one of these messages.
RETRIED = "生成或发送出错，系统将自动重试"
BROKEN = {
    LetterState.WAITING.value: RETRIED,
    LetterState.SENDING.value: RETRIED,
    LetterState.FAILED.value: "生成或发送出错，多次重试仍未成功，请联系客服",
}


def _build_error_messages(text: str) -> Any:
    return dict.fromkeys(
        ("required", "null", "blank", "invalid_choice", "invalid", "min_length"), text
    )


class ReportSubscriptionBodySerializer(BodySerializer):
    """`Weekday` applies to weekly subscriptions; 1 is Monday. `MonthDay` applies to monthly
    ones; 31 is the last day of each month.
    """

    ViewId = IdField(source="view_id", error_messages=_build_error_messages("请选择视图"))
    Frequency = serializers.ChoiceField(
        Frequency.choices,
        source="frequency",
        error_messages=_build_error_messages("请选择发送频率"),
    )
    Weekday = WholeField(source="weekday", min_value=1, max_value=7, required=False)
    MonthDay = WholeField(source="month_day", min_value=1, max_value=31, required=False)
    Time = serializers.TimeField(
        source="at_time",
        format=TIME,
        input_formats=[TIME],
        error_messages=_build_error_messages("请选择发送时间，如 08:30"),
    )
    Shift = serializers.ChoiceField(Shift.choices, source="shift", required=False)
    Formats = serializers.ListField(
        child=serializers.ChoiceField(FORMATS),
        min_length=1,
        max_length=2,
        error_messages=_build_error_messages("请至少选择一种附件"),
    )
    PeopleIds = serializers.ListField(child=IdField(), required=False, max_length=MAX_PEOPLE)
    Addresses = serializers.ListField(
        child=serializers.EmailField(max_length=254, error_messages={"invalid": "邮箱格式不正确"}),
        required=False,
        max_length=MAX_ADDRESSES,
    )

    def to_internal_value(self, data: Any) -> Any:
        """Replace `Formats` by `has_xlsx` and `has_pdf`."""
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


class ReportUnsubscribeKeySerializer(BodySerializer):
    Key = serializers.CharField(
        max_length=100, error_messages=_build_error_messages("链接不完整，请从邮件中重新打开")
    )


class ReportUnsubscribeSerializer(ReportUnsubscribeKeySerializer):
    """IsOn true subscribes the recipient again."""

    IsOn = serializers.BooleanField(required=False, default=False)


class ReportUnsubscribeInfoSerializer(AnswerSerializer):
    Name = serializers.CharField(source="name")
    Owner = serializers.CharField(source="owner")
    To = serializers.CharField(source="to")
    IsOn = serializers.BooleanField(source="is_on")


OWN = Access.menu("report")


class ReportSubscriptionViewSet(MallViewSet):
    """The caller's own subscriptions. Staff who act for a customer cannot change them, because
    a subscription sends data out of the system.
    """

    access = OWN
    action_access = dict.fromkeys(
        ("create", "partial_update", "destroy", "send_now"), OWN.in_person()
    ) | dict.fromkeys(("leaving", "leave"), Access.public())
    serializer_class = ReportSubscriptionSerializer
    paged_actions = ("list", "sends")

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(list_subscriptions(actor=request.user))
        return self.get_paginated_response(ReportSubscriptionSerializer.serialize_all(page))

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(
            ReportSubscriptionSerializer.answer(get_subscription(actor=request.user, pk=pk))
        )

    @extend_schema(request=ReportSubscriptionBodySerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        fields = ReportSubscriptionBodySerializer.parse(request)
        people, addresses = fields.pop("PeopleIds", []), fields.pop("Addresses", [])
        row = subscription_create(
            actor=request.user, fields=fields, account_ids=people, addresses=addresses
        )
        return Ok(ReportSubscriptionSerializer.answer(row), message="订阅已创建")

    @extend_schema(request=ReportSubscriptionChangeSerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = ReportSubscriptionChangeSerializer.parse(request, partial=True)
        people, addresses = changes.pop("PeopleIds", None), changes.pop("Addresses", None)
        row = subscription_update(
            actor=request.user, pk=pk, changes=changes, account_ids=people, addresses=addresses
        )
        return Ok(ReportSubscriptionSerializer.answer(row), message="订阅已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        subscription_delete(actor=request.user, pk=pk)
        return Ok(None, message="订阅已删除")

    @extend_schema(responses=ReportSendSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Send")
    def sends(self, request: AuthedRequest, pk: str) -> Response:
        page: Any = self.paginate_queryset(list_sends(actor=request.user, pk=pk))
        return self.get_paginated_response(ReportSendSerializer.serialize_all(page))

    @extend_schema(request=None, responses=ReportSendSerializer)
    @action(detail=True, methods=["post"], url_path="SendNow")
    @idempotent
    def send_now(self, request: AuthedRequest, pk: str) -> Response:
        """Send the report to all recipients now. The schedule does not change."""
        row = subscription_send_now(actor=request.user, pk=pk)
        return Ok(ReportSendSerializer.answer(row), message="已开始发送，请在发送记录中查看结果")

    @extend_schema(parameters=[ChoicesQuerySerializer], responses=ReportRecipientChoicesSerializer)
    @action(detail=False, methods=["get"], url_path="Recipient", pagination_class=None)
    def choices(self, request: AuthedRequest) -> Response:
        """Return the possible recipients of a report."""
        query = ChoicesQuerySerializer.parse(request)
        allow_report(request.user, query["Report"])
        people = list_possible_recipients(report=query["Report"], keyword=query["Keyword"].strip())
        return Response(
            ReportRecipientChoicesSerializer.answer(
                {"People": people, "Domains": list_mail_domains()}
            )
        )

    @extend_schema(
        request=ReportUnsubscribeKeySerializer, responses=ReportUnsubscribeInfoSerializer
    )
    @action(detail=False, methods=["post"], url_path="Leaving")
    def leaving(self, request: Request) -> Response:
        """Return the subscription of a 退订 link. Changes nothing."""
        return Response(
            ReportUnsubscribeInfoSerializer.answer(
                unsubscribe_info(key=ReportUnsubscribeKeySerializer.parse(request)["Key"])
            )
        )

    @extend_schema(request=ReportUnsubscribeSerializer, responses=ReportUnsubscribeInfoSerializer)
    @action(detail=False, methods=["post"], url_path="Leave")
    def leave(self, request: Request) -> Response:
        """Unsubscribe (退订) by the link in a mail, or subscribe again."""
        body = ReportUnsubscribeSerializer.parse(request)
        info = unsubscribe_set(key=body["Key"], is_on=body["IsOn"])
        return Ok(
            ReportUnsubscribeInfoSerializer.answer(info),
            message="已恢复接收" if info.is_on else "已退订",
        )


ONE_CLICK_FIELD, ONE_CLICK_VALUE = "List-Unsubscribe", "One-Click"


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def end_page(request: HttpRequest, key: str) -> HttpResponse:
    """Unsubscribe on a one-click POST. Redirect a browser to the 退订 page of the front end."""
    if request.method != "POST":
        return HttpResponseRedirect(UNSUBSCRIBE_PAGE)
    if request.POST.get(ONE_CLICK_FIELD) != ONE_CLICK_VALUE:
        return _build_text_response("请求不完整", 400)
    try:
        unsubscribe_one_click(key=key)
    except LetterLinkUnknown as unknown:
        return _build_text_response(unknown.text, 404)
    return _build_text_response("已退订", 200)


def _build_text_response(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)


urlpatterns = [path("end/<str:key>", end_page, name="report-mail-end")]
