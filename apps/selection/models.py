"""选品场景: the scenarios of one-click selection, which the staff maintain."""

from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change
from apps.common.money import NOT_NEGATIVE, MoneyField


class SelectionScenario(models.Model):
    """A scenario (入职礼包, 会议, …) with its kinds and the initial values of the form."""

    code = models.SlugField("编码", max_length=30, unique=True)
    name = models.CharField("名称", max_length=20)
    hint = models.CharField("说明", max_length=80, blank=True)
    heads_name = models.CharField(
        "人数的叫法",
        max_length=10,
        default="人数",
        help_text="表单上怎么称呼人数，例如 新员工人数、打印机台数",
    )
    heads = models.PositiveIntegerField("默认人数", default=10, validators=[MinValueValidator(1)])
    budget = MoneyField("默认预算（含税）", default=Decimal("1000.00"), validators=[NOT_NEGATIVE])
    position = models.PositiveIntegerField("排序", default=0)
    is_active = models.BooleanField("启用", default=True)

    class Meta:
        verbose_name = "选品场景"
        verbose_name_plural = "选品场景"
        ordering = ["position", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(heads__gte=1) & models.Q(budget__gte=0),
                name="selectionscenario_figures_positive",
                violation_error_message="默认人数须大于 0，默认预算不能为负数",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.CATEGORY, f"scenario:{self.code}"


class ScenarioKind(models.Model):
    """A kind of product in a scenario: the products of its categories that match its keyword
    (if any), counted in `unit`.
    """

    scenario = models.ForeignKey(
        SelectionScenario, on_delete=models.CASCADE, related_name="kinds", verbose_name="场景"
    )
    name = models.CharField("名称", max_length=20)
    categories = models.ManyToManyField(
        "catalog.Category", related_name="+", verbose_name="三级类目", blank=True
    )
    keyword = models.CharField(
        "关键词", max_length=60, blank=True, help_text="商品还须符合这些词；没有类目时只按词找"
    )
    avoid = models.CharField(
        "排除词", max_length=100, blank=True, help_text="名称含其中任何一个词的不选，用分号隔开"
    )
    unit = models.CharField(
        "计数单位",
        max_length=20,
        blank=True,
        help_text="按什么计数，例如 支、个；几种都算时用 / 隔开：盒/罐",
    )
    per_head = models.DecimalField(
        "每人数量",
        max_digits=7,
        decimal_places=3,
        default=Decimal(1),
        validators=[MinValueValidator(0)],
    )
    fixed = models.PositiveIntegerField(
        "另加固定数量", default=0, help_text="与人数无关的数量，例如 会议用白板笔 4 支"
    )
    is_default = models.BooleanField("默认选中", default=True)
    position = models.PositiveIntegerField("排序", default=0)

    class Meta:
        verbose_name = "场景品类"
        verbose_name_plural = "场景品类"
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["scenario", "name"], name="scenariokind_name_uniq"),
            models.CheckConstraint(
                condition=models.Q(per_head__gte=0),
                name="scenariokind_per_head_not_negative",
                violation_error_message="每人数量不能为负数",
            ),
            models.CheckConstraint(
                condition=models.Q(per_head__gt=0) | models.Q(fixed__gt=0),
                name="scenariokind_needs_something",
                violation_error_message="每人数量和另加固定数量至少填写一项",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.CATEGORY, f"scenario:{self.scenario.code}"
