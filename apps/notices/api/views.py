"""/api/Notice: the caller's notices, preferences, and links of mails, with their request and
response bodies.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import AnswerSerializer, BodySerializer, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.notices.enums import KINDS, MailMode, NoticeKind, NoticeSection
from apps.notices.models import Notice
from apps.notices.selectors import count_unread, get_inbox, get_preferences, list_kinds
from apps.notices.services.notice import (
    PreferenceChange,
    link_follow,
    notices_read,
    preferences_save,
)

MAX_IDS = 1000


class NoticeQuery(QuerySerializer):
    """Filter by `Kind` or `Section`; `Unread` leaves only unread notices."""

    Kind = serializers.ChoiceField(NoticeKind.choices, required=False, allow_blank=True, default="")
    Section = serializers.ChoiceField(
        NoticeSection.choices, required=False, allow_blank=True, default=""
    )
    Unread = serializers.BooleanField(required=False, default=False)


class PersonalNoticeSerializer(serializers.Serializer[Notice]):
    """A notice. `Link` is a path of this site or empty. `NeedsAct`: something waits for the
    reader.
    """

    Id = serializers.CharField(source="pk")
    Kind = serializers.ChoiceField(NoticeKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Section = serializers.SerializerMethodField()
    Title = serializers.CharField(source="title")
    Text = serializers.CharField(source="text")
    Link = serializers.CharField(source="link")
    NeedsAct = serializers.SerializerMethodField()
    CreatedAt = serializers.DateTimeField(source="created_at")
    ReadAt = serializers.DateTimeField(source="read_at", allow_null=True)

    def get_Section(self, notice: Notice) -> str:
        return str(KINDS[NoticeKind(notice.kind)].section)

    def get_NeedsAct(self, notice: Notice) -> bool:
        return KINDS[NoticeKind(notice.kind)].needs_act


class UnreadSerializer(AnswerSerializer):
    """The number of unread notices; at most 100."""

    Count = serializers.IntegerField(source="*")


class ReadBody(BodySerializer):
    """`Ids` of the notices, or `All`."""

    Ids = serializers.ListField(
        child=serializers.RegexField(r"^[0-9]{1,18}$"),
        required=False,
        default=list,
        max_length=MAX_IDS,
    )
    All = serializers.BooleanField(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["Ids"] and not attrs["All"]:
            raise serializers.ValidationError({"Ids": ["请选择要标为已读的消息"]})
        return attrs


class ReadSerializer(AnswerSerializer):
    """How many notices became read, and how many are still unread."""

    Read = serializers.IntegerField(source="read")
    Count = serializers.IntegerField(source="count")


class PreferenceSerializer(AnswerSerializer):
    """The channels of one kind. A fixed channel cannot be changed: the page for notices that
    need an act, the mail for account security.
    """

    Kind = serializers.ChoiceField(NoticeKind.choices, source="kind")
    KindText = serializers.CharField(source="kind.label")
    Section = serializers.ChoiceField(NoticeSection.choices, source="section")
    SectionText = serializers.CharField(source="section.label")
    Page = serializers.BooleanField(source="page")
    PageFixed = serializers.BooleanField(source="page_fixed")
    Mail = serializers.ChoiceField(MailMode.choices, source="mail")
    MailFixed = serializers.BooleanField(source="mail_fixed")
    WeChatWork = serializers.BooleanField(source="wechat_work")


class PreferencesSerializer(AnswerSerializer):
    """All kinds. `Email` is the address of mails, empty if there is none; `DigestHour` is the
    hour of the daily digest in Shanghai.
    """

    Items = PreferenceSerializer(source="choices", many=True)
    Email = serializers.CharField(source="email")
    WeChatWorkOffered = serializers.BooleanField(source="wechat_work_offered")
    WeChatWorkBound = serializers.BooleanField(source="wechat_work_bound")
    DigestHour = serializers.IntegerField(source="digest_hour")


class ChosenModeSerializer(BodySerializer):
    """The channels wanted for one kind."""

    Kind = serializers.ChoiceField(NoticeKind.choices, source="kind")
    Page = serializers.BooleanField(source="page")
    Mail = serializers.ChoiceField(MailMode.choices, source="mail")
    WeChatWork = serializers.BooleanField(source="wechat_work")


class PreferencesBody(BodySerializer):
    """Some kinds; the others stay as they are."""

    Items = ChosenModeSerializer(many=True, allow_empty=False)

    def validate_Items(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len(items) > len(KINDS):
            raise serializers.ValidationError([f"最多 {len(KINDS)} 类消息"])
        return items


class FollowBody(BodySerializer):
    """The key of a link in a mail."""

    Key = serializers.CharField(max_length=100)


class FollowSerializer(AnswerSerializer):
    """The target of the link, a path of this site."""

    Link = serializers.CharField(source="*")


def _read_change(row: dict[str, Any]) -> PreferenceChange:
    return PreferenceChange(
        NoticeKind(row["kind"]), row["page"], MailMode(row["mail"]), row["wechat_work"]
    )


class NoticeViewSet(MallViewSet):
    """The caller's own notices. Staff who impersonate an account do not mark its notices as
    read.
    """

    access = Access.login()
    action_access = dict.fromkeys(("read", "preference_save", "follow"), Access.login().in_person())
    serializer_class = PersonalNoticeSerializer

    @extend_schema(parameters=[NoticeQuery], responses=PersonalNoticeSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        query = NoticeQuery.parse(request)
        kinds = list_kinds(kind=query["Kind"], section=query["Section"])
        page: Any = self.paginate_queryset(
            get_inbox(actor=request.user, kinds=kinds, unread_only=query["Unread"])
        )
        return self.get_paginated_response(PersonalNoticeSerializer(page, many=True).data)

    @extend_schema(responses=UnreadSerializer)
    @action(detail=False, methods=["get"], url_path="UnreadCount", pagination_class=None)
    def unread_count(self, request: AuthedRequest) -> Response:
        return Response(UnreadSerializer.answer(count_unread(actor=request.user)))

    @extend_schema(request=ReadBody, responses=ReadSerializer)
    @action(detail=False, methods=["post"], url_path="Read")
    def read(self, request: AuthedRequest) -> Response:
        body = ReadBody.parse(request)
        read_count = notices_read(
            actor=request.user, ids=None if body["All"] else [int(pk) for pk in body["Ids"]]
        )
        answer = ReadSerializer.answer(
            {"read": read_count, "count": count_unread(actor=request.user)}
        )
        return Ok(
            answer, message=f"已将 {read_count} 条消息标为已读" if read_count else "没有未读消息"
        )

    @extend_schema(responses=PreferencesSerializer)
    @action(detail=False, methods=["get"], url_path="Preference", pagination_class=None)
    def preference(self, request: AuthedRequest) -> Response:
        return Response(PreferencesSerializer.answer(get_preferences(actor=request.user)))

    @extend_schema(request=PreferencesBody, responses=PreferencesSerializer)
    @preference.mapping.put
    def preference_save(self, request: AuthedRequest) -> Response:
        body = PreferencesBody.parse(request)
        preferences_save(actor=request.user, changes=[_read_change(row) for row in body["Items"]])
        return Ok(
            PreferencesSerializer.answer(get_preferences(actor=request.user)),
            message="通知设置已保存",
        )

    @extend_schema(request=FollowBody, responses=FollowSerializer)
    @action(detail=False, methods=["post"], url_path="Follow")
    @idempotent
    def follow(self, request: AuthedRequest) -> Response:
        return Response(
            FollowSerializer.answer(
                link_follow(actor=request.user, key=FollowBody.parse(request)["Key"])
            )
        )
