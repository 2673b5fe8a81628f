"""部门: a tree inside an enterprise."""

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from tree_queries.fields import TreeNodeForeignKey
from tree_queries.query import TreeQuerySet

from apps.common.models import TenantManager, TenantModel, TenantQuerySet, TimeStampedModel


class DepartmentQuerySet(TenantQuerySet["Department"], TreeQuerySet):  # type: ignore[misc]
    """A tenant queryset that can walk the tree."""


class DepartmentManager(TenantManager.from_queryset(DepartmentQuerySet)):  # type: ignore[misc]
    """The tenant manager with tree queries."""


class Department(TenantModel, TimeStampedModel):
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, verbose_name="企业", related_name="departments"
    )
    parent = TreeNodeForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        verbose_name="上级部门",
        related_name="children",
    )
    code = models.CharField("部门编码", max_length=30)
    name = models.CharField("部门名称", max_length=60)
    head = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name="部门负责人",
        related_name="+",
    )
    cost_center = models.CharField("成本中心", max_length=40, blank=True)
    position = models.PositiveIntegerField("排序", default=0)
    is_active = models.BooleanField("启用", default=True)

    objects: ClassVar[DepartmentManager] = DepartmentManager()

    class Meta(TenantModel.Meta):
        verbose_name = "部门"
        verbose_name_plural = "部门"
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "enterprise", "code"], name="department_code_uniq"
            ),
            models.CheckConstraint(
                condition=~models.Q(parent=models.F("id")), name="department_not_own_parent"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Check that the tree has no cycle and stays within one enterprise."""
        if self.parent and self.parent.enterprise_id != self.enterprise_id:
            raise ValidationError({"parent": "上级部门须属于同一企业"})
        if self.head and self.head.group_id != self.enterprise.group_id:
            raise ValidationError({"head": "部门负责人须是本集团的账号"})
        above = self.parent
        while above is not None and self.pk is not None:
            if above.pk == self.pk:
                raise ValidationError({"parent": "上级部门不能是本部门或其下级"})
            above = above.parent
