"""Serializers of budgets."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.budgets.enums import (
    BudgetEarmark,
    BudgetOwner,
    BudgetPeriod,
    BudgetPolicy,
    BudgetRollover,
    BudgetState,
    BudgetWhen,
    EntryKind,
    Figure,
)
from apps.budgets.models import Budget
from apps.budgets.periods import format_period
from apps.budgets.selectors.budget_forecast import get_budget_forecast
from apps.budgets.selectors.budget_list import Awaiting, BudgetFilters, BudgetNode
from apps.budgets.services.budget_manage import MAX_THRESHOLDS, format_rollover
from apps.budgets.services.budget_transfer import MAX_REASON_CHARACTERS
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    DayField,
    MoneyField,
    QuerySerializer,
    SeenAtField,
    WholeField,
)

OTHERS_ORDER = "他人的订单"
MAX_AMOUNT = Decimal("1000000000.00")


class EarmarkSerializer(serializers.Serializer[Any]):
    """The limit of an earmarked budget: only lines of the category with everything below it, or
    only the parts of lines for the dimension.
    """

    CategoryId = serializers.CharField(source="category_id", allow_null=True)
    DimensionId = serializers.CharField(source="dimension_id", allow_null=True)
    Text = serializers.CharField(source="earmark_text", help_text="如：类目“办公用纸”")


def _build_earmark_field() -> EarmarkSerializer:
    return EarmarkSerializer(
        source="earmark", allow_null=True, help_text="专项预算的限定范围；普通预算为 null"
    )


class BudgetSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    OwnerType = serializers.ChoiceField(choices=BudgetOwner.choices, source="owner_type")
    OwnerId = serializers.SerializerMethodField()
    OwnerName = serializers.CharField(source="owner_name")
    Period = serializers.ChoiceField(choices=BudgetPeriod.choices, source="period")
    PeriodFrom = serializers.DateField(source="period_from")
    PeriodTo = serializers.DateField(source="period_to")
    Amount = MoneyField(source="amount")
    Policy = serializers.ChoiceField(choices=BudgetPolicy.choices, source="policy")
    Reserved = MoneyField(source="reserved")
    Consumed = MoneyField(source="consumed")
    Available = MoneyField(source="available")
    Held = MoneyField(source="held", help_text="待审批的调拨占用，已从可用中扣除")
    State = serializers.ChoiceField(choices=BudgetState.choices, source="state")

    def get_OwnerId(self, budget: Budget) -> str:
        return str((budget.account or budget.department or budget.enterprise).pk)


class AwaitingSerializer(AnswerSerializer):
    """The part of Reserved that belongs to orders in approval. It is released if they are
    rejected.
    """

    Amount = MoneyField(source="amount", max_digits=20)
    Count = serializers.IntegerField(source="count")


class BudgetForecastSerializer(AnswerSerializer):
    """The forecast to the end of the period: used by now, open orders included, and the same rate
    of use for the remaining days.
    """

    Used = MoneyField(source="used", max_digits=20)
    AtEnd = MoneyField(
        source="at_end", max_digits=20, allow_null=True, help_text="期初 7 天内为 null"
    )
    Overrun = MoneyField(source="overrun", max_digits=20, help_text="预计超出额度的金额")
    TimePercent = serializers.DecimalField(
        source="time_percent", max_digits=4, decimal_places=1, help_text="期间已过的百分比"
    )


class BudgetNodeSerializer(AnswerSerializer):
    """A budget of the tree. `Level` is 1 for a topmost one; the rows below a budget follow it."""

    Id = serializers.CharField(source="budget.pk")
    Level = serializers.IntegerField(source="level")
    Name = serializers.CharField(source="budget.name")
    OwnerName = serializers.CharField(source="budget.owner_name")
    ParentName = serializers.CharField(
        source="budget.parent.name", default="", help_text="上级预算"
    )
    EarmarkText = serializers.CharField(
        source="budget.earmark_text", help_text="专项预算的限定范围；普通预算为空"
    )
    PeriodText = serializers.SerializerMethodField()
    PolicyText = serializers.CharField(source="budget.get_policy_display")
    Amount = MoneyField(source="budget.amount")
    Reserved = MoneyField(source="budget.reserved", help_text="含下级预算")
    Consumed = MoneyField(source="budget.consumed", help_text="含下级预算")
    Available = MoneyField(source="budget.available")
    Held = MoneyField(source="budget.held")
    State = serializers.ChoiceField(choices=BudgetState.choices, source="budget.state")

    def get_PeriodText(self, node: BudgetNode) -> str:
        budget = node.budget
        return format_period(period=budget.period, first=budget.period_from, last=budget.period_to)


class BudgetRowSerializer(BudgetSerializer):
    """A row of the list. The context holds the data read for all rows together (`render_rows`)."""

    OwnerPath = serializers.SerializerMethodField()
    Thresholds = serializers.ListField(
        source="thresholds", child=serializers.IntegerField(), help_text="预警线，百分比"
    )
    Earmark = _build_earmark_field()
    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    ParentName = serializers.CharField(source="parent.name", default="", help_text="上级预算")
    PeriodText = serializers.SerializerMethodField()
    PolicyText = serializers.CharField(source="get_policy_display")
    Rollover = serializers.ChoiceField(choices=BudgetRollover.choices, source="rollover")
    RolloverCap = MoneyField(source="rollover_cap", allow_null=True)
    RolloverText = serializers.SerializerMethodField()
    Awaiting = serializers.SerializerMethodField()
    Forecast = serializers.SerializerMethodField(help_text="按当前进度预计到期末的使用")
    UpdatedAt = serializers.DateTimeField(
        source="updated_at", help_text="条款或额度的最近变更；下单与收货不算"
    )
    CanKeep = serializers.SerializerMethodField()

    def get_OwnerPath(self, budget: Budget) -> list[str]:
        """Return the names from the enterprise down to the owner."""
        path: list[str] = self.context["paths"][budget.pk]
        return path

    def get_PeriodText(self, budget: Budget) -> str:
        return format_period(period=budget.period, first=budget.period_from, last=budget.period_to)

    def get_RolloverText(self, budget: Budget) -> str:
        return format_rollover(budget)

    @extend_schema_field(AwaitingSerializer)
    def get_Awaiting(self, budget: Budget) -> dict[str, Any]:
        return AwaitingSerializer.answer(self.context["awaiting"].get(budget.pk, Awaiting()))

    @extend_schema_field(BudgetForecastSerializer)
    def get_Forecast(self, budget: Budget) -> dict[str, Any]:
        forecast = get_budget_forecast(budget, today=timezone.localdate())
        return BudgetForecastSerializer.answer(forecast)

    def get_CanKeep(self, budget: Budget) -> bool:
        return bool(self.context["may_manage"](budget.enterprise_id))


class BudgetQuerySerializer(QuerySerializer):
    """The filters of the list. A department includes its subtree and the accounts in it."""

    Keyword = serializers.CharField(
        source="keyword", required=False, allow_blank=True, max_length=60
    )
    OwnerType = serializers.ChoiceField(
        choices=BudgetOwner.choices, source="owner_type", required=False
    )
    DepartmentId = WholeField(source="department_id", required=False, min_value=1)
    Period = serializers.ChoiceField(choices=BudgetPeriod.choices, source="period", required=False)
    Policy = serializers.ChoiceField(choices=BudgetPolicy.choices, source="policy", required=False)
    State = serializers.ChoiceField(choices=BudgetState.choices, source="state", required=False)
    When = serializers.ChoiceField(choices=BudgetWhen.choices, source="when", required=False)
    Earmark = serializers.ChoiceField(
        choices=BudgetEarmark.choices, source="earmark", required=False
    )

    @classmethod
    def build_filters(cls, request: Any) -> BudgetFilters:
        """Return the filters of the request."""
        return BudgetFilters(**cls.parse(request))


class BudgetSummarySerializer(AnswerSerializer):
    """The sums over all filtered budgets. `Near` and `Full` count budgets used to 80 % and to
    100 %.
    """

    Count = serializers.IntegerField(source="count")
    Amount = MoneyField(source="amount", max_digits=20)
    Reserved = MoneyField(source="reserved", max_digits=20)
    Consumed = MoneyField(source="consumed", max_digits=20)
    Available = MoneyField(source="available", max_digits=20)
    Held = MoneyField(source="held", max_digits=20)
    Near = serializers.IntegerField(source="near")
    Full = serializers.IntegerField(source="full")
    CanKeep = serializers.BooleanField(source="can_keep", help_text="是否可以新增和维护预算")


class EntryQuerySerializer(QuerySerializer):
    """`Figure` limits the ledger to the entries of that figure."""

    Figure = serializers.ChoiceField(choices=Figure.choices, default="")


class CounterpartSerializer(AnswerSerializer):
    """The other budget of a rollover."""

    BudgetId = serializers.CharField(source="budget.pk")
    Name = serializers.CharField(source="budget.name")


class _OrderReferenceSerializer(serializers.Serializer[Any]):
    """A row with an order number. `context["closed"]` holds the numbers of orders the caller
    may not open.
    """

    OrderNo = serializers.SerializerMethodField(help_text="无权查看的订单为空")
    Note = serializers.SerializerMethodField()

    def is_closed(self, row: Any) -> bool:
        """Return whether the caller may not open the order of the row."""
        return row.reference in self.context["closed"]

    def get_OrderNo(self, row: Any) -> str:
        return "" if self.is_closed(row) else row.reference

    def get_Note(self, row: Any) -> str:
        return OTHERS_ORDER if self.is_closed(row) else getattr(row, "note", "")


class BudgetEntrySerializer(_OrderReferenceSerializer):
    Id = serializers.CharField(source="pk")
    At = serializers.DateTimeField(source="at")
    Kind = serializers.ChoiceField(choices=EntryKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Amount = MoneyField(source="amount")
    By = serializers.SerializerMethodField(help_text="无权查看的订单为空")
    Counterpart = CounterpartSerializer(source="counterpart", allow_null=True)
    OriginName = serializers.CharField(
        source="origin.name", default="", help_text="占用来自下级预算时，下级预算的名称"
    )

    def get_By(self, entry: Any) -> str:
        if self.is_closed(entry):
            return ""
        return entry.actor.nickname if entry.actor else "系统"


class AwaitingOrderSerializer(_OrderReferenceSerializer):
    """An order in approval and the amount it reserves."""

    Id = serializers.CharField(source="pk")
    Amount = MoneyField(source="amount")
    At = serializers.DateTimeField(source="created_at")


def _build_amount_field(least: str, **kwargs: Any) -> MoneyField:
    """Return a field for an amount of at least `least` 元."""
    limits = {"min_value": Decimal(least), "max_value": MAX_AMOUNT}
    return MoneyField(
        error_messages={
            "min_value": f"金额不能小于 {least} 元",
            "max_value": "金额不能超过 10 亿元",
        },
        **limits,
        **kwargs,
    )


def _build_parent_id_field() -> WholeField:
    return WholeField(
        source="parent_id",
        min_value=1,
        required=False,
        allow_null=True,
        help_text="上级预算，空为没有上级",
    )


def _build_thresholds_field() -> serializers.ListField:
    return serializers.ListField(
        source="thresholds",
        child=WholeField(
            min_value=1,
            max_value=100,
            error_messages={
                "min_value": "预警线须在 1% 至 100% 之间",
                "max_value": "预警线须在 1% 至 100% 之间",
            },
        ),
        required=False,
        max_length=MAX_THRESHOLDS,
        help_text="预警线，占额度的百分比，可设多条；到达每条时通知一次",
    )


class BudgetBodySerializer(BodySerializer):
    """A new budget; `Day` is any day of its month, quarter or year."""

    Name = serializers.CharField(source="name", max_length=80)
    OwnerType = serializers.ChoiceField(choices=BudgetOwner.choices, source="owner_type")
    OwnerId = WholeField(source="owner_id", min_value=1)
    Period = serializers.ChoiceField(choices=BudgetPeriod.choices, source="period")
    Day = DayField(source="day")
    Amount = _build_amount_field("0.00", source="amount")
    Policy = serializers.ChoiceField(choices=BudgetPolicy.choices, source="policy")
    Rollover = serializers.ChoiceField(
        choices=BudgetRollover.choices, source="rollover", default=BudgetRollover.NONE
    )
    RolloverCap = _build_amount_field(
        "0.01", source="rollover_cap", allow_null=True, required=False
    )
    ParentId = _build_parent_id_field()
    Thresholds = _build_thresholds_field()
    CategoryId = WholeField(
        source="category_id",
        min_value=1,
        required=False,
        allow_null=True,
        help_text="限定类目，含其下级；与 DimensionId 至多填一项，新增后不能修改",
    )
    DimensionId = WholeField(
        source="dimension_id",
        min_value=1,
        required=False,
        allow_null=True,
        help_text="限定核算项，拆分的商品按分摊金额计入",
    )


class BudgetChangeSerializer(BodySerializer):
    """A missing field stays as it is; `RolloverCap` belongs to `Rollover`.

    A new amount or policy needs a `Reason`. The change is refused if the budget is newer than
    `UpdatedAt` or the amount differs from `AmountSeen`.
    """

    Name = serializers.CharField(source="name", max_length=80, required=False)
    Policy = serializers.ChoiceField(choices=BudgetPolicy.choices, source="policy", required=False)
    Rollover = serializers.ChoiceField(
        choices=BudgetRollover.choices, source="rollover", required=False
    )
    RolloverCap = _build_amount_field(
        "0.01", source="rollover_cap", allow_null=True, required=False
    )
    Amount = _build_amount_field("0.00", source="amount", required=False)
    AmountSeen = MoneyField(source="amount_seen", required=False)
    ParentId = _build_parent_id_field()
    Thresholds = _build_thresholds_field()
    UpdatedAt = SeenAtField(
        source="seen_at", required=False, help_text="读取时的 UpdatedAt；他人已修改则回答 stale"
    )
    Reason = serializers.CharField(
        source="reason", max_length=200, required=False, allow_blank=True
    )


class BudgetTransferSerializer(BodySerializer):
    TargetId = WholeField(source="target_id", min_value=1)
    Amount = _build_amount_field("0.01", source="amount")
    Reason = serializers.CharField(source="reason", max_length=MAX_REASON_CHARACTERS)
