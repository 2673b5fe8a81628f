from decimal import Decimal

import django.db.models.deletion
import django_fsm
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("aftersales", "0001_returns"), ("aftersales", "0004_cancels_by_deadline")]

    initial = True

    dependencies = [
        ("catalog", "0003_categories_and_inquiries"),
        ("orders", "0002_order_lines_and_payments"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="CancelOrder",
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
                        ("cancel_no", models.CharField(max_length=24, unique=True, verbose_name="取消单号")),
                        (
                            "order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cancellations",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "requester",
                            models.ForeignKey(
                                help_text="空为系统",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="申请人",
                            ),
                        ),
                        (
                            "status",
                            django_fsm.FSMField(
                                choices=[("pending", "待处理"), ("done", "已取消"), ("refused", "已拒绝"), ("withdrawn", "已撤销")],
                                default="pending",
                                max_length=10,
                                protected=True,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "reason_kind",
                            models.CharField(
                                choices=[
                                    ("unwanted", "不想要了"),
                                    ("wrong_choice", "商品或规格选错"),
                                    ("wrong_facts", "地址或开票信息填错"),
                                    ("duplicate", "重复下单"),
                                    ("plan_changed", "采购计划变更"),
                                    ("too_slow", "发货太慢"),
                                    ("cheaper", "价格原因"),
                                    ("other", "其他原因"),
                                ],
                                max_length=14,
                                verbose_name="取消原因",
                            ),
                        ),
                        ("reason", models.CharField(blank=True, max_length=200, verbose_name="补充说明")),
                        ("is_whole", models.BooleanField(default=False, verbose_name="整单取消")),
                        ("goods_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="取消商品金额（含税）")),
                        ("freight_before", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="原运费（含税）")),
                        ("freight_after", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="取消后运费（含税）")),
                        ("total_before", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="原应付金额（含税）")),
                        ("total_after", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="取消后应付金额（含税）")),
                        ("refund_amount", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="退款金额")),
                        ("submitted_at", models.DateTimeField(verbose_name="申请时间")),
                        ("decide_by", models.DateTimeField(blank=True, null=True, verbose_name="处理时限")),
                        ("reminded_at", models.DateTimeField(blank=True, null=True, verbose_name="提醒时间")),
                        ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="处理时间")),
                        (
                            "decided_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="处理人",
                            ),
                        ),
                        ("decision_note", models.CharField(blank=True, max_length=200, verbose_name="处理说明")),
                    ],
                    options={
                        "verbose_name": "取消订单",
                        "verbose_name_plural": "取消订单",
                        "ordering": ["-submitted_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="cancel_order_idx"),
                            models.Index(fields=["group", "status", "-submitted_at"], name="cancel_status_idx"),
                            models.Index(fields=["group", "-submitted_at", "-id"], name="cancel_newest_idx"),
                            models.Index(fields=["status", "decide_by"], name="cancel_staff_idx"),
                            models.Index(fields=["decide_by", "-submitted_at", "-id"], name="cancel_office_idx"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "pending"), _negated=True), ("decide_by__isnull", False), _connector="OR"
                                ),
                                name="cancel_waits_with_an_end",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("total_after__lte", models.F("total_before"))), name="cancel_never_dearer"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("status", "pending")), fields=("group", "order"), name="cancel_one_waits"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CancelOrderLine",
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
                            "cancel_order",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lines",
                                to="aftersales.cancelorder",
                                verbose_name="取消单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cancel_lines",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="取消数量")),
                        ("amount_incl_tax", apps.common.money.MoneyField(verbose_name="金额（含税）")),
                    ],
                    options={
                        "verbose_name": "取消明细",
                        "verbose_name_plural": "取消明细",
                        "ordering": ["order_line__no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "cancel_order", "order_line"), name="cancelline_line_uniq"),
                            models.CheckConstraint(condition=models.Q(("quantity__gte", 1)), name="cancelline_some"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnPolicy",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "category",
                            models.ForeignKey(
                                blank=True,
                                help_text="空着表示其他类目",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.category",
                                verbose_name="类目",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("return", "退货"), ("exchange", "换货"), ("repair", "维修")], max_length=10, verbose_name="方式"
                            ),
                        ),
                        (
                            "days",
                            models.PositiveSmallIntegerField(
                                help_text="签收后多少天内可以申请；0 表示不提供", verbose_name="一般期限（天）"
                            ),
                        ),
                        (
                            "quality_days",
                            models.PositiveSmallIntegerField(
                                help_text="质量问题在签收后多少天内可以申请；0 表示不提供", verbose_name="质量问题期限（天）"
                            ),
                        ),
                        (
                            "takes_opened",
                            models.BooleanField(
                                default=True,
                                help_text="不勾选时，已拆封的商品只有质量问题、破损、少件、发错才受理",
                                verbose_name="拆封后也可",
                            ),
                        ),
                        ("note", models.CharField(blank=True, help_text="客户申请时会看到", max_length=200, verbose_name="说明")),
                    ],
                    options={
                        "verbose_name": "售后政策",
                        "verbose_name_plural": "售后政策",
                        "ordering": ["category__level", "category", "kind"],
                        "constraints": [
                            models.UniqueConstraint(fields=("category", "kind"), name="returnpolicy_category_kind_uniq"),
                            models.UniqueConstraint(
                                condition=models.Q(("category__isnull", True)), fields=("kind",), name="returnpolicy_others_kind_uniq"
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
