"""Serializers of invoices and red requests."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    MoneyField,
    PersonSerializer,
    QuantityField,
    QuerySerializer,
    RecordedPersonSerializer,
    TimelineRowSerializer,
    list_of,
)
from apps.documents.api import SheetRowSerializer, SheetTakenSerializer
from apps.invoices.capitals import write_amount_in_capitals
from apps.invoices.enums import (
    ApplicationStatus,
    InvoiceEventKind,
    InvoiceMarkKind,
    InvoiceStatus,
    RedReason,
)
from apps.invoices.models import InvoiceLine
from apps.invoices.selectors.invoice_files import MAX_DIRECT, list_file_formats
from apps.invoices.selectors.plan import MAX_LINES
from apps.invoices.services.invoice_marks import MAX_MARKED
from apps.invoices.services.red_letters import RedForm
from apps.invoices.shared_serializers import InvoiceFilterFields, build_text_field

KINDS = dict(InvoiceEventKind.choices)


class InvoicePartySerializer(serializers.Serializer[Any]):
    """购买方 or 销售方 as planned with the invoice."""

    Name = serializers.CharField()
    TaxNumber = serializers.CharField()
    Address = serializers.CharField()
    Phone = serializers.CharField()
    Bank = serializers.CharField()
    BankAccount = serializers.CharField()

    def to_representation(self, snapshot: dict[str, str]) -> dict[str, str]:
        """Return the party. A buyer's name is its title."""
        names = ("TaxNumber", "Address", "Phone", "Bank", "BankAccount")
        return {
            "Name": snapshot.get("Name") or snapshot.get("Title", ""),
            **{name: snapshot.get(name, "") for name in names},
        }


class InvoiceMarkSerializer(serializers.Serializer[Any]):
    """A mark that the customer keeps about an issued invoice."""

    Kind = serializers.ChoiceField(InvoiceMarkKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Note = serializers.CharField(source="note")
    At = serializers.DateTimeField(source="marked_at")
    By = RecordedPersonSerializer(source="marked_by")


class InvoiceRowSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    RequestNo = serializers.CharField(source="request_no", help_text="开票流水号")
    InvoiceCode = serializers.CharField(source="invoice_code")
    InvoiceNo = serializers.CharField(source="invoice_no")
    ApplicationNo = serializers.CharField(source="application.application_no")
    Applicant = PersonSerializer(source="application.applicant")
    Enterprise = serializers.CharField(source="enterprise.name")
    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Status = serializers.ChoiceField(choices=InvoiceStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    IsRed = serializers.BooleanField(source="is_red")
    Title = serializers.CharField(source="title_snapshot.Title", default="")
    Amount = MoneyField(source="amount_incl_tax")
    Net = MoneyField(source="net_amount")
    Tax = MoneyField(source="tax_amount")
    RedAmount = MoneyField(source="red_amount", help_text="已红冲金额")
    IssuedAt = serializers.DateTimeField(source="issued_at", allow_null=True)
    Failure = serializers.CharField(source="failure")
    OriginalId = serializers.CharField(source="original_id", allow_null=True)
    OriginalNo = serializers.CharField(source="original.invoice_no", default=None, allow_null=True)
    LineCount = serializers.SerializerMethodField()
    Formats = serializers.SerializerMethodField(help_text="可下载的文件：pdf、xml、ofd")
    Marks = InvoiceMarkSerializer(source="marks.all", many=True, help_text="贵司登记的处理状态")
    AllowedActions = serializers.SerializerMethodField()

    def get_LineCount(self, invoice: Any) -> int:
        """Return the number of lines."""
        return int(invoice.line_count)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_Formats(self, invoice: Any) -> list[str]:
        """Return the available file formats."""
        return list_file_formats(invoice)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, invoice: Any) -> list[str]:
        """Return the codes of the actions allowed now: `red`."""
        is_open = (
            invoice.status in (InvoiceStatus.ISSUED, InvoiceStatus.PARTLY_RED)
            and not invoice.is_red
        )
        return ["red"] if is_open and invoice.red_amount < invoice.amount_incl_tax else []


class InvoiceLineSerializer(serializers.Serializer[InvoiceLine]):
    Id = serializers.CharField(source="pk")
    No = serializers.IntegerField(source="no")
    OrderNo = serializers.CharField(source="order.order_no")
    OrderLineId = serializers.CharField(source="order_line_id", allow_null=True)
    Name = serializers.CharField(source="name")
    CustomerName = serializers.CharField(
        source="order_line.customer_name", default="", help_text="贵司的商品名称；没有时为空"
    )
    Brand = serializers.CharField(source="order_line.brand", default="", help_text="运费为空")
    Model = serializers.CharField(source="model_code")
    Unit = serializers.CharField(source="unit")
    TaxCode = serializers.CharField(source="tax_code")
    Quantity = serializers.IntegerField(source="quantity")
    RedQuantity = serializers.IntegerField(source="red_quantity", help_text="已红冲或红冲中")
    UnitPrice = MoneyField(source="unit_price_incl_tax")
    Amount = MoneyField(source="amount_incl_tax")
    Net = MoneyField(source="net_amount")
    TaxRate = serializers.CharField(source="tax_rate")
    Tax = MoneyField(source="tax_amount")


class RedLineSerializer(serializers.Serializer[Any]):
    InvoiceLineId = serializers.CharField(source="line_id")
    Name = serializers.CharField(source="line.name")
    Quantity = serializers.IntegerField(source="quantity")
    Amount = MoneyField(source="amount_incl_tax")
    Tax = MoneyField(source="tax_amount")


class RedLetterSerializer(serializers.Serializer[Any]):
    RedNo = serializers.CharField(source="red_no")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Reason = serializers.CharField(source="reason")
    ReasonText = serializers.CharField(source="get_reason_display")
    Note = serializers.CharField(source="note")
    Answer = serializers.CharField(source="answer", help_text="否认原因")
    IsForReturn = serializers.BooleanField(source="is_for_return")
    Amount = MoneyField(source="amount_incl_tax")
    Tax = MoneyField(source="tax_amount")
    OpenedAt = serializers.DateTimeField(source="opened_at")
    OpenedBy = RecordedPersonSerializer(source="opened_by", allow_null=True)
    ExpiresAt = serializers.DateTimeField(source="expires_at")
    RedInvoiceId = serializers.CharField(source="red_invoice_id", allow_null=True)
    RedInvoiceNo = serializers.CharField(
        source="red_invoice.invoice_no", default=None, allow_null=True
    )
    Lines = RedLineSerializer(source="lines.all", many=True)
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, letter: Any) -> list[str]:
        """Return the codes of the actions allowed for the buyer now: `answer` (in person only),
        `withdraw`.
        """
        if letter.status == "awaits_buyer":
            return ["answer"] if self.context["in_person"] else []
        return ["withdraw"] if letter.status == "awaits_seller" and not letter.is_for_return else []


