"""角色: a set of menu codes and a data scope."""

from django.core.exceptions import ValidationError
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.org.enums import DataScope
from apps.org.menus import ALL_CODES


def validate_menu_codes(codes: list[str]) -> None:
    """Raise ValidationError for an unknown menu code."""
    unknown = sorted(set(codes) - set(ALL_CODES))
    if unknown:
        raise ValidationError(f"没有这些菜单编码：{'、'.join(unknown)}")


class Role(TenantModel, TimeStampedModel):
    code = models.CharField("角色编码", max_length=30)
    name = models.CharField("角色名称", max_length=60)
    menu_codes = models.JSONField(
        "菜单权限", default=list, blank=True, validators=[validate_menu_codes]
    )
    data_scope = models.CharField(
        "数据范围", max_length=12, choices=DataScope.choices, default=DataScope.OWN
    )

    class Meta(TenantModel.Meta):
        verbose_name = "角色"
        verbose_name_plural = "角色"
        ordering = ["code"]
        constraints = [
            models.UniqueConstraint(fields=["group", "code"], name="role_group_code_uniq")
        ]

    def __str__(self) -> str:
        return self.name
