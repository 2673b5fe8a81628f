from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("orders", "0002_industry_ranking"),
        ("orders", "0003_workbench_shortcuts"),
        ("orders", "0004_newest_orders"),
        ("orders", "0005_after_the_order"),
        ("orders", "0006_payment_refunds"),
    ]

    dependencies = [
        ("catalog", "0004_products"),
        ("orders", "0001_order_heads"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="OrderLine",
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
                        (
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="orders.order", verbose_name="订单"
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="catalog.product", verbose_name="商品"
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="行号")),
                        ("product_code", models.CharField(max_length=18, verbose_name="商品编码")),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        ("customer_name", models.CharField(blank=True, max_length=120, verbose_name="客户品名")),
                        ("customer_code", models.CharField(blank=True, max_length=60, verbose_name="客户物料编码")),
                        ("brand", models.CharField(blank=True, max_length=40, verbose_name="品牌")),
                        ("model_code", models.CharField(blank=True, max_length=60, verbose_name="型号")),
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        ("image", models.CharField(blank=True, max_length=200, verbose_name="图片")),
                        ("category_id_l1", models.BigIntegerField(verbose_name="一级类目")),
                        ("category_id_l2", models.BigIntegerField(db_default=0, default=0, verbose_name="二级类目")),
                        ("category_id_l3", models.BigIntegerField(db_default=0, default=0, verbose_name="三级类目")),
                        ("requisition_no", models.CharField(blank=True, db_default="", default="", max_length=24, verbose_name="采购申请")),
                        ("asked_by", models.CharField(blank=True, db_default="", default="", max_length=60, verbose_name="申请人")),
                        ("cost_center", models.CharField(blank=True, db_default="", default="", max_length=60, verbose_name="成本中心")),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        ("cancelled_quantity", models.PositiveIntegerField(db_default=0, default=0, verbose_name="已取消数量")),
                        ("cancelling_quantity", models.PositiveIntegerField(db_default=0, default=0, verbose_name="申请取消中数量")),
                        ("shipped_quantity", models.PositiveIntegerField(default=0, verbose_name="已发数量")),
                        ("received_quantity", models.PositiveIntegerField(default=0, verbose_name="已收数量")),
                        ("returning_quantity", models.PositiveIntegerField(default=0, verbose_name="售后中数量")),
                        ("returned_quantity", models.PositiveIntegerField(db_default=0, default=0, verbose_name="已退数量")),
                        ("applied_quantity", models.PositiveIntegerField(db_default=0, default=0, verbose_name="开票申请中数量")),
                        ("invoiced_quantity", models.PositiveIntegerField(default=0, verbose_name="已开票数量")),
                        ("unit_price_incl_tax", apps.common.money.MoneyField(verbose_name="单价（含税）")),
                        ("market_price", apps.common.money.MoneyField(verbose_name="市场价（含税）")),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="金额（含税）")),
                        ("tax_rate", models.DecimalField(decimal_places=2, max_digits=4, verbose_name="税率")),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                        ("tax_code", models.CharField(max_length=19, verbose_name="税收分类编码")),
                    ],
                    options={
                        "verbose_name": "订单行",
                        "verbose_name_plural": "订单行",
                        "ordering": ["order", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "product", "order"], name="orderline_product_idx")],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "order", "no"), name="orderline_no_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("quantity__gte", 1), ("cancelled_quantity__gte", 1), _connector="OR"),
                                    (
                                        "quantity__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("shipped_quantity"), "+", models.F("cancelling_quantity")
                                        ),
                                    ),
                                    ("received_quantity__lte", models.F("shipped_quantity")),
                                    (
                                        "received_quantity__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("returning_quantity"), "+", models.F("returned_quantity")
                                        ),
                                    ),
                                    (
                                        "received_quantity__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("applied_quantity"), "+", models.F("invoiced_quantity")
                                            ),
                                            "+",
                                            models.F("returned_quantity"),
                                        ),
                                    ),
                                ),
                                name="orderline_quantities_in_order",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Payment",
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
                        (
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="payments", to="orders.order", verbose_name="订单"
                            ),
                        ),
                        ("payment_no", models.CharField(max_length=32, unique=True, verbose_name="支付单号")),
                        (
                            "kind",
                            models.CharField(
                                choices=[("credit", "月结"), ("cod", "货到付款"), ("transfer", "公司转账"), ("online", "在线支付")],
                                max_length=10,
                                verbose_name="付款方式",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("pending", "待支付"),
                                    ("paid", "已支付"),
                                    ("failed", "支付失败"),
                                    ("closed", "已关闭"),
                                    ("refunded", "已退款"),
                                ],
                                default="pending",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        ("gateway", models.CharField(blank=True, max_length=20, verbose_name="支付渠道")),
                        ("gateway_reference", models.CharField(blank=True, max_length=64, verbose_name="渠道流水号")),
                        (
                            "refunded_amount",
                            apps.common.money.MoneyField(db_default=Decimal("0.00"), default=Decimal("0.00"), verbose_name="已退金额"),
                        ),
                        ("paid_at", models.DateTimeField(blank=True, null=True, verbose_name="支付时间")),
                    ],
                    options={
                        "verbose_name": "付款",
                        "verbose_name_plural": "付款",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "order"], name="payment_order_idx")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("refunded_amount__gte", 0), ("refunded_amount__lte", models.F("amount"))),
                                name="payment_refunded_within",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("gateway_reference", ""), _negated=True),
                                fields=("gateway", "gateway_reference"),
                                name="payment_gateway_reference_uniq",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PaymentRefund",
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
                        (
                            "payment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="refunds",
                                to="orders.payment",
                                verbose_name="付款",
                            ),
                        ),
                        ("reference", models.CharField(max_length=64, verbose_name="退款依据")),
                        ("amount", apps.common.money.MoneyField(verbose_name="退款金额")),
                        ("note", models.CharField(blank=True, max_length=300, verbose_name="说明")),
                        ("refunded_at", models.DateTimeField(verbose_name="退款时间")),
                    ],
                    options={
                        "verbose_name": "退款",
                        "verbose_name_plural": "退款",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "payment", "reference"), name="paymentrefund_once"),
                            models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="paymentrefund_positive"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OrderNote",
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
                        (
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="staff_notes",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="备注人",
                            ),
                        ),
                        ("text", models.CharField(max_length=500, verbose_name="备注")),
                        ("written_at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "内部备注",
                        "verbose_name_plural": "内部备注",
                        "ordering": ["-written_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                    },
                ),
            ],
        ),
    ]