class InvoiceEventSerializer(TimelineRowSerializer):
    kinds = KINDS
    states = {**dict(InvoiceStatus.choices), **dict(ApplicationStatus.choices)}


class InvoiceDeliverySerializer(serializers.Serializer[Any]):
    """Delivery of the invoice to the customer."""

    Way = serializers.CharField(source="application.delivery")
    WayText = serializers.CharField(source="application.get_delivery_display")
    Email = serializers.CharField(source="application.email")
    MailedAt = serializers.DateTimeField(source="emailed_at", allow_null=True)
    Address = serializers.DictField(
        source="application.address_snapshot", child=serializers.CharField()
    )
    Carrier = serializers.CharField(source="carrier")
    TrackingNo = serializers.CharField(source="tracking_no")
    SentAt = serializers.DateTimeField(source="sent_at", allow_null=True)


class InvoiceDetailSerializer(InvoiceRowSerializer):
    """One invoice with its lines, red requests and timeline. `context["detail"]` has them."""

    Capitals = serializers.SerializerMethodField()
    Buyer = InvoicePartySerializer(source="title_snapshot")
    Seller = InvoicePartySerializer(source="seller_snapshot")
    Remark = serializers.CharField(source="remark")
    Delivery = InvoiceDeliverySerializer(source="*")
    Lines = serializers.SerializerMethodField()
    RedLetters = serializers.SerializerMethodField()
    RedInvoices = serializers.SerializerMethodField()
    Timeline = serializers.SerializerMethodField()

    def get_Capitals(self, invoice: Any) -> str:
        """Return 金额大写."""
        return write_amount_in_capitals(invoice.amount_incl_tax)

    def get_LineCount(self, invoice: Any) -> int:
        """Return the number of lines."""
        return len(self.context["detail"].lines)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, invoice: Any) -> list[str]:
        """Return `red` while a piece of the invoice is in no red request."""
        is_left = any(line.red_quantity < line.quantity for line in self.context["detail"].lines)
        return super().get_AllowedActions(invoice) if is_left else []

    @extend_schema_field(InvoiceLineSerializer(many=True))
    def get_Lines(self, invoice: Any) -> Any:
        """Return the lines with their orders."""
        return InvoiceLineSerializer(self.context["detail"].lines, many=True).data

    @extend_schema_field(RedLetterSerializer(many=True))
    def get_RedLetters(self, invoice: Any) -> Any:
        """Return the red requests, newest first."""
        return RedLetterSerializer(
            self.context["detail"].letters, many=True, context=self.context
        ).data

    @extend_schema_field(
        serializers.ListField(child=serializers.DictField(child=serializers.CharField()))
    )
    def get_RedInvoices(self, invoice: Any) -> list[dict[str, str]]:
        """Return the issued red invoices: Id, InvoiceNo."""
        letters = self.context["detail"].letters
        return [
            {"Id": str(letter.red_invoice_id), "InvoiceNo": letter.red_invoice.invoice_no}
            for letter in letters
            if letter.red_invoice_id and letter.red_invoice.invoice_no
        ]

    @extend_schema_field(InvoiceEventSerializer(many=True))
    def get_Timeline(self, invoice: Any) -> Any:
        """Return the events, oldest first."""
        return InvoiceEventSerializer(self.context["detail"].timeline, many=True).data


