"""收货地址 of a group. An address is shared by the group, an enterprise or a department, or belongs
to one account.
"""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.org.validators import validate_mobile, validate_postal_code


class Address(TenantModel, TimeStampedModel):
    enterprise = models.ForeignKey(
        "org.Enterprise",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        verbose_name="企业（空为全集团）",
        related_name="addresses",
    )
    department = models.ForeignKey(
        "org.Department",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        verbose_name="部门（空为不限）",
        related_name="addresses",
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        verbose_name="账号（空为共用）",
        related_name="addresses",
    )
    label = models.CharField("标签", max_length=20, blank=True)
    receiver = models.CharField("收货人", max_length=40)
    mobile = models.CharField("手机号码", max_length=20, validators=[validate_mobile])
    province = models.CharField("省", max_length=30)
    city = models.CharField("市", max_length=30)
    district = models.CharField("区县", max_length=30, blank=True)
    town = models.CharField("街道", max_length=30, blank=True, default="", db_default="")
    street = models.CharField("详细地址", max_length=200)
    postal_code = models.CharField(
        "邮政编码", max_length=6, blank=True, validators=[validate_postal_code]
    )
    is_default = models.BooleanField("默认地址", default=False)
    is_active = models.BooleanField("启用", default=True)

    class Meta(TenantModel.Meta):
        verbose_name = "收货地址"
        verbose_name_plural = "收货地址"
        ordering = ["-is_default", "id"]
        indexes = [
            models.Index(fields=["group", "enterprise", "account"], name="address_owner_idx")
        ]

    def __str__(self) -> str:
        return f"{self.receiver} {self.full_text}"

    def clean(self) -> None:
        """Check that the owner belongs to the group."""
        for name, owner in (
            ("enterprise", self.enterprise),
            ("department", self.department),
            ("account", self.account),
        ):
            if owner is not None and owner.group_id != self.group_id:
                raise ValidationError({name: "须属于所选集团"})
        if self.department and self.department.enterprise_id != self.enterprise_id:
            raise ValidationError({"department": "部门须属于所选企业"})

    @property
    def owner_type(self) -> str:
        """The kind of owner: `account`, `department`, `enterprise` or `group`."""
        if self.account_id:
            return "account"
        if self.department_id:
            return "department"
        return "enterprise" if self.enterprise_id else "group"

    @property
    def usable_by(self) -> str:
        """The accounts that may use the address, in words. Reads the enterprise or department."""
        if self.account_id:
            return "仅本人"
        if self.department is not None:
            return f"{self.department.name}及下级部门"
        return f"{self.enterprise.name}全体" if self.enterprise is not None else "全集团"

    @property
    def full_text(self) -> str:
        """The address in one line, from province to street. A name that is repeated for
        province and city, or city and district, appears once.
        """
        city = "" if self.city == self.province else self.city
        district = "" if self.district == self.city else self.district
        return f"{self.province}{city}{district}{self.local_text}"

    @property
    def local_text(self) -> str:
        """The part after the district: 街道 and the detailed address."""
        return f"{self.town}{self.street}"
