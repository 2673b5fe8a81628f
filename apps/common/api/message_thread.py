"""Serializer of the messages of a document."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class ThreadMessageSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Ours = serializers.BooleanField(source="is_ours", help_text="平台客服的留言")
    By = serializers.SerializerMethodField()
    ActingFor = serializers.CharField(source="acting_for.nickname", default=None, allow_null=True)
    Text = serializers.CharField(source="text")
    At = serializers.DateTimeField(source="sent_at")

    def get_By(self, message: Any) -> str:
        """Return the author's nickname, or 平台客服 for any member of staff."""
        return "平台客服" if message.author.is_staff else str(message.author.nickname)
