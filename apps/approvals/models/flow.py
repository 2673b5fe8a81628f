"""One approval of one subject: its steps in order, and each approver's task."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, ConditionMode, StepMode, StepStatus, TaskStatus
from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField

ASKED = "待申请人答复"


def present_moment() -> datetime:
    """Return what the clock says when a row is made: the demo's history, and tests, set it."""
    return timezone.now()


class Approval(TenantModel, TimeStampedModel):
    """Knows "a subject", never an order: the subject's app registers what a decision does."""

    subject_type = models.CharField("对象类型", max_length=40)
    subject_id = models.BigIntegerField("对象")
    subject_no = models.CharField("单号", max_length=40)
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人")
    amount = MoneyField("金额")
    is_over_budget = models.BooleanField("超出预算", default=False, db_default=False)
    reasons = models.JSONField("审批原因", default=list)
    status = models.CharField("状态", max_length=10, choices=ApprovalStatus.choices, default=ApprovalStatus.PENDING)
    decided_at = models.DateTimeField("结束时间", null=True, blank=True)
    # Rises with every amendment: who decides on quantities that are no longer the present ones is told.
    version = models.PositiveIntegerField("版本", default=1, db_default=1)
    urged_at = models.DateTimeField("催办时间", null=True, blank=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = "审批"
        verbose_name_plural = "审批"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "subject_type", "subject_id"], condition=Q(status=ApprovalStatus.PENDING), name="approval_one_pending"
            )
        ]
        indexes = [
            models.Index(fields=["group", "requester", "-created_at"], name="approval_requester_idx"),
            models.Index(fields=["group", "-created_at", "-id"], name="approval_newest_idx"),
            models.Index(fields=["group", "subject_type", "subject_id"], name="approval_subject_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.subject_no} {self.get_status_display()}"


class ApprovalStep(TenantModel):
    approval = models.ForeignKey(Approval, on_delete=models.CASCADE, related_name="steps", verbose_name="审批")
    no = models.PositiveSmallIntegerField("步骤")
    rule_name = models.CharField("规则", max_length=80)
    # The rule as it was when the approval started; later versions change nothing here. None: no rule asked for it, a budget did.
    rule = models.ForeignKey(
        "approvals.ApprovalRule", null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="审批规则"
    )
    rule_version = models.PositiveIntegerField("规则版本", null=True, blank=True)
    # What the rule asked for then, to judge an amended subject by; None: not known, the step stays whatever is amended.
    conditions = models.JSONField("规则条件", null=True, blank=True, editable=False)
    condition_mode = models.CharField(
        "条件关系", max_length=3, choices=ConditionMode.choices, default=ConditionMode.ALL, db_default=ConditionMode.ALL, editable=False
    )
    mode = models.CharField("方式", max_length=3, choices=StepMode.choices)
    status = models.CharField("状态", max_length=8, choices=StepStatus.choices, default=StepStatus.WAITING)
    is_for_staff = models.BooleanField("由客服审批", default=False)
    note = models.CharField("说明", max_length=200, blank=True)
    # Since when a question of the step waits for the requester; the step's approvers may decide all the same.
    asked_at = models.DateTimeField("询问时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "审批环节"
        verbose_name_plural = "审批环节"
        ordering = ["no"]
        constraints = [models.UniqueConstraint(fields=["group", "approval", "no"], name="approvalstep_no_uniq")]

    def __str__(self) -> str:
        return f"{self.approval_id} 第 {self.no} 步"

    @property
    def status_text(self) -> str:
        """Return where the step stands, in words: one that waits for the requester's answer says so."""
        return ASKED if self.asked_at and self.status == StepStatus.ACTIVE else str(self.get_status_display())


class ApprovalTask(TenantModel, TimeStampedModel):
    step = models.ForeignKey(ApprovalStep, on_delete=models.CASCADE, related_name="tasks", verbose_name="环节")
    approver = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="审批人")
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="代理"
    )
    status = models.CharField("状态", max_length=11, choices=TaskStatus.choices, default=TaskStatus.WAITING)
    comment = models.CharField("意见", max_length=500, blank=True)
    # Since when it waits for him: its step was opened, or it came to him from another.
    arrived_at = models.DateTimeField("送达时间", default=present_moment, db_default=Now(), editable=False)
    # When it came to him where his time has begun anew since: an answer starts the clock again, it shows him no amendment.
    first_arrived_at = models.DateTimeField("首次送达时间", null=True, blank=True, editable=False)
    reminded_at = models.DateTimeField("提醒时间", null=True, blank=True, editable=False)
    escalated_at = models.DateTimeField("升级时间", null=True, blank=True, editable=False)
    # Asked beside this one, who let it lie: of them whoever decides first spares the others.
    escalated_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="+", editable=False, verbose_name="升级自"
    )
    decided_at = models.DateTimeField("处理时间", null=True, blank=True)
    # Working time from being asked to the decision.
    waited_minutes = models.PositiveIntegerField("处理用时（工作分钟）", null=True, blank=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = "审批任务"
        verbose_name_plural = "审批任务"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["group", "approver", "status"], name="approvaltask_inbox_idx"),
            models.Index(fields=["group", "arrived_at"], condition=Q(status=TaskStatus.PENDING), name="approvaltask_waiting_idx"),
            models.Index(fields=["group", "decided_at"], name="approvaltask_decided_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.approver_id} {self.get_status_display()}"

    @property
    def asked(self) -> Any:
        """Who was asked: whoever decided in his place stands in `approver`."""
        return self.acting_for or self.approver
