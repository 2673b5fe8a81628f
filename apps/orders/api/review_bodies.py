"""What the page sends about reviews."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.bodies import PicturesField, text
from apps.common.api.serializers import BodySerializer, IdField, QuerySerializer
from apps.orders.models.review import MOST_TEXT
from apps.orders.review_enums import ReviewKind, ReviewTag
from apps.orders.selectors.product_reviews import ReviewFilter
from apps.orders.services.review_write import Said

MAX_LINES = 200
MAX_TAGS = 5
STARS_NEEDED = "请选择 1 至 5 星"


class SaidSerializer(BodySerializer):
    OrderLineId = IdField()
    Stars = serializers.IntegerField(
        min_value=1,
        max_value=5,
        error_messages=dict.fromkeys(("required", "null", "invalid", "min_value", "max_value", "max_string_length"), STARS_NEEDED),
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

    def validate_Tags(self, given: list[str]) -> list[str]:  # noqa: N802 - DRF names it after the key
        """Each tag counts once."""
        return list(dict.fromkeys(given))

    @staticmethod
    def said(row: dict[str, Any]) -> Said:
        """Return what the services speak."""
        return Said(row["OrderLineId"], row["Stars"], tuple(row["Tags"]), row["Text"], tuple(row["FileIds"]))


class ReviewBodySerializer(BodySerializer):
    Anonymous = serializers.BooleanField(required=False, default=False, help_text="对他人匿名：商品页和同事都看不到姓名")
    Lines = SaidSerializer(many=True, allow_empty=False, max_length=MAX_LINES)  # type: ignore[call-arg]


class ReviewEditSerializer(SaidSerializer):
    Anonymous = serializers.BooleanField(required=False, default=False)


class FollowUpSerializer(BodySerializer):
    OrderLineId = IdField()
    Text = text(MOST_TEXT, needed="请填写追加的评价")
    FileIds = PicturesField()


class ReviewQuerySerializer(QuerySerializer):
    Stars = serializers.ChoiceField(choices=[(stars, f"{stars} 星") for stars in range(1, 6)], required=False, allow_blank=True, default="")
    Kind = serializers.ChoiceField(choices=ReviewKind.choices, required=False, allow_blank=True, default="")
    Tag = serializers.ChoiceField(choices=ReviewTag.choices, required=False, allow_blank=True, default="")

    @staticmethod
    def filter(query: dict[str, Any]) -> ReviewFilter:
        """Return what the selectors speak."""
        return ReviewFilter(int(query["Stars"] or 0), query["Kind"], query["Tag"])
