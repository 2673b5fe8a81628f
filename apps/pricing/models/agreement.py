"""协议: an assortment and a price list with validity dates, given to a group or to one enterprise,
and the version of all data that decides which products a customer sees.
"""

from django.db import models
from django.db.models import Q

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change
from apps.common.models import TenantModel
from apps.pricing.enums import RuleKind, RuleMode


class Assortment(models.Model):
    code = models.CharField("编码", max_length=30, unique=True)
    name = models.CharField("名称", max_length=80)

    class Meta:
        verbose_name = "商品范围"
        verbose_name_plural = "商品范围"
        ordering = ["code"]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.ASSORTMENT, self.code


class AssortmentRule(models.Model):
    """A rule that includes or excludes products. An exclude applies only within its own
    assortment.
    """

    assortment = models.ForeignKey(
        Assortment, on_delete=models.CASCADE, related_name="rules", verbose_name="商品范围"
    )
    mode = models.CharField("方式", max_length=7, choices=RuleMode.choices)
    kind = models.CharField("对象", max_length=8, choices=RuleKind.choices)
    category = models.ForeignKey(
        "catalog.Category",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="assortment_rules",
        verbose_name="类目",
    )
    brand = models.ForeignKey(
        "catalog.Brand",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="品牌",
    )
    product = models.ForeignKey(
        "catalog.Product",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="商品",
    )
    valid_to = models.DateField(
        "有效期至", null=True, blank=True, help_text="留空：与协议同期；仅询价专属范围使用"
    )

    class Meta:
        verbose_name = "范围规则"
        verbose_name_plural = "范围规则"
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    kind=RuleKind.ALL,
                    category__isnull=True,
                    brand__isnull=True,
                    product__isnull=True,
                )
                | Q(
                    kind=RuleKind.CATEGORY,
                    category__isnull=False,
                    brand__isnull=True,
                    product__isnull=True,
                )
                | Q(
                    kind=RuleKind.BRAND,
                    category__isnull=True,
                    brand__isnull=False,
                    product__isnull=True,
                )
                | Q(
                    kind=RuleKind.PRODUCT,
                    category__isnull=True,
                    brand__isnull=True,
                    product__isnull=False,
                ),
                name="assortmentrule_one_target",
                violation_error_message="请按规则的种类只选择一项：类目、品牌或商品；种类为“全部”时都不选",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_mode_display()}{self.get_kind_display()}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.ASSORTMENT, self.assortment.code


class Agreement(models.Model):
    """Joins a price list with an assortment for a time. `CustomerAgreement` gives it to a group or
    an enterprise. `valid_to` is the last day; None has no end. An addition (`is_addition`) comes
    from quotes: it wins over other agreements and does not change the assortment.
    """

    code = models.CharField("编码", max_length=30, unique=True)
    name = models.CharField("名称", max_length=80)
    price_list = models.ForeignKey(
        "pricing.PriceList",
        on_delete=models.PROTECT,
        related_name="agreements",
        verbose_name="价目表",
    )
    assortment = models.ForeignKey(
        Assortment, on_delete=models.PROTECT, related_name="agreements", verbose_name="商品范围"
    )
    valid_from = models.DateField("生效日")
    valid_to = models.DateField("失效日", null=True, blank=True)
    is_addition = models.BooleanField(
        "只作增补",
        default=False,
        db_default=False,
        editable=False,
        help_text="由询价报价产生：先于其他价目表，不改变原有的商品范围",
    )

    class Meta:
        verbose_name = "协议"
        verbose_name_plural = "协议"
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=models.F("valid_from")),
                name="agreement_dates_in_order",
                violation_error_message="失效日不能早于生效日",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.AGREEMENT, self.code


class CustomerAgreement(TenantModel):
    """Gives an agreement to a group or to one enterprise of it. A smaller priority number wins."""

    enterprise = models.ForeignKey(
        "org.Enterprise",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="企业（空为全集团）",
    )
    agreement = models.ForeignKey(
        Agreement, on_delete=models.PROTECT, related_name="customers", verbose_name="协议"
    )
    priority = models.PositiveIntegerField("优先级", help_text="数字越小越优先")

    class Meta(TenantModel.Meta):
        verbose_name = "客户协议"
        verbose_name_plural = "客户协议"
        ordering = ["group", "priority"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "priority"],
                condition=Q(enterprise__isnull=True),
                name="custagreement_group_priority",
                violation_error_message="该集团已有相同优先级的协议，请换一个优先级",
            ),
            models.UniqueConstraint(
                fields=["group", "enterprise", "priority"],
                condition=Q(enterprise__isnull=False),
                name="custagreement_enterprise_priority",
                violation_error_message="该企业已有相同优先级的协议，请换一个优先级",
            ),
        ]
        # For the list in the back office: the agreements of each customer by priority.
        indexes = [
            models.Index(fields=["group", "priority", "-id"], name="custagreement_office_idx")
        ]

    def __str__(self) -> str:
        return f"{self.agreement} → {self.enterprise or self.group}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.AGREEMENT, f"{self.group.code}:{self.agreement.code}"


class AgreementsVersion(models.Model):
    """One row with a token that triggers change (sql/agreements_version.py). Data that
    a process cached under the current token is valid.
    """

    token = models.CharField(max_length=36)

    class Meta:
        verbose_name = "协议版本"
        verbose_name_plural = "协议版本"

    def __str__(self) -> str:
        return self.token
