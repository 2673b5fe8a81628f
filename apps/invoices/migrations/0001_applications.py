from decimal import Decimal

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("invoices", "0001_initial"), ("invoices", "0005_invoice_is_unsure")]

    initial = True

    dependencies = [
        ("common", "0001_common_tables"),
        ("orders", "0001_order_heads"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="InvoiceApplication",
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
                        ("application_no", models.CharField(max_length=24, unique=True, verbose_name="申请单号")),
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
                        ("is_split_by_rate", models.BooleanField(default=False, verbose_name="按税率拆分")),
                        ("amount_limit", apps.common.money.MoneyField(blank=True, null=True, verbose_name="单张限额（含税）")),
                        (
                            "delivery",
                            models.CharField(choices=[("mail", "电子邮件"), ("paper", "纸质邮寄")], max_length=5, verbose_name="交付方式"),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="收票邮箱")),
                        ("address_snapshot", models.JSONField(blank=True, default=dict, verbose_name="收票地址")),
                        ("remark", models.CharField(blank=True, max_length=200, verbose_name="发票备注")),
                        ("amount_incl_tax", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="价税合计")),
                        ("tax_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="税额")),
                        ("line_count", models.PositiveIntegerField(default=0, verbose_name="明细行数")),
                        ("invoice_count", models.PositiveIntegerField(default=0, verbose_name="发票张数")),
                        ("reason", models.CharField(blank=True, max_length=300, verbose_name="驳回或撤回原因")),
                        ("submitted_at", models.DateTimeField(verbose_name="提交时间")),
                        ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="审核时间")),
                        ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="完成时间")),
                    ],
                    options={
                        "verbose_name": "开票申请",
                        "verbose_name_plural": "开票申请",
                        "ordering": ["-submitted_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "enterprise", "-submitted_at"], name="invoiceapplication_place_idx"),
                            models.Index(fields=["status", "submitted_at"], name="invoiceapplication_staff_idx"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SpecialQualification",
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
                                choices=[("pending", "待审核"), ("approved", "已通过"), ("refused", "未通过"), ("lapsed", "已失效")],
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
                        ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="审核时间")),
                        ("reason", models.CharField(blank=True, max_length=300, verbose_name="未通过原因")),
                        ("files", models.ManyToManyField(related_name="+", to="common.storedfile", verbose_name="证明文件")),
                    ],
                    options={
                        "verbose_name": "专票资质",
                        "verbose_name_plural": "专票资质",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "pending")), fields=("title",), name="specialqualification_one_pending"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="InvoicedFreight",
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
                    },
                ),
                migrations.CreateModel(
                    name="StatementProgress",
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
                            "enterprise",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="org.enterprise", verbose_name="企业"
                            ),
                        ),
                        ("told_until", models.DateTimeField(null=True, verbose_name="已记入的时间")),
                    ],
                    options={
                        "verbose_name": "对账进度",
                        "verbose_name_plural": "对账进度",
                        "abstract": False,
                        "base_manager_name": "objects",
                    },
                ),
            ],
        ),
    ]
