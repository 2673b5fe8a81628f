"""An approval of a subject: its steps, tasks, amendments and remarks."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from apps.approvals.enums import (
    ApprovalStatus,
    ConditionMode,
    RemarkKind,
    StepMode,
    StepStatus,
    TaskStatus,
)
from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField

ASKED = "待申请人答复"


def present_moment() -> datetime:
    """Return the current time. The demo's history and tests set the clock."""
    return timezone.now()


class Approval(TenantModel, TimeStampedModel):
    """An approval of one subject, e.g. an order, with its chain of steps. `amount` is in 元, 含税.

    A subject has at most one pending approval. It is decided under its own lock, after the lock of
    its subject.
    """

    subject_type = models.CharField("对象类型", max_length=40)
    subject_id = models.BigIntegerField("对象")
    subject_no = models.CharField("单号", max_length=40)
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人"
    )
    # {account id: true} of the people whose requisitions the subject fulfils. Like the requester,
    # they may not decide it. An object, because both databases search the keys of an object.
    askers = models.JSONField("采购申请人", default=dict, db_default={}, editable=False)
    amount = MoneyField("金额")
    # The amount of all orders of the same submit. None: the subject was submitted alone.
    whole_amount = MoneyField("提交的合计金额", null=True, blank=True, editable=False)
    is_over_budget = models.BooleanField("超出预算", default=False, db_default=False)
    reasons = models.JSONField("审批原因", default=list)
    status = models.CharField(
        "状态", max_length=10, choices=ApprovalStatus.choices, default=ApprovalStatus.PENDING
    )
    decided_at = models.DateTimeField("结束时间", null=True, blank=True)
    # Each amendment increases it. A decision on an older version is refused.
    version = models.PositiveIntegerField("版本", default=1, db_default=1)
    urged_at = models.DateTimeField("催办时间", null=True, blank=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = "审批"
        verbose_name_plural = "审批"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "subject_type", "subject_id"],
                condition=Q(status=ApprovalStatus.PENDING),
                name="approval_one_pending",
            )
        ]
        indexes = [
            models.Index(
                fields=["group", "requester", "-created_at"], name="approval_requester_idx"
            ),
            models.Index(fields=["group", "-created_at", "-id"], name="approval_newest_idx"),
            models.Index(
                fields=["group", "subject_type", "subject_id"], name="approval_subject_idx"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject_no} {self.get_status_display()}"

    @property
    def own_ids(self) -> frozenset[int]:
        """Return the ids of the accounts that may not decide the approval, because it is about
        their own order or goods: the requester and the askers.
        """
        return frozenset({self.requester_id, *map(int, self.askers)})

    @property
    def judged_amount(self) -> Decimal:
        """Return the amount in 元 that is compared with limits: splitting a submit avoids none."""
        amount: Decimal = self.amount if self.whole_amount is None else self.whole_amount
        return amount


class ApprovalStep(TenantModel):
    """One step of an approval. The steps run in the order of `no`; `mode` says whether one or all
    approvers of a step have to approve. Rule, version and conditions are a snapshot of the start,
    so a later change of the rule does not affect a running approval.
    """

    approval = models.ForeignKey(
        Approval, on_delete=models.CASCADE, related_name="steps", verbose_name="审批"
    )
    no = models.PositiveSmallIntegerField("步骤")
    rule_name = models.CharField("规则", max_length=80)
    # The rule as it was when the approval started; later versions do not change the step.
    # None: a budget or the credit limit requires the step.
    rule = models.ForeignKey(
        "approvals.ApprovalRule",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="审批规则",
    )
    rule_version = models.PositiveIntegerField("规则版本", null=True, blank=True)
    # The conditions of the rule at that time, to evaluate an amended subject. None: no rule; the
    # reasons then say on what they are based.
    conditions = models.JSONField("规则条件", null=True, blank=True, editable=False)
    condition_mode = models.CharField(
        "条件关系",
        max_length=3,
        choices=ConditionMode.choices,
        default=ConditionMode.ALL,
        db_default=ConditionMode.ALL,
        editable=False,
    )
    # The band of the rule (分档) that the subject had when the approval started, in words.
    band = models.CharField("分档", max_length=120, blank=True, db_default="", editable=False)
    # Why the step is required, as last judged: [{"text", "budget", "basis", "met"}]. `budget` is
    # the id of the exceeded budget, or None. A reason without conditions has a `basis`, to judge it
    # for an amended subject; without one it stays. `met` is false after an amendment has ended it.
    reasons = models.JSONField("原因", default=list, db_default=[], editable=False)
    mode = models.CharField("方式", max_length=3, choices=StepMode.choices)
    status = models.CharField(
        "状态", max_length=8, choices=StepStatus.choices, default=StepStatus.WAITING
    )
    is_for_staff = models.BooleanField("由客服审批", default=False)
    # The rule's setting at that time.
    allows_same_person = models.BooleanField(
        "允许同一人审批多个步骤", default=False, db_default=False, editable=False
    )
    # The approver who added the step (前加签, 后加签). None: a rule, a budget or a limit did.
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
        verbose_name="加签人",
    )
    note = models.CharField("说明", max_length=200, blank=True)
    # The time of the oldest open question to the requester. The approvers may still decide.
    asked_at = models.DateTimeField("询问时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "审批环节"
        verbose_name_plural = "审批环节"
        ordering = ["no"]
        constraints = [
            models.UniqueConstraint(fields=["group", "approval", "no"], name="approvalstep_no_uniq")
        ]

    def __str__(self) -> str:
        return f"{self.approval_id} 第 {self.no} 步"

    @property
    def status_text(self) -> str:
        """Return the status in words: 待申请人答复 while a question is open."""
        return (
            ASKED
            if self.asked_at and self.status == StepStatus.ACTIVE
            else str(self.get_status_display())
        )


class ApprovalTask(TenantModel, TimeStampedModel):
    """The part of one approver in a step. If a stand-in decides, `approver` is the stand-in and
    `acting_for` the person who was asked.
    """

    step = models.ForeignKey(
        ApprovalStep, on_delete=models.CASCADE, related_name="tasks", verbose_name="环节"
    )
    approver = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="审批人"
    )
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="代理",
    )
    status = models.CharField(
        "状态", max_length=11, choices=TaskStatus.choices, default=TaskStatus.WAITING
    )
    comment = models.CharField("意见", max_length=500, blank=True)
    # The time when the step opened or the task was transferred.
    arrived_at = models.DateTimeField(
        "送达时间", default=present_moment, db_default=Now(), editable=False
    )
    # The first arrival. An answer restarts `arrived_at`, but the approver has not seen later
    # amendments.
    first_arrived_at = models.DateTimeField("首次送达时间", null=True, blank=True, editable=False)
    reminded_at = models.DateTimeField("提醒时间", null=True, blank=True, editable=False)
    escalated_at = models.DateTimeField("升级时间", null=True, blank=True, editable=False)
    # The late task that this task was escalated from. The first decision among them closes
    # the others.
    escalated_from = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        editable=False,
        verbose_name="升级自",
    )
    # The approver who added this one to the step (并加签). Both then have to approve.
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
        verbose_name="加签人",
    )
    decided_at = models.DateTimeField("处理时间", null=True, blank=True)
    # Working minutes from arrival to decision.
    waited_minutes = models.PositiveIntegerField(
        "处理用时（工作分钟）", null=True, blank=True, editable=False
    )

    class Meta(TenantModel.Meta):
        verbose_name = "审批任务"
        verbose_name_plural = "审批任务"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["group", "approver", "status"], name="approvaltask_inbox_idx"),
            models.Index(
                fields=["group", "arrived_at"],
                condition=Q(status=TaskStatus.PENDING),
                name="approvaltask_waiting_idx",
            ),
            models.Index(fields=["group", "decided_at"], name="approvaltask_decided_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.approver_id} {self.get_status_display()}"

    @property
    def asked(self) -> Any:
        """Return the approver who was asked; a stand-in is in `approver`."""
        return self.acting_for or self.approver


class ApprovalAmendment(TenantModel):
    """One reduction of quantities (调整数量). The lines are stored as text, because a dropped line
    is deleted.

    `lines` is [{"LineId", "Code", "Name", "Unit", "Before", "After"}], `figures` is [{"Name",
    "Before", "After"}] in 元.
    """

    approval = models.ForeignKey(
        Approval, on_delete=models.CASCADE, related_name="amendments", verbose_name="审批"
    )
    version = models.PositiveIntegerField("版本")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="调整人"
    )
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="代理",
    )
    reason = models.CharField("调整原因", max_length=300)
    lines = models.JSONField("数量变化", default=list)
    figures = models.JSONField("金额变化", default=list)
    # The reasons of the approval before and after. Empty in amendments older than these columns.
    reasons_before = models.JSONField("调整前的审批原因", default=list, db_default=[])
    reasons_after = models.JSONField("调整后的审批原因", default=list, db_default=[])
    amount_before = MoneyField("调整前金额")
    amount_after = MoneyField("调整后金额")
    at = models.DateTimeField("调整时间")

    class Meta(TenantModel.Meta):
        verbose_name = "审批调整"
        verbose_name_plural = "审批调整"
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "approval", "version"], name="approvalamendment_version_uniq"
            ),
            models.CheckConstraint(
                condition=Q(amount_after__lte=F("amount_before")),
                name="approvalamendment_never_dearer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.approval_id} {self.amount_before} → {self.amount_after}"


class ApprovalRemark(TenantModel):
    """A comment, a question to the requester, or an answer, in the discussion of an approval. Only
    a question with a step can be open. The mentioned colleagues may see the approval.
    """

    approval = models.ForeignKey(
        Approval, on_delete=models.CASCADE, related_name="remarks", verbose_name="审批"
    )
    kind = models.CharField("类型", max_length=8, choices=RemarkKind.choices)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="发言人"
    )
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="代理",
    )
    text = models.CharField("内容", max_length=1000)
    at = models.DateTimeField("时间")
    # For a question: its step, and whether it is open. For an answer: its question.
    step = models.ForeignKey(
        ApprovalStep,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="环节",
    )
    is_open = models.BooleanField("待答复", default=False)
    question = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="所答问题",
    )
    mentions = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        through="ApprovalMention",
        related_name="+",
        verbose_name="提到的人",
    )

    class Meta(TenantModel.Meta):
        verbose_name = "审批讨论"
        verbose_name_plural = "审批讨论"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(is_open=False) | Q(kind=RemarkKind.QUESTION, step__isnull=False),
                name="approvalremark_open_asks",
            )
        ]
        indexes = [
            models.Index(fields=["group", "approval", "id"], name="approvalremark_approval_idx")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.text[:20]}"


