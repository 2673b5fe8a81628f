"""Serializers of statements."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    MoneyField,
    QuerySerializer,
    RecordedPersonSerializer,
    WholeField,
)
from apps.dimensions.enums import DimensionKind
from apps.invoices.enums import (
    DebtAge,
    MatchResult,
    StatementFigure,
    StatementKind,
    StatementStatus,
)
from apps.invoices.selectors.debts import Ages, ClosingDebt, Debt
from apps.invoices.selectors.statements import StatementFilter
from apps.invoices.services.goods_match import MAX_DISPUTED

MONTH = r"^(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])$"


def _build_month_field(source: str) -> serializers.RegexField:
    return serializers.RegexField(
        MONTH,
        source=source,
        required=False,
        allow_blank=True,
        error_messages={"invalid": "月份格式应为 2026-07"},
    )


class StatementQuerySerializer(QuerySerializer):
    """Filters of the list. Months as 2026-07, both inclusive."""

    Status = serializers.ChoiceField(
        StatementStatus.choices, source="status", required=False, allow_blank=True
    )
    EnterpriseId = WholeField(source="enterprise_id", required=False, min_value=1)
    From = _build_month_field("since")
    To = _build_month_field("until")

    @classmethod
    def build_filter(cls, request: Any) -> StatementFilter:
        """Return the filter for the selector."""
        query = cls.parse(request)
        for name in ("since", "until"):
            query[name] = date.fromisoformat(f"{query[name]}-01") if query.get(name) else None
        return StatementFilter(**query)


class StatementLinesQuerySerializer(QuerySerializer):
    Kind = serializers.ChoiceField(
        StatementFigure.choices, required=False, allow_blank=True, default=""
    )


class StatementConfirmSerializer(BodySerializer):
    """The closing amount on the customer's page. A dispute without an answer must be waived."""

    Closing = MoneyField(source="closing", max_digits=20)
    WaiveDispute = serializers.BooleanField(
        source="waives_dispute",
        required=False,
        default=False,
        help_text="放弃未答复的异议；对账单为有异议时必须为 true",
    )


class StatementDisputeSerializer(BodySerializer):
    """The text of the dispute, about the whole statement or one line."""

    Text = serializers.CharField(source="text", max_length=500)
    LineId = WholeField(source="line_id", required=False, allow_null=True, min_value=1)


class GoodsMatchQuerySerializer(QuerySerializer):
    Result = serializers.ChoiceField(
        MatchResult.choices,
        required=False,
        allow_blank=True,
        default="",
        help_text="不填为全部差异",
    )


class GoodsMatchDisputeSerializer(BodySerializer):
    """Differences to dispute, one remark each. Text is added to each remark."""

    LineIds = serializers.ListField(
        source="line_ids", child=IdField(), min_length=1, max_length=MAX_DISPUTED
    )
    Text = serializers.CharField(
        source="text", required=False, allow_blank=True, default="", max_length=200
    )


class GoodsMatchCountSerializer(AnswerSerializer):
    Code = serializers.ChoiceField(MatchResult.choices)
    Name = serializers.CharField()
    Count = serializers.IntegerField()


class GoodsMatchSerializer(serializers.Serializer[Any]):
    """The latest match of a statement. Open is the number of differences without a dispute."""

    FileName = serializers.CharField(source="file_name")
    SheetRows = serializers.IntegerField(source="sheet_rows")
    HasAmounts = serializers.BooleanField(source="has_amounts")
    At = serializers.DateTimeField(source="matched_at")
    By = RecordedPersonSerializer(source="matched_by")
    Counts = serializers.SerializerMethodField()
    Open = serializers.SerializerMethodField()

    @extend_schema_field(GoodsMatchCountSerializer(many=True))
    def get_Counts(self, _row: Any) -> list[dict[str, Any]]:
        counts = self.context["counts"]
        return [
            {"Code": code, "Name": name, "Count": counts[code]}
            for code, name in MatchResult.choices
        ]

    def get_Open(self, _row: Any) -> int:
        return int(self.context["counts"]["open"])


class GoodsMatchLineSerializer(serializers.Serializer[Any]):
    """One order and material on both sides. Null: that side has no such line."""

    Id = serializers.CharField(source="pk")
    Result = serializers.ChoiceField(MatchResult.choices, source="result")
    ResultText = serializers.CharField(source="get_result_display")
    OrderRef = serializers.CharField(source="order_ref", help_text="订单号或采购单号")
    MaterialCode = serializers.CharField(source="material_code")
    Name = serializers.CharField(source="name")
    OurQuantity = serializers.IntegerField(source="our_quantity", allow_null=True)
    TheirQuantity = serializers.IntegerField(source="their_quantity", allow_null=True)
    OurAmount = MoneyField(source="our_amount", allow_null=True)
    TheirAmount = MoneyField(source="their_amount", allow_null=True)
    DisputedAt = serializers.DateTimeField(source="remark.at", default=None, allow_null=True)


