"""Request bodies and query parameters of reviews."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.bodies import PicturesField, text
from apps.common.api.serializers import (
    BodySerializer,
    IdField,
    PartialSerializer,
    QuerySerializer,
    list_of,
)
from apps.reviews.enums import ReviewKind, ReviewTag
from apps.reviews.models.review import MOST_TEXT
from apps.reviews.selectors.product_reviews import ReviewFilter
from apps.reviews.services.review_write import Said

MAX_LINES = 200
MAX_TAGS = 5
STARS_NEEDED = "请选择 1 至 5 星"


class SaidSerializer(BodySerializer):
    OrderLineId = IdField()
    Stars = serializers.IntegerField(
        min_value=1,
        max_value=5,
        error_messages=dict.fromkeys(
            ("required", "null", "invalid", "min_value", "max_value", "max_string_length"),
            STARS_NEEDED,
        ),
    )
    Tags = serializers.ListField(
        child=serializers.ChoiceField(choices=ReviewTag.choices),
        required=False,
        default=list,
        max_length=MAX_TAGS,
        error_messages={"max_length": f"最多选择 {MAX_TAGS} 个标签"},
    )
    Text = text(MOST_TEXT)
    FileIds = PicturesField()

    def validate_Tags(self, given: list[str]) -> list[str]:
        """Remove duplicate tags."""
        return list(dict.fromkeys(given))

    @staticmethod
    def said(row: dict[str, Any]) -> Said:
        """Return the input for the service."""
        return Said(
            row["OrderLineId"], row["Stars"], tuple(row["Tags"]), row["Text"], tuple(row["FileIds"])
        )


class ReviewBodySerializer(BodySerializer):
    Anonymous = serializers.BooleanField(
        required=False, default=False, help_text="对他人匿名：商品页和同事都看不到姓名"
    )
    Lines = list_of(SaidSerializer, allow_empty=False, max_length=MAX_LINES)


class ReviewEditSerializer(PartialSerializer, SaidSerializer):
    """Changes of a review. `OrderLineId` identifies the review, so it is required."""

    Anonymous = serializers.BooleanField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        fields["OrderLineId"].required = True
        return fields

    @staticmethod
    def changes(body: dict[str, Any]) -> dict[str, Any]:
        """Return the fields that were sent, for the service."""
        return {field: body[key] for key, field in CHANGE_FIELDS.items() if key in body}


CHANGE_FIELDS = {
    "Stars": "stars",
    "Tags": "tags",
    "Text": "text",
    "FileIds": "file_ids",
    "Anonymous": "is_anonymous",
}


class FollowUpSerializer(BodySerializer):
    OrderLineId = IdField()
    Text = text(MOST_TEXT, needed="请填写追加的评价")
    FileIds = PicturesField()


class ReviewQuerySerializer(QuerySerializer):
    Stars = serializers.ChoiceField(
        choices=[(stars, f"{stars} 星") for stars in range(1, 6)],
        required=False,
        allow_blank=True,
        default="",
    )
    Kind = serializers.ChoiceField(
        choices=ReviewKind.choices, required=False, allow_blank=True, default=""
    )
    Tag = serializers.ChoiceField(
        choices=ReviewTag.choices, required=False, allow_blank=True, default=""
    )

    @staticmethod
    def filter(query: dict[str, Any]) -> ReviewFilter:
        """Return the parameters as a ReviewFilter."""
        return ReviewFilter(int(query["Stars"] or 0), query["Kind"], query["Tag"])
