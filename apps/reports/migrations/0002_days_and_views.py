import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("reports", "0002_order_days"), ("reports", "0003_order_days_of_facts")]

    dependencies = [
        ("budgets", "0001_budgets"),
        ("orders", "0001_order_heads"),
        ("org", "0002_people"),
        ("reports", "0001_fact_rows"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ReportOrderDay",
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
                        ("facts", models.IntegerField(verbose_name="事实数")),
                    ],
                    options={
                        "verbose_name": "订单日汇总",
                        "verbose_name_plural": "订单日汇总",
                        "ordering": ["-day", "-order_id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "basis", "-day"], name="reportorderday_day_idx"),
                            models.Index(fields=["group", "department", "basis", "-day"], name="reportorderday_department_idx"),
                            models.Index(fields=["group", "requester", "basis", "-day"], name="reportorderday_requester_idx"),
                        ],
                        "constraints": [models.UniqueConstraint(fields=("group", "order", "basis", "day"), name="reportorderday_once")],
                    },
                ),
                migrations.CreateModel(
                    name="SavedView",
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
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="创建人",
                            ),
                        ),
                        (
                            "report",
                            models.CharField(
                                choices=[
                                    ("Order", "订单报表"),
                                    ("OrderDetail", "订单明细报表"),
                                    ("Product", "商品报表"),
                                    ("Department", "部门报表"),
                                    ("Purchaser", "采购人报表"),
                                ],
                                max_length=12,
                                verbose_name="报表",
                            ),
                        ),
                        ("name", models.CharField(max_length=30, verbose_name="名称")),
                        ("filters", models.JSONField(default=dict, verbose_name="筛选条件")),
                        ("shared", models.BooleanField(default=False, verbose_name="共享给集团")),
                    ],
                    options={
                        "verbose_name": "报表视图",
                        "verbose_name_plural": "报表视图",
                        "ordering": ["name", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(condition=models.Q(("shared", True)), fields=["group", "report"], name="savedview_shared_idx")
                        ],
                        "constraints": [models.UniqueConstraint(fields=("group", "owner", "report", "name"), name="savedview_name_uniq")],
                    },
                ),
            ],
        ),
    ]
