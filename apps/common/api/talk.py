"""A talk between a customer and our staff on the wire."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class TalkMessageSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Ours = serializers.BooleanField(source="is_ours", help_text="平台客服的留言")
    By = serializers.SerializerMethodField()
    ActingFor = serializers.CharField(source="acting_for.nickname", default=None, allow_null=True)
    Text = serializers.CharField(source="text")
    At = serializers.DateTimeField(source="sent_at")

    def get_By(self, message: Any) -> str:  # noqa: N802
        """Return the writer's nickname; which of our staff it was is not told."""
        return "平台客服" if message.author.is_staff else str(message.author.nickname)
