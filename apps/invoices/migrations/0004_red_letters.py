import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("invoices", "0004_statement_progress")]

    dependencies = [
        ("invoices", "0003_statement_lines"),
        ("orders", "0002_order_lines_and_payments"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="RedLetter",
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
                        ("red_no", models.CharField(max_length=24, unique=True, verbose_name="确认单号")),
                        (
                            "invoice",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="red_letters",
                                to="invoices.invoice",
                                verbose_name="蓝字发票",
                            ),
                        ),
                        (
                            "red_invoice",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="red_letter",
                                to="invoices.invoice",
                                verbose_name="红字发票",
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("awaits_seller", "待销方确认"),
                                    ("awaits_buyer", "待购方确认"),
                                    ("confirmed", "已确认待开具"),
                                    ("issued", "已开具红字发票"),
                                    ("refused", "已否认"),
                                    ("withdrawn", "已撤销"),
                                    ("expired", "超 72 小时未确认作废"),
                                ],
                                max_length=13,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                choices=[("01", "开票有误"), ("02", "销货退回"), ("03", "服务中止"), ("04", "销售折让")],
                                max_length=2,
                                verbose_name="红冲原因",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=300, verbose_name="说明")),
                        ("answer", models.CharField(blank=True, max_length=300, verbose_name="否认原因")),
                        ("is_for_return", models.BooleanField(default=False, verbose_name="因售后退货")),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="红冲金额")),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="红冲税额")),
                        (
                            "opened_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="发起人",
                            ),
                        ),
                        ("opened_at", models.DateTimeField(verbose_name="发起时间")),
                        ("expires_at", models.DateTimeField(verbose_name="确认期限")),
                        ("confirmed_at", models.DateTimeField(blank=True, null=True, verbose_name="确认时间")),
                        ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="结束时间")),
                    ],
                    options={
                        "verbose_name": "红冲确认单",
                        "verbose_name_plural": "红冲确认单",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["awaits_seller", "awaits_buyer"])),
                                fields=["expires_at"],
                                name="redletter_expiry_idx",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RedLine",
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
                            "letter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="invoices.redletter",
                                verbose_name="确认单",
                            ),
                        ),
                        (
                            "line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="red_lines",
                                to="invoices.invoiceline",
                                verbose_name="发票明细",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="价税合计")),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                    ],
                    options={
                        "verbose_name": "红冲明细",
                        "verbose_name_plural": "红冲明细",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.CheckConstraint(condition=models.Q(("quantity__gt", 0)), name="redline_quantity_positive")],
                    },
                ),
                migrations.CreateModel(
                    name="BankMatch",
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
                            "receipt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches",
                                to="invoices.bankreceipt",
                                verbose_name="银行到账",
                            ),
                        ),
                        (
                            "payment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bank_match",
                                to="orders.payment",
                                verbose_name="付款",
                            ),
                        ),
                        (
                            "statement",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="invoices.statement",
                                verbose_name="对账单",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="匹配金额")),
                        ("matched_at", models.DateTimeField(verbose_name="匹配时间")),
                        (
                            "matched_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="匹配人",
                            ),
                        ),
                        ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="撤销时间")),
                        (
                            "undone_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="撤销人",
                            ),
                        ),
                        ("undone_reason", models.CharField(blank=True, max_length=200, verbose_name="撤销原因")),
                    ],
                    options={
                        "verbose_name": "到账匹配",
                        "verbose_name_plural": "到账匹配",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="bankmatch_positive")],
                    },
                ),
            ],
        ),
    ]
