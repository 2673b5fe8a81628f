"""The webhooks of a group and their deliveries, for administrators of the whole group. The body of
an event: the order, shipment, invoice or price as it is when the event is handled.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from apps.common.numbers import parse_key
from apps.invoices.models import Invoice, InvoiceApplication
from apps.orders.models import Order, OrderLine, Shipment
from apps.orders.selectors.allocations import list_order_allocations
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.webhooks.enums import MAX_BYTES
from apps.webhooks.errors import DeliveryNotFound, WebhookNotFound, WebhooksOutOfScope
from apps.webhooks.models import Webhook, WebhookDelivery


def may_manage_webhooks(actor: Account) -> bool:
    """Return whether the actor may manage webhooks. The data scope must be the whole group,
    because events contain the group's data.
    """
    return (
        actor.has_menu_code(MenuCode.MANAGEMENT_GROUP)
        and actor.get_data_scope(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP
    )


def list_webhooks(*, actor: Account) -> QuerySet[Webhook]:
    """Return the group's webhooks with their owners, the oldest first.

    Raises:
        Forbidden: the actor's data scope is not the whole group.
    """
    if not may_manage_webhooks(actor):
        raise WebhooksOutOfScope
    rows: QuerySet[Webhook] = Webhook.objects.select_related("owner").order_by("pk")
    return rows


def get_webhook(*, actor: Account, pk: str) -> Webhook:
    """Return one webhook.

    Raises:
        WebhookNotFound: the group has no such webhook.
        Forbidden: see list_webhooks.
    """
    webhook = list_webhooks(actor=actor).filter(pk=parse_key(pk)).first()
    if webhook is None:
        raise WebhookNotFound
    return webhook


def list_deliveries(
    *, actor: Account, pk: str, state: str = "", event: str = ""
) -> QuerySet[WebhookDelivery]:
    """Return a webhook's deliveries without their bodies, the latest first.

    Raises:
        WebhookNotFound, Forbidden: see get_webhook.
    """
    rows: QuerySet[WebhookDelivery] = WebhookDelivery.objects.filter(
        webhook=get_webhook(actor=actor, pk=pk)
    ).defer("payload")
    if state:
        rows = rows.filter(state=state)
    if event:
        rows = rows.filter(event=event)
    return rows.order_by("-pk")


def get_delivery(*, actor: Account, pk: str, delivery_id: str) -> WebhookDelivery:
    """Return one delivery with its body.

    Raises:
        WebhookNotFound, Forbidden: see get_webhook.
        DeliveryNotFound: the webhook has no such delivery.
    """
    delivery: WebhookDelivery | None = WebhookDelivery.objects.filter(
        webhook=get_webhook(actor=actor, pk=pk), pk=parse_key(delivery_id)
    ).first()
    if delivery is None:
        raise DeliveryNotFound
    return delivery


def list_webhooks_with_history(actor: Account) -> QuerySet[Webhook]:
    """Return the webhooks whose change history the actor may read: all of the group or none."""
    rows: QuerySet[Webhook] = Webhook.objects.all()
    return rows if may_manage_webhooks(actor) else rows.none()


MAX_LINES = 200
MAX_ALLOCATIONS = 2000


def format_money(amount: Decimal) -> str:
    """Return an amount in 元 as text."""
    return f"{amount:.2f}"


def find_group_id(event: str, key: str) -> int | None:
    """Return the group of the order, invoice or application named by the key. None for price
    events, whose group is the current scope.
    """
    match event:
        case "invoice.issued":
            rows = Invoice.objects.filter(request_no=key)
        case "invoice.rejected":
            rows = InvoiceApplication.objects.filter(application_no=key)
        case "price.changed" | "price.ending":
            return None
        case _:
            rows = Order.objects.filter(order_no=key)
    group_id: int | None = rows.values_list("group_id", flat=True).first()
    return group_id


def build_order_body(order_no: str, *, reason: str = "") -> dict[str, Any]:
    """Return an order with its first 200 lines; {} if it does not exist."""
    order = (
        Order.objects.filter(order_no=order_no)
        .select_related("requester", "enterprise", "department")
        .first()
    )
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
        "Allocations": [
            {
                "LineId": str(row.line_id) if row.line_id else None,
                "Kind": row.kind,
                "Code": row.code,
                "Name": row.name,
                "Amount": format_money(row.amount),
            }
            for row in list_order_allocations(order)[:MAX_ALLOCATIONS]
        ],
        "Enterprise": {"Id": str(order.enterprise_id), "Name": order.enterprise.name},
        "Department": order.department.name if order.department else None,
        "Requester": {"Id": str(order.requester_id), "Name": order.requester.nickname},
        "Amounts": {
            "Goods": format_money(order.goods_amount),
            "Freight": format_money(order.freight_amount),
            "Tax": format_money(order.tax_amount),
            "Total": format_money(order.total_amount),
        },
        "Lines": [_serialize_line(line) for line in lines[:MAX_LINES]],
        "LineCount": lines.count(),
        "SubmittedAt": format_time(order.submitted_at),
    }


def _serialize_line(line: OrderLine) -> dict[str, Any]:
    """Return an order line as JSON. Prices are in 元 含税."""
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
        "UnitPrice": format_money(line.unit_price_incl_tax),
    }


def build_shipment_body(order_no: str) -> dict[str, Any]:
    """Return an order with all its shipments. The receiver recognises new ones by their numbers."""
    body = build_order_body(order_no)
    if not body:
        return {}
    shipments = (
        Shipment.objects.filter(order__order_no=order_no)
        .prefetch_related("lines__order_line")
        .order_by("pk")
    )
    body["Shipments"] = [
        {
            "ShipmentNo": shipment.shipment_no,
            "Carrier": shipment.carrier,
            "TrackingNo": shipment.tracking_no,
            "ShippedAt": format_time(shipment.shipped_at),
            "ReceivedAt": format_time(shipment.received_at),
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
        for shipment in shipments[:MAX_LINES]
    ]
    return body


def build_invoice_body(request_no: str) -> dict[str, Any]:
    """Return an issued invoice and its orders. Amounts of red invoices are negative."""
    invoice = (
        Invoice.objects.filter(request_no=request_no)
        .select_related("application", "original", "enterprise")
        .first()
    )
    if invoice is None:
        return {}
    orders = (
        invoice.lines.order_by("order__order_no")
        .values_list("order__order_no", flat=True)
        .distinct()
    )
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
        "Amount": format_money(invoice.amount_incl_tax),
        "NetAmount": format_money(invoice.net_amount),
        "Tax": format_money(invoice.tax_amount),
        "IssuedAt": format_time(invoice.issued_at),
        "OrderNos": list(orders[:MAX_LINES]),
    }


def build_application_body(application_no: str) -> dict[str, Any]:
    """Return a rejected invoice application with the reason."""
    application = (
        InvoiceApplication.objects.filter(application_no=application_no)
        .select_related("enterprise")
        .first()
    )
    if application is None:
        return {}
    return {
        "ApplicationNo": application.application_no,
        "Status": application.status,
        "Reason": application.reason,
        "Enterprise": {"Id": str(application.enterprise_id), "Name": application.enterprise.name},
        "Amount": format_money(application.amount_incl_tax),
    }


def format_time(at: Any) -> str | None:
    """Return a time in ISO format with Shanghai's offset."""
    return timezone.localtime(at).isoformat(timespec="seconds") if at else None


def truncate_body(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body within MAX_BYTES. The longest list is cut repeatedly, and `IsTruncated`
    is set.
    """
    while len(as_bytes(body)) > MAX_BYTES:
        data = body["Data"]
        longest = max(
            (key for key in data if isinstance(data[key], list)),
            key=lambda key: len(as_bytes(data[key])),
        )
        body = {
            **body,
            "IsTruncated": True,
            "Data": {**data, longest: data[longest][: len(data[longest]) // 2]},
        }
    return body


def as_bytes(value: Any) -> bytes:
    """Return the JSON that is sent and signed. Equal values give equal bytes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
