from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django_fsm
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("budgets", "0001_schema"),
        ("catalog", "0001_schema"),
        ("dimensions", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Order",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "order_no",
                            models.CharField(max_length=24, unique=True, verbose_name="订单号"),
                        ),
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
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业",
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
                                choices=[
                                    ("none", "未开票"),
                                    ("partly", "部分开票"),
                                    ("done", "已开票"),
                                ],
                                default="none",
                                max_length=10,
                                verbose_name="开票状态",
                            ),
                        ),
                        (
                            "settlement_status",
                            models.CharField(
                                choices=[
                                    ("none", "未结算"),
                                    ("partly", "部分结算"),
                                    ("done", "已结算"),
                                ],
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
                        (
                            "goods_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="商品金额（含税）"
                            ),
                        ),
                        (
                            "freight_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="运费（含税）"
                            ),
                        ),
                        (
                            "tax_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="其中税额"
                            ),
                        ),
                        (
                            "total_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="应付金额（含税）"
                            ),
                        ),
                        (
                            "payment_kind",
                            models.CharField(
                                choices=[
                                    ("credit", "月结"),
                                    ("cod", "货到付款"),
                                    ("transfer", "公司转账"),
                                    ("online", "在线支付"),
                                ],
                                max_length=10,
                                verbose_name="付款方式",
                            ),
                        ),
                        (
                            "delivery_wish",
                            models.CharField(
                                choices=[
                                    ("workday", "工作日"),
                                    ("weekend", "双休日"),
                                    ("any", "均可"),
                                ],
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
                        (
                            "address_snapshot",
                            models.JSONField(default=dict, verbose_name="收货地址"),
                        ),
                        (
                            "address_key",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                editable=False,
                                max_length=32,
                                verbose_name="收货地址摘要",
                            ),
                        ),
                        (
                            "invoice_snapshot",
                            models.JSONField(default=dict, verbose_name="开票抬头"),
                        ),
                        (
                            "promised_days",
                            models.PositiveSmallIntegerField(
                                default=1, verbose_name="承诺交货天数"
                            ),
                        ),
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
                        (
                            "cost_center",
                            models.CharField(blank=True, max_length=60, verbose_name="成本中心"),
                        ),
                        (
                            "is_allocated",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                editable=False,
                                verbose_name="已分摊",
                            ),
                        ),
                        (
                            "is_earmarked",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                editable=False,
                                verbose_name="占用专项预算",
                            ),
                        ),
                        (
                            "purchase_order_no",
                            models.CharField(blank=True, max_length=60, verbose_name="采购单号"),
                        ),
                        (
                            "remark",
                            models.CharField(blank=True, max_length=300, verbose_name="备注"),
                        ),
                        ("submitted_at", models.DateTimeField(verbose_name="提交时间")),
                        (
                            "confirmed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="确认时间"),
                        ),
                        (
                            "shipped_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="发货时间"),
                        ),
                        (
                            "completed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="完成时间"),
                        ),
                        (
                            "review_until",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="评价截止"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "订单",
                        "verbose_name_plural": "订单",
                        "ordering": ["-submitted_at", "-id"],
                        "permissions": [("settle_order", "登记收款")],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "requester", "-submitted_at"],
                                name="order_requester_idx",
                            ),
                            models.Index(
                                fields=["group", "enterprise", "department", "-submitted_at"],
                                name="order_place_idx",
                            ),
                            models.Index(
                                fields=["group", "status", "-submitted_at"], name="order_status_idx"
                            ),
                            models.Index(fields=["status", "submitted_at"], name="order_staff_idx"),
                            models.Index(fields=["total_amount"], name="order_total_idx"),
                            models.Index(
                                fields=["group", "-submitted_at", "-id"], name="order_newest_idx"
                            ),
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
                            models.Index(
                                condition=models.Q(("batch__isnull", False)),
                                fields=["group", "batch"],
                                name="order_batch_idx",
                            ),
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
                                condition=models.Q(("cost_center", ""), _negated=True),
                                fields=["cost_center"],
                                name="order_cost_center_idx",
                            ),
                            models.Index(
                                fields=["group", "order_no", "id"], name="order_part_of_number_idx"
                            ),
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
                            models.Index(
                                condition=models.Q(("address_key", ""), _negated=True),
                                fields=["group", "enterprise", "address_key", "-submitted_at"],
                                name="order_address_idx",
                            ),
                            models.Index(
                                fields=["group", "enterprise", "payment_kind"],
                                name="order_payment_kind_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("freight_amount__gte", 0),
                                    ("goods_amount__gte", 0),
                                    ("tax_amount__gte", 0),
                                ),
                                name="order_amounts_not_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "total_amount",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("goods_amount"),
                                            "+",
                                            models.F("freight_amount"),
                                        ),
                                    )
                                ),
                                name="order_total_adds_up",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OrderLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                                related_name="lines",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="行号")),
                        ("product_code", models.CharField(max_length=18, verbose_name="商品编码")),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        (
                            "customer_name",
                            models.CharField(blank=True, max_length=120, verbose_name="客户品名"),
                        ),
                        (
                            "customer_code",
                            models.CharField(
                                blank=True, max_length=60, verbose_name="客户物料编码"
                            ),
                        ),
                        ("brand", models.CharField(blank=True, max_length=40, verbose_name="品牌")),
                        (
                            "brand_key",
                            models.BigIntegerField(
                                db_default=0, default=0, editable=False, verbose_name="品牌编号"
                            ),
                        ),
                        (
                            "enterprise_key",
                            models.BigIntegerField(
                                db_default=0, default=0, editable=False, verbose_name="企业编号"
                            ),
                        ),
                        (
                            "ordered_at",
                            models.DateTimeField(
                                editable=False, null=True, verbose_name="下单时间"
                            ),
                        ),
                        (
                            "is_ended",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                editable=False,
                                verbose_name="未发货即结束",
                            ),
                        ),
                        (
                            "is_off_agreement",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                editable=False,
                                verbose_name="协议外",
                            ),
                        ),
                        (
                            "model_code",
                            models.CharField(blank=True, max_length=60, verbose_name="型号"),
                        ),
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        (
                            "image",
                            models.CharField(blank=True, max_length=200, verbose_name="图片"),
                        ),
                        ("category_id_l1", models.BigIntegerField(verbose_name="一级类目")),
                        (
                            "category_id_l2",
                            models.BigIntegerField(
                                db_default=0, default=0, verbose_name="二级类目"
                            ),
                        ),
                        (
                            "category_id_l3",
                            models.BigIntegerField(
                                db_default=0, default=0, verbose_name="三级类目"
                            ),
                        ),
                        (
                            "requisition_no",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=24,
                                verbose_name="采购申请",
                            ),
                        ),
                        (
                            "asked_by",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=60,
                                verbose_name="申请人",
                            ),
                        ),
                        (
                            "cost_center",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=60,
                                verbose_name="成本中心",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        (
                            "cancelled_quantity",
                            models.PositiveIntegerField(
                                db_default=0, default=0, verbose_name="已取消数量"
                            ),
                        ),
                        (
                            "cancelling_quantity",
                            models.PositiveIntegerField(
                                db_default=0, default=0, verbose_name="申请取消中数量"
                            ),
                        ),
                        (
                            "shipped_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="已发数量"),
                        ),
                        (
                            "received_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="已收数量"),
                        ),
                        (
                            "returning_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="售后中数量"),
                        ),
                        (
                            "returned_quantity",
                            models.PositiveIntegerField(
                                db_default=0, default=0, verbose_name="已退数量"
                            ),
                        ),
                        (
                            "applied_quantity",
                            models.PositiveIntegerField(
                                db_default=0, default=0, verbose_name="开票申请中数量"
                            ),
                        ),
                        (
                            "invoiced_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="已开票数量"),
                        ),
                        (
                            "unit_price_incl_tax",
                            apps.common.money.MoneyField(verbose_name="单价（含税）"),
                        ),
                        (
                            "price_tiers",
                            models.JSONField(
                                blank=True, editable=False, null=True, verbose_name="阶梯价"
                            ),
                        ),
                        (
                            "market_price",
                            apps.common.money.MoneyField(verbose_name="市场价（含税）"),
                        ),
                        (
                            "amount_incl_tax",
                            apps.common.money.MoneyField(verbose_name="金额（含税）"),
                        ),
                        (
                            "tax_rate",
                            models.DecimalField(
                                decimal_places=2, max_digits=4, verbose_name="税率"
                            ),
                        ),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                        ("tax_code", models.CharField(max_length=19, verbose_name="税收分类编码")),
                    ],
                    options={
                        "verbose_name": "订单行",
                        "verbose_name_plural": "订单行",
                        "ordering": ["order", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "product", "order"], name="orderline_product_idx"
                            ),
                            models.Index(
                                condition=models.Q(("is_ended", False)),
                                fields=["group", "product", "enterprise_key", "-ordered_at"],
                                name="orderline_last_price_idx",
                            ),
                            models.Index(
                                condition=models.Q(("is_ended", False)),
                                fields=["group", "product", "-ordered_at"],
                                name="orderline_group_price_idx",
                            ),
                            models.Index(
                                condition=models.Q(("is_ended", False)),
                                fields=["group", "enterprise_key", "category_id_l2", "-ordered_at"],
                                include=("order", "amount_incl_tax"),
                                name="orderline_category_sum_idx",
                            ),
                            models.Index(
                                condition=models.Q(("is_ended", False)),
                                fields=["group", "enterprise_key", "brand_key", "-ordered_at"],
                                include=("order", "amount_incl_tax"),
                                name="orderline_brand_sum_idx",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "order", "no"), name="orderline_no_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("quantity__gte", 1),
                                        ("cancelled_quantity__gte", 1),
                                        _connector="OR",
                                    ),
                                    (
                                        "quantity__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("shipped_quantity"),
                                            "+",
                                            models.F("cancelling_quantity"),
                                        ),
                                    ),
                                    ("received_quantity__lte", models.F("shipped_quantity")),
                                    (
                                        "received_quantity__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("returning_quantity"),
                                            "+",
                                            models.F("returned_quantity"),
                                        ),
                                    ),
                                    (
                                        "received_quantity__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("applied_quantity"),
                                                "+",
                                                models.F("invoiced_quantity"),
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
                    name="OrderAllocation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                                related_name="allocations",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "line",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="allocations",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("cost_center", "成本中心"),
                                    ("project", "项目"),
                                    ("subject", "会计科目"),
                                ],
                                max_length=12,
                                verbose_name="类别",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="序号")),
                        (
                            "dimension",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="dimensions.dimension",
                                verbose_name="核算项",
                            ),
                        ),
                        ("code", models.CharField(max_length=40, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                        (
                            "percent",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                max_digits=5,
                                null=True,
                                verbose_name="比例",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额（含税）")),
                    ],
                    options={
                        "verbose_name": "核算分摊",
                        "verbose_name_plural": "核算分摊",
                        "ordering": ["order", "line", "kind", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "order", "line", "kind", "no"),
                                name="orderallocation_no_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount__gte", 0)),
                                name="orderallocation_not_negative",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="EarmarkedAmount",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                                related_name="earmarked",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="earmarked",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        (
                            "reservation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="budgets.budgetreservation",
                                verbose_name="预算预占",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="计入金额（含税）")),
                        (
                            "consumed",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="已使用"
                            ),
                        ),
                        (
                            "refunded",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="已退回"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "专项预算计入",
                        "verbose_name_plural": "专项预算计入",
                        "ordering": ["order", "line", "reservation"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "line", "reservation"), name="earmarkedamount_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("amount__gte", models.F("consumed")),
                                    ("consumed__gte", models.F("refunded")),
                                    ("refunded__gte", 0),
                                ),
                                name="earmarkedamount_in_order",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="OrderNote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="OrderedName",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("product_code", models.CharField(max_length=18, verbose_name="商品编码")),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        (
                            "customer_name",
                            models.CharField(blank=True, max_length=120, verbose_name="客户品名"),
                        ),
                        (
                            "customer_code",
                            models.CharField(
                                blank=True, max_length=60, verbose_name="客户物料编码"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "订购过的名称",
                        "verbose_name_plural": "订购过的名称",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=(
                                    "group",
                                    "product",
                                    "name",
                                    "customer_name",
                                    "customer_code",
                                ),
                                name="orderedname_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Payment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="payments",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "payment_no",
                            models.CharField(max_length=32, unique=True, verbose_name="支付单号"),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("credit", "月结"),
                                    ("cod", "货到付款"),
                                    ("transfer", "公司转账"),
                                    ("online", "在线支付"),
                                ],
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
                        (
                            "gateway",
                            models.CharField(blank=True, max_length=20, verbose_name="支付渠道"),
                        ),
                        (
                            "gateway_reference",
                            models.CharField(blank=True, max_length=64, verbose_name="渠道流水号"),
                        ),
                        (
                            "refunded_amount",
                            apps.common.money.MoneyField(
                                db_default=Decimal("0.00"),
                                default=Decimal("0.00"),
                                verbose_name="已退金额",
                            ),
                        ),
                        (
                            "paid_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="支付时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "付款",
                        "verbose_name_plural": "付款",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="payment_order_idx")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("refunded_amount__gte", 0),
                                    ("refunded_amount__lte", models.F("amount")),
                                ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                            models.UniqueConstraint(
                                fields=("group", "payment", "reference"), name="paymentrefund_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount__gt", 0)), name="paymentrefund_positive"
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="CreditAccount",
                    fields=[],
                    options={
                        "verbose_name": "月结信用",
                        "verbose_name_plural": "月结信用",
                        "ordering": ["code"],
                        "proxy": True,
                        "indexes": [],
                        "constraints": [],
                    },
                    bases=("org.enterprise",),
                ),
                migrations.CreateModel(
                    name="RankPublication",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("month", models.DateField(unique=True, verbose_name="发布月份")),
                        (
                            "published_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="发布时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "行业榜单",
                        "verbose_name_plural": "行业榜单",
                        "ordering": ["-month"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="RankEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "publication",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="orders.rankpublication",
                                verbose_name="榜单",
                            ),
                        ),
                        (
                            "period",
                            models.CharField(
                                choices=[("month", "月榜"), ("quarter", "季榜"), ("year", "年榜")],
                                max_length=8,
                                verbose_name="期间",
                            ),
                        ),
                        (
                            "measure",
                            models.CharField(
                                choices=[("times", "按下单次数"), ("amount", "按采购金额")],
                                max_length=6,
                                verbose_name="口径",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("place", models.PositiveIntegerField(null=True, verbose_name="名次")),
                        (
                            "place_before",
                            models.PositiveIntegerField(null=True, verbose_name="上期名次"),
                        ),
                    ],
                    options={
                        "verbose_name": "行业榜单商品",
                        "verbose_name_plural": "行业榜单商品",
                        "indexes": [
                            models.Index(
                                fields=["publication", "period", "measure", "place"],
                                name="rankentry_place_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("publication", "period", "measure", "product"),
                                name="rankentry_product_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("place__isnull", False),
                                    ("place_before__isnull", False),
                                    _connector="OR",
                                ),
                                name="rankentry_has_a_place",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Receipt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                                related_name="receipts",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "received_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="签收人",
                            ),
                        ),
                        ("received_at", models.DateTimeField(verbose_name="签收时间")),
                    ],
                    options={
                        "verbose_name": "签收单",
                        "verbose_name_plural": "签收单",
                        "ordering": ["received_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "received_at"], name="receipt_received_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReceiptLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                            "receipt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="orders.receipt",
                                verbose_name="签收单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="receipt_lines",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="签收数量")),
                        (
                            "amount_incl_tax",
                            apps.common.money.MoneyField(verbose_name="金额（含税）"),
                        ),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                    ],
                    options={
                        "verbose_name": "签收明细",
                        "verbose_name_plural": "签收明细",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "receipt", "order_line"),
                                name="receiptline_line_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1)),
                                name="receiptline_quantity_positive",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Shipment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                                related_name="shipments",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "shipment_no",
                            models.CharField(max_length=24, unique=True, verbose_name="发货单号"),
                        ),
                        ("carrier", models.CharField(max_length=40, verbose_name="承运商")),
                        ("tracking_no", models.CharField(max_length=60, verbose_name="运单号")),
                        (
                            "shipped_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="发货人",
                            ),
                        ),
                        ("shipped_at", models.DateTimeField(verbose_name="发货时间")),
                        (
                            "received_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="签收时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "发货单",
                        "verbose_name_plural": "发货单",
                        "ordering": ["shipped_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="shipment_order_idx"),
                            models.Index(fields=["tracking_no"], name="shipment_tracking_idx"),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ShipmentLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                            "shipment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="orders.shipment",
                                verbose_name="发货单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="shipment_lines",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="发货数量")),
                        (
                            "received_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="签收数量"),
                        ),
                    ],
                    options={
                        "verbose_name": "发货明细",
                        "verbose_name_plural": "发货明细",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "shipment", "order_line"),
                                name="shipmentline_line_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("quantity__gte", 1),
                                    ("received_quantity__lte", models.F("quantity")),
                                ),
                                name="shipmentline_received_within",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="TrackingEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
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
                        ("carrier", models.CharField(max_length=40, verbose_name="承运商")),
                        ("tracking_no", models.CharField(max_length=60, verbose_name="运单号")),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("picked_up", "已揽收"),
                                    ("in_transit", "运输中"),
                                    ("delivering", "派送中"),
                                    ("delivered", "已送达"),
                                    ("trouble", "异常"),
                                ],
                                max_length=12,
                                verbose_name="状态",
                            ),
                        ),
                        ("text", models.CharField(max_length=200, verbose_name="说明")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "物流轨迹",
                        "verbose_name_plural": "物流轨迹",
                        "ordering": ["at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "carrier", "tracking_no", "at", "kind"),
                                name="trackingevent_once",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="FreightRegion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "province",
                            models.CharField(blank=True, max_length=30, verbose_name="省"),
                        ),
                        (
                            "amount_from",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"),
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        Decimal("99999999.99"), "金额不能超过 99999999.99"
                                    ),
                                ],
                                verbose_name="满额",
                            ),
                        ),
                        (
                            "fee",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"),
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        Decimal("99999999.99"), "金额不能超过 99999999.99"
                                    ),
                                ],
                                verbose_name="运费（含税）",
                            ),
                        ),
                        (
                            "extra_days",
                            models.PositiveSmallIntegerField(default=0, verbose_name="加时天数"),
                        ),
                    ],
                    options={
                        "verbose_name": "运费规则",
                        "verbose_name_plural": "运费规则",
                        "ordering": ["province", "amount_from"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("province", "amount_from"),
                                name="freightregion_province_amount_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount_from__gte", 0), ("fee__gte", 0)),
                                name="freightregion_not_negative",
                                violation_error_message="满额和运费不能为负数",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
