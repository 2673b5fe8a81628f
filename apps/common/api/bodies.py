"""Fields and serializers that the bodies and queries of many routes share."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import DayField

MAX_PICTURES = 9


def text(length: int, *, needed: str = "") -> serializers.CharField:
    """Return a text field of at most `length` characters. It is optional, unless `needed` gives
    the message for a missing value.
    """
    messages: dict[str, Any] = {"max_length": f"最多 {length} 个字"}
    if needed:
        return serializers.CharField(
            max_length=length,
            error_messages=messages | dict.fromkeys(("required", "blank", "null"), needed),
        )
    return serializers.CharField(
        max_length=length, required=False, allow_blank=True, default="", error_messages=messages
    )


class PicturesField(serializers.ListField):
    """Ids of uploaded pictures, at most 9, without duplicates."""

    child = serializers.UUIDField()

    def __init__(self, **kwargs: Any) -> None:
        messages = {"max_length": f"最多上传 {MAX_PICTURES} 张图片"}
        super().__init__(
            **{
                "required": False,
                "max_length": MAX_PICTURES,
                "default": list,
                "error_messages": messages,
                **kwargs,
            }
        )

    def to_internal_value(self, data: Any) -> list[Any]:
        given: list[Any] = super().to_internal_value(data)
        if len(given) != len(set(given)):
            raise serializers.ValidationError("同一张图片重复提交，请刷新后重试")
        return given


class PeriodFields(serializers.Serializer[Any]):
    """The first and the last day of a list's period. Both are optional."""

    From = DayField(required=False, allow_null=True, default=None)
    To = DayField(required=False, allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a period that ends before it begins."""
        if attrs["From"] and attrs["To"] and attrs["To"] < attrs["From"]:
            raise serializers.ValidationError({"To": ["结束日期不能早于开始日期"]})
        return attrs
