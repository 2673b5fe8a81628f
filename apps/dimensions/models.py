"""Accounting dimensions: cost centres, projects and accounting subjects.

The three kinds are one table, because they have the same fields, rules, sheet and screen. A split
and a report name the kind.
"""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.dimensions.enums import DimensionKind, DimensionState


class Dimension(TenantModel, TimeStampedModel):
    """`valid_from` and `valid_to` are inclusive; null means no bound. Without rows in
    `departments`, every department may use it.
    """

    kind = models.CharField("类别", max_length=12, choices=DimensionKind.choices)
    code = models.CharField("编码", max_length=40)
    name = models.CharField("名称", max_length=80)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="负责人",
    )
    valid_from = models.DateField("生效日期", null=True, blank=True)
    valid_to = models.DateField("失效日期", null=True, blank=True)
    is_active = models.BooleanField("启用", default=True)

    class Meta(TenantModel.Meta):
        verbose_name = "核算项"
        verbose_name_plural = "核算项"
        ordering = ["kind", "code"]
        constraints = [
            models.UniqueConstraint(fields=["group", "kind", "code"], name="dimension_code_uniq"),
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True)
                | Q(valid_to__isnull=True)
                | Q(valid_to__gte=F("valid_from")),
                name="dimension_days_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.name}"

    def state_on(self, day: date) -> DimensionState:
        """Return the state of the dimension on a day."""
        return get_state_on(day, self.is_active, self.valid_from, self.valid_to)


def get_state_on(
    day: date, is_active: bool, valid_from: date | None, valid_to: date | None
) -> DimensionState:
    """Return the state on a day. A disabled dimension is disabled on every day."""
    if not is_active:
        return DimensionState.DISABLED
    if valid_from and day < valid_from:
        return DimensionState.UPCOMING
    if valid_to and day > valid_to:
        return DimensionState.EXPIRED
    return DimensionState.USABLE


class DimensionDepartment(TenantModel):
    """A department that may use the dimension, with all departments below it."""

    dimension = models.ForeignKey(
        Dimension, on_delete=models.CASCADE, related_name="departments", verbose_name="核算项"
    )
    department = models.ForeignKey(
        "org.Department", on_delete=models.PROTECT, related_name="+", verbose_name="部门"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "适用部门"
        verbose_name_plural = "适用部门"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "dimension", "department"], name="dimensiondepartment_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.dimension_id} · {self.department_id}"


class DimensionDefault(TenantModel):
    """The dimension of a kind that orders of the department use without a choice. It also applies
    to the departments below that have no default of their own.
    """

    department = models.ForeignKey(
        "org.Department", on_delete=models.PROTECT, related_name="+", verbose_name="部门"
    )
    kind = models.CharField("类别", max_length=12, choices=DimensionKind.choices)
    dimension = models.ForeignKey(
        Dimension, on_delete=models.CASCADE, related_name="defaults", verbose_name="核算项"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "部门默认核算项"
        verbose_name_plural = "部门默认核算项"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "department", "kind"], name="dimensiondefault_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.department_id} · {self.dimension_id}"
