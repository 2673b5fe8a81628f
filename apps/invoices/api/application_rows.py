"""Serializers of applications."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import MoneyField, PersonSerializer
from apps.invoices.api.invoice_rows import InvoiceEventSerializer, InvoiceRowSerializer
from apps.invoices.enums import ApplicationStatus


class ApplicationRowSerializer(serializers.Serializer[Any]):
    ApplicationNo = serializers.CharField(source="application_no")
    Status = serializers.ChoiceField(choices=ApplicationStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Applicant = PersonSerializer(source="applicant")
    Enterprise = serializers.CharField(source="enterprise.name")
    Title = serializers.CharField(source="title.title", default="各订单抬头")
    Amount = MoneyField(source="amount_incl_tax")
    Tax = MoneyField(source="tax_amount")
    LineCount = serializers.IntegerField(source="line_count")
    InvoiceCount = serializers.IntegerField(source="invoice_count")
    SubmittedAt = serializers.DateTimeField(source="submitted_at")
    DecidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    FinishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)
    Reason = serializers.CharField(source="reason", help_text="驳回或撤回原因")
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, application: Any) -> list[str]:
        """Return the codes of the actions allowed now: `withdraw`."""
        return ["withdraw"] if application.may_withdraw else []


class ApplicationDetailSerializer(ApplicationRowSerializer):
    """One application with its invoices and timeline. `context["detail"]` has them."""

    Grouping = serializers.CharField(source="grouping")
    GroupingText = serializers.CharField(source="get_grouping_display")
    SplitByTaxRate = serializers.BooleanField(source="is_split_by_rate")
    AmountLimit = MoneyField(source="amount_limit", allow_null=True)
    Delivery = serializers.CharField(source="delivery")
    DeliveryText = serializers.CharField(source="get_delivery_display")
    Email = serializers.CharField(source="email")
    Address = serializers.DictField(source="address_snapshot", child=serializers.CharField())
    Remark = serializers.CharField(source="remark")
    Invoices = serializers.SerializerMethodField()
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(InvoiceRowSerializer(many=True))
    def get_Invoices(self, application: Any) -> Any:
        """Return its invoices, including red ones."""
        return InvoiceRowSerializer(self.context["detail"].invoices, many=True).data

    @extend_schema_field(InvoiceEventSerializer(many=True))
    def get_Timeline(self, application: Any) -> Any:
        """Return the events, oldest first."""
        return InvoiceEventSerializer(self.context["detail"].timeline, many=True).data
