"""订单: a snapshot of the checkout with five axes of state, its lines, the notes of staff, and the
names under which products were ordered.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django_fsm import FSMField, transition

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField
from apps.orders.enums import (
    BEFORE_SHIPMENT,
    ENDED_UNSHIPPED,
    AfterSalesStatus,
    DeliveryWish,
    InvoiceKind,
    InvoicingStatus,
    OrderApprovalStatus,
    OrderStatus,
    PaymentKind,
    SettlementStatus,
)

S = OrderStatus
# Orders on account from the submit until the payment. A partial index uses this condition to sum
# the debt of an enterprise.
ON_CREDIT = models.Q(
    payment_kind=PaymentKind.CREDIT,
    settlement_status__in=[SettlementStatus.NONE, SettlementStatus.PARTLY],
    status__in=[each for each in S if each not in ENDED_UNSHIPPED],
)


class Order(TenantModel, TimeStampedModel):
    """One delivery of a submitted checkout. It belongs to the requester and to the enterprise that
    pays. Address, invoice title and amounts are a snapshot of the submit; only cancellations,
    reductions during the approval and edits before shipping change the amounts.

    Amounts are in 元, 含税, with two decimals: `total_amount` is goods plus freight, and
    `tax_amount` is contained in it. The five states are independent; `status` changes only through
    the transitions below, under `lock_order`.
    """

    order_no = models.CharField("订单号", max_length=24, unique=True)
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="下单人"
    )
    # The first order of a submit to several addresses, also for the first order itself. None if
    # the order was submitted alone.
    batch = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name="同批",
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department", null=True, on_delete=models.PROTECT, related_name="+", verbose_name="部门"
    )

    status = FSMField(
        "订单状态",
        max_length=20,
        choices=OrderStatus.choices,
        default=OrderStatus.PENDING_CONFIRM,
        protected=True,
    )
    approval_status = models.CharField(
        "审批状态",
        max_length=10,
        choices=OrderApprovalStatus.choices,
        default=OrderApprovalStatus.NOT_NEEDED,
    )
    invoicing_status = models.CharField(
        "开票状态", max_length=10, choices=InvoicingStatus.choices, default=InvoicingStatus.NONE
    )
    settlement_status = models.CharField(
        "结算状态", max_length=10, choices=SettlementStatus.choices, default=SettlementStatus.NONE
    )
    after_sales_status = models.CharField(
        "售后状态", max_length=10, choices=AfterSalesStatus.choices, default=AfterSalesStatus.NONE
    )

    goods_amount = MoneyField("商品金额（含税）", default=ZERO)
    freight_amount = MoneyField("运费（含税）", default=ZERO)
    tax_amount = MoneyField("其中税额", default=ZERO)
    total_amount = MoneyField("应付金额（含税）", default=ZERO)

    payment_kind = models.CharField("付款方式", max_length=10, choices=PaymentKind.choices)
    delivery_wish = models.CharField(
        "送货时间", max_length=8, choices=DeliveryWish.choices, default=DeliveryWish.ANY
    )
    invoice_kind = models.CharField("发票种类", max_length=14, choices=InvoiceKind.choices)
    address_snapshot = models.JSONField("收货地址", default=dict)
    # A digest of the place without the receiver (`address_key`). Rules sum up orders by it.
    address_key = models.CharField(
        "收货地址摘要", max_length=32, blank=True, default="", db_default="", editable=False
    )
    invoice_snapshot = models.JSONField("开票抬头", default=dict)
    promised_days = models.PositiveSmallIntegerField("承诺交货天数", default=1)
    budget_reservation = models.ForeignKey(
        "budgets.BudgetReservation",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="预算预占",
    )
    cost_center = models.CharField("成本中心", max_length=60, blank=True)
    # The order has rows in OrderAllocation. Without them no query looks for any.
    is_allocated = models.BooleanField("已分摊", default=False, db_default=False, editable=False)
    # The order has rows in EarmarkedAmount. Without them no query looks for any.
    is_earmarked = models.BooleanField(
        "占用专项预算", default=False, db_default=False, editable=False
    )
    purchase_order_no = models.CharField("采购单号", max_length=60, blank=True)
    remark = models.CharField("备注", max_length=300, blank=True)

    submitted_at = models.DateTimeField("提交时间")
    confirmed_at = models.DateTimeField("确认时间", null=True, blank=True)
    shipped_at = models.DateTimeField("发货时间", null=True, blank=True)
    completed_at = models.DateTimeField("完成时间", null=True, blank=True)
    # End of the review period of received lines without a review. Null if there is no such line.
    review_until = models.DateTimeField("评价截止", null=True, blank=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = "订单"
        verbose_name_plural = "订单"
        ordering = ["-submitted_at", "-id"]
        permissions = [("settle_order", "登记收款")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(goods_amount__gte=0, freight_amount__gte=0, tax_amount__gte=0),
                name="order_amounts_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    total_amount=models.F("goods_amount") + models.F("freight_amount")
                ),
                name="order_total_adds_up",
            ),
        ]
        indexes = [
            models.Index(
                fields=["group", "requester", "-submitted_at"], name="order_requester_idx"
            ),
            models.Index(
                fields=["group", "enterprise", "department", "-submitted_at"],
                name="order_place_idx",
            ),
            models.Index(fields=["group", "status", "-submitted_at"], name="order_status_idx"),
            models.Index(fields=["status", "submitted_at"], name="order_staff_idx"),
            # The order desk searches by amount.
            models.Index(fields=["total_amount"], name="order_total_idx"),
            models.Index(fields=["group", "-submitted_at", "-id"], name="order_newest_idx"),
            models.Index(
                fields=["group", "enterprise"], condition=ON_CREDIT, name="order_on_credit_idx"
            ),
            models.Index(
                fields=["group", "batch"],
                condition=models.Q(batch__isnull=False),
                name="order_batch_idx",
            ),
            # Covers the counts of the list's tabs in any scope and filter with an index-only
            # scan.
            models.Index(
                fields=["group", "status"],
                include=[
                    "id",
                    "requester",
                    "enterprise",
                    "department",
                    "payment_kind",
                    "settlement_status",
                    "review_until",
                    "submitted_at",
                ],
                name="order_tabs_idx",
            ),
            models.Index(
                fields=["cost_center"],
                condition=~models.Q(cost_center=""),
                name="order_cost_center_idx",
            ),
            # Search for part of a number scans this index only, a tenth of the size of the rows.
            models.Index(fields=["group", "order_no", "id"], name="order_part_of_number_idx"),
            models.Index(
                fields=["group", "purchase_order_no"],
                condition=~models.Q(purchase_order_no=""),
                name="order_po_idx",
            ),
            models.Index(
                fields=["group", "requester", "review_until"],
                condition=models.Q(review_until__isnull=False),
                name="order_to_review_idx",
            ),
            # Rules on sums over time and on first uses (`selectors/past_orders.py`).
            models.Index(
                fields=["group", "enterprise", "address_key", "-submitted_at"],
                condition=~models.Q(address_key=""),
                name="order_address_idx",
            ),
            models.Index(
                fields=["group", "enterprise", "payment_kind"], name="order_payment_kind_idx"
            ),
        ]

    def __str__(self) -> str:
        return self.order_no

    @transition(field=status, source=S.PENDING_APPROVAL, target=S.PENDING_CONFIRM)
    def approve(self) -> None:
        """The approval is approved."""
        self.approval_status = OrderApprovalStatus.APPROVED

    @transition(field=status, source=S.PENDING_APPROVAL, target=S.REJECTED)
    def reject(self) -> None:
        """An approver rejects the order."""
        self.approval_status = OrderApprovalStatus.REJECTED

    @transition(field=status, source=S.PENDING_APPROVAL, target=S.WITHDRAWN)
    def withdraw(self) -> None:
        """The requester withdraws the order."""
        self.approval_status = OrderApprovalStatus.WITHDRAWN

    @transition(field=status, source=S.PENDING_CONFIRM, target=S.PENDING_SHIPMENT)
    def confirm(self, *, at: Any) -> None:
        """Staff confirm the order."""
        self.confirmed_at = at

    @transition(
        field=status, source=[S.PENDING_SHIPMENT, S.PARTLY_SHIPPED], target=S.PARTLY_SHIPPED
    )
    def ship_part(self, *, at: Any) -> None:
        """Part of the order ships."""
        self.shipped_at = self.shipped_at or at

    @transition(
        field=status, source=[S.PENDING_SHIPMENT, S.PARTLY_SHIPPED], target=S.PENDING_RECEIPT
    )
    def ship_all(self, *, at: Any) -> None:
        """The last part of the order ships."""
        self.shipped_at = self.shipped_at or at

    @transition(field=status, source=S.PARTLY_SHIPPED, target=S.PENDING_RECEIPT)
    def rest_cancelled(self) -> None:
        """The unshipped rest is cancelled."""

    @transition(field=status, source=S.PENDING_RECEIPT, target=S.COMPLETED)
    def complete(self, *, at: Any) -> None:
        """All pieces are received."""
        self.completed_at = at

    @transition(field=status, source=list(BEFORE_SHIPMENT), target=S.CANCELLED)
    def cancel(self) -> None:
        """The order is cancelled before shipping."""
        if self.approval_status == OrderApprovalStatus.PENDING:
            self.approval_status = OrderApprovalStatus.WITHDRAWN


class OrderLine(TenantModel):
    """One product of an order with its data on the day of the order: names, categories, price and
    tax rate do not follow the catalogue. Prices and amounts are in 元, 含税, with two decimals;
    `tax_amount` is contained in `amount_incl_tax`.

    Quantities are in sales units (`unit`). `quantity` no longer contains the cancelled pieces. A
    CHECK keeps received within shipped, and returned plus invoiced pieces within received.
    """

    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="lines", verbose_name="订单"
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.PROTECT, related_name="+", verbose_name="商品"
    )
    no = models.PositiveSmallIntegerField("行号")
    product_code = models.CharField("商品编码", max_length=18)
    name = models.CharField("名称", max_length=120)
    customer_name = models.CharField("客户品名", max_length=120, blank=True)
    customer_code = models.CharField("客户物料编码", max_length=60, blank=True)
    brand = models.CharField("品牌", max_length=40, blank=True)
    # The brand at the time of the order. 0 for lines older than this column without a product.
    brand_key = models.BigIntegerField("品牌编号", default=0, db_default=0, editable=False)
    # Enterprise and submit time of the order, and whether it ended unshipped. Rules on earlier
    # orders (`selectors/past_orders.py`) read only the indexes of the lines.
    enterprise_key = models.BigIntegerField("企业编号", default=0, db_default=0, editable=False)
    ordered_at = models.DateTimeField("下单时间", null=True, editable=False)
    is_ended = models.BooleanField("未发货即结束", default=False, db_default=False, editable=False)
    is_off_agreement = models.BooleanField(
        "协议外", default=False, db_default=False, editable=False
    )
    model_code = models.CharField("型号", max_length=60, blank=True)
    unit = models.CharField("单位", max_length=10)
    image = models.CharField("图片", max_length=200, blank=True)
    # The categories at the time of the order. 0 for old lines whose product has left the
    # catalogue.
    category_id_l1 = models.BigIntegerField("一级类目")
    category_id_l2 = models.BigIntegerField("二级类目", default=0, db_default=0)
    category_id_l3 = models.BigIntegerField("三级类目", default=0, db_default=0)
    # The requisition of a colleague for which the line was ordered, or empty.
    requisition_no = models.CharField(
        "采购申请", max_length=24, blank=True, default="", db_default=""
    )
    asked_by = models.CharField("申请人", max_length=60, blank=True, default="", db_default="")
    cost_center = models.CharField("成本中心", max_length=60, blank=True, default="", db_default="")
    # Ordered less cancelled pieces. 0 for a line that was fully cancelled.
    quantity = models.PositiveIntegerField("数量")
    cancelled_quantity = models.PositiveIntegerField("已取消数量", default=0, db_default=0)
    # Pieces in an open cancellation request. They are held back from shipping.
    cancelling_quantity = models.PositiveIntegerField("申请取消中数量", default=0, db_default=0)
    shipped_quantity = models.PositiveIntegerField("已发数量", default=0)
    received_quantity = models.PositiveIntegerField("已收数量", default=0)
    returning_quantity = models.PositiveIntegerField("售后中数量", default=0)
    returned_quantity = models.PositiveIntegerField("已退数量", default=0, db_default=0)
    applied_quantity = models.PositiveIntegerField("开票申请中数量", default=0, db_default=0)
    invoiced_quantity = models.PositiveIntegerField("已开票数量", default=0)
    unit_price_incl_tax = MoneyField("单价（含税）")
    # The tiers at the time of the order, as `Offer.build_tiers_snapshot`. None without tiers.
    price_tiers: models.JSONField[Any, Any] = models.JSONField(
        "阶梯价", null=True, blank=True, editable=False
    )
    market_price = MoneyField("市场价（含税）")
    # The number of rows of `OrderAllocation` that the submit wrote for this line.
    allocation_count = models.PositiveSmallIntegerField(
        "核算分摊条数", default=0, db_default=0, editable=False
    )
    amount_incl_tax = MoneyField("金额（含税）")
    tax_rate = models.DecimalField("税率", max_digits=4, decimal_places=2)
    tax_amount = MoneyField("税额")
    tax_code = models.CharField("税收分类编码", max_length=19)

    class Meta(TenantModel.Meta):
        verbose_name = "订单行"
        verbose_name_plural = "订单行"
        ordering = ["order", "no"]
        constraints = [
            models.UniqueConstraint(fields=["group", "order", "no"], name="orderline_no_uniq"),
            models.CheckConstraint(
                condition=(Q(quantity__gte=1) | Q(cancelled_quantity__gte=1))
                & Q(quantity__gte=F("shipped_quantity") + F("cancelling_quantity"))
                & Q(received_quantity__lte=F("shipped_quantity"))
                # Returns never exceed receipts, and returned pieces are on no invoice.
                & Q(received_quantity__gte=F("returning_quantity") + F("returned_quantity"))
                & Q(
                    received_quantity__gte=F("applied_quantity")
                    + F("invoiced_quantity")
                    + F("returned_quantity")
                ),
                name="orderline_quantities_in_order",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "product", "order"], name="orderline_product_idx"),
            models.Index(
                fields=["group", "product", "enterprise_key", "-ordered_at"],
                condition=Q(is_ended=False),
                name="orderline_last_price_idx",
            ),
            models.Index(
                fields=["group", "product", "-ordered_at"],
                condition=Q(is_ended=False),
                name="orderline_group_price_idx",
            ),
            models.Index(
                fields=["group", "enterprise_key", "category_id_l2", "-ordered_at"],
                include=["order", "amount_incl_tax"],
                condition=Q(is_ended=False),
                name="orderline_category_sum_idx",
            ),
            models.Index(
                fields=["group", "enterprise_key", "brand_key", "-ordered_at"],
                include=["order", "amount_incl_tax"],
                condition=Q(is_ended=False),
                name="orderline_brand_sum_idx",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product_code} × {self.quantity}"

    @property
    def unshipped(self) -> int:
        """Return the pieces that may still be shipped or cancelled."""
        return self.quantity - self.shipped_quantity - self.cancelling_quantity


def sum_pieces_by_product(lines: Iterable[OrderLine]) -> dict[int, int]:
    """Return the pieces by product pk. Several lines may have the same product."""
    pieces: Counter[int] = Counter()
    for line in lines:
        pieces[line.product_id] += line.quantity
    return dict(pieces)


class OrderNote(TenantModel):
    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="staff_notes", verbose_name="订单"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="备注人"
    )
    text = models.CharField("备注", max_length=500)
    written_at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        verbose_name = "内部备注"
        verbose_name_plural = "内部备注"
        ordering = ["-written_at", "-id"]

    def __str__(self) -> str:
        return self.text[:40]


class OrderedName(TenantModel):
    """A name or customer code under which the group has ordered a product. The search of orders
    reads these rows instead of the order lines. A submit adds each spelling once.
    """

    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="商品",
        db_index=False,
    )
    product_code = models.CharField("商品编码", max_length=18)
    name = models.CharField("名称", max_length=120)
    customer_name = models.CharField("客户品名", max_length=120, blank=True)
    customer_code = models.CharField("客户物料编码", max_length=60, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "订购过的名称"
        verbose_name_plural = "订购过的名称"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "product", "name", "customer_name", "customer_code"],
                name="orderedname_uniq",
            )
        ]

    def __str__(self) -> str:
        return self.customer_name or self.name
