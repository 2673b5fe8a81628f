"""集团 (the tenant) and 企业 (a legal entity that buys and receives invoices)."""

from django.core.exceptions import ValidationError
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.org.credit_code import is_credit_code
from apps.org.enums import CreditPolicy, InvoiceKind, OverBudget, PaymentKind


class Group(TimeStampedModel):
    """A customer: the tenant itself. The platform owns its row."""

    code = models.CharField("集团编码", max_length=30, unique=True)
    name = models.CharField("集团名称", max_length=100)
    short_name = models.CharField("简称", max_length=30, blank=True)
    industry = models.CharField("行业", max_length=40, blank=True)
    theme_color = models.CharField("主题色", max_length=9, blank=True)
    # A small data URL. It needs no second request, works with disk and S3, and exposes no URL of a
    # private file.
    logo = models.TextField("集团标识", blank=True)
    is_active = models.BooleanField("启用", default=True)
    allows_wechat_work = models.BooleanField("允许企业微信登录", default=True, db_default=True)

    # The choices at checkout. An empty list allows all.
    payment_kinds = models.JSONField(
        "允许的付款方式（空为全部）", default=list, db_default=[], blank=True
    )
    invoice_kinds = models.JSONField(
        "允许的发票种类（空为全部）", default=list, db_default=[], blank=True
    )
    over_budget = models.CharField(
        "超预算下单",
        max_length=8,
        choices=OverBudget.choices,
        default=OverBudget.AS_BUDGET,
        db_default=OverBudget.AS_BUDGET.value,
    )
    # Working hours that an approval may wait for one approver. 0 disables the limit.
    approval_remind_hours = models.PositiveSmallIntegerField(
        "审批超时提醒（工作小时，0 为不提醒）", default=8, db_default=8
    )
    approval_escalate_hours = models.PositiveSmallIntegerField(
        "审批超时升级（工作小时，0 为不升级）", default=24, db_default=24
    )
    # How long an unused sign-in lasts. Empty means the platform's value.
    session_hours = models.PositiveSmallIntegerField(
        "登录保持时长（小时，空为平台默认）", null=True, blank=True
    )
    has_single_session = models.BooleanField(
        "同一账号只保留最近一次登录", default=False, db_default=False
    )

    class Meta:
        verbose_name = "集团"
        verbose_name_plural = "集团"
        ordering = ["code"]

    def __str__(self) -> str:
        return self.name

    @property
    def payments(self) -> list[str]:
        """The payment kinds that accounts of the group may choose, in screen order."""
        return [
            kind
            for kind in PaymentKind.values
            if not self.payment_kinds or kind in self.payment_kinds
        ]

    @property
    def invoices(self) -> list[str]:
        """The invoice kinds that accounts of the group may choose, in screen order."""
        return [
            kind
            for kind in InvoiceKind.values
            if not self.invoice_kinds or kind in self.invoice_kinds
        ]


def validate_credit_code(value: str) -> None:
    """Raise ValidationError unless the check digit of the 统一社会信用代码 is correct (GB
    32100-2015).
    """
    if not is_credit_code(value):
        raise ValidationError("统一社会信用代码不正确，请核对 18 位代码")


class Enterprise(TenantModel, TimeStampedModel):
    code = models.CharField("企业编码", max_length=30)
    name = models.CharField("企业名称", max_length=100)
    credit_code = models.CharField(
        "统一社会信用代码", max_length=18, validators=[validate_credit_code]
    )
    province = models.CharField("省", max_length=30, blank=True)
    city = models.CharField("市", max_length=30, blank=True)
    district = models.CharField("区县", max_length=30, blank=True)
    street = models.CharField("详细地址", max_length=200, blank=True)
    phone = models.CharField("电话", max_length=30, blank=True)
    credit_limit = MoneyField("信用额度（空为不可月结）", null=True, blank=True)
    credit_policy = models.CharField(
        "超出信用额度时",
        max_length=8,
        choices=CreditPolicy.choices,
        default=CreditPolicy.BLOCK,
        db_default=CreditPolicy.BLOCK,
    )
    credit_days = models.PositiveSmallIntegerField("账期天数", default=30)
    is_active = models.BooleanField("启用", default=True)

    class Meta(TenantModel.Meta):
        verbose_name = "企业"
        verbose_name_plural = "企业"
        ordering = ["code"]
        constraints = [
            models.UniqueConstraint(fields=["group", "code"], name="enterprise_group_code_uniq"),
            models.UniqueConstraint(
                fields=["group", "credit_code"], name="enterprise_group_credit_uniq"
            ),
        ]

    def __str__(self) -> str:
        return self.name
