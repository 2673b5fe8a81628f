"""One order of the demo's history, from submit to payment, through the services that the API
calls.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.budgets.enums import BudgetOwner
from apps.budgets.errors import BudgetExceeded
from apps.budgets.selectors.budgets import list_usable_budgets
from apps.cart.selectors.cart import get_cart
from apps.cart.services.cart_add import cart_refill
from apps.cart.services.cart_change import cart_clear
from apps.common.tenancy import tenant_scope
from apps.dimensions.models import Dimension
from apps.orders.enums import DeliveryWish, InvoiceKind, OrderStatus, PaymentKind
from apps.orders.gateways import DemoGateway
from apps.orders.models import Order
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.cancellations import order_cancel, order_withdraw
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.order_submit import order_submit
from apps.orders.services.payments import payment_begin, payment_notification_apply, payment_record
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.org.models import Account, InvoiceTitle
from demo.load.calendar import Calendar

# The dimensions (kind, code, percent) that these buyers choose, besides the defaults of their
# departments.
SHARES: dict[str, tuple[tuple[str, str, int], ...]] = {
    "yf.zhu": (
        ("cost_center", "YC-121", 70),
        ("cost_center", "YC-120", 30),
        ("project", "P-2026-01", 60),
        ("project", "P-2026-02", 40),
        ("subject", "6602.01", 100),
    ),
    "yf.he": (("subject", "6602.08", 100),),
    "xl.wu": (("project", "P-2026-M2", 100),),
}
CARRIERS = ("文采自营配送", "示例速运", "示例物流")
REMARKS = ("", "", "", "请放前台收发室", "送货前电话联系", "随货附送货单", "加急，会议使用")
REJECTIONS = ("本月已有同类库存，请先领用", "数量偏多，请按实际人数申请", "请改选协议内的同类商品")
CANCELLATIONS = ("重复下单", "规格选错，重新下单", "项目延期，暂不需要")
# What the history leaves of a buyer's own budget of the month, in 元, so that a visitor of the demo
# can order.
LEFT_TO_SPEND = Decimal(3000)


class Fate(StrEnum):
    """The final state of a demo order."""

    PENDING_APPROVAL = "pending_approval"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    PENDING_CONFIRM = "pending_confirm"
    CANCELLED = "cancelled"
    PENDING_SHIPMENT = "pending_shipment"
    PARTLY_SHIPPED = "partly_shipped"
    PENDING_RECEIPT = "pending_receipt"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class Staff:
    """The back office accounts of the demo."""

    service: Account
    finance: Account


@dataclass(slots=True)
class OrderStory:
    """A planned order. `quantities` are by product pk. `is_hurried` shortens the delays, so
    that a recent order reaches its final state in time.
    """

    calendar: Calendar
    staff: Staff
    buyer: Account
    fate: Fate
    quantities: dict[int, int]
    payment_kind: str
    is_hurried: bool = False
    order: Order = field(init=False)

    def submit(self) -> None:
        """Fill the cart and submit it. The order's state decides the next step."""
        with self._scope():
            cart_clear(actor=self.buyer)
            cart_refill(actor=self.buyer, quantities=self.quantities)
            self.order = self._submitted()
        if self.order.status == OrderStatus.PENDING_APPROVAL:
            self._after_submit_in_approval()
        else:
            self._after_approval()

    def _scope(self) -> AbstractContextManager[None]:
        return tenant_scope(group_id=self.buyer.group_id or 0)

    def _submitted(self) -> Order:
        """Submit with the first usable budget that covers the order, and that keeps LEFT_TO_SPEND
        if it is the buyer's own. How much of the history falls into the current month depends on
        the day and the hour of the load.
        """
        budgets = list(list_usable_budgets(actor=self.buyer))
        amount = get_cart(actor=self.buyer).chosen_amount
        for budget in budgets[:-1]:
            is_own = budget.owner_type == BudgetOwner.ACCOUNT
            if is_own and budget.available - amount < LEFT_TO_SPEND:
                continue
            try:
                return order_submit(actor=self.buyer, form=self._form(budget.pk))
            except BudgetExceeded:
                continue
        return order_submit(actor=self.buyer, form=self._form(budgets[-1].pk if budgets else None))

    def _form(self, budget_id: int | None) -> CheckoutForm:
        title = InvoiceTitle.objects.filter(enterprise_id=self.buyer.enterprise_id).first()
        is_special = bool(title and title.has_special_qualification)
        chance = self.calendar.chance
        return CheckoutForm(
            delivery_wish=chance.choice(DeliveryWish.values),
            invoice_kind=InvoiceKind.E_SPECIAL
            if is_special and chance.random() < 0.6
            else InvoiceKind.E_NORMAL,
            payment_kind=self.payment_kind,
            budget_id=budget_id,
            remark=chance.choice(REMARKS),
            allocations=self._allocations(),
        )

    def _allocations(self) -> tuple[AllocationForm, ...]:
        """Return the buyer's choice of dimensions for the whole order."""
        shares = SHARES.get(self.buyer.username, ())
        codes = {code for _, code, _ in shares}
        if not shares:
            return ()
        counts = {(row.kind, row.code): row.pk for row in Dimension.objects.filter(code__in=codes)}
        parts: dict[str, list[PartForm]] = {}
        for kind, code, percent in shares:
            parts.setdefault(kind, []).append(PartForm(counts[kind, code], Decimal(percent)))
        return tuple(AllocationForm(kind, tuple(rows)) for kind, rows in parts.items())

    def _later(self, act: str, *hours: float) -> None:
        self.calendar.plan_later(
            timezone.localtime(),
            getattr(self, act),
            hours=(hours[0], hours[1]),
            hurried=self.is_hurried,
        )

    def _after_submit_in_approval(self) -> None:
        if self.fate == Fate.WITHDRAWN:
            self._later("withdraw", 0.2, 3)
        elif self.fate != Fate.PENDING_APPROVAL:
            self._later("decide", 0.5, 6)

    def _after_approval(self) -> None:
        if self.fate == Fate.CANCELLED:
            self._later("cancel", 0.3, 4)
        elif self.payment_kind == PaymentKind.ONLINE:
            self._later("pay_online", 0.1, 2)
        elif self.fate != Fate.PENDING_CONFIRM:
            self._later("confirm", 1, 8)

    def withdraw(self) -> None:
        """The buyer withdraws the order."""
        with self._scope():
            order_withdraw(actor=self.buyer, order_no=self.order.order_no, reason="数量需要调整")

    def decide(self) -> None:
        """The current approvers decide. The next step follows some hours later."""
        with self._scope():
            approval = Approval.objects.filter(
                subject_no=self.order.order_no, status=ApprovalStatus.PENDING
            ).first()
            if approval is None:
                return
            task = ApprovalTask.objects.filter(
                step__approval=approval, step__status=StepStatus.ACTIVE, status=TaskStatus.PENDING
            ).select_related("approver")
            first = task.first()
            decider = first.approver if first else self.staff.service
            if self.fate == Fate.REJECTED:
                approval_reject(
                    actor=decider,
                    approval_id=approval.pk,
                    reason=self.calendar.chance.choice(REJECTIONS),
                )
                return
            approval = approval_approve(
                actor=decider,
                approval_id=approval.pk,
                comment=self.calendar.chance.choice(("", "", "同意")),
            )
        if approval.status == ApprovalStatus.PENDING:
            self._later("decide", 0.5, 8)
        else:
            self._after_approval()

    def pay_online(self) -> None:
        """The buyer pays on the gateway's page. The gateway notifies the mall."""
        with self._scope():
            payment, _ = payment_begin(actor=self.buyer, order_no=self.order.order_no)
        fields = DemoGateway().build_notification(
            payment_no=payment.payment_no, amount=payment.amount, is_success=True
        )
        payment_notification_apply(gateway=DemoGateway.name, fields=fields)
        if self.fate != Fate.PENDING_CONFIRM:
            self._later("confirm", 0.5, 6)

    def cancel(self) -> None:
        """The buyer cancels before staff confirm the order."""
        with self._scope():
            order_cancel(
                actor=self.buyer,
                order_no=self.order.order_no,
                reason=self.calendar.chance.choice(CANCELLATIONS),
            )

    def confirm(self) -> None:
        """Staff confirm the order."""
        order_confirm(actor=self.staff.service, order_id=self.order.pk)
        if self.payment_kind == PaymentKind.TRANSFER:
            self._later("settle", 4, 30)
        if self.fate != Fate.PENDING_SHIPMENT:
            self._later("ship", 3, 26)

    def ship(self) -> None:
        """Staff ship all of the order, or the first half."""
        parts = self.fate == Fate.PARTLY_SHIPPED or (
            self.fate == Fate.COMPLETED and self.calendar.chance.random() < 0.15
        )
        self._send(self._half() if parts else None)
        if self.fate == Fate.PARTLY_SHIPPED:
            return
        if parts:
            self._later("ship_rest", 20, 50)
        elif self.fate == Fate.COMPLETED:
            self._later("receive", 20, 90)

    def ship_rest(self) -> None:
        """Staff ship the remaining quantities."""
        self._send(None)
        self._later("receive", 20, 70)

    def _half(self) -> dict[int, int] | None:
        with self._scope():
            lines = list(self.order.lines.order_by("pk"))
        if len(lines) > 1:
            return {line.pk: line.quantity for line in lines[: len(lines) // 2]}
        return {lines[0].pk: lines[0].quantity // 2} if lines[0].quantity > 1 else None

    def _send(self, quantities: dict[int, int] | None) -> None:
        chance = self.calendar.chance
        order_ship(
            actor=self.staff.service,
            order_id=self.order.pk,
            carrier=chance.choice(CARRIERS),
            tracking_no=f"WC{chance.randrange(10**9, 10**10)}",
            quantities=quantities,
        )

    def receive(self) -> None:
        """The buyer receives everything that is in transit."""
        with self._scope():
            order_receive(actor=self.buyer, order_no=self.order.order_no)
        if self.payment_kind == PaymentKind.CASH_ON_DELIVERY:
            self._later("settle", 0.1, 4)
        elif self.payment_kind == PaymentKind.CREDIT:
            self._later("settle", 24 * 20, 24 * 40)

    def settle(self) -> None:
        """The finance staff record the payment."""
        with self._scope():
            amount = self.order.total_amount
        payment_record(
            actor=self.staff.finance,
            order_id=self.order.pk,
            amount=amount,
            reference=f"HK{self.order.order_no[2:8]}",
        )
