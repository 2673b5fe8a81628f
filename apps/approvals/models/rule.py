"""A rule: condition × who it applies to × ordered steps."""

from django.conf import settings
from django.db import models

from apps.approvals.enums import ApproverKind, ConditionMode, StepMode
from apps.common.models import TenantModel, TimeStampedModel


class ApprovalRule(TenantModel, TimeStampedModel):
    """Applies to the whole group, one enterprise, or one department and all below it.

    `conditions` is [{"kind": ConditionKind, "value": …}]: an amount as "500.00", a quantity as a whole number, a list of ids or
    codes, or null for 超出预算; checkout reads it in one query with the rule. No condition: every order.
    """

    name = models.CharField("规则名称", max_length=80)
    enterprise = models.ForeignKey("org.Enterprise", null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="企业")
    department = models.ForeignKey("org.Department", null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="部门")
    conditions = models.JSONField("条件", default=list, blank=True)
    condition_mode = models.CharField("条件关系", max_length=3, choices=ConditionMode.choices, default=ConditionMode.ALL)
    allows_self_approval = models.BooleanField("允许申请人审批自己的订单", default=False)
    position = models.PositiveIntegerField("顺序", default=0)
    is_active = models.BooleanField("启用", default=True)

    class Meta(TenantModel.Meta):
        verbose_name = "审批规则"
        verbose_name_plural = "审批规则"
        ordering = ["position", "id"]
        indexes = [models.Index(fields=["group", "is_active", "position"], name="approvalrule_active_idx")]

    def __str__(self) -> str:
        return self.name


class ApprovalRuleStep(TenantModel):
    rule = models.ForeignKey(ApprovalRule, on_delete=models.CASCADE, related_name="steps", verbose_name="规则")
    no = models.PositiveSmallIntegerField("步骤")
    mode = models.CharField("方式", max_length=3, choices=StepMode.choices, default=StepMode.ANY)
    approver_kind = models.CharField("审批人", max_length=8, choices=ApproverKind.choices)
    accounts = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+", verbose_name="账号")
    role = models.ForeignKey("org.Role", null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="角色")
    levels_up = models.PositiveSmallIntegerField("向上级数", default=0)

    class Meta(TenantModel.Meta):
        verbose_name = "审批步骤"
        verbose_name_plural = "审批步骤"
        ordering = ["no", "id"]
        constraints = [models.UniqueConstraint(fields=["group", "rule", "no"], name="approvalrulestep_no_uniq")]

    def __str__(self) -> str:
        return f"{self.rule_id} 第 {self.no} 步"
