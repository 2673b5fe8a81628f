"""Orders, their lines, shipments and payments."""

from apps.orders.models.allocation import OrderAllocation
from apps.orders.models.earmark import EarmarkedAmount
from apps.orders.models.order import Order, OrderedName, OrderLine, OrderNote, sum_pieces_by_product
from apps.orders.models.payment import CreditAccount, Payment, PaymentRefund
from apps.orders.models.rank import RankEntry, RankPublication
from apps.orders.models.receipt import Receipt, ReceiptLine
from apps.orders.models.shipment import FreightRegion, Shipment, ShipmentLine, TrackingEvent

__all__ = [
    "CreditAccount",
    "EarmarkedAmount",
    "FreightRegion",
    "Order",
    "OrderAllocation",
    "OrderLine",
    "OrderNote",
    "OrderedName",
    "Payment",
    "PaymentRefund",
    "RankEntry",
    "RankPublication",
    "Receipt",
    "ReceiptLine",
    "Shipment",
    "ShipmentLine",
    "TrackingEvent",
    "sum_pieces_by_product",
]
