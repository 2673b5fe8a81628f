from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("invoices", "0002_statements")]

    dependencies = [
        ("invoices", "0001_applications"),
        ("orders", "0002_order_lines_and_payments"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Invoice",
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
                        ("request_no", models.CharField(max_length=24, unique=True, verbose_name="开票流水号")),
                        (
                            "application",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="invoices",
                                to="invoices.invoiceapplication",
                                verbose_name="申请",
                            ),
                        ),
                        (
                            "enterprise",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="org.enterprise", verbose_name="企业"
                            ),
                        ),
                        (
                            "original",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="red_invoices",
                                to="invoices.invoice",
                                verbose_name="对应蓝字发票",
                            ),
                        ),
                        (
                            "kind",
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
                            "status",
                            models.CharField(
                                choices=[
                                    ("planned", "待开票"),
                                    ("issuing", "开票中"),
                                    ("failed", "开票失败"),
                                    ("issued", "已开具"),
                                    ("partly_red", "部分红冲"),
                                    ("red", "已红冲"),
                                    ("void", "未开具"),
                                ],
                                default="planned",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        ("title_snapshot", models.JSONField(default=dict, verbose_name="购买方")),
                        ("seller_snapshot", models.JSONField(default=dict, verbose_name="销售方")),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="价税合计")),
                        ("net_amount", apps.common.money.MoneyField(verbose_name="不含税金额")),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                        ("red_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="已红冲金额")),
                        ("remark", models.CharField(blank=True, max_length=300, verbose_name="备注")),
                        ("invoice_code", models.CharField(blank=True, max_length=12, verbose_name="发票代码")),
                        ("invoice_no", models.CharField(blank=True, max_length=20, verbose_name="发票号码")),
                        ("issued_at", models.DateTimeField(blank=True, null=True, verbose_name="开票时间")),
                        (
                            "issued_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="开票人",
                            ),
                        ),
                        ("gateway", models.CharField(blank=True, max_length=20, verbose_name="开票渠道")),
                        ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="请求次数")),
                        ("requested_at", models.DateTimeField(blank=True, null=True, verbose_name="请求时间")),
                        ("failure", models.CharField(blank=True, max_length=300, verbose_name="失败原因")),
                        ("is_unsure", models.BooleanField(db_default=False, default=False, verbose_name="开票结果待核实")),
                        ("emailed_at", models.DateTimeField(blank=True, null=True, verbose_name="邮件发送时间")),
                        ("carrier", models.CharField(blank=True, max_length=40, verbose_name="承运商")),
                        ("tracking_no", models.CharField(blank=True, max_length=60, verbose_name="运单号")),
                        ("sent_at", models.DateTimeField(blank=True, null=True, verbose_name="寄出时间")),
                    ],
                    options={
                        "verbose_name": "发票",
                        "verbose_name_plural": "发票",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "enterprise", "-issued_at"], name="invoice_place_idx"),
                            models.Index(fields=["status", "requested_at"], name="invoice_staff_idx"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("invoice_no", ""), _negated=True),
                                fields=("invoice_code", "invoice_no"),
                                name="invoice_number_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "amount_incl_tax",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("net_amount"), "+", models.F("tax_amount")
                                        ),
                                    )
                                ),
                                name="invoice_adds_up",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("amount_incl_tax__gt", 0), ("original__isnull", True)),
                                    models.Q(("amount_incl_tax__lt", 0), ("original__isnull", False)),
                                    _connector="OR",
                                ),
                                name="invoice_red_is_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("red_amount__gte", 0),
                                    models.Q(
                                        ("original__isnull", False), ("red_amount__lte", models.F("amount_incl_tax")), _connector="OR"
                                    ),
                                ),
                                name="invoice_red_within_amount",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="InvoiceLine",
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
                            "invoice",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="invoices.invoice",
                                verbose_name="发票",
                            ),
                        ),
                        ("no", models.PositiveIntegerField(verbose_name="行号")),
                        (
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="invoice_lines",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="invoice_lines",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        (
                            "original",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="invoices.invoiceline",
                                verbose_name="对应蓝字明细",
                            ),
                        ),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        ("model_code", models.CharField(blank=True, max_length=60, verbose_name="规格型号")),
                        ("unit", models.CharField(blank=True, max_length=10, verbose_name="单位")),
                        ("tax_code", models.CharField(max_length=19, verbose_name="税收分类编码")),
                        ("quantity", models.IntegerField(verbose_name="数量")),
                        ("red_quantity", models.PositiveIntegerField(default=0, verbose_name="红冲数量")),
                        ("unit_price_incl_tax", apps.common.money.MoneyField(verbose_name="单价（含税）")),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="价税合计")),
                        ("net_amount", apps.common.money.MoneyField(verbose_name="不含税金额")),
                        ("tax_rate", models.DecimalField(decimal_places=2, max_digits=4, verbose_name="税率")),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                    ],
                    options={
                        "verbose_name": "发票明细",
                        "verbose_name_plural": "发票明细",
                        "ordering": ["invoice", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "invoice", "no"), name="invoiceline_no_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "amount_incl_tax",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("net_amount"), "+", models.F("tax_amount")
                                        ),
                                    )
                                ),
                                name="invoiceline_adds_up",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("original__isnull", True), ("quantity__gt", 0), ("red_quantity__lte", models.F("quantity"))),
                                    models.Q(("original__isnull", False), ("quantity__lt", 0), ("red_quantity", 0)),
                                    _connector="OR",
                                ),
                                name="invoiceline_red_within_quantity",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
