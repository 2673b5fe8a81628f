"""账号: a person, 角色: a set of menu codes and a data scope, and 采购限额: the amount that a
person may order in one order, on one day or in one month, of all goods or of one product category.

Staff (运营) have no group. Customers always have one.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.common.models import TenantManager, TenantModel, TenantQuerySet, TimeStampedModel
from apps.common.models.base import refuse_foreign
from apps.common.money import MoneyField
from apps.common.sql import build_model_rows, fetch_prepared
from apps.common.tenancy import get_current_scope
from apps.org.enums import (
    ADDRESS_RANK,
    PURCHASING_RANK,
    SCOPE_RANK,
    AccountType,
    AddressScope,
    DataScope,
    LimitAction,
    LimitPeriod,
    PaymentKind,
    PurchasingRight,
)
from apps.org.menus import ALL_CODES, ENTRY_CODES, with_groups
from apps.org.validators import validate_mobile, validate_visible


def validate_menu_codes(codes: list[str]) -> None:
    """Raise ValidationError for an unknown menu code."""
    unknown = sorted(set(codes) - set(ALL_CODES))
    if unknown:
        raise ValidationError(f"没有这些菜单编码：{'、'.join(unknown)}")


class Role(TenantModel, TimeStampedModel):
    """A set of rights that a group gives to its accounts: menu codes, data scope, purchasing right,
    and the limits of payment kinds and delivery addresses. An account may have several roles. A
    group admin needs none.
    """

    code = models.CharField("角色编码", max_length=30)
    name = models.CharField("角色名称", max_length=60)
    menu_codes = models.JSONField(
        "菜单权限", default=list, blank=True, validators=[validate_menu_codes]
    )
    data_scope = models.CharField(
        "数据范围", max_length=12, choices=DataScope.choices, default=DataScope.OWN
    )
    purchasing = models.CharField(
        "采购权限",
        max_length=12,
        choices=PurchasingRight.choices,
        default=PurchasingRight.ORDER,
        db_default=PurchasingRight.ORDER.value,
    )
    # Choices at checkout. An empty list allows every kind that the group allows.
    payment_kinds = models.JSONField(
        "可用付款方式（空为不限）", default=list, db_default=[], blank=True
    )
    address_scope = models.CharField(
        "可用收货地址",
        max_length=12,
        choices=AddressScope.choices,
        default=AddressScope.ALL,
        db_default=AddressScope.ALL.value,
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


# Raw SQL, because most API requests run this query. A join of both kinds of limits would multiply
# them.
GRANTED = """
SELECT {role}, {limit}, c.name FROM org_account_roles ar
JOIN org_role r ON r.id = ar.role_id
LEFT JOIN org_purchaselimit l ON l.role_id = r.id
LEFT JOIN catalog_category c ON c.id = l.category_id
WHERE ar.account_id = %s
UNION ALL
SELECT {no_role}, {limit}, c.name FROM org_purchaselimit l
LEFT JOIN catalog_category c ON c.id = l.category_id
WHERE l.account_id = %s
"""


class PersonLimit(NamedTuple):
    """A purchase limit that applies to a person; `amount` in 元. `category_id` None limits whole
    orders. `is_own`: of the account itself, not of a role.
    """

    period: str
    amount: Decimal
    action: str
    category_id: int | None
    category_name: str
    is_own: bool


class AccountManager(TenantManager.from_queryset(TenantQuerySet)):  # type: ignore[misc]
    """Scoped like every tenant table. Login and token look-up use the named unscoped queries in
    the selectors of `identity`.
    """

    def create_user(self, username: str, password: str | None = None, **fields: Any) -> Account:
        """Return a new account with a hashed password."""
        account: Account = self.model(username=username.casefold(), **fields)
        account.set_password(password)
        account.save()
        return account

    def create_superuser(
        self, username: str, password: str | None = None, **fields: Any
    ) -> Account:
        """Return a new staff account with all permissions."""
        return self.create_user(username, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str) -> Account:
        account: Account = self.get(username=username.casefold())
        return account


class Account(AbstractBaseUser, PermissionsMixin):
    """A person who signs in: a customer's person, who belongs to a group, or a member of staff, who
    belongs to none (CHECK). Enterprise and department belong to the same group (`clean`).

    UserName is unique on the platform, ignoring case. Roles give the rights; a group admin has all
    rights in the group.
    """

    group = models.ForeignKey(
        "org.Group",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        verbose_name="集团",
        related_name="+",
        db_index=False,
    )
    enterprise = models.ForeignKey(
        "org.Enterprise",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        verbose_name="企业",
        related_name="accounts",
    )
    department = models.ForeignKey(
        "org.Department",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        verbose_name="部门",
        related_name="accounts",
    )
    roles = models.ManyToManyField(
        "org.Role", blank=True, verbose_name="角色", related_name="accounts"
    )
    username = models.CharField("账号", max_length=60, unique=True)
    nickname = models.CharField("昵称", max_length=40, validators=[validate_visible])
    full_name = models.CharField("姓名", max_length=40, blank=True, validators=[validate_visible])
    job_title = models.CharField("职务", max_length=40, blank=True, validators=[validate_visible])
    kind = models.CharField(
        "账号类型", max_length=2, choices=AccountType.choices, default=AccountType.NORMAL
    )
    # Choices at checkout of this person. They only narrow what the roles allow: `payment_kinds` and
    # `address_scope` are what is left. An empty list narrows nothing.
    own_payment_kinds = models.JSONField(
        "可用付款方式（空为按角色）", default=list, db_default=[], blank=True
    )
    own_address_scope = models.CharField(
        "可用收货地址",
        max_length=12,
        choices=AddressScope.choices,
        default=AddressScope.ALL,
        db_default=AddressScope.ALL.value,
    )
    mobile = models.CharField("手机号码", max_length=20, blank=True, validators=[validate_mobile])
    email = models.EmailField("邮箱", blank=True)
    avatar = models.ForeignKey(
        "common.StoredFile",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="头像",
    )
    is_staff = models.BooleanField("运营人员", default=False)
    is_active = models.BooleanField("启用", default=True)
    created_at = models.DateTimeField("创建时间", default=timezone.now)
    updated_at = models.DateTimeField("更新时间", auto_now=True)

    objects: ClassVar[AccountManager] = AccountManager()

    # The staff member who acts as this account in this request (以客户身份登录). Not a column: the
    # token look-up sets it.
    impersonator: Account | None = None

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS = ["nickname"]

    class Meta:
        base_manager_name = "objects"
        verbose_name = "账号"
        verbose_name_plural = "账号"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_staff=True, group__isnull=True)
                | models.Q(is_staff=False, group__isnull=False),
                name="account_staff_or_group",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "enterprise", "department"], name="account_place_idx"),
            # Few accounts; every plan of an approval reads them.
            models.Index(
                fields=["group"],
                name="account_group_admin_idx",
                condition=models.Q(kind=AccountType.GROUP_ADMIN),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.nickname}（{self.username}）"

    @property
    def name_with_full_name(self) -> str:
        """Return the nickname, and the legal name (姓名) after it where it is another one.
        Approvals, timelines and change histories name people so, and papers that leave the mall.
        """
        is_known = self.full_name in ("", self.nickname)
        return self.nickname if is_known else f"{self.nickname}（{self.full_name}）"

    def clean(self) -> None:
        """Check that staff have no group, and that a customer's enterprise and department
        belong to the group.
        """
        super().clean()
        if self.is_staff and (self.group_id or self.enterprise_id or self.department_id):
            raise ValidationError({"is_staff": "运营人员不属于任何集团、企业或部门"})
        if not self.is_staff and self.group_id is None:
            raise ValidationError({"group": "请选择集团；运营人员请勾选“运营人员”"})
        if self.enterprise and self.enterprise.group_id != self.group_id:
            raise ValidationError({"enterprise": "企业须属于所选集团"})
        if self.department and self.department.enterprise_id != self.enterprise_id:
            raise ValidationError({"department": "部门须属于所选企业"})

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.username = self.username.casefold()
        refuse_foreign(self)
        super().save(*args, **kwargs)

    @property
    def is_group_admin(self) -> bool:
        """Whether the account is a GA, who may use every menu and sees the whole group."""
        return self.kind == AccountType.GROUP_ADMIN

    @cached_property
    def _roles(self) -> list[Role]:
        return self._get_roles_and_limits[0]

    @cached_property
    def _get_roles_and_limits(self) -> tuple[list[Role], list[PersonLimit]]:
        """Return (roles in the order of their codes, purchase limits). One query for both."""
        if get_current_scope().group_id not in (None, self.group_id):
            return [], []
        role_rows, limit_rows = build_model_rows(Role, "r"), build_model_rows(PurchaseLimit, "l")
        sql = GRANTED.format(
            role=role_rows.select,
            limit=limit_rows.select,
            no_role=", ".join(["NULL"] * role_rows.width),
        )
        roles: dict[int, Role] = {}
        limits: dict[int, PersonLimit] = {}
        for *row, category_name in fetch_prepared(sql, [self.pk, self.pk]):
            role_values, limit_values = row[: role_rows.width], row[role_rows.width :]
            role = None if role_values[0] is None else role_rows.hydrate(role_values)
            limit = None if limit_values[0] is None else limit_rows.hydrate(limit_values)
            if role is not None:
                roles[role.pk] = role
            if limit is not None:
                limits[limit.pk] = PersonLimit(
                    period=limit.period,
                    amount=limit.amount,
                    action=limit.action,
                    category_id=limit.category_id,
                    category_name=category_name or "",
                    is_own=role is None,
                )
        return (
            sorted(roles.values(), key=lambda role: role.code),
            [limits[pk] for pk in sorted(limits)],
        )

    def take_roles(self, roles: Iterable[Role], limits: Iterable[PersonLimit]) -> None:
        """Give the account these roles and limits, so that it does not read them. For an account
        that is not saved yet, and for a list of accounts.
        """
        self._get_roles_and_limits = list(roles), list(limits)

    @property
    def limits_in_force(self) -> list[PersonLimit]:
        """The purchase limits of the account and of its roles, in the order of their keys. Read
        together with the roles.
        """
        return self._get_roles_and_limits[1]

    @property
    def role_names(self) -> list[str]:
        """The names of the account's roles."""
        return [role.name for role in self._roles]

    @property
    def menu_codes(self) -> list[str]:
        """The menu codes of the account's roles. Includes the code of a menu group if any of
        its entries is allowed. All codes for a GA.
        """
        granted = (
            set(ENTRY_CODES)
            if self.is_group_admin
            else {code for role in self._roles for code in role.menu_codes}
        )
        return with_groups(granted)

    def has_menu_code(self, code: str) -> bool:
        """Whether the account may use the entry, or any entry of the menu group."""
        return code in self.menu_codes

    @property
    def data_scope(self) -> DataScope:
        """The widest data scope of the account's roles; the whole group for a GA."""
        return self.get_data_scope(None)

    def get_data_scope(self, menu: str | None) -> DataScope:
        """The widest data scope of the roles that grant a menu code (None: of all roles). The
        whole group for a GA.
        """
        if self.is_group_admin:
            return DataScope.GROUP
        scopes = [
            role.data_scope
            for role in self._roles
            if menu is None or menu in with_groups(set(role.menu_codes))
        ]
        return (
            DataScope(max(scopes, key=lambda scope: SCOPE_RANK[scope])) if scopes else DataScope.OWN
        )

    @cached_property
    def purchasing(self) -> PurchasingRight:
        """The widest purchasing right of the account's roles. A GA may order. An account without
        a role may submit requisitions. The look-up of a bearer sets the value without a query.
        """
        ranks = [] if self.is_group_admin else [PURCHASING_RANK[r.purchasing] for r in self._roles]
        return self._find_purchasing_right(max(ranks, default=None))

    def set_purchasing_rank(self, rank: int | None) -> None:
        """Set `purchasing` from the highest rank of the account's roles; None without a role."""
        self.purchasing = self._find_purchasing_right(rank)

    def _find_purchasing_right(self, rank: int | None) -> PurchasingRight:
        """Return the right with this rank. None: no role grants a right."""
        if self.is_group_admin:
            return PurchasingRight.ORDER
        if rank is None:
            return PurchasingRight.REQUEST
        return next(right for right in PurchasingRight if PURCHASING_RANK[right] == rank)

    @property
    def payment_kinds(self) -> list[str]:
        """The kinds of payment that the account itself and each of its roles allow. The roles of a
        GA restrict nothing.
        """
        of_roles = [] if self.is_group_admin else [role.payment_kinds for role in self._roles]
        restrictions = [self.own_payment_kinds, *of_roles]
        return [
            kind
            for kind in PaymentKind.values
            if all(not kinds or kind in kinds for kinds in restrictions)
        ]

    @property
    def address_scope(self) -> AddressScope:
        """The narrowest scope of addresses of the account itself and of its roles. The roles of a
        GA restrict nothing.
        """
        of_roles = [] if self.is_group_admin else [role.address_scope for role in self._roles]
        lowest = min(ADDRESS_RANK[scope] for scope in (self.own_address_scope, *of_roles))
        return next(scope for scope in AddressScope if ADDRESS_RANK[scope] == lowest)

    @property
    def sees_prices(self) -> bool:
        """Whether the mall shows prices to the account. Staff have no roles and see them."""
        return self.group_id is None or self.purchasing != PurchasingRight.BROWSE_UNPRICED


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
        return f"{self.category_name}{self.get_period_display()} ¥{self.amount:,.2f}"
