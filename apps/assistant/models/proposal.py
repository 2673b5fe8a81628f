"""待确认的加购清单: products that the assistant proposes for the cart. The person's click adds
them, once.
"""

import uuid

from django.conf import settings
from django.db import models

from apps.assistant.enums import ProposalStatus
from apps.assistant.models.conversation import Message
from apps.common.models import TenantModel


class CartProposal(TenantModel):
    """`lines` is [{code, quantity}] in the displayed order."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    message = models.ForeignKey(
        Message, on_delete=models.CASCADE, related_name="proposals", verbose_name="回答"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    lines = models.JSONField("清单", default=list)
    status = models.CharField(
        "状态", max_length=10, choices=ProposalStatus.choices, default=ProposalStatus.OPEN
    )
    created_at = models.DateTimeField("时间", auto_now_add=True)
    accepted_at = models.DateTimeField("加入购物车时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "AI 加购清单"
        verbose_name_plural = "AI 加购清单"
        indexes = [models.Index(fields=["group", "message"], name="proposal_message_idx")]

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def quantities(self) -> dict[str, int]:
        """The proposed quantities by ProductCode."""
        return {line["code"]: line["quantity"] for line in self.lines}
