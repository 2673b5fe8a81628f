"""Request bodies and small responses of approvals: decisions, batches, amendments, questions
and comments. The approval itself is in `shared_serializers.py`.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.approvals.enums import AddPlacement, StepMode
from apps.approvals.services.approval_add import MAX_ADDED
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    MoneyField,
    QuantityField,
    QuerySerializer,
    WholeField,
)

ID = r"^[0-9]{1,18}$"
MAX_LINES = 500
MAX_MENTIONS = 20
VERSION: dict[str, Any] = {"min_value": 1, "max_value": 2**31 - 1}


def _build_text_field(max_length: int, missing_message: str) -> serializers.CharField:
    return serializers.CharField(
        max_length=max_length,
        error_messages={"required": missing_message, "blank": missing_message},
    )


def _build_key_field() -> serializers.RegexField:
    return serializers.RegexField(ID, error_messages={"invalid": "请重新选择同事"})


class AmendLineBody(BodySerializer):
    """A line and its new quantity; 0 drops the line."""

    Id = serializers.RegexField(ID, error_messages={"invalid": "请重新选择商品"})
    Quantity = QuantityField(min_value=0)


def get_quantities_by_line(lines: list[dict[str, Any]]) -> dict[int, int]:
    """Return {line id: quantity}.

    Raises:
        ValidationError: a line is given twice.
    """
    quantities = {int(row["Id"]): row["Quantity"] for row in lines}
    if len(quantities) != len(lines):
        raise serializers.ValidationError("同一商品行重复出现，请刷新后重试")
    return quantities


class AmendPreviewBody(BodySerializer):
    """The lines that change. The other lines stay as they are."""

    Lines = serializers.ListField(
        child=AmendLineBody(),
        min_length=1,
        max_length=MAX_LINES,
        error_messages={
            "min_length": "请先减少数量或移除商品",
            "required": "请先减少数量或移除商品",
        },
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> dict[int, int]:
        return get_quantities_by_line(lines)


class AmendBody(AmendPreviewBody):
    """`Version` is the version of the approval the caller saw."""

    Version = WholeField(**VERSION)
    Reason = _build_text_field(300, "请填写调整原因，申请人会看到")


class AskBody(BodySerializer):
    Text = _build_text_field(500, "请填写要询问的内容")


class AnswerBody(BodySerializer):
    """Without `QuestionId`, the oldest open question is answered."""

    Text = _build_text_field(500, "请填写答复内容")
    QuestionId = serializers.RegexField(
        ID,
        required=False,
        allow_null=True,
        default=None,
        error_messages={"invalid": "请选择要答复的问题"},
    )


class CommentBody(BodySerializer):
    Text = _build_text_field(1000, "请填写评论内容")
    Mentions = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=MAX_MENTIONS
    )


class MentionQuery(QuerySerializer):
    Keyword = serializers.CharField(
        max_length=40, required=False, allow_blank=True, default="", help_text="姓名或账号"
    )


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
    """The effect of the quantities: changed lines and figures, and the steps that are dropped."""

    Lines = LineShownSerializer(source="amendment.lines", many=True)
    Figures = FigureShownSerializer(source="amendment.figures", many=True)
    Dropped = StepDroppedSerializer(source="dropped", many=True)
    Reasons = serializers.ListField(child=serializers.CharField(), source="reasons")


class SeenBody(BodySerializer):
    """`Version` is the version of the approval the caller saw. A decision on an older version
    is refused.
    """

    Version = WholeField(required=False, allow_null=True, default=None, **VERSION)


class ApproveBody(SeenBody):
    """`Lines` are lowered before approving, in the same transaction; 0 drops a line. `Comment`
    is then required and is the reason.
    """

    Comment = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")
    Lines = serializers.ListField(
        child=AmendLineBody(), required=False, default=list, max_length=MAX_LINES
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> dict[int, int]:
        return get_quantities_by_line(lines)


class RejectBody(SeenBody):
    Reason = serializers.CharField(
        max_length=500, error_messages={"required": "请填写驳回原因", "blank": "请填写驳回原因"}
    )


class TransferBody(SeenBody):
    To = serializers.RegexField(r"^[0-9]{1,18}$", error_messages={"invalid": "请选择要转交的同事"})
    Reason = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")


class AddBody(SeenBody):
    """加签: who is added, and where. `Mode` is the mode of a step before or after."""

    Placement = serializers.ChoiceField(choices=AddPlacement.choices)
    To = serializers.ListField(
        child=_build_key_field(),
        min_length=1,
        max_length=MAX_ADDED,
        error_messages={"min_length": "请选择加签的同事", "required": "请选择加签的同事"},
    )
    Mode = serializers.ChoiceField(choices=StepMode.choices, default=StepMode.ALL)
    Reason = serializers.CharField(required=False, allow_blank=True, max_length=300, default="")


class RemoveAddedBody(BodySerializer):
    """The added approver to remove."""

    AccountId = _build_key_field()


class CopyBody(BodySerializer):
    """抄送 to accounts and to the people of roles."""

    To = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=50
    )
    Roles = serializers.ListField(
        child=_build_key_field(), required=False, default=list, max_length=20
    )


class ApproverCandidateSerializer(AnswerSerializer):
    """A colleague for a transfer or 加签. `WhyNot` says why the step cannot be given to him."""

    Id = serializers.CharField(source="account.pk")
    Name = serializers.CharField(source="account.name_with_full_name")
    Department = serializers.CharField(source="account.department.name", default="")
    WhyNot = serializers.CharField(source="why_not")


class BulkBody(BodySerializer):
    Ids = serializers.ListField(
        child=serializers.RegexField(r"^[0-9]{1,18}$"), min_length=1, max_length=100
    )
    Comment = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")


class BulkRejectBody(BodySerializer):
    Reason = serializers.CharField(
        max_length=500, error_messages={"required": "请填写驳回原因", "blank": "请填写驳回原因"}
    )
    Ids = serializers.ListField(
        child=serializers.RegexField(r"^[0-9]{1,18}$"), min_length=1, max_length=100
    )


class BulkOutcomeSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="approval_id")
    Success = serializers.BooleanField(source="success")
    RetCode = serializers.CharField(source="code")
    RetMessage = serializers.CharField(source="message")


class BulkResultSerializer(serializers.Serializer[Any]):
    Results = BulkOutcomeSerializer(many=True)
    Approved = serializers.IntegerField()
    Refused = serializers.IntegerField()


class BulkRejectedSerializer(serializers.Serializer[Any]):
    Results = BulkOutcomeSerializer(many=True)
    Rejected = serializers.IntegerField()
    Refused = serializers.IntegerField()
