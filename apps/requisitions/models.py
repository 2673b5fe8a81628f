"""采购申请: a request of an account to a buyer of its company, line by line."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django_fsm import FSMField, transition

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.requisitions.enums import RequisitionStatus

S = RequisitionStatus
# A buyer may still order from a requisition in one of these states.
ORDERABLE = (S.OPEN, S.PARTLY)
# A person ended it before all of it was ordered.
ENDED = (S.RETURNED, S.WITHDRAWN)


class Requisition(TenantModel, TimeStampedModel):
    """What a requester asks a buyer of the same enterprise to order. The buyers gather its lines
    into their carts. The status follows from the ordered pieces until a buyer returns the rest or
    the requester withdraws it. The row's lock also protects its lines.
    """

    requisition_no = models.CharField("申请单号", max_length=24, unique=True)
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人"
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department", null=True, on_delete=models.PROTECT, related_name="+", verbose_name="部门"
    )
    status = FSMField(
        "状态",
        max_length=10,
        choices=RequisitionStatus.choices,
        default=RequisitionStatus.OPEN,
        protected=True,
    )
    cost_center = models.CharField("成本中心", max_length=60, blank=True)
    reason = models.CharField("申请说明", max_length=300, blank=True)
    closed_reason = models.CharField("退回或撤回原因", max_length=200, blank=True)
    submitted_at = models.DateTimeField("提交时间")

    class Meta(TenantModel.Meta):
        verbose_name = "采购申请"
        verbose_name_plural = "采购申请"
        ordering = ["-submitted_at", "-id"]
        indexes = [
            models.Index(
                fields=["group", "requester", "-submitted_at"], name="requisition_requester_idx"
            ),
            models.Index(
                fields=["group", "enterprise", "department", "-submitted_at"],
                name="requisition_place_idx",
            ),
            models.Index(
                fields=["group", "submitted_at"],
                condition=Q(status__in=["open", "partly"]),
                name="requisition_standing_idx",
            ),
        ]

    def __str__(self) -> str:
        return self.requisition_no

    @property
    def is_orderable(self) -> bool:
        """Return whether a buyer may still order from it."""
        return self.status in ORDERABLE

    @transition(field=status, source=[S.OPEN, S.PARTLY, S.ORDERED], target=S.OPEN)
    def set_open(self) -> None:
        """None of its pieces is ordered."""

    @transition(field=status, source=[S.OPEN, S.PARTLY, S.ORDERED], target=S.PARTLY)
    def set_partly(self) -> None:
        """Some of its pieces are ordered."""

    @transition(field=status, source=[S.OPEN, S.PARTLY, S.ORDERED], target=S.ORDERED)
    def set_ordered(self) -> None:
        """All of its pieces are ordered."""

    @transition(field=status, source=list(ORDERABLE), target=S.RETURNED)
    def give_back(self, *, reason: str) -> None:
        """A buyer returns the rest to the requester."""
        self.closed_reason = reason

    @transition(field=status, source=list(ORDERABLE), target=S.WITHDRAWN)
    def withdraw(self, *, reason: str) -> None:
        """The requester withdraws the rest."""
        self.closed_reason = reason


class RequisitionLine(TenantModel):
    """A line of a requisition. `cart_item` is the buyer's cart line that holds
    `gathered_quantity` pieces. If that cart line is deleted, it holds none.
    """

    requisition = models.ForeignKey(
        Requisition,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name="采购申请",
        db_index=False,
    )
    no = models.PositiveSmallIntegerField("行号")
    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="商品",
        db_index=False,
    )
    product_code = models.CharField("商品编码", max_length=18)
    name = models.CharField("名称", max_length=120)
    unit = models.CharField("单位", max_length=10)
    image = models.CharField("图片", max_length=200, blank=True)
    price = MoneyField("申请时单价（含税）")
    quantity = models.PositiveIntegerField("申请数量")
    ordered_quantity = models.PositiveIntegerField("已下单数量", default=0)
    gathered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name="采购人",
    )
    # No constraint and DO_NOTHING, so that deleting cart lines stays cheap. Keys of cart lines are
    # never reused.
    cart_item = models.ForeignKey(
        "cart.CartItem",
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        verbose_name="购物车行",
    )
    gathered_quantity = models.PositiveIntegerField("采购中数量", default=0)

    class Meta(TenantModel.Meta):
        verbose_name = "采购申请行"
        verbose_name_plural = "采购申请行"
        ordering = ["requisition", "no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "requisition", "no"], name="requisitionline_no_uniq"
            ),
            models.CheckConstraint(
                condition=Q(quantity__gte=1) & Q(quantity__gte=F("ordered_quantity")),
                name="requisitionline_never_ordered_twice",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product_code} × {self.quantity}"

    @property
    def left(self) -> int:
        """Return the pieces that are not ordered yet."""
        return self.quantity - self.ordered_quantity


class RequisitionTake(TenantModel):
    """The pieces of a line that one order took, and the buyer."""

    line = models.ForeignKey(
        RequisitionLine,
        on_delete=models.CASCADE,
        related_name="takes",
        verbose_name="采购申请行",
        db_index=False,
    )
    order_no = models.CharField("订单号", max_length=24)
    quantity = models.PositiveIntegerField("数量")
    buyer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name="下单人",
    )
    at = models.DateTimeField("下单时间")

    class Meta(TenantModel.Meta):
        verbose_name = "采购申请下单"
        verbose_name_plural = "采购申请下单"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["group", "line"], name="requisitiontake_line_idx"),
            models.Index(fields=["group", "order_no"], name="requisitiontake_order_idx"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(quantity__gte=1), name="requisitiontake_of_something"
            )
        ]

    def __str__(self) -> str:
        return f"{self.order_no} × {self.quantity}"
