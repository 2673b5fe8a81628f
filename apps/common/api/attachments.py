"""A private file that hangs on a row: a picture of a return, an inquiry, a review."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.files import file_url


class AttachmentSerializer(serializers.Serializer[Any]):
    """A row that holds a `file`; `context["actor"]` is who looks."""

    FileId = serializers.UUIDField(source="file.public_id")
    Name = serializers.CharField(source="file.name")
    Size = serializers.IntegerField(source="file.size")
    Url = serializers.SerializerMethodField()

    def get_Url(self, picture: Any) -> str:  # noqa: N802
        """Return the picture's address, good for five minutes and for who looks."""
        return file_url(picture.file, account=self.context["actor"])
