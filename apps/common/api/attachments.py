"""Serializer of a private file that belongs to a row: a picture of a return, an inquiry or a
review.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.files import file_url


class AttachmentSerializer(serializers.Serializer[Any]):
    """A row with a `file`. `context["actor"]` is the account that reads it."""

    FileId = serializers.UUIDField(source="file.public_id")
    Name = serializers.CharField(source="file.name")
    Size = serializers.IntegerField(source="file.size")
    Url = serializers.SerializerMethodField()

    def get_Url(self, picture: Any) -> str:
        """Return a URL that only the reading account can use, for 5 minutes."""
        return file_url(picture.file, account=self.context["actor"])
