"""/api/Notice: the caller's notices, preferences, and links of mails."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.notices.api.serializers import (
    FollowBody,
    FollowSerializer,
    NoticeQuery,
    PersonalNoticeSerializer,
    PreferencesBody,
    PreferencesSerializer,
    ReadBody,
    ReadSerializer,
    UnreadSerializer,
)
from apps.notices.enums import MailMode, NoticeKind
from apps.notices.selectors import count_unread, get_inbox, get_preferences, list_kinds
from apps.notices.services.notice import link_follow, notices_read
from apps.notices.services.preferences import PreferenceChange, preferences_save


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
        read = notices_read(
            actor=request.user, ids=None if body["All"] else [int(pk) for pk in body["Ids"]]
        )
        answer = ReadSerializer.answer({"read": read, "count": count_unread(actor=request.user)})
        return Ok(answer, message=f"已将 {read} 条消息标为已读" if read else "没有未读消息")

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
