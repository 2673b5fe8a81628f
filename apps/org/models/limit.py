"""采购限额: the amount that a person may order in one order, on one day or in one month."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.org.enums import LimitAction, LimitPeriod


class PurchaseLimit(TenantModel, TimeStampedModel):
    """A limit of one account, or of each person of a role. It belongs to exactly one of them."""

    role = models.ForeignKey(
        "org.Role",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="limits",
        verbose_name="角色",
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="limits",
        verbose_name="账号",
    )
    period = models.CharField("周期", max_length=8, choices=LimitPeriod.choices)
    amount = MoneyField("限额（含税）")
    action = models.CharField(
        "超出时", max_length=8, choices=LimitAction.choices, default=LimitAction.REFUSE
    )

    class Meta(TenantModel.Meta):
        verbose_name = "采购限额"
        verbose_name_plural = "采购限额"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__isnull=False, account__isnull=True)
                | Q(role__isnull=True, account__isnull=False),
                name="purchaselimit_one_owner",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="purchaselimit_positive"),
            models.UniqueConstraint(
                fields=["group", "role", "period"], name="purchaselimit_role_uniq"
            ),
            models.UniqueConstraint(
                fields=["group", "account", "period"], name="purchaselimit_account_uniq"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_period_display()} {self.amount:,.2f} 元"
