"""A budget of one owner and period, its ledger and its transfers.

The figures are 额度, 已预占, 已使用, 调出待审 and 可用. 已预占 and 已使用 include the
budgets below.

Every change of a figure writes a ledger entry in the same transaction.
"""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.budgets.enums import (
    BudgetOwner,
    BudgetPeriod,
    BudgetPolicy,
    BudgetRollover,
    BudgetState,
    EntryKind,
    TransferStatus,
)
from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField

DEFAULT_THRESHOLDS = (80, 100)


def default_thresholds() -> list[int]:
    """Return the thresholds of a new budget, in percent."""
    return [*DEFAULT_THRESHOLDS]


def get_usage_state(*, amount: Decimal, used_amount: Decimal) -> BudgetState:
    """Return the state for `used_amount` of `amount` 元: NEAR from 80 %, FULL from 100 %."""
    if used_amount >= amount:
        return BudgetState.FULL
    return BudgetState.NEAR if used_amount * 5 >= amount * 4 else BudgetState.NORMAL


class Budget(TenantModel, TimeStampedModel):
    """Money that one owner (enterprise, department or account) may spend in one period. An
    earmarked budget counts only the lines of its category or dimension.

    Amounts are in 元, 含税, with two decimals. `reserved` and `consumed` include the budgets below.
    Only `services/` change the figures, each with a ledger entry. Under the policy *block* a CHECK
    keeps `reserved` + `consumed` + `held` within `amount`.
    """

    name = models.CharField("预算名称", max_length=80)
    owner_type = models.CharField("归属", max_length=10, choices=BudgetOwner.choices)
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="部门",
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="账号",
    )
    # The use of this budget is also part of the figures of the parent, on every level.
    parent = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="children",
        verbose_name="上级预算",
    )
    # An earmarked budget (专项预算) counts only the lines of this category, with everything below
    # it, or only the parts of lines for this dimension. It never changes.
    category = models.ForeignKey(
        "catalog.Category",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="限定类目",
    )
    dimension = models.ForeignKey(
        "dimensions.Dimension",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="限定核算项",
    )
    period = models.CharField("周期", max_length=8, choices=BudgetPeriod.choices)
    period_from = models.DateField("开始日")
    period_to = models.DateField("结束日")
    policy = models.CharField(
        "超出策略", max_length=8, choices=BudgetPolicy.choices, default=BudgetPolicy.BLOCK
    )
    rollover = models.CharField(
        "结转方式",
        max_length=4,
        choices=BudgetRollover.choices,
        default=BudgetRollover.NONE,
        db_default=BudgetRollover.NONE,
    )
    rollover_cap = MoneyField("结转上限", null=True, blank=True)
    rolled_at = models.DateTimeField("结转时间", null=True, blank=True, editable=False)
    # Ascending percentages of the amount at which the managers and the owner are told.
    thresholds = models.JSONField(
        "预警线（%）", default=default_thresholds, db_default=[*DEFAULT_THRESHOLDS]
    )
    amount = MoneyField("额度", default=ZERO)
    reserved = MoneyField("已预占", default=ZERO)
    consumed = MoneyField("已使用", default=ZERO)
    held = MoneyField("调出待审", default=ZERO, db_default=ZERO)

    class Meta(TenantModel.Meta):
        verbose_name = "预算"
        verbose_name_plural = "预算"
        ordering = ["-period_from", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gte=0, reserved__gte=0, consumed__gte=0, held__gte=0),
                name="budget_not_negative",
            ),
            models.CheckConstraint(
                condition=~Q(policy=BudgetPolicy.BLOCK)
                | Q(amount__gte=F("reserved") + F("consumed") + F("held")),
                name="budget_block_not_overdrawn",
            ),
            models.CheckConstraint(
                condition=Q(period_to__gte=F("period_from")), name="budget_period_in_order"
            ),
            models.CheckConstraint(
                condition=Q(
                    owner_type=BudgetOwner.ENTERPRISE, department__isnull=True, account__isnull=True
                )
                | Q(
                    owner_type=BudgetOwner.DEPARTMENT,
                    department__isnull=False,
                    account__isnull=True,
                )
                | Q(owner_type=BudgetOwner.ACCOUNT, department__isnull=True, account__isnull=False),
                name="budget_one_owner",
            ),
            models.CheckConstraint(
                condition=Q(rollover=BudgetRollover.CAP, rollover_cap__gt=0)
                | (~Q(rollover=BudgetRollover.CAP) & Q(rollover_cap__isnull=True)),
                name="budget_cap_where_capped",
            ),
            models.CheckConstraint(condition=~Q(parent=F("id")), name="budget_not_own_parent"),
            models.CheckConstraint(
                condition=Q(category__isnull=True) | Q(dimension__isnull=True),
                name="budget_one_earmark",
            ),
        ]
        indexes = [
            models.Index(
                fields=["group", "enterprise", "period_from", "period_to"], name="budget_period_idx"
            ),
            models.Index(
                fields=["period_to"],
                name="budget_to_carry_idx",
                condition=Q(rolled_at__isnull=True) & ~Q(rollover=BudgetRollover.NONE),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def available(self) -> Decimal:
        """可用 in 元: the amount minus reserved, consumed and held. Negative only under the
        policies warn and approve.
        """
        available: Decimal = self.amount - self.reserved - self.consumed - self.held
        return available

    @property
    def owner_name(self) -> str:
        """The nickname of the account, or the name of the department or enterprise."""
        if self.account is not None:
            return str(self.account.nickname)
        return str((self.department or self.enterprise).name)

    @property
    def is_earmarked(self) -> bool:
        """Return whether the budget counts only the lines of a category or dimension."""
        return self.category_id is not None or self.dimension_id is not None

    @property
    def earmark(self) -> Budget | None:
        """Return the budget itself if it is earmarked, otherwise None."""
        return self if self.is_earmarked else None

    @property
    def earmark_text(self) -> str:
        """Return the limit in words: 类目“办公用纸”, 项目“P-1 新办公室”. "" without a limit."""
        if self.category is not None:
            return f"类目“{self.category.name}”"
        if self.dimension is not None:
            kind = self.dimension.get_kind_display()
            return f"{kind}“{self.dimension.code} {self.dimension.name}”"
        return ""

    @property
    def used(self) -> Decimal:
        """Reserved plus consumed, in 元."""
        used_amount: Decimal = self.reserved + self.consumed
        return used_amount

    @property
    def reached_threshold(self) -> int | None:
        """Return the highest threshold in percent that the use has reached, or None."""
        return max(
            (row for row in self.thresholds if self.used * 100 >= self.amount * row), default=None
        )

    @property
    def state(self) -> BudgetState:
        """Return the state of the used share."""
        return get_usage_state(amount=self.amount, used_amount=self.used)


class BudgetReservation(TenantModel, TimeStampedModel):
    """The part of a budget that one order uses; `amount` is still reserved. An order has one for
    its own budget, and one for each earmarked budget.
    """

    budget = models.ForeignKey(
        Budget, on_delete=models.PROTECT, related_name="reservations", verbose_name="预算"
    )
    reference = models.CharField("订单号", max_length=40)
    amount = MoneyField("预占中", default=ZERO)
    consumed = MoneyField("已使用", default=ZERO)

    class Meta(TenantModel.Meta):
        verbose_name = "预算预占"
        verbose_name_plural = "预算预占"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "reference", "budget"], name="budgetreservation_reference_uniq"
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=0, consumed__gte=0), name="budgetreservation_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference} {self.amount}"


