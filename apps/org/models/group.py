"""集团 (the tenant), 企业 (a legal entity that buys and receives invoices), 部门 (a tree inside an
enterprise), 开票抬头 of an enterprise, and 收货地址.

An address is shared by the group, an enterprise or a department, or belongs to one account.
"""

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from tree_queries.fields import TreeNodeForeignKey
from tree_queries.query import TreeQuerySet

from apps.common.models import TenantManager, TenantModel, TenantQuerySet, TimeStampedModel
from apps.common.money import MoneyField
from apps.org.enums import BudgetChoice, CreditPolicy, InvoiceKind, OverBudget, PaymentKind
from apps.org.validators import is_credit_code, validate_mobile, validate_postal_code


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
    budget_choice = models.CharField(
        "预算的确定方式",
        max_length=8,
        choices=BudgetChoice.choices,
        default=BudgetChoice.FREE,
        db_default=BudgetChoice.FREE.value,
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
    requires_second_factor = models.BooleanField("登录须两步验证", default=False, db_default=False)

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
    """A legal entity of a group that orders, pays and receives invoices. Code and 统一社会信用代码
    are unique in the group. `credit_limit` is in 元 含税; None forbids orders on account, and
    `credit_policy` says what happens above it. `credit_days` runs until the payment is due.
    """

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


class DepartmentQuerySet(TenantQuerySet["Department"], TreeQuerySet):  # type: ignore[misc]
    """A tenant queryset that can walk the tree."""


class DepartmentManager(TenantManager.from_queryset(DepartmentQuerySet)):  # type: ignore[misc]
    """The tenant manager with tree queries."""


class Department(TenantModel, TimeStampedModel):
    """A node of the tree of one enterprise. The parent belongs to the same enterprise, and the tree
    has no cycle (`clean`). `head` is an account of the same group; approval rules find approvers
    through it. Services change the tree under the lock of the enterprise.
    """

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


class InvoiceTitle(TenantModel, TimeStampedModel):
    """A 抬头 of an enterprise, with the tax number and bank data that its invoices show. Special
    invoices (专票) need `has_special_qualification`, which the staff's review of the papers sets.
    Orders and invoices keep a snapshot.
    """

    enterprise = models.ForeignKey(
        "org.Enterprise",
        on_delete=models.PROTECT,
        related_name="invoice_titles",
        verbose_name="企业",
    )
    title = models.CharField("抬头", max_length=100)
    tax_number = models.CharField("税号", max_length=20)
    address = models.CharField("地址", max_length=200, blank=True)
    phone = models.CharField("电话", max_length=30, blank=True)
    bank = models.CharField("开户行", max_length=100, blank=True)
    bank_account = models.CharField("账号", max_length=40, blank=True)
    is_default = models.BooleanField("默认", default=False)
    is_active = models.BooleanField("启用", default=True)
    has_special_qualification = models.BooleanField("专票资质已审核", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "开票抬头"
        verbose_name_plural = "开票抬头"
        ordering = ["-is_default", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "enterprise", "title"], name="invoicetitle_title_uniq"
            )
        ]

    def __str__(self) -> str:
        return self.title


class OrganisationChange(TenantModel):
    """One entry of the change history that customers read: who changed which object of the
    organisation, with the old and new values as text. Rows are only added.
    """

    # Null for an automatic change.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="操作人",
        db_index=False,
    )
    # If staff act as a customer, the actor is the member of staff and this is the customer.
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="代客户",
        db_index=False,
    )
    subject_type = models.CharField("对象类型", max_length=30)
    subject_id = models.BigIntegerField("对象")
    subject_name = models.CharField("对象名称", max_length=200)
    action = models.CharField("操作", max_length=30)
    # [{"field", "label", "before", "after"}], values as text for the screen
    changes = models.JSONField("变更内容", default=list, blank=True)
    note = models.CharField("说明", max_length=500, blank=True)
    created_at = models.DateTimeField("时间", auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = "变更记录"
        verbose_name_plural = "变更记录"
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["group", "subject_type", "subject_id", "-id"], name="orgchange_subject_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject_name} {self.action}"


class Address(TenantModel, TimeStampedModel):
    """A delivery address. `account`, `department`, `enterprise` or, if all three are empty, the
    group owns it. Only the owner uses a personal address; all people below the owner use a shared
    one. The owner belongs to the row's group (`clean`). Orders keep a snapshot, so a change does
    not affect them.
    """

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
