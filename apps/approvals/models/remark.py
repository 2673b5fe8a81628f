"""讨论: questions to the requester, his answers, and comments with those they mention."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.approvals.enums import RemarkKind
from apps.approvals.models.flow import Approval, ApprovalStep
from apps.common.models import TenantModel


class ApprovalRemark(TenantModel):
    approval = models.ForeignKey(Approval, on_delete=models.CASCADE, related_name="remarks", verbose_name="审批")
    kind = models.CharField("类型", max_length=8, choices=RemarkKind.choices)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="发言人")
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="代理"
    )
    text = models.CharField("内容", max_length=1000)
    at = models.DateTimeField("时间")
    # Of a question: the step that asks, and whether it still waits. Of an answer: its question.
    step = models.ForeignKey(ApprovalStep, null=True, blank=True, on_delete=models.CASCADE, related_name="+", verbose_name="环节")
    is_open = models.BooleanField("待答复", default=False)
    question = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="+", verbose_name="所答问题")
    mentions = models.ManyToManyField(settings.AUTH_USER_MODEL, through="ApprovalMention", related_name="+", verbose_name="提到的人")

    class Meta(TenantModel.Meta):
        verbose_name = "审批讨论"
        verbose_name_plural = "审批讨论"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(is_open=False) | Q(kind=RemarkKind.QUESTION, step__isnull=False), name="approvalremark_open_asks"
            )
        ]
        indexes = [models.Index(fields=["group", "approval", "id"], name="approvalremark_approval_idx")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.text[:20]}"


class ApprovalMention(TenantModel):
    """Who is mentioned may look at the approval from then on."""

    remark = models.ForeignKey(ApprovalRemark, on_delete=models.CASCADE, related_name="+", verbose_name="评论")
    approval = models.ForeignKey(Approval, on_delete=models.CASCADE, related_name="mentioned", verbose_name="审批")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="提到的人")

    class Meta(TenantModel.Meta):
        verbose_name = "审批提及"
        verbose_name_plural = "审批提及"
        constraints = [models.UniqueConstraint(fields=["group", "remark", "account"], name="approvalmention_once_uniq")]
        indexes = [models.Index(fields=["group", "account", "approval"], name="approvalmention_account_idx")]

    def __str__(self) -> str:
        return f"{self.remark_id} @{self.account_id}"
