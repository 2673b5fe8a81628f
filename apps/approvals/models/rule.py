"""An approval rule: where it applies, its conditions, its ordered steps, and its versions. 回放:
real orders of the last days judged against a draft rule, in the background.
"""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.approvals.enums import (
    ApproverKind,
    ConditionMode,
    ReplayState,
    RuleAction,
    RuleStatus,
    StepMode,
)
from apps.common.models import TenantModel, TimeStampedModel

# The copies (抄送) that all rules of one order send together.
MAX_RULE_COPIES = 200


class ApprovalRule(TenantModel, TimeStampedModel):
    """Applies to the whole group, one enterprise, or one department and all departments below
    it.

    `conditions` is [{"kind": ConditionKind, "value": …}]; `selectors/conditions.py` describes the
    value of each kind. Without conditions, every order matches.
    """

    name = models.CharField("规则名称", max_length=80)
    enterprise = models.ForeignKey(
        "org.Enterprise",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="企业",
    )
    department = models.ForeignKey(
        "org.Department",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="部门",
    )
    conditions = models.JSONField("条件", default=list, blank=True)
    condition_mode = models.CharField(
        "条件关系", max_length=3, choices=ConditionMode.choices, default=ConditionMode.ALL
    )
    # 分档: [{"above", "up_to", "departments", "categories"}], see `selectors/bands.py`. Empty: all
    # steps apply to every matching order.
    bands = models.JSONField("分档", default=list, db_default=[], blank=True)
    allows_self_approval = models.BooleanField("允许申请人审批自己的订单", default=False)
    # One person may decide several steps by transfer, delegation or 加签.
    allows_same_person = models.BooleanField(
        "允许同一人审批多个步骤", default=False, db_default=False
    )
    # Ids of accounts and roles that get a copy (抄送) of each order that the rule matches.
    copy_accounts = models.JSONField("抄送的人", default=list, blank=True)
    copy_roles = models.JSONField("抄送的角色", default=list, blank=True)
    position = models.PositiveIntegerField("顺序", default=0)
    is_active = models.BooleanField("启用", default=True)
    valid_from = models.DateField("生效日", null=True, blank=True, help_text="留空：立即生效")
    valid_until = models.DateField(
        "失效日", null=True, blank=True, help_text="当天仍有效；留空：长期有效"
    )
    # A condition sums up the orders of several people, so their submits take turns.
    has_shared_sums = models.BooleanField(
        "累计多人订单", default=False, db_default=False, editable=False
    )
    version = models.PositiveIntegerField("版本", default=1, db_default=1, editable=False)
    # Rules are never deleted, because their decisions must stay readable. A rule with this
    # time matches nothing and is not listed.
    deleted_at = models.DateTimeField("删除时间", null=True, blank=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = "审批规则"
        verbose_name_plural = "审批规则"
        ordering = ["position", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True)
                | Q(valid_until__isnull=True)
                | Q(valid_until__gte=F("valid_from")),
                name="approvalrule_dates_in_order",
            )
        ]
        indexes = [
            models.Index(fields=["group", "is_active", "position"], name="approvalrule_active_idx"),
            # The list of the back office, sorted by group and position.
            models.Index(fields=["group", "position", "-id"], name="approvalrule_office_idx"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_status_on(self, day: date) -> RuleStatus:
        """Return the status on a day. The last day is included."""
        if not self.is_active:
            return RuleStatus.DISABLED
        if self.valid_from is not None and day < self.valid_from:
            return RuleStatus.COMING
        return (
            RuleStatus.ENDED
            if self.valid_until is not None and day > self.valid_until
            else RuleStatus.ACTIVE
        )


class ApprovalRuleStep(TenantModel):
    """One step that a rule adds to the approval, and how to find its approvers: named accounts, a
    role, or the head of the requester's department or of one `levels_up` above. Steps are numbered
    within the rule.
    """

    rule = models.ForeignKey(
        ApprovalRule, on_delete=models.CASCADE, related_name="steps", verbose_name="规则"
    )
    no = models.PositiveSmallIntegerField("步骤")
    # The number of the rule's band, from 1. None: the step applies to all bands.
    band = models.PositiveSmallIntegerField(
        "分档", null=True, blank=True, help_text="第几档；留空：所有档"
    )
    mode = models.CharField("方式", max_length=3, choices=StepMode.choices, default=StepMode.ANY)
    approver_kind = models.CharField("审批人", max_length=8, choices=ApproverKind.choices)
    accounts = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="+", verbose_name="账号"
    )
    role = models.ForeignKey(
        "org.Role",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="角色",
    )
    levels_up = models.PositiveSmallIntegerField("向上级数", default=0)

    class Meta(TenantModel.Meta):
        verbose_name = "审批步骤"
        verbose_name_plural = "审批步骤"
        ordering = ["no", "id"]
        constraints = [
            models.UniqueConstraint(fields=["group", "rule", "no"], name="approvalrulestep_no_uniq")
        ]

    def __str__(self) -> str:
        return f"{self.rule_id} 第 {self.no} 步"


class ApprovalRuleVersion(TenantModel):
    """The rule after one change, in words: `words` is [{"field", "label", "text"}] with the
    names of that time.
    """

    rule = models.ForeignKey(
        ApprovalRule, on_delete=models.CASCADE, related_name="versions", verbose_name="规则"
    )
    number = models.PositiveIntegerField("版本")
    action = models.CharField("操作", max_length=8, choices=RuleAction.choices)
    words = models.JSONField("内容", default=list)
    # The same as data, to restore the version (`rule_content`). None in versions older than
    # this column.
    content = models.JSONField("数据", null=True, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="操作人",
    )
    # `updated_at` of the rule after the change. An editor sends it back to identify the
    # version it saw.
    at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        verbose_name = "审批规则版本"
        verbose_name_plural = "审批规则版本"
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "rule", "number"], name="approvalruleversion_number_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.rule_id} 第 {self.number} 版"


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
