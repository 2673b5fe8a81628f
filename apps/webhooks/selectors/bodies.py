"""What the body of an event says of an order, a shipment, an invoice or prices: as it stands when the event is heard."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django.utils import timezone

from apps.invoices.models import Invoice, InvoiceApplication
from apps.orders.models import Order, OrderLine, Shipment
from apps.webhooks.enums import MOST_BYTES

MOST_LINES = 200


def money(amount: Decimal) -> str:
    """Return 元 as on the wire."""
    return f"{amount:.2f}"


def group_of(event: str, key: str) -> int | None:
    """Return whose order, invoice or application a key names; None for what names a group by its scope alone."""
    match event:
        case "invoice.issued":
            found = Invoice.objects.filter(request_no=key)
        case "invoice.rejected":
            found = InvoiceApplication.objects.filter(application_no=key)
        case "price.changed" | "price.ending":
            return None
        case _:
            found = Order.objects.filter(order_no=key)
    group_id: int | None = found.values_list("group_id", flat=True).first()
    return group_id


def order_body(order_no: str, *, reason: str = "") -> dict[str, Any]:
    """Return an order with its first 200 lines; {} where it is gone."""
    order = Order.objects.filter(order_no=order_no).select_related("requester", "enterprise", "department").first()
    if order is None:
        return {}
    lines = OrderLine.objects.filter(order=order).order_by("no")
    return {
        "OrderNo": order.order_no,
        "Status": order.status,
        "StatusText": order.get_status_display(),
        "Reason": reason,
        "PurchaseOrderNo": order.purchase_order_no,
        "CostCenter": order.cost_center,
        "Enterprise": {"Id": str(order.enterprise_id), "Name": order.enterprise.name},
        "Department": order.department.name if order.department else None,
        "Requester": {"Id": str(order.requester_id), "Name": order.requester.nickname},
        "Amounts": {
            "Goods": money(order.goods_amount),
            "Freight": money(order.freight_amount),
            "Tax": money(order.tax_amount),
            "Total": money(order.total_amount),
        },
        "Lines": [_line(line) for line in lines[:MOST_LINES]],
        "LineCount": lines.count(),
        "SubmittedAt": when(order.submitted_at),
    }


def _line(line: OrderLine) -> dict[str, Any]:
    return {
        "Id": str(line.pk),
        "ProductCode": line.product_code,
        "CustomerCode": line.customer_code,
        "Name": line.customer_name or line.name,
        "Unit": line.unit,
        "Quantity": line.quantity,
        "CancelledQuantity": line.cancelled_quantity,
        "ShippedQuantity": line.shipped_quantity,
        "ReceivedQuantity": line.received_quantity,
        "UnitPrice": money(line.unit_price_incl_tax),
    }


def shipment_body(order_no: str) -> dict[str, Any]:
    """Return an order with all of its shipments: which of them are new the receiver sees by their numbers."""
    body = order_body(order_no)
    if not body:
        return {}
    shipments = Shipment.objects.filter(order__order_no=order_no).prefetch_related("lines__order_line").order_by("pk")
    body["Shipments"] = [
        {
            "ShipmentNo": shipment.shipment_no,
            "Carrier": shipment.carrier,
            "TrackingNo": shipment.tracking_no,
            "ShippedAt": when(shipment.shipped_at),
            "ReceivedAt": when(shipment.received_at),
            "Lines": [
                {
                    "OrderLineId": str(line.order_line_id),
                    "ProductCode": line.order_line.product_code,
                    "Quantity": line.quantity,
                    "ReceivedQuantity": line.received_quantity,
                }
                for line in shipment.lines.all()
            ],
        }
        for shipment in shipments[:MOST_LINES]
    ]
    return body


def invoice_body(request_no: str) -> dict[str, Any]:
    """Return an issued invoice, red ones with minus signs, and the orders it bills."""
    invoice = Invoice.objects.filter(request_no=request_no).select_related("application", "original", "enterprise").first()
    if invoice is None:
        return {}
    orders = invoice.lines.order_by("order__order_no").values_list("order__order_no", flat=True).distinct()
    return {
        "Id": str(invoice.pk),
        "InvoiceNo": invoice.invoice_no,
        "InvoiceCode": invoice.invoice_code,
        "Kind": invoice.kind,
        "KindText": invoice.get_kind_display(),
        "IsRed": invoice.is_red,
        "OriginalInvoiceNo": invoice.original.invoice_no if invoice.original else None,
        "ApplicationNo": invoice.application.application_no,
        "Enterprise": {"Id": str(invoice.enterprise_id), "Name": invoice.enterprise.name},
        "Title": invoice.title_snapshot.get("Title", ""),
        "Amount": money(invoice.amount_incl_tax),
        "NetAmount": money(invoice.net_amount),
        "Tax": money(invoice.tax_amount),
        "IssuedAt": when(invoice.issued_at),
        "OrderNos": list(orders[:MOST_LINES]),
    }


def application_body(application_no: str) -> dict[str, Any]:
    """Return an application that was refused, and why."""
    application = InvoiceApplication.objects.filter(application_no=application_no).select_related("enterprise").first()
    if application is None:
        return {}
    return {
        "ApplicationNo": application.application_no,
        "Status": application.status,
        "Reason": application.reason,
        "Enterprise": {"Id": str(application.enterprise_id), "Name": application.enterprise.name},
        "Amount": money(application.amount_incl_tax),
    }


def when(at: Any) -> str | None:
    """Return a time as on the wire, with Shanghai's offset."""
    return timezone.localtime(at).isoformat(timespec="seconds") if at else None


def bounded(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body within MOST_BYTES: lists are cut from their ends, and `IsTruncated` says so."""
    while len(as_bytes(body)) > MOST_BYTES:
        data = body["Data"]
        longest = max((key for key in data if isinstance(data[key], list)), key=lambda key: len(as_bytes(data[key])))
        body = {**body, "IsTruncated": True, "Data": {**data, longest: data[longest][: len(data[longest]) // 2]}}
    return body


def as_bytes(value: Any) -> bytes:
    """Return the JSON that is sent and signed: the same bytes each time."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
