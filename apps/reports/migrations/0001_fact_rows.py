import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("reports", "0001_facts"), ("reports", "0007_export_jobs")]

    initial = True

    dependencies = [
        ("budgets", "0001_budgets"),
        ("catalog", "0004_products"),
        ("orders", "0002_order_lines_and_payments"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ReportFact",
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
                            "basis",
                            models.CharField(
                                choices=[("ordered", "下单口径"), ("received", "签收口径"), ("invoiced", "开票口径")],
                                max_length=8,
                                verbose_name="口径",
                            ),
                        ),
                        ("day", models.DateField(verbose_name="日期")),
                        (
                            "order",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "enterprise",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业",
                            ),
                        ),
                        (
                            "department",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="org.department",
                                verbose_name="部门",
                            ),
                        ),
                        (
                            "requester",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="采购人",
                            ),
                        ),
                        (
                            "budget",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="budgets.budget",
                                verbose_name="预算",
                            ),
                        ),
                        (
                            "order_status",
                            models.CharField(
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
                                max_length=20,
                                verbose_name="订单状态",
                            ),
                        ),
                        (
                            "payment_kind",
                            models.CharField(
                                choices=[("credit", "月结"), ("cod", "货到付款"), ("transfer", "公司转账"), ("online", "在线支付")],
                                max_length=10,
                                verbose_name="付款方式",
                            ),
                        ),
                        ("purchase_order_no", models.CharField(blank=True, max_length=60, verbose_name="采购单号")),
                        ("cost_center", models.CharField(blank=True, max_length=60, verbose_name="成本中心")),
                        ("quantity", models.IntegerField(verbose_name="数量")),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额（含税）")),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("ordered", "下单"),
                                    ("cancelled", "取消部分"),
                                    ("ended", "取消整单"),
                                    ("received", "签收"),
                                    ("returned", "退货"),
                                    ("invoiced", "开票"),
                                    ("red", "红冲"),
                                    ("ordered_freight", "下单运费"),
                                    ("cancelled_freight", "取消后运费调整"),
                                    ("ended_freight", "取消运费"),
                                    ("received_freight", "运费结转"),
                                ],
                                max_length=18,
                                verbose_name="类型",
                            ),
                        ),
                        ("source_id", models.BigIntegerField(verbose_name="来源编号")),
                        ("at", models.DateTimeField(verbose_name="发生时间")),
                        (
                            "order_line",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("category_id_l1", models.BigIntegerField(default=0, verbose_name="一级类目")),
                        ("category_id_l2", models.BigIntegerField(default=0, verbose_name="二级类目")),
                        ("category_id_l3", models.BigIntegerField(default=0, verbose_name="三级类目")),
                    ],
                    options={
                        "verbose_name": "报表事实",
                        "verbose_name_plural": "报表事实",
                        "ordering": ["-at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="reportfact_order_idx"),
                            models.Index(
                                fields=["group", "basis", "-day", "-id"],
                                include=("product", "category_id_l1", "amount", "tax_amount", "quantity"),
                                name="reportfact_day_goods_idx",
                            ),
                            models.Index(fields=["group", "product", "basis", "-day"], name="reportfact_product_idx"),
                            models.Index(fields=["group", "department", "basis", "-day"], name="reportfact_department_idx"),
                            models.Index(fields=["group", "requester", "basis", "-day"], name="reportfact_requester_idx"),
                        ],
                        "constraints": [models.UniqueConstraint(fields=("group", "kind", "source_id"), name="reportfact_once")],
                    },
                ),
            ],
        ),
    ]
