from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("invoices", "0003_bank_receipts")]

    dependencies = [
        ("invoices", "0002_invoice_lines"),
        ("orders", "0001_order_heads"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Statement",
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
                        ("statement_no", models.CharField(max_length=24, unique=True, verbose_name="对账单号")),
                        (
                            "enterprise",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="org.enterprise", verbose_name="企业"
                            ),
                        ),
                        ("month", models.DateField(verbose_name="账期（当月首日）")),
                        (
                            "status",
                            models.CharField(
                                choices=[("running", "未出账"), ("pending", "待确认"), ("disputed", "有异议"), ("confirmed", "已确认")],
                                default="running",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        ("opening", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="期初应付")),
                        ("deliveries", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="本期签收")),
                        ("returns", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="本期退货")),
                        ("invoiced", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="本期开票")),
                        ("paid", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="本期付款")),
                        ("closing", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="期末应付")),
                        ("issued_at", models.DateTimeField(blank=True, null=True, verbose_name="出账时间")),
                        ("confirmed_at", models.DateTimeField(blank=True, null=True, verbose_name="确认时间")),
                        (
                            "confirmed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="确认人",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "对账单",
                        "verbose_name_plural": "对账单",
                        "ordering": ["-month", "enterprise_id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "-month"], name="statement_month_idx")],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "enterprise", "month"), name="statement_month_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "closing",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                django.db.models.expressions.CombinedExpression(
                                                    models.F("opening"), "+", models.F("deliveries")
                                                ),
                                                "-",
                                                models.F("returns"),
                                            ),
                                            "-",
                                            models.F("paid"),
                                        ),
                                    )
                                ),
                                name="statement_closes",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StatementLine",
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
                            "statement",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="invoices.statement",
                                verbose_name="对账单",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("delivery", "签收"),
                                    ("freight", "运费"),
                                    ("return", "退货"),
                                    ("invoice", "开票"),
                                    ("payment", "付款"),
                                    ("refund", "退款"),
                                ],
                                max_length=8,
                                verbose_name="类型",
                            ),
                        ),
                        ("source_id", models.BigIntegerField(verbose_name="来源编号")),
                        ("at", models.DateTimeField(verbose_name="发生时间")),
                        (
                            "order",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        ("reference", models.CharField(blank=True, max_length=64, verbose_name="单据")),
                        ("text", models.CharField(max_length=200, verbose_name="摘要")),
                        ("quantity", models.PositiveIntegerField(null=True, verbose_name="数量")),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额（含税）")),
                        ("tax_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="税额")),
                    ],
                    options={
                        "verbose_name": "对账明细",
                        "verbose_name_plural": "对账明细",
                        "ordering": ["at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "statement", "kind", "at"], name="statementline_figure_idx")],
                        "constraints": [models.UniqueConstraint(fields=("group", "kind", "source_id"), name="statementline_once")],
                    },
                ),
                migrations.CreateModel(
                    name="StatementRemark",
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
                            "statement",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="remarks",
                                to="invoices.statement",
                                verbose_name="对账单",
                            ),
                        ),
                        (
                            "line",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="remarks",
                                to="invoices.statementline",
                                verbose_name="对账明细",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="留言人",
                            ),
                        ),
                        ("is_answer", models.BooleanField(default=False, verbose_name="客服答复")),
                        ("text", models.CharField(max_length=500, verbose_name="内容")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "对账留言",
                        "verbose_name_plural": "对账留言",
                        "ordering": ["at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "statement", "at"], name="statementremark_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="BankReceipt",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="创建时间")),
                        ("updated_at", models.DateTimeField(auto_now=True, verbose_name="更新时间")),
                        ("serial", models.CharField(max_length=40, unique=True, verbose_name="银行流水号")),
                        ("received_on", models.DateField(verbose_name="到账日期")),
                        ("payer_name", models.CharField(max_length=120, verbose_name="付款方户名")),
                        ("payer_account", models.CharField(blank=True, max_length=40, verbose_name="付款方账号")),
                        ("amount", apps.common.money.MoneyField(verbose_name="到账金额")),
                        ("matched_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="已匹配金额")),
                        ("remark", models.CharField(blank=True, max_length=200, verbose_name="附言")),
                        ("set_aside", models.CharField(blank=True, max_length=200, verbose_name="无需匹配的原因")),
                        (
                            "recorded_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="登记人",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "银行到账",
                        "verbose_name_plural": "银行到账",
                        "ordering": ["-received_on", "-id"],
                        "indexes": [
                            models.Index(fields=["-received_on", "-id"], name="bankreceipt_newest_idx"),
                            models.Index(
                                condition=models.Q(("matched_amount__lt", models.F("amount")), ("set_aside", "")),
                                fields=["received_on", "id"],
                                name="bankreceipt_waiting_idx",
                            ),
                            models.Index(fields=["payer_account"], name="bankreceipt_payer_idx"),
                        ],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="bankreceipt_positive"),
                            models.CheckConstraint(
                                condition=models.Q(("matched_amount__gte", 0), ("matched_amount__lte", models.F("amount"))),
                                name="bankreceipt_matched_within",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("set_aside", ""), ("matched_amount", 0), _connector="OR"),
                                name="bankreceipt_set_aside_whole",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
