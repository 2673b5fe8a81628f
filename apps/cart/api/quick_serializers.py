"""Request and response serializers of 快速下单."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rest_framework import serializers

from apps.cart.parsing import MAX_LINES, MAX_TEXT, Reading, WrittenLine, read_text
from apps.cart.parsing.line import MAX_SHOWN, build_item_line
from apps.cart.selectors.problems import LineProblem
from apps.cart.selectors.quick_order import LineStatus, OrderLine, QuickOrder
from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    LineProblemSerializer,
    MoneyField,
    QuantityField,
    WholeField,
    list_of,
)
from apps.pricing.selectors.offers import Offer
from apps.pricing.shared_serializers import OfferSerializer, offer_row
from apps.search.shared_serializers import AttributeSerializer, serialize_specs

NOTICES = ("reference", "doubt", "differs", "unit", "merged", "no_quantity", "raised")


def build_too_many_messages(limit: int) -> dict[str, Any]:
    """Return the error messages for a list that is too long or empty."""
    return {"max_length": f"一次最多 {limit:,} 行，请分批提交", "empty": "请至少填写一行"}


class TypedLineSerializer(BodySerializer):
    """A typed line. Text names the product, or ProductCode selects it. Without a quantity the
    minimum quantity applies.

    To submit a line of an earlier response again, send the same Text, Unit, Search and Remark. A
    line with Text only is parsed again.
    """

    Code = serializers.CharField(max_length=MAX_SHOWN, required=False, allow_blank=True)
    Quantity = QuantityField(required=False, allow_null=True)
    Unit = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="写明的单位"
    )
    Text = serializers.CharField(
        max_length=MAX_SHOWN, required=False, allow_blank=True, help_text="原内容，原样返回"
    )
    Search = serializers.CharField(
        max_length=MAX_SHOWN,
        required=False,
        allow_blank=True,
        help_text="没有完全一致的商品时查找的文字",
    )
    Remark = serializers.CharField(max_length=MAX_SHOWN, required=False, allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.get("Code") and not attrs.get("Text"):
            raise serializers.ValidationError({"Code": ["请填写商品编码或名称"]})
        return attrs


class QuickOrderBodySerializer(BodySerializer):
    """Text, Lines, or a file in the field `file`."""

    Text = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_TEXT, trim_whitespace=False
    )
    Lines = list_of(
        TypedLineSerializer,
        required=False,
        max_length=MAX_LINES,
        error_messages=build_too_many_messages(MAX_LINES),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError({"Text": ["请提交 Text、Lines 或文件中的一种"]})
        return attrs


def read_typed_lines(lines: list[dict[str, Any]]) -> list[WrittenLine]:
    """Return typed lines as `WrittenLine`s. A line with a code has its own quantity field and
    is not parsed.
    """
    return [
        written_line
        for no, line in enumerate(lines, start=1)
        for written_line in _parse_typed_line(no, line)
    ]


def _parse_typed_line(no: int, line: dict[str, Any]) -> list[WrittenLine]:
    """Return the order lines of one line of the page: of its code if it has one, otherwise of its
    text, which can hold several.
    """
    code, quantity = line.get("Code"), line.get("Quantity")
    if not code:
        return [replace(written_line, no=no) for written_line in read_text(line["Text"])]
    text = line.get("Text") or f"{code} {quantity or ''}"
    reading = Reading(code, quantity, line.get("Unit", ""))
    return [
        build_item_line(
            no, text, [reading], search=line.get("Search", ""), remark=line.get("Remark", "")
        )
    ]


class ItemSerializer(BodySerializer):
    ProductCode = ProductCodeField()
    Quantity = QuantityField()


class ItemsField(serializers.ListSerializer[Any]):
    """Quantities by product code. Quantities of the same code are added."""

    def __init__(self, limit: int, **kwargs: Any) -> None:
        super().__init__(
            child=ItemSerializer(),
            allow_empty=False,
            max_length=limit,
            error_messages=build_too_many_messages(limit),
            **kwargs,
        )

    def to_internal_value(self, data: Any) -> Any:
        """Return the quantities by product code. Quantities of the same code are added."""
        quantities: Counter[str] = Counter()
        for row in super().to_internal_value(data):
            quantities[row["ProductCode"]] += row["Quantity"]
        return dict(quantities)


class FillBodySerializer(BodySerializer):
    Items = ItemsField(MAX_LINES)


class NotAddedSerializer(serializers.Serializer[Any]):
    """A product that was not added to the cart, and the reason."""

    ProductCode = serializers.CharField()
    CustomerProductName = serializers.CharField(allow_blank=True)
    Brand = serializers.CharField(allow_blank=True)
    Message = serializers.CharField()


class FilledSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField()
    LeftOut = NotAddedSerializer(many=True)


def build_filled_body(
    added_count: int, refusals: Sequence[tuple[str, Offer | None, str]]
) -> dict[str, Any]:
    """Return the body of FilledSerializer. `refusals` is (code, offer or None, reason)."""
    left_out = [
        {
            "ProductCode": code,
            "CustomerProductName": offer.name if offer else "",
            "Brand": offer.product.brand.name if offer else "",
            "Message": reason,
        }
        for code, offer, reason in refusals
    ]
    return {"Added": added_count, "LeftOut": left_out}


class ExportLineSerializer(BodySerializer):
    No = WholeField(min_value=1, max_value=MAX_LINES + 100)
    Text = serializers.CharField(allow_blank=True, max_length=200)
    Status = serializers.CharField(allow_blank=True, max_length=20)
    ProductCode = serializers.CharField(allow_blank=True, required=False, default="", max_length=18)
    Name = serializers.CharField(allow_blank=True, required=False, default="", max_length=120)
    Quantity = QuantityField(required=False, allow_null=True, default=None)
    Reason = serializers.CharField(allow_blank=True, required=False, default="", max_length=300)


class ExportBodySerializer(BodySerializer):
    Lines = list_of(
        ExportLineSerializer,
        allow_empty=False,
        max_length=MAX_LINES,
        error_messages=build_too_many_messages(MAX_LINES),
    )


class QuickProductSerializer(OfferSerializer):
    """The product of a line."""


class QuickCandidateSerializer(QuickProductSerializer):
    """A product that the line may mean. Specs are its values on the axes of its family."""

    Specs = AttributeSerializer(many=True)


class NoticeSerializer(serializers.Serializer[Any]):
    """A change to a line, or a point that the user must check."""

    Code = serializers.ChoiceField(choices=NOTICES)
    Message = serializers.CharField()


class QuickLineSerializer(AnswerSerializer):
    """A line: its text, its product and its legal quantity. Candidates if no product matches
    exactly.
    """

    No = serializers.IntegerField()
    Text = serializers.CharField()
    Code = serializers.CharField(allow_blank=True, help_text="识别为商品的文字")
    Status = serializers.ChoiceField(choices=[status.value for status in LineStatus])
    Reason = serializers.CharField(allow_blank=True, help_text="未计入的原因：空行、表头、合计行")
    Unit = serializers.CharField(allow_blank=True, help_text="写明的单位")
    Search = serializers.CharField(allow_blank=True, help_text="没有完全一致的商品时查找的文字")
    Remark = serializers.CharField(allow_blank=True)
    Asked = serializers.IntegerField(allow_null=True, help_text="写明的数量，没有写为 null")
    Quantity = serializers.IntegerField(allow_null=True, help_text="符合起订量与增量的数量")
    Amount = MoneyField(allow_null=True, max_digits=20)
    MergedInto = serializers.IntegerField(allow_null=True)
    Notices = NoticeSerializer(many=True)
    Problem = LineProblemSerializer(allow_null=True)
    Product = QuickProductSerializer(allow_null=True)
    Candidates = QuickCandidateSerializer(many=True)

    def to_representation(self, line: OrderLine) -> dict[str, Any]:
        written_line, reading = line.written, line.reading
        return {
            "No": written_line.no,
            "Text": written_line.text,
            "Code": reading.word if reading else "",
            "Status": line.status.value,
            "Reason": written_line.reason if line.status is LineStatus.SKIPPED else "",
            "Unit": reading.unit if reading else "",
            "Search": written_line.search,
            "Remark": written_line.remark,
            "Asked": reading.quantity if reading else None,
            "Quantity": line.quantity,
            "Amount": None if line.amount is None else str(line.amount),
            "MergedInto": line.merged_into,
            "Notices": [{"Code": code, "Message": message} for code, message in line.notices],
            "Problem": _serialize_problem(line.problem) if line.problem else None,
            "Product": offer_row(line.offer) if line.offer else None,
            "Candidates": [
                offer_row(offer)
                | {"Specs": serialize_specs(line.candidate_values.get(offer.product.pk, ()))}
                for offer in line.candidates
            ],
        }


def _serialize_problem(problem: LineProblem) -> dict[str, Any]:
    return {
        "Code": problem.code,
        "Message": problem.message,
        "Suggestion": problem.suggestion,
        "SuggestedQuantity": problem.quantity,
    }


class QuickSummarySerializer(serializers.Serializer[Any]):
    """Number of lines by status: Ready + Merged + Choose + Problem + Skipped = Total."""

    Total = serializers.IntegerField()
    Ready = serializers.IntegerField()
    Merged = serializers.IntegerField()
    Choose = serializers.IntegerField()
    Problem = serializers.IntegerField()
    Skipped = serializers.IntegerField()
    Amount = MoneyField(max_digits=20)


class QuickOrderSerializer(AnswerSerializer):
    """All lines of the input, in its order."""

    Lines = QuickLineSerializer(many=True)
    Summary = QuickSummarySerializer()

    def to_representation(self, order: QuickOrder) -> dict[str, Any]:
        counts = {status.name.title(): order.count(status) for status in LineStatus}
        return {
            "Lines": QuickLineSerializer.serialize_all(order.lines),
            "Summary": {"Total": len(order.lines), **counts, "Amount": str(order.amount)},
        }
