"""Helpers that create returns in any state through the services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_apply import ReturnForm, ReturnFormLine, return_apply
from apps.aftersales.services.return_parcels import return_send_out, return_ship
from apps.aftersales.services.return_refund import return_refund
from apps.aftersales.services.return_review import (
    InspectionResult,
    return_approve,
    return_inspect,
    return_receive,
)
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account

SEND_TO = "上海市闵行区示例路 88 号 3 号库 售后组 021-55550100"


def received_order(
    buyer: Account, staff: Account, *wishes: tuple[Product, int], **form: Any
) -> Order:
    """Return an order of the wishes that was fully received today. Without wishes: ten pieces
    at 10.00 元.
    """
    order = place_order(buyer, *(wishes or ((ProductFactory(stock=100), 10),)), **form)
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF0001")
    return order_receive(actor=buyer, order_no=order.order_no).order


def get_line(order: Order) -> OrderLine:
    """Return the first line of the order, read again from the database."""
    return OrderLine.objects.filter(order=order).order_by("no")[0]


def build_return_form(order: Order, quantity: int = 2, **changes: Any) -> ReturnForm:
    """Return the form of a plain return of the first line's pieces."""
    lines = changes.pop("lines", None) or (ReturnFormLine(get_line(order).pk, quantity),)
    return ReturnForm(
        **{
            "order_no": order.order_no,
            "kind": "return",
            "reason": "quality",
            "way": "send",
            "lines": lines,
            **changes,
        }
    )


def apply_for_return(
    buyer: Account, order: Order, quantity: int = 2, **changes: Any
) -> ReturnOrder:
    """Return a return in 待审核."""
    return return_apply(actor=buyer, form=build_return_form(order, quantity, **changes))


class Story:
    """One return that moves step by step: `story.to("inspecting")`."""

    def __init__(self, buyer: Account, staff: Account, return_order: ReturnOrder) -> None:
        self.buyer, self.staff, self.pk = buyer, staff, return_order.pk

    @property
    def now(self) -> ReturnOrder:
        """The return, read again from the database."""
        return_order: ReturnOrder = ReturnOrder.objects.get(pk=self.pk)
        return return_order

    def to(self, status: str) -> ReturnOrder:
        """Run the steps until the return reaches `status`, and return it."""
        steps: dict[str, Callable[[], object]] = {
            "pending_review": lambda: return_approve(
                actor=self.staff, return_id=self.pk, send_to=SEND_TO
            ),
            "pending_send": lambda: return_ship(
                actor=self.buyer,
                return_no=self.now.return_no,
                carrier="示例快递",
                tracking_no="SF900",
            ),
            "pending_receipt": lambda: return_receive(actor=self.staff, return_id=self.pk),
            "inspecting": self.accept_all,
            "processing": self.settle,
        }
        while self.now.status != status:
            steps[self.now.status]()
        return self.now

    def accept_all(self) -> ReturnOrder:
        return self.inspect(*(line.quantity for line in self.now.lines.order_by("no")))

    def inspect(self, *accepted: int) -> ReturnOrder:
        """Accept the given pieces of each line. Accepted pieces go back to stock."""
        lines = zip(self.now.lines.order_by("no"), accepted, strict=True)
        results = {
            line.pk: InspectionResult(
                many, note="" if many == line.quantity else "有使用痕迹", to_shelf=True
            )
            for line, many in lines
        }
        return return_inspect(actor=self.staff, return_id=self.pk, lines=results)

    def settle(self) -> ReturnOrder:
        """Refund a 退货, or send out the goods of a 换货 or 维修."""
        if self.now.kind == "return":
            return return_refund(actor=self.staff, return_id=self.pk)
        return return_send_out(
            actor=self.staff, return_id=self.pk, carrier="示例快递", tracking_no="SF901"
        )


def create_story(
    buyer: Account, staff: Account, order: Order, quantity: int = 2, **changes: Any
) -> Story:
    """Create a return of the order and return its `Story`."""
    return Story(buyer, staff, apply_for_return(buyer, order, quantity, **changes))