class BudgetEntry(TenantModel):
    """One ledger entry. Only the amount of ADJUST is signed. `counterpart` links the two
    entries of a rollover. `origin` is the budget below that was used; null for the own use.
    """

    budget = models.ForeignKey(
        Budget, on_delete=models.PROTECT, related_name="entries", verbose_name="预算"
    )
    kind = models.CharField("类型", max_length=10, choices=EntryKind.choices)
    amount = MoneyField("金额")
    reference = models.CharField("订单号", max_length=40, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="操作人",
    )
    note = models.CharField("说明", max_length=200, blank=True)
    at = models.DateTimeField("时间")
    counterpart = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="对应流水",
    )
    origin = models.ForeignKey(
        Budget,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="来自下级预算",
    )

    class Meta(TenantModel.Meta):
        verbose_name = "预算流水"
        verbose_name_plural = "预算流水"
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["budget"],
                condition=Q(kind=EntryKind.CARRY_OUT),
                name="budgetentry_carried_out_once",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "budget", "-at"], name="budgetentry_budget_at_idx")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.amount}"


class BudgetTransfer(TenantModel, TimeStampedModel):
    """A transfer between two budgets. One account requests it, a second one decides.

    While it waits, its amount is in the source's `held`. `decided_by` is empty if there was no
    second person or the period ended first.
    """

    source = models.ForeignKey(
        Budget, on_delete=models.PROTECT, related_name="+", verbose_name="调出预算"
    )
    target = models.ForeignKey(
        Budget, on_delete=models.PROTECT, related_name="+", verbose_name="调入预算"
    )
    amount = MoneyField("金额")
    reason = models.CharField("调拨原因", max_length=100)
    status = models.CharField(
        "状态", max_length=10, choices=TransferStatus.choices, default=TransferStatus.WAITING
    )
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人"
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="审批人",
    )
    decided_at = models.DateTimeField("审批时间", null=True, blank=True)
    decision_note = models.CharField("审批意见", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "预算调拨"
        verbose_name_plural = "预算调拨"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="budgettransfer_of_something"),
            models.CheckConstraint(
                condition=~Q(source=F("target")), name="budgettransfer_between_two"
            ),
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("requester")),
                name="budgettransfer_not_himself",
            ),
            models.CheckConstraint(
                condition=Q(
                    status=TransferStatus.WAITING, decided_at__isnull=True, decided_by__isnull=True
                )
                | (~Q(status=TransferStatus.WAITING) & Q(decided_at__isnull=False)),
                name="budgettransfer_decided_with_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["group", "source"],
                name="budgettransfer_waiting_idx",
                condition=Q(status=TransferStatus.WAITING),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_status_display()} {self.amount}"
