from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("common", "0001_schema"),
        ("orders", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="BankReceipt",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "serial",
                            models.CharField(max_length=40, unique=True, verbose_name="银行流水号"),
                        ),
                        ("received_on", models.DateField(verbose_name="到账日期")),
                        ("payer_name", models.CharField(max_length=120, verbose_name="付款方户名")),
                        (
                            "payer_account",
                            models.CharField(blank=True, max_length=40, verbose_name="付款方账号"),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="到账金额")),
                        (
                            "matched_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="已匹配金额"
                            ),
                        ),
                        (
                            "remark",
                            models.CharField(blank=True, max_length=200, verbose_name="附言"),
                        ),
                        (
                            "set_aside",
                            models.CharField(
                                blank=True, max_length=200, verbose_name="无需匹配的原因"
                            ),
                        ),
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
                            models.Index(
                                fields=["-received_on", "-id"], name="bankreceipt_newest_idx"
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("matched_amount__lt", models.F("amount")), ("set_aside", "")
                                ),
                                fields=["received_on", "id"],
                                name="bankreceipt_waiting_idx",
                            ),
                            models.Index(fields=["payer_account"], name="bankreceipt_payer_idx"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("amount__gt", 0)), name="bankreceipt_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("matched_amount__gte", 0),
                                    ("matched_amount__lte", models.F("amount")),
                                ),
                                name="bankreceipt_matched_within",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("set_aside", ""), ("matched_amount", 0), _connector="OR"
                                ),
                                name="bankreceipt_set_aside_whole",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Statement",
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
                            "statement_no",
                            models.CharField(max_length=24, unique=True, verbose_name="对账单号"),
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
                        ("month", models.DateField(verbose_name="账期（当月首日）")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("running", "未出账"),
                                    ("pending", "待确认"),
                                    ("disputed", "有异议"),
                                    ("confirmed", "已确认"),
                                ],
                                default="running",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "opening",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="期初应付"
                            ),
                        ),
                        (
                            "deliveries",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="本期签收"
                            ),
                        ),
                        (
                            "returns",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="本期退货"
                            ),
                        ),
                        (
                            "invoiced",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="本期开票"
                            ),
                        ),
                        (
                            "paid",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="本期付款"
                            ),
                        ),
                        (
                            "closing",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="期末应付"
                            ),
                        ),
                        (
                            "issued_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="出账时间"),
                        ),
                        (
                            "confirmed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="确认时间"),
                        ),
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
                        "indexes": [
                            models.Index(fields=["group", "-month"], name="statement_month_idx")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "enterprise", "month"), name="statement_month_uniq"
                            ),
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
                    name="BankMatch",
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
                        (
                            "undone_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="撤销时间"),
                        ),
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
                        (
                            "undone_reason",
                            models.CharField(blank=True, max_length=200, verbose_name="撤销原因"),
                        ),
                    ],
                    options={
                        "verbose_name": "到账匹配",
                        "verbose_name_plural": "到账匹配",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("amount__gt", 0)), name="bankmatch_positive"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="InvoiceApplication",
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
                            "application_no",
                            models.CharField(max_length=24, unique=True, verbose_name="申请单号"),
                        ),
                        (
                            "applicant",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="申请人",
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
                                verbose_name="申请部门",
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("pending", "待审核"),
                                    ("accepted", "待开票"),
                                    ("issuing", "开票中"),
                                    ("issued", "已开票"),
                                    ("rejected", "已驳回"),
                                    ("withdrawn", "已撤回"),
                                ],
                                default="pending",
                                max_length=10,
                                verbose_name="状态",
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
                            "title",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.invoicetitle",
                                verbose_name="抬头",
                            ),
                        ),
                        (
                            "grouping",
                            models.CharField(
                                choices=[("merged", "合并开票"), ("by_order", "按订单分别开票")],
                                default="merged",
                                max_length=8,
                                verbose_name="合并方式",
                            ),
                        ),
                        (
                            "is_split_by_rate",
                            models.BooleanField(default=False, verbose_name="按税率拆分"),
                        ),
                        (
                            "amount_limit",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="单张限额（含税）"
                            ),
                        ),
                        (
                            "delivery",
                            models.CharField(
                                choices=[("mail", "电子邮件"), ("paper", "纸质邮寄")],
                                max_length=5,
                                verbose_name="交付方式",
                            ),
                        ),
                        (
                            "email",
                            models.EmailField(blank=True, max_length=254, verbose_name="收票邮箱"),
                        ),
                        (
                            "address_snapshot",
                            models.JSONField(blank=True, default=dict, verbose_name="收票地址"),
                        ),
                        (
                            "remark",
                            models.CharField(blank=True, max_length=200, verbose_name="发票备注"),
                        ),
                        (
                            "amount_incl_tax",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="价税合计"
                            ),
                        ),
                        (
                            "tax_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="税额"
                            ),
                        ),
                        (
                            "line_count",
                            models.PositiveIntegerField(default=0, verbose_name="明细行数"),
                        ),
                        (
                            "invoice_count",
                            models.PositiveIntegerField(default=0, verbose_name="发票张数"),
                        ),
                        (
                            "reason",
                            models.CharField(
                                blank=True, max_length=300, verbose_name="驳回或撤回原因"
                            ),
                        ),
                        ("submitted_at", models.DateTimeField(verbose_name="提交时间")),
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="审核时间"),
                        ),
                        (
                            "finished_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="完成时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "开票申请",
                        "verbose_name_plural": "开票申请",
                        "ordering": ["-submitted_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "enterprise", "-submitted_at"],
                                name="invoiceapplication_place_idx",
                            ),
                            models.Index(
                                fields=["status", "submitted_at"],
                                name="invoiceapplication_staff_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Invoice",
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
                            "request_no",
                            models.CharField(max_length=24, unique=True, verbose_name="开票流水号"),
                        ),
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
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业",
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
                        (
                            "red_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="已红冲金额"
                            ),
                        ),
                        (
                            "remark",
                            models.CharField(blank=True, max_length=300, verbose_name="备注"),
                        ),
                        (
                            "invoice_code",
                            models.CharField(blank=True, max_length=12, verbose_name="发票代码"),
                        ),
                        (
                            "invoice_no",
                            models.CharField(blank=True, max_length=20, verbose_name="发票号码"),
                        ),
                        (
                            "issued_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="开票时间"),
                        ),
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
                        (
                            "gateway",
                            models.CharField(blank=True, max_length=20, verbose_name="开票渠道"),
                        ),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="请求次数"),
                        ),
                        (
                            "requested_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="请求时间"),
                        ),
                        (
                            "failure",
                            models.CharField(blank=True, max_length=300, verbose_name="失败原因"),
                        ),
                        (
                            "is_unsure",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="开票结果待核实"
                            ),
                        ),
                        (
                            "emailed_at",
                            models.DateTimeField(
                                blank=True, null=True, verbose_name="邮件发送时间"
                            ),
                        ),
                        (
                            "carrier",
                            models.CharField(blank=True, max_length=40, verbose_name="承运商"),
                        ),
                        (
                            "tracking_no",
                            models.CharField(blank=True, max_length=60, verbose_name="运单号"),
                        ),
                        (
                            "sent_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="寄出时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "发票",
                        "verbose_name_plural": "发票",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "enterprise", "-issued_at"],
                                name="invoice_place_idx",
                            ),
                            models.Index(
                                fields=["status", "requested_at"], name="invoice_staff_idx"
                            ),
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
                                    models.Q(
                                        ("amount_incl_tax__gt", 0), ("original__isnull", True)
                                    ),
                                    models.Q(
                                        ("amount_incl_tax__lt", 0), ("original__isnull", False)
                                    ),
                                    _connector="OR",
                                ),
                                name="invoice_red_is_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("red_amount__gte", 0),
                                    models.Q(
                                        ("original__isnull", False),
                                        ("red_amount__lte", models.F("amount_incl_tax")),
                                        _connector="OR",
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
                        (
                            "model_code",
                            models.CharField(blank=True, max_length=60, verbose_name="规格型号"),
                        ),
                        ("unit", models.CharField(blank=True, max_length=10, verbose_name="单位")),
                        ("tax_code", models.CharField(max_length=19, verbose_name="税收分类编码")),
                        ("quantity", models.IntegerField(verbose_name="数量")),
                        (
                            "red_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="红冲数量"),
                        ),
                        (
                            "unit_price_incl_tax",
                            apps.common.money.MoneyField(verbose_name="单价（含税）"),
                        ),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="价税合计")),
                        ("net_amount", apps.common.money.MoneyField(verbose_name="不含税金额")),
                        (
                            "tax_rate",
                            models.DecimalField(
                                decimal_places=2, max_digits=4, verbose_name="税率"
                            ),
                        ),
                        ("tax_amount", apps.common.money.MoneyField(verbose_name="税额")),
                    ],
                    options={
                        "verbose_name": "发票明细",
                        "verbose_name_plural": "发票明细",
                        "ordering": ["invoice", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "invoice", "no"), name="invoiceline_no_uniq"
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
                                name="invoiceline_adds_up",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("original__isnull", True),
                                        ("quantity__gt", 0),
                                        ("red_quantity__lte", models.F("quantity")),
                                    ),
                                    models.Q(
                                        ("original__isnull", False),
                                        ("quantity__lt", 0),
                                        ("red_quantity", 0),
                                    ),
                                    _connector="OR",
                                ),
                                name="invoiceline_red_within_quantity",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="InvoicedFreight",
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
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="invoiced_freight",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        ("is_issued", models.BooleanField(default=False, verbose_name="已开票")),
                    ],
                    options={
                        "verbose_name": "运费开票",
                        "verbose_name_plural": "运费开票",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="InvoiceMark",
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
                            "invoice",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="marks",
                                to="invoices.invoice",
                                verbose_name="发票",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("verified", "已验真"),
                                    ("booked", "已入账"),
                                    ("deducted", "已抵扣"),
                                    ("problem", "有问题"),
                                ],
                                max_length=10,
                                verbose_name="处理状态",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                        ("marked_at", models.DateTimeField(verbose_name="登记时间")),
                        (
                            "marked_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="登记人",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "发票处理状态",
                        "verbose_name_plural": "发票处理状态",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "kind"], name="invoicemark_kind_idx")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "invoice", "kind"), name="invoicemark_kind_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "problem"), _negated=True),
                                    models.Q(("note", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="invoicemark_problem_has_note",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RedLetter",
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
                            "red_no",
                            models.CharField(max_length=24, unique=True, verbose_name="确认单号"),
                        ),
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
                                choices=[
                                    ("01", "开票有误"),
                                    ("02", "销货退回"),
                                    ("03", "服务中止"),
                                    ("04", "销售折让"),
                                ],
                                max_length=2,
                                verbose_name="红冲原因",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=300, verbose_name="说明")),
                        (
                            "answer",
                            models.CharField(blank=True, max_length=300, verbose_name="否认原因"),
                        ),
                        (
                            "is_for_return",
                            models.BooleanField(default=False, verbose_name="因售后退货"),
                        ),
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
                        (
                            "confirmed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="确认时间"),
                        ),
                        (
                            "ended_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "红冲确认单",
                        "verbose_name_plural": "红冲确认单",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                condition=models.Q(
                                    ("status__in", ["awaits_seller", "awaits_buyer"])
                                ),
                                fields=["expires_at"],
                                name="redletter_expiry_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="RedLine",
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
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gt", 0)),
                                name="redline_quantity_positive",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="SpecialQualification",
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
                            "title",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="qualifications",
                                to="org.invoicetitle",
                                verbose_name="抬头",
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("pending", "待审核"),
                                    ("approved", "已通过"),
                                    ("refused", "未通过"),
                                    ("lapsed", "已失效"),
                                ],
                                default="pending",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        ("title_snapshot", models.JSONField(default=dict, verbose_name="抬头内容")),
                        ("note", models.CharField(blank=True, max_length=300, verbose_name="说明")),
                        (
                            "submitted_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="提交人",
                            ),
                        ),
                        (
                            "decided_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="审核人",
                            ),
                        ),
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="审核时间"),
                        ),
                        (
                            "reason",
                            models.CharField(blank=True, max_length=300, verbose_name="未通过原因"),
                        ),
                        (
                            "files",
                            models.ManyToManyField(
                                related_name="+", to="common.storedfile", verbose_name="证明文件"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "专票资质",
                        "verbose_name_plural": "专票资质",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "pending")),
                                fields=("title",),
                                name="specialqualification_one_pending",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="StatementProgress",
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
                            "enterprise",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业",
                            ),
                        ),
                        (
                            "recorded_until",
                            models.DateTimeField(null=True, verbose_name="已记入的时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "对账进度",
                        "verbose_name_plural": "对账进度",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="StatementLine",
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
                        (
                            "reference",
                            models.CharField(blank=True, max_length=64, verbose_name="单据"),
                        ),
                        ("text", models.CharField(max_length=300, verbose_name="摘要")),
                        ("quantity", models.PositiveIntegerField(null=True, verbose_name="数量")),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额（含税）")),
                        (
                            "tax_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="税额"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "对账明细",
                        "verbose_name_plural": "对账明细",
                        "ordering": ["at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "statement", "kind", "at"],
                                name="statementline_figure_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "kind", "source_id"), name="statementline_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StatementRemark",
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
                        (
                            "difference",
                            models.CharField(
                                blank=True,
                                db_default="",
                                max_length=200,
                                verbose_name="收货核对差异",
                            ),
                        ),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "对账留言",
                        "verbose_name_plural": "对账留言",
                        "ordering": ["at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "statement", "at"], name="statementremark_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="GoodsMatch",
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
                            "statement",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="goods_match",
                                to="invoices.statement",
                                verbose_name="对账单",
                            ),
                        ),
                        ("file_name", models.CharField(max_length=120, verbose_name="表格")),
                        ("sheet_rows", models.PositiveIntegerField(verbose_name="表格行数")),
                        ("has_amounts", models.BooleanField(verbose_name="含金额列")),
                        ("matched_at", models.DateTimeField(verbose_name="核对时间")),
                        (
                            "matched_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="核对人",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "收货核对",
                        "verbose_name_plural": "收货核对",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="GoodsMatchLine",
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
                            "match",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="invoices.goodsmatch",
                                verbose_name="收货核对",
                            ),
                        ),
                        ("no", models.PositiveIntegerField(verbose_name="序号")),
                        (
                            "result",
                            models.CharField(
                                choices=[
                                    ("equal", "一致"),
                                    ("quantity", "数量不符"),
                                    ("amount", "金额不符"),
                                    ("only_ours", "收货单没有"),
                                    ("only_theirs", "对账单没有"),
                                ],
                                max_length=12,
                                verbose_name="结果",
                            ),
                        ),
                        ("order_ref", models.CharField(max_length=60, verbose_name="订单")),
                        ("material_code", models.CharField(max_length=60, verbose_name="物料编码")),
                        ("name", models.CharField(blank=True, max_length=200, verbose_name="商品")),
                        ("our_quantity", models.IntegerField(null=True, verbose_name="对账单数量")),
                        (
                            "their_quantity",
                            models.IntegerField(null=True, verbose_name="收货单数量"),
                        ),
                        (
                            "our_amount",
                            apps.common.money.MoneyField(null=True, verbose_name="对账单金额"),
                        ),
                        (
                            "their_amount",
                            apps.common.money.MoneyField(null=True, verbose_name="收货单金额"),
                        ),
                        (
                            "line",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="invoices.statementline",
                                verbose_name="对账明细",
                            ),
                        ),
                        (
                            "remark",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="invoices.statementremark",
                                verbose_name="异议",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "收货核对明细",
                        "verbose_name_plural": "收货核对明细",
                        "ordering": ["match", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "match", "no"), name="goodsmatchline_no_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