class ApprovalCopy(TenantModel):
    """抄送: a person who is informed of the approval and may see it, but decides nothing."""

    approval = models.ForeignKey(
        Approval, on_delete=models.CASCADE, related_name="copies", verbose_name="审批"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="抄送给"
    )
    # None: a rule sent the copy.
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="抄送人",
    )
    at = models.DateTimeField("抄送时间")
    read_at = models.DateTimeField("阅读时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "审批抄送"
        verbose_name_plural = "审批抄送"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "approval", "account"], name="approvalcopy_once_uniq"
            )
        ]
        indexes = [
            models.Index(fields=["group", "account", "approval"], name="approvalcopy_account_idx")
        ]

    def __str__(self) -> str:
        return f"{self.approval_id} → {self.account_id}"


class ApprovalMention(TenantModel):
    """A mentioned colleague. They may see the approval from then on."""

    remark = models.ForeignKey(
        ApprovalRemark, on_delete=models.CASCADE, related_name="+", verbose_name="评论"
    )
    approval = models.ForeignKey(
        Approval, on_delete=models.CASCADE, related_name="mentioned", verbose_name="审批"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="提到的人",
    )

    class Meta(TenantModel.Meta):
        verbose_name = "审批提及"
        verbose_name_plural = "审批提及"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "remark", "account"], name="approvalmention_once_uniq"
            )
        ]
        indexes = [
            models.Index(
                fields=["group", "account", "approval"], name="approvalmention_account_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.remark_id} @{self.account_id}"
