"""Budgets on the wire (api.md, Bodies that many depend on)."""

from typing import Any

from rest_framework import serializers

from apps.budgets.enums import BudgetOwner, BudgetPeriod, BudgetPolicy, EntryKind
from apps.budgets.models import Budget
from apps.common.api.serializers import MoneyField


class BudgetSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    OwnerType = serializers.ChoiceField(choices=BudgetOwner.choices, source="owner_type")
    OwnerId = serializers.SerializerMethodField()
    OwnerName = serializers.SerializerMethodField()
    Period = serializers.ChoiceField(choices=BudgetPeriod.choices, source="period")
    PeriodFrom = serializers.DateField(source="period_from")
    PeriodTo = serializers.DateField(source="period_to")
    Amount = MoneyField(source="amount")
    Policy = serializers.ChoiceField(choices=BudgetPolicy.choices, source="policy")
    Reserved = MoneyField(source="reserved")
    Consumed = MoneyField(source="consumed")
    Available = MoneyField(source="available")

    def _owner(self, budget: Budget) -> Any:
        return budget.account or budget.department or budget.enterprise

    def get_OwnerId(self, budget: Budget) -> str:  # noqa: N802
        return str(self._owner(budget).pk)

    def get_OwnerName(self, budget: Budget) -> str:  # noqa: N802
        owner = self._owner(budget)
        return str(getattr(owner, "nickname", None) or owner.name)


class BudgetEntrySerializer(serializers.Serializer[Any]):
    At = serializers.DateTimeField(source="at")
    Kind = serializers.ChoiceField(choices=EntryKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Amount = MoneyField(source="amount")
    OrderNo = serializers.CharField(source="reference")
    By = serializers.SerializerMethodField()
    Note = serializers.CharField(source="note")

    def get_By(self, entry: Any) -> str:  # noqa: N802
        return entry.actor.nickname if entry.actor else "系统"
