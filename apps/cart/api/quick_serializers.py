"""快速下单 and its lists on the wire."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.cart.models import QuickList
from apps.cart.parsing import MAX_LINES, MAX_TEXT, Reading, WrittenLine
from apps.cart.parsing.line import item
from apps.common.api.serializers import AnswerSerializer, BodySerializer, QuantityField

MAX_LIST = 1_000
CODE_MESSAGES: dict[str, Any] = {"invalid": "商品编码只能由数字组成"}


def too_many(limit: int) -> dict[str, Any]:
    """Return the refusal of a longer list."""
    return {"max_length": f"一次最多 {limit:,} 行，请分批提交", "empty": "请至少填写一行"}


class AskedLineSerializer(BodySerializer):
    """A typed line: what names the product, or the ProductCode that was chosen for it; no quantity is the smallest one."""

    Code = serializers.CharField(max_length=200)
    Quantity = QuantityField(required=False, allow_null=True)


class QuickOrderBodySerializer(BodySerializer):
    """One of Text, Lines, or a file under the field `file`."""

    Text = serializers.CharField(required=False, allow_blank=True, max_length=MAX_TEXT, trim_whitespace=False)
    Lines = AskedLineSerializer(many=True, required=False, max_length=MAX_LINES, error_messages=too_many(MAX_LINES))  # type: ignore[call-arg]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError({"Text": ["请提交 Text、Lines 或文件中的一种"]})
        return attrs


def asked_lines(lines: list[dict[str, Any]]) -> list[WrittenLine]:
    """Return typed lines as written ones; the quantity stands beside, so there is nothing to read."""
    return [
        item(no, f"{line['Code']} {line.get('Quantity') or ''}", [Reading(line["Code"], line.get("Quantity"))])
        for no, line in enumerate(lines, start=1)
    ]


class ItemSerializer(BodySerializer):
    ProductCode = serializers.RegexField(r"^[0-9]{1,18}$", error_messages=CODE_MESSAGES)
    Quantity = QuantityField()


class ItemsField(serializers.ListSerializer[Any]):
    """Quantities by code; a code that is given twice is added up."""

    def __init__(self, limit: int, **kwargs: Any) -> None:
        super().__init__(child=ItemSerializer(), allow_empty=False, max_length=limit, error_messages=too_many(limit), **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        found: dict[str, int] = {}
        for row in super().to_internal_value(data):
            found[row["ProductCode"]] = found.get(row["ProductCode"], 0) + row["Quantity"]
        return found


class FillBodySerializer(BodySerializer):
    Items = ItemsField(MAX_LINES)


class NotAddedSerializer(serializers.Serializer[Any]):
    """What was not put into the cart, and why."""

    ProductCode = serializers.CharField()
    CustomerProductName = serializers.CharField(allow_blank=True)
    Message = serializers.CharField()


class FilledSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField()
    LeftOut = NotAddedSerializer(many=True)


class ExportLineSerializer(BodySerializer):
    No = serializers.IntegerField(min_value=1, max_value=MAX_LINES + 100)
    Text = serializers.CharField(allow_blank=True, max_length=200)
    Status = serializers.CharField(allow_blank=True, max_length=20)
    ProductCode = serializers.CharField(allow_blank=True, required=False, default="", max_length=18)
    Name = serializers.CharField(allow_blank=True, required=False, default="", max_length=120)
    Quantity = QuantityField(required=False, allow_null=True, default=None)
    Reason = serializers.CharField(allow_blank=True, required=False, default="", max_length=300)


class ExportBodySerializer(BodySerializer):
    Lines = ExportLineSerializer(many=True, allow_empty=False, max_length=MAX_LINES, error_messages=too_many(MAX_LINES))  # type: ignore[call-arg]


class QuickListBodySerializer(BodySerializer):
    Name = serializers.CharField(max_length=40)
    Shared = serializers.BooleanField(default=False)
    Items = ItemsField(MAX_LIST)


class QuickListChangeSerializer(BodySerializer):
    Name = serializers.CharField(max_length=40, required=False)
    Shared = serializers.BooleanField(required=False)
    Items = ItemsField(MAX_LIST, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError({"Name": ["请填写要修改的内容"]})
        return attrs


class QuickListSerializer(AnswerSerializer):
    """A list without its lines; `Mine` is whether the caller may change it."""

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Shared = serializers.BooleanField(source="is_shared")
    LineCount = serializers.IntegerField(source="line_count")
    Owner = serializers.CharField(source="account.nickname")
    UpdatedAt = serializers.DateTimeField(source="updated_at")


class QuickListRowSerializer(QuickListSerializer):
    Mine = serializers.SerializerMethodField()

    def get_Mine(self, row: QuickList) -> bool:  # noqa: N802 - named after the wire's key
        return bool(row.account_id == self.context["account"].pk)


class QuickListLineSerializer(serializers.Serializer[Any]):
    ProductCode = serializers.CharField(source="code")
    Quantity = serializers.IntegerField(source="quantity")


class QuickListDetailSerializer(QuickListRowSerializer):
    """All of it; the lines are in their order, priced by Product/QuickOrder."""

    Items = serializers.SerializerMethodField()

    @extend_schema_field(QuickListLineSerializer(many=True))
    def get_Items(self, row: QuickList) -> list[dict[str, Any]]:  # noqa: N802
        return [{"ProductCode": line["code"], "Quantity": line["quantity"]} for line in row.lines]
