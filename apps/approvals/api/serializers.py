"""What is sent to decide on approvals, and what a bulk answers; an approval itself is in `approvals/wire.py`."""

from typing import Any

from rest_framework import serializers

from apps.approvals.api.discussion_bodies import MOST_LINES, VERSION, AmendLineBody, by_line
from apps.common.api.serializers import BodySerializer


class SeenBody(BodySerializer):
    """`Version` is the approval's as it was seen: what was changed since is not decided unseen."""

    Version = serializers.IntegerField(required=False, allow_null=True, default=None, **VERSION)


class ApproveBody(SeenBody):
    """`Lines` are taken down first, in the same act: those that change, 0 drops one; `Comment` is then the reason, and needed."""

    Comment = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")
    Lines = serializers.ListField(child=AmendLineBody(), required=False, default=list, max_length=MOST_LINES)

    def validate_Lines(self, lines: list[dict[str, Any]]) -> dict[int, int]:  # noqa: N802
        return by_line(lines)


class RejectBody(SeenBody):
    Reason = serializers.CharField(max_length=500, error_messages={"required": "请填写驳回原因", "blank": "请填写驳回原因"})


class TransferBody(SeenBody):
    To = serializers.RegexField(r"^[0-9]{1,18}$", error_messages={"invalid": "请选择要转交的同事"})
    Reason = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")


class BulkBody(BodySerializer):
    Ids = serializers.ListField(child=serializers.RegexField(r"^[0-9]{1,18}$"), min_length=1, max_length=100)
    Comment = serializers.CharField(required=False, allow_blank=True, max_length=500, default="")


class BulkRejectBody(BodySerializer):
    Reason = serializers.CharField(max_length=500, error_messages={"required": "请填写驳回原因", "blank": "请填写驳回原因"})
    Ids = serializers.ListField(child=serializers.RegexField(r"^[0-9]{1,18}$"), min_length=1, max_length=100)


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
