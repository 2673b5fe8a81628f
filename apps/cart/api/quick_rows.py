"""A line of 快速下单 on the wire, written out: there may be ten thousand of them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.cart.selectors.problems import LineProblem
from apps.cart.selectors.quick_order import LineStatus, OrderLine, QuickOrder
from apps.catalog.wire import OfferSerializer, offer_row
from apps.common.api.serializers import AnswerSerializer, LineProblemSerializer, MoneyField

NOTICES = ("doubt", "differs", "unit", "merged", "no_quantity", "raised")


class QuickProductSerializer(OfferSerializer):
    """The product of a line, or one to choose for it."""


class NoticeSerializer(serializers.Serializer[Any]):
    """What was done to a line, or should be looked at."""

    Code = serializers.ChoiceField(choices=NOTICES)
    Message = serializers.CharField()


class QuickLineSerializer(AnswerSerializer):
    """A line: as it was written, what it is, and the legal quantity; candidates where nothing fits exactly."""

    No = serializers.IntegerField()
    Text = serializers.CharField()
    Code = serializers.CharField(allow_blank=True, help_text="识别为商品的文字")
    Status = serializers.ChoiceField(choices=[status.value for status in LineStatus])
    Reason = serializers.CharField(allow_blank=True, help_text="未计入的原因：空行、表头、合计行")
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
    """How many lines are so: Ready + Merged + Choose + Problem + Skipped = Total."""

    Total = serializers.IntegerField()
    Ready = serializers.IntegerField()
    Merged = serializers.IntegerField()
    Choose = serializers.IntegerField()
    Problem = serializers.IntegerField()
    Skipped = serializers.IntegerField()
    Amount = MoneyField(max_digits=20)


class QuickOrderSerializer(AnswerSerializer):
    """Every line of what was put in, in its order."""

    Lines = QuickLineSerializer(many=True)
    Summary = QuickSummarySerializer()

    def to_representation(self, found: QuickOrder) -> dict[str, Any]:
        counts = {status.name.title(): found.count(status) for status in LineStatus}
        return {
            "Lines": QuickLineSerializer.answers(found.lines),
            "Summary": {"Total": len(found.lines), **counts, "Amount": str(found.amount)},
        }
