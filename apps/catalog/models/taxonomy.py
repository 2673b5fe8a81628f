"""Categories (类目) in three levels, menu groups, and brands (品牌)."""

from django.db import models

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change

LEVELS = 3


class MenuGroup(models.Model):
    """A column of the category menu. Visitors see 15, customers the first 11 (spec section 2,
    Header).
    """

    code = models.CharField("编码", max_length=20, unique=True)
    name = models.CharField("名称", max_length=30)
    position = models.PositiveIntegerField("排序", default=0)

    class Meta:
        verbose_name = "菜单分组"
        verbose_name_plural = "菜单分组"
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.CATEGORY, f"group:{self.code}"


class Category(models.Model):
    """A node of the mall's category tree with three levels. Products belong to a category of the
    third level and store the path. Only the first level has a menu group. Services change the tree
    under `lock_category_tree`.
    """

    code = models.CharField("编码", max_length=20, unique=True)
    name = models.CharField("名称", max_length=40)
    parent = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="children",
        verbose_name="上级类目",
    )
    level = models.PositiveSmallIntegerField("级别")
    menu_group = models.ForeignKey(
        MenuGroup,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="categories",
        verbose_name="菜单分组",
    )
    position = models.PositiveIntegerField("排序", default=0)

    class Meta:
        verbose_name = "类目"
        verbose_name_plural = "类目"
        ordering = ["level", "position", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(level__gte=1, level__lte=3),
                name="category_level_1_to_3",
                violation_error_message="类目只有一级、二级和三级",
            ),
            models.CheckConstraint(
                condition=models.Q(level=1, parent__isnull=True, menu_group__isnull=False)
                | models.Q(level__gt=1, parent__isnull=False),
                name="category_root_has_group",
                violation_error_message="一级类目须选择菜单分组，二级和三级类目须选择上级类目",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.CATEGORY, self.code


class Brand(models.Model):
    code = models.CharField("编码", max_length=20, unique=True)
    name = models.CharField("名称", max_length=40, unique=True)
    english_name = models.CharField("英文名", max_length=60, blank=True)
    description = models.CharField("简介", max_length=300, blank=True)

    class Meta:
        verbose_name = "品牌"
        verbose_name_plural = "品牌"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, f"brand:{self.code}"
