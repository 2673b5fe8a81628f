"""回放: real orders of the last days judged against a draft rule, in the background."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.approvals.enums import ReplayState
from apps.common.models import TenantModel, TimeStampedModel


class RuleReplay(TenantModel, TimeStampedModel):
    """`content` is the form of the draft (`form_content`), `rule_id` the stored rule
    that it would replace. `result` is the answer of the API when `state` is DONE.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="发起人"
    )
    rule = models.ForeignKey(
        "approvals.ApprovalRule",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="原规则",
    )
    content = models.JSONField("规则草稿")
    state = models.CharField(
        "状态", max_length=8, choices=ReplayState.choices, default=ReplayState.QUEUED
    )
    done = models.PositiveIntegerField("已回放", default=0)
    total = models.PositiveIntegerField("订单数", default=0)
    result = models.JSONField("结果", null=True, blank=True)
    error = models.CharField("失败原因", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "规则回放"
        verbose_name_plural = "规则回放"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(done__lte=F("total")), name="rulereplay_done_lte")
        ]
        indexes = [models.Index(fields=["group", "owner", "-id"], name="rulereplay_owner_idx")]

    def __str__(self) -> str:
        return f"{self.owner_id} {self.done}/{self.total}"
