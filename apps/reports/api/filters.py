"""Request serializers of the reports, for query strings and for bodies."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import (
    DayField,
    IdField,
    QuerySerializer,
    WholeField,
)
from apps.orders.enums import OrderStatus, PaymentKind
from apps.reports.enums import Basis, Preset, ReportName
from apps.reports.selectors.cuts import BY_TREE
from apps.reports.selectors.facts import COUNTED_STATES
from apps.reports.selectors.question import ReportQuestion
from apps.reports.selectors.reports import BUDGET_BY, COMPARED_BY, SAVINGS_BY, SORTED_BY

SORTS = (
    BY_TREE,
    *(
        f"{sign}{word}"
        for word in (*SORTED_BY, *COMPARED_BY, *SAVINGS_BY, *BUDGET_BY)
        for sign in ("", "-")
    ),
)
STATES = [(state, OrderStatus(state).label) for state in COUNTED_STATES]


def _build_text_field(source: str, most: int, **more: Any) -> serializers.CharField:
    return serializers.CharField(
        source=source, max_length=most, required=False, allow_blank=True, **more
    )


def _build_id_field(source: str, **more: Any) -> IdField:
    return IdField(source=source, required=False, allow_null=True, **more)


class ReportFilterSerializer(serializers.Serializer[Any]):
    """The filters that all reports share. From and To are inclusive. They require Period
    `custom`, which is the default if they are present.
    """

    Basis = serializers.ChoiceField(Basis.choices, source="basis", required=False)
    Period = serializers.ChoiceField(Preset.choices, source="preset", required=False)
    From = DayField(source="since", required=False, allow_null=True)
    To = DayField(source="until", required=False, allow_null=True)
    EnterpriseId = _build_id_field("enterprise_id")
    DepartmentId = _build_id_field("department_id", help_text="含下级部门")
    OwnDepartmentId = _build_id_field(
        "own_department_id", help_text="仅该部门，不含下级；0 为未归属部门"
    )
    CategoryId = _build_id_field("category_id", help_text="任一级类目")
    BrandId = _build_id_field("brand_id", help_text="下单时的品牌")
    OffAgreement = serializers.BooleanField(
        source="is_off_agreement",
        required=False,
        allow_null=True,
        default=None,
        help_text="true 为协议外商品，false 为协议内商品；均不含运费",
    )
    ProductCode = _build_text_field("product_code", 18, help_text="商品编码；0 为运费")
    RequesterId = _build_id_field("requester_id")
    Status = serializers.ListField(
        source="statuses", child=serializers.ChoiceField(STATES), required=False, max_length=10
    )
    PaymentKind = serializers.ListField(
        source="payment_kinds",
        child=serializers.ChoiceField(PaymentKind.choices),
        required=False,
        max_length=10,
    )
    BudgetId = _build_id_field("budget_id", help_text="0 为未使用预算")
    PurchaseOrderNo = _build_text_field("purchase_order_no", 60)
    CostCenter = _build_text_field("cost_center", 60)
    OrderNo = _build_text_field("order_no", 24)
    Weekday = WholeField(
        source="weekday",
        required=False,
        allow_null=True,
        min_value=1,
        max_value=7,
        help_text="1 为星期一",
    )
    Overrunning = serializers.BooleanField(
        source="is_overrunning",
        required=False,
        allow_null=True,
        default=None,
        help_text="true 为只看预计超出额度的预算及其采购",
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Set Period to `custom` if the request has From or To but no Period. Otherwise the
        default of twelve months would ignore these days.
        """
        fields: dict[str, Any] = super().to_internal_value(data)
        if fields.get("since") or fields.get("until"):
            fields.setdefault("preset", Preset.CUSTOM)
        return fields

    @staticmethod
    def build_question(fields: dict[str, Any]) -> ReportQuestion:
        """Return the filters as the `ReportQuestion` that the selectors take."""
        values_by_field = {
            name: value
            for name, value in fields.items()
            if name in ReportQuestion.__dataclass_fields__ and value is not None
        }
        for name in ("statuses", "payment_kinds"):
            values_by_field[name] = tuple(values_by_field.get(name, ()))
        return ReportQuestion(**values_by_field)


class ReportQuerySerializer(ReportFilterSerializer, QuerySerializer):
    """The filters in the query string, with the order of the rows. Further pages are cheaper
    without charts.
    """

    Sort = serializers.ChoiceField(SORTS, required=False, allow_blank=True, default="")
    Charts = serializers.BooleanField(required=False, default=True)


class ReportNameSerializer(QuerySerializer):
    """The name of a report."""

    Report = serializers.ChoiceField(ReportName.choices)
