import django.db.models.deletion
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
        ("orders", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="RecurringOrder",
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
                            "recurring_no",
                            models.CharField(
                                max_length=24, unique=True, verbose_name="定期采购编号"
                            ),
                        ),
                        ("name", models.CharField(max_length=40, verbose_name="名称")),
                        (
                            "requester",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="创建人",
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
                                    ("active", "进行中"),
                                    ("blocked", "待处理"),
                                    ("paused", "已暂停"),
                                    ("ended", "已结束"),
                                ],
                                default="active",
                                max_length=10,
                                protected=True,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "block_reason",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("price_rose", "价格上涨"),
                                    ("over_ceiling", "超出金额上限"),
                                    ("unavailable", "商品不可采购"),
                                    ("stock", "库存不足"),
                                    ("quantity", "起订量变化"),
                                    ("budget", "预算不可用"),
                                    ("credit", "月结额度不足"),
                                    ("limit", "超出采购限额"),
                                    ("rights", "没有下单权限"),
                                    ("choice", "下单信息需更新"),
                                    ("other", "其他"),
                                ],
                                max_length=12,
                                verbose_name="待处理原因",
                            ),
                        ),
                        (
                            "rhythm",
                            models.CharField(
                                choices=[
                                    ("working_days", "每隔若干个工作日"),
                                    ("weekly", "每周星期几"),
                                    ("monthly", "每月几号"),
                                ],
                                max_length=12,
                                verbose_name="周期",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(verbose_name="周期数")),
                        ("next_due", models.DateField(verbose_name="下次下单日期")),
                        (
                            "ends_on",
                            models.DateField(blank=True, null=True, verbose_name="结束日期"),
                        ),
                        (
                            "remind_days",
                            models.PositiveSmallIntegerField(
                                default=1, verbose_name="提前提醒（工作日）"
                            ),
                        ),
                        (
                            "reminded_due",
                            models.DateField(
                                blank=True,
                                editable=False,
                                null=True,
                                verbose_name="已提醒的下单日期",
                            ),
                        ),
                        (
                            "amount_ceiling",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="单次金额上限（含税）"
                            ),
                        ),
                        (
                            "rise_percent",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                max_digits=5,
                                null=True,
                                verbose_name="允许涨价（%）",
                            ),
                        ),
                        (
                            "address",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="org.address",
                                verbose_name="收货地址",
                            ),
                        ),
                        (
                            "invoice_title",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="org.invoicetitle",
                                verbose_name="开票抬头",
                            ),
                        ),
                        (
                            "budget",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="budgets.budget",
                                verbose_name="预算",
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
                            "cost_center",
                            models.CharField(blank=True, max_length=60, verbose_name="成本中心"),
                        ),
                        (
                            "purchase_order_no",
                            models.CharField(blank=True, max_length=60, verbose_name="采购单号"),
                        ),
                        (
                            "remark",
                            models.CharField(blank=True, max_length=260, verbose_name="备注"),
                        ),
                    ],
                    options={
                        "verbose_name": "定期采购",
                        "verbose_name_plural": "定期采购",
                        "ordering": ["next_due", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "requester"], name="recurringorder_requester_idx"
                            ),
                            models.Index(
                                fields=["group", "enterprise", "department"],
                                name="recurringorder_place_idx",
                            ),
                            models.Index(
                                condition=models.Q(("status", "active")),
                                fields=["next_due"],
                                name="recurringorder_due_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)),
                                name="recurringorder_number_counts",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RecurringLine",
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
                            "recurring_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="recurring.recurringorder",
                                verbose_name="定期采购",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="行号")),
                        (
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        (
                            "agreed_price",
                            apps.common.money.MoneyField(verbose_name="确认单价（含税）"),
                        ),
                    ],
                    options={
                        "verbose_name": "定期采购商品",
                        "verbose_name_plural": "定期采购商品",
                        "ordering": ["recurring_order", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "recurring_order", "product"),
                                name="recurringline_product_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1)), name="recurringline_some"
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="RecurringRun",
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
                            "recurring_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="runs",
                                to="recurring.recurringorder",
                                verbose_name="定期采购",
                            ),
                        ),
                        ("due_on", models.DateField(verbose_name="下单日期")),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("ordered", "已下单"),
                                    ("blocked", "未下单，待处理"),
                                    ("skipped", "已跳过"),
                                ],
                                max_length=8,
                                verbose_name="结果",
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("price_rose", "价格上涨"),
                                    ("over_ceiling", "超出金额上限"),
                                    ("unavailable", "商品不可采购"),
                                    ("stock", "库存不足"),
                                    ("quantity", "起订量变化"),
                                    ("budget", "预算不可用"),
                                    ("credit", "月结额度不足"),
                                    ("limit", "超出采购限额"),
                                    ("rights", "没有下单权限"),
                                    ("choice", "下单信息需更新"),
                                    ("other", "其他"),
                                ],
                                max_length=12,
                                verbose_name="原因",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=500, verbose_name="说明")),
                        (
                            "order",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "定期采购执行",
                        "verbose_name_plural": "定期采购执行",
                        "ordering": ["-due_on", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "recurring_order", "due_on"),
                                name="recurringrun_due_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("order__isnull", False), ("outcome", "ordered")),
                                    models.Q(
                                        models.Q(("outcome", "ordered"), _negated=True),
                                        ("order__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="recurringrun_ordered_has_order",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
