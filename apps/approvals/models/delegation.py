"""代理审批: a delegate decides for the delegator during some days."""

from collections.abc import Collection

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField


class ApprovalDelegation(TenantModel, TimeStampedModel):
    """A delegation from the first day to the end of the last day, in Shanghai time. It may be
    limited to some rules and to an amount.
    """

    delegator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="委托人"
    )
    delegate = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="代理人"
    )
    valid_from = models.DateField("开始日")
    valid_until = models.DateField("结束日")
    reason = models.CharField("原因", max_length=200, blank=True)
    # Ids of the rules whose steps the delegate may decide. Empty: all steps.
    rules = models.JSONField("审批规则", default=list, db_default=[], blank=True)
    amount_limit = MoneyField("金额上限", null=True, blank=True)
    # The time when the delegate was notified of the waiting approvals. A change sets it to
    # None again.
    begun_at = models.DateTimeField("生效时间", null=True, blank=True, editable=False)
    cancelled_at = models.DateTimeField("取消时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "代理审批"
        verbose_name_plural = "代理审批"
        ordering = ["-valid_from", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_until__gte=F("valid_from")),
                name="approvaldelegation_dates_in_order",
            ),
            models.CheckConstraint(
                condition=Q(amount_limit=None) | Q(amount_limit__gt=0),
                name="approvaldelegation_limit_positive",
            ),
            models.CheckConstraint(
                condition=~Q(delegator=F("delegate")), name="approvaldelegation_not_to_self"
            ),
        ]
        indexes = [
            models.Index(
                fields=["group", "delegate", "valid_until"], name="approvaldelegation_to_idx"
            ),
            models.Index(
                fields=["group", "delegator", "valid_until"], name="approvaldelegation_by_idx"
            ),
            models.Index(
                fields=["valid_from"],
                condition=Q(begun_at=None, cancelled_at=None),
                name="approvaldelegation_unbegun_idx",
            ),
        ]

    def __str__(self) -> str:
        return (
            f"{self.delegator_id} → {self.delegate_id} {self.valid_from:%Y-%m-%d} 至 "
            f"{self.valid_until:%Y-%m-%d}"
        )

    def has_common_rule(self, rule_ids: Collection[int]) -> bool:
        """Return whether the delegation and another one for `rule_ids` (empty: all) can concern the
        same step.
        """
        return not self.rules or not rule_ids or bool(set(self.rules) & set(rule_ids))
