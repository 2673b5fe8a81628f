"""采购限额: the amount that a person may order in one order, on one day or in one month, of all
goods or of one product category.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.org.enums import LimitAction, LimitPeriod


class PurchaseLimit(TenantModel, TimeStampedModel):
    """A limit of one account, or of each person of a role. It belongs to exactly one of them.
    Without a category it limits whole orders, with freight. With a category it limits the lines of
    the category and of the categories below it.
    """

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
    category = models.ForeignKey(
        "catalog.Category",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="类目（空为全部商品）",
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
                fields=["group", "role", "period"],
                condition=Q(category__isnull=True),
                name="purchaselimit_role_uniq",
            ),
            models.UniqueConstraint(
                fields=["group", "account", "period"],
                condition=Q(category__isnull=True),
                name="purchaselimit_account_uniq",
            ),
            models.UniqueConstraint(
                fields=["group", "role", "category", "period"],
                name="purchaselimit_role_category_uniq",
            ),
            models.UniqueConstraint(
                fields=["group", "account", "category", "period"],
                name="purchaselimit_account_category_uniq",
            ),
        ]

    @property
    def category_name(self) -> str:
        """The name of the category; empty for a limit of whole orders."""
        return self.category.name if self.category else ""

    def __str__(self) -> str:
        return f"{self.category_name}{self.get_period_display()} {self.amount:,.2f} 元"
