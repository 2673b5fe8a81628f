from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
import django_fsm
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("orders", "0001_initial"), ("orders", "0023_cost_center_index")]

    initial = True

    dependencies = [
        ("budgets", "0001_budgets"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Order",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.group",
                                verbose_name="集团",
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="创建时间")),
                        ("updated_at", models.DateTimeField(auto_now=True, verbose_name="更新时间")),
                        ("order_no", models.CharField(max_length=24, unique=True, verbose_name="订单号")),
                        (
                            "requester",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="下单人",
                            ),
                        ),
                        (
                            "batch",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="orders.order",
                                verbose_name="同批",
                            ),
                        ),
                        (
                            "enterprise",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="org.enterprise", verbose_name="企业"
                            ),
                        ),
                        (
                            "department",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.department",
                                verbose_name="部门",
                            ),
                        ),
                        (
                            "status",
                            django_fsm.FSMField(
                                choices=[
                                    ("pending_approval", "待审批"),
                                    ("rejected", "审批驳回"),
                                    ("withdrawn", "已撤回"),
                                    ("pending_confirm", "待确认"),
                                    ("pending_shipment", "待发货"),
                                    ("partly_shipped", "部分发货"),
                                    ("pending_receipt", "待收货"),
                                    ("completed", "已完成"),
                                    ("cancelled", "已取消"),
                                ],
                                default="pending_confirm",
                                max_length=20,
                                protected=True,
                                verbose_name="订单状态",
                            ),
                        ),
                        (
                            "approval_status",
                            models.CharField(
                                choices=[
                                    ("not_needed", "无需审批"),
                                    ("pending", "审批中"),
                                    ("approved", "已通过"),
                                    ("rejected", "已驳回"),
                                    ("withdrawn", "已撤回"),
                                ],
                                default="not_needed",
                                max_length=10,
                                verbose_name="审批状态",
                            ),
                        ),
                        (
                            "invoicing_status",
                            models.CharField(
                                choices=[("none", "未开票"), ("partly", "部分开票"), ("done", "已开票")],
                                default="none",
                                max_length=10,
                                verbose_name="开票状态",
                            ),
                        ),
                        (
                            "settlement_status",
                            models.CharField(
                                choices=[("none", "未结算"), ("partly", "部分结算"), ("done", "已结算")],
                                default="none",
                                max_length=10,
                                verbose_name="结算状态",
                            ),
                        ),
                        (
                            "after_sales_status",
                            models.CharField(
                                choices=[("none", "无"), ("open", "处理中"), ("done", "已完成")],
                                default="none",
                                max_length=10,
                                verbose_name="售后状态",
                            ),
                        ),
                        ("goods_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="商品金额（含税）")),
                        ("freight_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="运费（含税）")),
                        ("tax_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="其中税额")),
                        ("total_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="应付金额（含税）")),
                        (
                            "payment_kind",
                            models.CharField(
                                choices=[("credit", "月结"), ("cod", "货到付款"), ("transfer", "公司转账"), ("online", "在线支付")],
                                max_length=10,
                                verbose_name="付款方式",
                            ),
                        ),
                        (
                            "delivery_wish",
                            models.CharField(
                                choices=[("workday", "工作日"), ("weekend", "双休日"), ("any", "均可")],
                                default="any",
                                max_length=8,
                                verbose_name="送货时间",
                            ),
                        ),
                        (
                            "invoice_kind",
                            models.CharField(
                                choices=[
                                    ("e_normal", "数电普票"),
                                    ("e_special", "数电专票"),
                                    ("paper_normal", "纸质普票"),
                                    ("paper_special", "纸质专票"),
                                ],
                                max_length=14,
                                verbose_name="发票种类",
                            ),
                        ),
                        ("address_snapshot", models.JSONField(default=dict, verbose_name="收货地址")),
                        ("invoice_snapshot", models.JSONField(default=dict, verbose_name="开票抬头")),
                        ("promised_days", models.PositiveSmallIntegerField(default=1, verbose_name="承诺交货天数")),
                        (
                            "budget_reservation",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="budgets.budgetreservation",
                                verbose_name="预算预占",
                            ),
                        ),
                        ("cost_center", models.CharField(blank=True, max_length=60, verbose_name="成本中心")),
                        ("purchase_order_no", models.CharField(blank=True, max_length=60, verbose_name="采购单号")),
                        ("remark", models.CharField(blank=True, max_length=300, verbose_name="备注")),
                        ("submitted_at", models.DateTimeField(verbose_name="提交时间")),
                        ("confirmed_at", models.DateTimeField(blank=True, null=True, verbose_name="确认时间")),
                        ("shipped_at", models.DateTimeField(blank=True, null=True, verbose_name="发货时间")),
                        ("completed_at", models.DateTimeField(blank=True, null=True, verbose_name="完成时间")),
                        ("review_until", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="评价截止")),
                    ],
                    options={
                        "verbose_name": "订单",
                        "verbose_name_plural": "订单",
                        "ordering": ["-submitted_at", "-id"],
                        "permissions": [("settle_order", "登记收款")],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "requester", "-submitted_at"], name="order_requester_idx"),
                            models.Index(fields=["group", "enterprise", "department", "-submitted_at"], name="order_place_idx"),
                            models.Index(fields=["group", "status", "-submitted_at"], name="order_status_idx"),
                            models.Index(fields=["status", "submitted_at"], name="order_staff_idx"),
                            models.Index(fields=["group", "-submitted_at", "-id"], name="order_newest_idx"),
                            models.Index(
                                condition=models.Q(
                                    ("payment_kind", "credit"),
                                    ("settlement_status__in", ["none", "partly"]),
                                    (
                                        "status__in",
                                        [
                                            "pending_approval",
                                            "pending_confirm",
                                            "pending_shipment",
                                            "partly_shipped",
                                            "pending_receipt",
                                            "completed",
                                        ],
                                    ),
                                ),
                                fields=["group", "enterprise"],
                                name="order_on_credit_idx",
                            ),
                            models.Index(condition=models.Q(("batch__isnull", False)), fields=["group", "batch"], name="order_batch_idx"),
                            models.Index(
                                fields=["group", "status"],
                                include=(
                                    "id",
                                    "requester",
                                    "enterprise",
                                    "department",
                                    "payment_kind",
                                    "settlement_status",
                                    "review_until",
                                    "submitted_at",
                                ),
                                name="order_tabs_idx",
                            ),
                            models.Index(
                                condition=models.Q(("cost_center", ""), _negated=True), fields=["cost_center"], name="order_cost_center_idx"
                            ),
                            models.Index(fields=["group", "order_no", "id"], name="order_part_of_number_idx"),
                            models.Index(
                                condition=models.Q(("purchase_order_no", ""), _negated=True),
                                fields=["group", "purchase_order_no"],
                                name="order_po_idx",
                            ),
                            models.Index(
                                condition=models.Q(("review_until__isnull", False)),
                                fields=["group", "requester", "review_until"],
                                name="order_to_review_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("freight_amount__gte", 0), ("goods_amount__gte", 0), ("tax_amount__gte", 0)),
                                name="order_amounts_not_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "total_amount",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("goods_amount"), "+", models.F("freight_amount")
                                        ),
                                    )
                                ),
                                name="order_total_adds_up",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
