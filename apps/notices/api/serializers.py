"""Serializers of notices."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer, BodySerializer, QuerySerializer
from apps.notices.enums import KINDS, MailMode, NoticeKind, NoticeSection
from apps.notices.models import Notice

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
