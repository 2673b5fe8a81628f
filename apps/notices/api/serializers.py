"""Notices on the wire."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer, BodySerializer, QuerySerializer
from apps.notices.enums import KINDS, MailMode, NoticeKind, NoticeSection
from apps.notices.models import Notice

MOST_IDS = 1000


class NoticeQuery(QuerySerializer):
    """`Kind` or `Section` narrow; `Unread` leaves only what has not been read."""

    Kind = serializers.ChoiceField(NoticeKind.choices, required=False, allow_blank=True, default="")
    Section = serializers.ChoiceField(NoticeSection.choices, required=False, allow_blank=True, default="")
    Unread = serializers.BooleanField(required=False, default=False)


class PersonalNoticeSerializer(serializers.Serializer[Notice]):
    """A notice; `Link` is a path of this site, or empty; `NeedsAct` where something waits for its reader."""

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

    def get_Section(self, notice: Notice) -> str:  # noqa: N802 - the key on the wire
        return str(KINDS[NoticeKind(notice.kind)].section)

    def get_NeedsAct(self, notice: Notice) -> bool:  # noqa: N802
        return KINDS[NoticeKind(notice.kind)].needs_act


class UnreadSerializer(AnswerSerializer):
    """`Count` stops at 100."""

    Count = serializers.IntegerField(source="*")


class ReadBody(BodySerializer):
    """`Ids`, or `All` for every one."""

    Ids = serializers.ListField(child=serializers.RegexField(r"^[0-9]{1,18}$"), required=False, default=list, max_length=MOST_IDS)
    All = serializers.BooleanField(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["Ids"] and not attrs["All"]:
            raise serializers.ValidationError({"Ids": ["请选择要标为已读的消息"]})
        return attrs


class ReadSerializer(AnswerSerializer):
    """How many became read, and how many are unread now."""

    Read = serializers.IntegerField(source="read")
    Count = serializers.IntegerField(source="count")


class PreferenceSerializer(AnswerSerializer):
    """A kind with its ways; what is fixed cannot be chosen otherwise: the page for what needs an act, the letter for one's own safety."""

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
    """All kinds; `Email` is where letters go, empty for nowhere; `DigestHour` the hour of the letter of the day, in Shanghai."""

    Items = PreferenceSerializer(source="choices", many=True)
    Email = serializers.CharField(source="email")
    WeChatWorkOffered = serializers.BooleanField(source="wechat_work_offered")
    WeChatWorkBound = serializers.BooleanField(source="wechat_work_bound")
    DigestHour = serializers.IntegerField(source="digest_hour")


class ChosenModeSerializer(BodySerializer):
    """What is wanted for a kind."""

    Kind = serializers.ChoiceField(NoticeKind.choices, source="kind")
    Page = serializers.BooleanField(source="page")
    Mail = serializers.ChoiceField(MailMode.choices, source="mail")
    WeChatWork = serializers.BooleanField(source="wechat_work")


class PreferencesBody(BodySerializer):
    """Some kinds; the others stay as they were."""

    Items = ChosenModeSerializer(many=True, allow_empty=False)

    def validate_Items(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:  # noqa: N802 - DRF names it after the key
        if len(items) > len(KINDS):
            raise serializers.ValidationError([f"最多 {len(KINDS)} 类消息"])
        return items


class FollowBody(BodySerializer):
    """The key of a letter's link."""

    Key = serializers.CharField(max_length=100)


class FollowSerializer(AnswerSerializer):
    """Where the link leads: a path of this site."""

    Link = serializers.CharField(source="*")