class InvoiceQuerySerializer(InvoiceFilterFields, QuerySerializer):
    """The filters in the query string."""


class RedLineBodySerializer(BodySerializer):
    InvoiceLineId = IdField()
    Quantity = QuantityField()


class RedBodySerializer(BodySerializer):
    """The reason and the lines. Without lines, the whole rest of the invoice is taken back."""

    Reason = serializers.ChoiceField(choices=RedReason.choices)
    Note = build_text_field(300, "说明")
    Lines = list_of(RedLineBodySerializer, required=False, default=None, max_length=MAX_LINES)

    @staticmethod
    def build_form(body: dict[str, Any]) -> RedForm:
        """Return the form for the service."""
        if body["Lines"] is None:
            return RedForm(body["Reason"], body["Note"])
        quantities: dict[int, int] = {}
        for line in body["Lines"]:
            if line["InvoiceLineId"] in quantities:
                raise serializers.ValidationError(
                    {"Lines": ["同一明细行只能出现一次，请合并数量后提交"]}
                )
            quantities[line["InvoiceLineId"]] = line["Quantity"]
        return RedForm(body["Reason"], body["Note"], quantities)


class RedAnswerSerializer(BodySerializer):
    RedNo = serializers.CharField(max_length=24)
    IsAgreed = serializers.BooleanField()
    Reason = build_text_field(300, "否认原因")


class RedWithdrawSerializer(BodySerializer):
    RedNo = serializers.CharField(max_length=24)


class FileQuerySerializer(QuerySerializer):
    Format = serializers.ChoiceField(
        choices=[("pdf", "PDF"), ("xml", "XML"), ("ofd", "OFD")],
        required=False,
        default="pdf",
        help_text="xml 仅数电发票；ofd 仅开票平台提供时",
    )


class InvoicesMarkSerializer(BodySerializer):
    """A mark for up to 500 invoices. The mark 有问题 needs a note."""

    InvoiceIds = serializers.ListField(
        source="invoice_ids", child=IdField(), min_length=1, max_length=MAX_MARKED
    )
    Kind = serializers.ChoiceField(InvoiceMarkKind.choices, source="kind")
    IsSet = serializers.BooleanField(default=True, help_text="false 为撤销登记")
    Note = build_text_field(200, help_text="说明；登记“有问题”时必填")


class InvoicesMarkedSerializer(AnswerSerializer):
    Changed = serializers.IntegerField(help_text="状态有变化的发票张数")


class MarkRowSerializer(SheetRowSerializer):
    InvoiceNo = serializers.CharField(source="invoice_no")
    MarkText = serializers.CharField(source="mark_text")
    Note = serializers.CharField(source="note")


class MarkSheetSerializer(SheetTakenSerializer):
    Rows = MarkRowSerializer(many=True)


class InvoiceArchiveSerializer(BodySerializer):
    """The invoices of the archive: up to 50."""

    InvoiceIds = serializers.ListField(
        source="invoice_ids", child=IdField(), min_length=1, max_length=MAX_DIRECT
    )
