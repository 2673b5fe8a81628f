"""Orders, their lines, shipments and payments."""

from apps.orders.models.freight import FreightRegion
from apps.orders.models.line import OrderLine
from apps.orders.models.order import Order
from apps.orders.models.payment import Payment, PaymentRefund
from apps.orders.models.rank import RankEntry, RankPublication
from apps.orders.models.receipt import Receipt, ReceiptLine
from apps.orders.models.shipment import Shipment, ShipmentLine
from apps.orders.models.shortcuts import WorkbenchShortcuts
from apps.orders.models.tracking import TrackingEvent

__all__ = [
    "FreightRegion",
    "Order",
    "OrderLine",
    "Payment",
    "PaymentRefund",
    "RankEntry",
    "RankPublication",
    "Receipt",
    "ReceiptLine",
    "Shipment",
    "ShipmentLine",
    "TrackingEvent",
    "WorkbenchShortcuts",
]
