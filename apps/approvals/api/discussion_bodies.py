"""What is sent to change quantities, ask, answer and comment."""

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer, BodySerializer, MoneyField, QuantityField, QuerySerializer

ID = r"^[0-9]{1,18}$"
MOST_LINES = 500
MOST_MENTIONS = 20
VERSION: dict[str, Any] = {"min_value": 1, "max_value": 2**31 - 1}


def _text(most: int, missing: str) -> serializers.CharField:
    return serializers.CharField(max_length=most, error_messages={"required": missing, "blank": missing})


def _key() -> serializers.RegexField:
    return serializers.RegexField(ID, error_messages={"invalid": "请重新选择同事"})


class AmendLineBody(BodySerializer):
    """A line and what is left of it; 0 drops it."""

    Id = serializers.RegexField(ID, error_messages={"invalid": "请重新选择商品"})
    Quantity = QuantityField(min_value=0)


def by_line(lines: list[dict[str, Any]]) -> dict[int, int]:
    """Return {line: quantity}; a line stands for itself once.

    Raises:
        ValidationError: one stands there twice.
    """
    found = {int(row["Id"]): row["Quantity"] for row in lines}
    if len(found) != len(lines):
        raise serializers.ValidationError("同一商品行重复出现，请刷新后重试")
    return found


class AmendPreviewBody(BodySerializer):
    """The lines that change; others stay as they are."""

    Lines = serializers.ListField(
        child=AmendLineBody(),
        min_length=1,
        max_length=MOST_LINES,
        error_messages={"min_length": "请先减少数量或移除商品", "required": "请先减少数量或移除商品"},
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> dict[int, int]:  # noqa: N802
        return by_line(lines)


class AmendBody(AmendPreviewBody):
    """`Version` is the approval's as it was seen."""

    Version = serializers.IntegerField(**VERSION)
    Reason = _text(300, "请填写调整原因，申请人会看到")


class AskBody(BodySerializer):
    Text = _text(500, "请填写要询问的内容")


class AnswerBody(BodySerializer):
    """Without QuestionId, the oldest question that waits is answered."""

    Text = _text(500, "请填写答复内容")
    QuestionId = serializers.RegexField(ID, required=False, allow_null=True, default=None, error_messages={"invalid": "请选择要答复的问题"})


class CommentBody(BodySerializer):
    Text = _text(1000, "请填写评论内容")
    Mentions = serializers.ListField(child=_key(), required=False, default=list, max_length=MOST_MENTIONS)


class MentionQuery(QuerySerializer):
    Keyword = serializers.CharField(max_length=40, required=False, allow_blank=True, default="", help_text="姓名或账号")


class ColleagueMentionedSerializer(AnswerSerializer):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")
    Department = serializers.CharField(source="department.name", default="")


class LineShownSerializer(AnswerSerializer):
    LineId = serializers.CharField(source="line_id")
    Name = serializers.CharField(source="name")
    Unit = serializers.CharField(source="unit")
    Before = serializers.IntegerField(source="before")
    After = serializers.IntegerField(source="after")


class FigureShownSerializer(AnswerSerializer):
    Name = serializers.CharField(source="name")
    Before = MoneyField(source="before")
    After = MoneyField(source="after")


class StepDroppedSerializer(AnswerSerializer):
    No = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")


class AmendPreviewSerializer(AnswerSerializer):
    """What the quantities would do: lines and figures, was → is, and the steps that nothing asks for any more."""

    Lines = LineShownSerializer(source="amendment.lines", many=True)
    Figures = FigureShownSerializer(source="amendment.figures", many=True)
    Dropped = StepDroppedSerializer(source="dropped", many=True)
    Reasons = serializers.ListField(child=serializers.CharField(), source="reasons")