class StatementRowSerializer(serializers.Serializer[Any]):
    """Closing = Opening + Deliveries − Returns − Paid. Invoiced is not part of the balance."""

    Id = serializers.CharField(source="pk")
    StatementNo = serializers.CharField(source="statement_no")
    Month = serializers.DateField(source="month", format="%Y-%m")
    EnterpriseName = serializers.CharField(source="enterprise.name")
    Status = serializers.ChoiceField(StatementStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Opening = MoneyField(source="opening")
    Deliveries = MoneyField(source="deliveries")
    Returns = MoneyField(source="returns")
    Invoiced = MoneyField(source="invoiced")
    Paid = MoneyField(source="paid")
    Closing = MoneyField(source="closing")
    IssuedAt = serializers.DateTimeField(source="issued_at", allow_null=True)
    ConfirmedAt = serializers.DateTimeField(source="confirmed_at", allow_null=True)


class StatementLineSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Kind = serializers.ChoiceField(StatementKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    At = serializers.DateTimeField(source="at")
    OrderNo = serializers.CharField(source="order.order_no", default="")
    Reference = serializers.CharField(source="reference")
    Text = serializers.CharField(source="text")
    Unit = serializers.CharField(source="unit")
    Quantity = serializers.IntegerField(source="quantity", allow_null=True)
    UnitPrice = MoneyField(source="unit_price", allow_null=True)
    Amount = MoneyField(source="amount")
    Tax = MoneyField(source="tax_amount")


class StatementRemarkSerializer(serializers.Serializer[Any]):
    At = serializers.DateTimeField(source="at")
    By = RecordedPersonSerializer(source="author")
    IsAnswer = serializers.BooleanField(source="is_answer")
    Text = serializers.CharField(source="text")
    LineText = serializers.CharField(source="line.text", default="")


def serialize_ages(ages: Ages) -> list[dict[str, Any]]:
    """Return the ages for the response, youngest first."""
    return [
        {"Code": code, "Name": name, "Amount": str(ages[code])} for code, name in DebtAge.choices
    ]


class DebtAgeSerializer(AnswerSerializer):
    """A part of today's debts, independent of the statement's month."""

    Code = serializers.ChoiceField(DebtAge.choices)
    Name = serializers.CharField()
    Amount = MoneyField(max_digits=20)


class ClosingDebtSerializer(serializers.Serializer[Any]):
    """The debts by age at the end of the statement's month. Ages minus Prepaid equal Closing."""

    Day = serializers.DateField(source="day")
    Ages = serializers.SerializerMethodField()
    Prepaid = MoneyField(source="prepaid", max_digits=20)

    @extend_schema_field(DebtAgeSerializer(many=True))
    def get_Ages(self, row: ClosingDebt) -> list[dict[str, Any]]:
        return serialize_ages(row.ages)


class DebtRowSerializer(serializers.Serializer[Any]):
    """The debts of one enterprise today. Overdue is the part past its due date. Prepaid is paid
    for goods that are not received yet.
    """

    EnterpriseId = serializers.CharField(source="enterprise.pk")
    EnterpriseName = serializers.CharField(source="enterprise.name")
    CreditDays = serializers.IntegerField(source="enterprise.credit_days")
    Total = MoneyField(source="total", max_digits=20)
    Overdue = MoneyField(source="overdue", max_digits=20)
    Prepaid = MoneyField(source="prepaid", max_digits=20)
    Ages = serializers.SerializerMethodField()

    @extend_schema_field(DebtAgeSerializer(many=True))
    def get_Ages(self, row: Debt) -> list[dict[str, Any]]:
        return serialize_ages(row.ages)


class StatementDetailSerializer(StatementRowSerializer):
    """A statement with its remarks, the age of the enterprise's debts, and the allowed actions."""

    CreditDays = serializers.IntegerField(source="enterprise.credit_days")
    ConfirmedBy = RecordedPersonSerializer(source="confirmed_by", allow_null=True)
    Remarks = serializers.SerializerMethodField()
    Ages = serializers.SerializerMethodField()
    Prepaid = serializers.SerializerMethodField()
    ClosingDebt = serializers.SerializerMethodField(
        help_text="账期最后一天的账龄；未出账的对账单为 null，Ages 与 Prepaid 始终为当天"
    )
    CanAnswer = serializers.SerializerMethodField()
    AsOf = serializers.SerializerMethodField(
        help_text="未出账的对账单：此前的收货、退货、开票、付款都已记入；已出账的为 null"
    )

    @extend_schema_field(StatementRemarkSerializer(many=True))
    def get_Remarks(self, _row: Any) -> list[dict[str, Any]]:
        return list(StatementRemarkSerializer(self.context["remarks"], many=True).data)

    @extend_schema_field(DebtAgeSerializer(many=True))
    def get_Ages(self, row: Any) -> list[dict[str, Any]]:
        return serialize_ages(self.context["ages"][row.enterprise_id])

    @extend_schema_field(MoneyField(max_digits=20))
    def get_Prepaid(self, row: Any) -> str:
        """Return the amount paid for goods that are not received yet. Ages minus Prepaid equal
        the closing of the latest statement.
        """
        return str(self.context["prepaid"][row.enterprise_id])

    @extend_schema_field(ClosingDebtSerializer(allow_null=True))
    def get_ClosingDebt(self, _row: Any) -> dict[str, Any] | None:
        debt = self.context["closing_debt"]
        return None if debt is None else dict(ClosingDebtSerializer(debt).data)

    def get_CanAnswer(self, row: Any) -> bool:
        """Return whether the statement can be confirmed or disputed now."""
        return bool(
            self.context["in_person"]
            and row.status in (StatementStatus.PENDING, StatementStatus.DISPUTED)
        )

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_AsOf(self, _row: Any) -> str | None:
        moment = self.context["as_of"]
        return timezone.localtime(moment).isoformat() if moment else None


class StatementSplitQuerySerializer(QuerySerializer):
    Kind = serializers.ChoiceField(
        choices=DimensionKind.choices, required=False, default=DimensionKind.COST_CENTER
    )


class DimensionSumSerializer(AnswerSerializer):
    """The amount of one dimension in a statement or an application."""

    Code = serializers.CharField(source="code", help_text="空为未分摊的金额")
    Name = serializers.CharField(source="name")
    Amount = MoneyField(source="amount", max_digits=20)
