"""Response serializers of a 快速下单 line. They build plain dictionaries, because a response
can have 10,000 lines.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.cart.selectors.problems import LineProblem
from apps.cart.selectors.quick_order import LineStatus, OrderLine, QuickOrder
from apps.common.api.serializers import AnswerSerializer, LineProblemSerializer, MoneyField
from apps.pricing.shared_serializers import OfferSerializer, offer_row

NOTICES = ("doubt", "differs", "unit", "merged", "no_quantity", "raised")


class QuickProductSerializer(OfferSerializer):
    """The product of a line, or one of its candidates."""


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
    Candidates = QuickProductSerializer(many=True)

    def to_representation(self, line: OrderLine) -> dict[str, Any]:
        written, reading = line.written, line.reading
        return {
            "No": written.no,
            "Text": written.text,
            "Code": reading.word if reading else "",
            "Status": line.status.value,
            "Reason": written.reason if line.status is LineStatus.SKIPPED else "",
            "Unit": reading.unit if reading else "",
            "Search": written.search,
            "Remark": written.remark,
            "Asked": reading.quantity if reading else None,
            "Quantity": line.quantity,
            "Amount": None if line.amount is None else str(line.amount),
            "MergedInto": line.merged_into,
            "Notices": [{"Code": code, "Message": message} for code, message in line.notices],
            "Problem": _problem(line.problem) if line.problem else None,
            "Product": offer_row(line.offer) if line.offer else None,
            "Candidates": [offer_row(offer) for offer in line.candidates],
        }


def _problem(problem: LineProblem) -> dict[str, Any]:
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

    def to_representation(self, found: QuickOrder) -> dict[str, Any]:
        counts = {status.name.title(): found.count(status) for status in LineStatus}
        return {
            "Lines": QuickLineSerializer.answers(found.lines),
            "Summary": {"Total": len(found.lines), **counts, "Amount": str(found.amount)},
        }
