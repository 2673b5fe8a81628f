import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("budgets", "0001_schema"),
        ("catalog", "0001_schema"),
        ("common", "0001_schema"),
        ("orders", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ReportFact",
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
                            "basis",
                            models.CharField(
                                choices=[
                                    ("ordered", "下单口径"),
                                    ("received", "签收口径"),
                                    ("invoiced", "开票口径"),
                                ],
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
                            "purchase_order_no",
                            models.CharField(blank=True, max_length=60, verbose_name="采购单号"),
                        ),
                        (
                            "cost_center",
                            models.CharField(blank=True, max_length=60, verbose_name="成本中心"),
                        ),
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
                        (
                            "category_id_l1",
                            models.BigIntegerField(default=0, verbose_name="一级类目"),
                        ),
                        (
                            "category_id_l2",
                            models.BigIntegerField(default=0, verbose_name="二级类目"),
                        ),
                        (
                            "category_id_l3",
                            models.BigIntegerField(default=0, verbose_name="三级类目"),
                        ),
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
                                include=(
                                    "product",
                                    "category_id_l1",
                                    "amount",
                                    "tax_amount",
                                    "quantity",
                                ),
                                name="reportfact_day_goods_idx",
                            ),
                            models.Index(
                                fields=["group", "product", "basis", "-day"],
                                name="reportfact_product_idx",
                            ),
                            models.Index(
                                fields=["group", "department", "basis", "-day"],
                                name="reportfact_department_idx",
                            ),
                            models.Index(
                                fields=["group", "requester", "basis", "-day"],
                                name="reportfact_requester_idx",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "kind", "source_id"), name="reportfact_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReportOrderDay",
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
                            "basis",
                            models.CharField(
                                choices=[
                                    ("ordered", "下单口径"),
                                    ("received", "签收口径"),
                                    ("invoiced", "开票口径"),
                                ],
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
                            "purchase_order_no",
                            models.CharField(blank=True, max_length=60, verbose_name="采购单号"),
                        ),
                        (
                            "cost_center",
                            models.CharField(blank=True, max_length=60, verbose_name="成本中心"),
                        ),
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
                            models.Index(
                                fields=["group", "basis", "-day"], name="reportorderday_day_idx"
                            ),
                            models.Index(
                                fields=["group", "department", "basis", "-day"],
                                name="reportorderday_department_idx",
                            ),
                            models.Index(
                                fields=["group", "requester", "basis", "-day"],
                                name="reportorderday_requester_idx",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "order", "basis", "day"),
                                name="reportorderday_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ExportJob",
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
                        ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "owner",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="导出人",
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
                                    ("Brand", "品牌报表"),
                                    ("Savings", "节约与合规报表"),
                                    ("Budget", "预算执行报表"),
                                    ("Invoices", "发票文件"),
                                ],
                                max_length=16,
                                verbose_name="报表",
                            ),
                        ),
                        ("question", models.JSONField(default=dict, verbose_name="筛选条件")),
                        ("sort", models.CharField(blank=True, max_length=12, verbose_name="排序")),
                        ("title", models.CharField(max_length=120, verbose_name="名称")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("queued", "排队中"),
                                    ("running", "生成中"),
                                    ("done", "已完成"),
                                    ("failed", "失败"),
                                    ("cancelled", "已取消"),
                                    ("expired", "已过期"),
                                ],
                                default="queued",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "rows_done",
                            models.PositiveIntegerField(default=0, verbose_name="已写行数"),
                        ),
                        (
                            "rows_total",
                            models.PositiveIntegerField(default=0, verbose_name="总行数"),
                        ),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="次数"),
                        ),
                        (
                            "holder",
                            models.CharField(blank=True, max_length=32, verbose_name="执行者"),
                        ),
                        (
                            "lease_until",
                            models.DateTimeField(blank=True, null=True, verbose_name="租约至"),
                        ),
                        (
                            "error",
                            models.CharField(blank=True, max_length=200, verbose_name="失败原因"),
                        ),
                        (
                            "seen_as",
                            models.CharField(blank=True, max_length=60, verbose_name="数据范围"),
                        ),
                        (
                            "file",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="common.storedfile",
                                verbose_name="文件",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="提交时间"),
                        ),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始时间"),
                        ),
                        (
                            "ended_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                        (
                            "expires_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="文件保留至"),
                        ),
                    ],
                    options={
                        "verbose_name": "导出任务",
                        "verbose_name_plural": "导出任务",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "owner", "-id"], name="exportjob_owner_idx"
                            ),
                            models.Index(
                                condition=models.Q(("state", "done")),
                                fields=["expires_at"],
                                name="exportjob_expiry_idx",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("state__in", ("queued", "running")), _negated=True
                                ),
                                fields=["created_at"],
                                name="exportjob_age_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="SavedView",
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
                                    ("Brand", "品牌报表"),
                                    ("Savings", "节约与合规报表"),
                                    ("Budget", "预算执行报表"),
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
                            models.Index(
                                condition=models.Q(("shared", True)),
                                fields=["group", "report"],
                                name="savedview_shared_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "owner", "report", "name"),
                                name="savedview_name_uniq",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReportSubscription",
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
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="创建人",
                            ),
                        ),
                        (
                            "view",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="subscriptions",
                                to="reports.savedview",
                                verbose_name="视图",
                            ),
                        ),
                        (
                            "frequency",
                            models.CharField(
                                choices=[
                                    ("daily", "每天"),
                                    ("weekly", "每周"),
                                    ("monthly", "每月"),
                                ],
                                max_length=8,
                                verbose_name="频率",
                            ),
                        ),
                        (
                            "weekday",
                            models.PositiveSmallIntegerField(default=1, verbose_name="星期"),
                        ),
                        (
                            "month_day",
                            models.PositiveSmallIntegerField(default=1, verbose_name="日"),
                        ),
                        ("at_time", models.TimeField(verbose_name="时间")),
                        (
                            "shift",
                            models.CharField(
                                choices=[
                                    ("none", "照常发送"),
                                    ("next", "顺延至下一个工作日"),
                                    ("skip", "当次不发送"),
                                ],
                                default="none",
                                max_length=4,
                                verbose_name="遇节假日",
                            ),
                        ),
                        ("has_xlsx", models.BooleanField(default=True, verbose_name="附 Excel")),
                        ("has_pdf", models.BooleanField(default=True, verbose_name="附 PDF")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "paused_reason",
                            models.CharField(blank=True, max_length=200, verbose_name="暂停原因"),
                        ),
                        (
                            "next_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="下次发送"),
                        ),
                    ],
                    options={
                        "verbose_name": "报表订阅",
                        "verbose_name_plural": "报表订阅",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "owner", "-id"], name="reportsubscription_own_idx"
                            ),
                            models.Index(
                                condition=models.Q(("is_active", True), ("next_at__isnull", False)),
                                fields=["next_at"],
                                name="reportsubscription_due_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReportRecipient",
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
                            "subscription",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="recipients",
                                to="reports.reportsubscription",
                                verbose_name="订阅",
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="同事",
                            ),
                        ),
                        (
                            "address",
                            models.EmailField(blank=True, max_length=254, verbose_name="邮箱"),
                        ),
                        ("is_listed", models.BooleanField(default=True, verbose_name="在名单中")),
                        (
                            "unsubscribed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="退订时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "订阅收件人",
                        "verbose_name_plural": "订阅收件人",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("account__isnull", False)),
                                fields=("subscription", "account"),
                                name="reportrecipient_account",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("address", ""), _negated=True),
                                fields=("subscription", "address"),
                                name="reportrecipient_address",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("account__isnull", False),
                                    models.Q(("address", ""), _negated=True),
                                    _connector="XOR",
                                ),
                                name="reportrecipient_one",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReportSend",
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
                            "subscription",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sends",
                                to="reports.reportsubscription",
                                verbose_name="订阅",
                            ),
                        ),
                        ("due_at", models.DateTimeField(verbose_name="应发时间")),
                        ("is_asked", models.BooleanField(default=False, verbose_name="立即发送")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("sending", "发送中"),
                                    ("sent", "已发送"),
                                    ("partly", "部分失败"),
                                    ("failed", "发送失败"),
                                    ("skipped", "未发送"),
                                ],
                                default="sending",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="开始时间"),
                        ),
                        (
                            "ended_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "报表发送记录",
                        "verbose_name_plural": "报表发送记录",
                        "ordering": ["-due_at"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["created_at"], name="reportsend_age_idx")],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("subscription", "due_at"), name="reportsend_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReportLetter",
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
                            "send",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="letters",
                                to="reports.reportsend",
                                verbose_name="发送记录",
                            ),
                        ),
                        (
                            "recipient",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="reports.reportrecipient",
                                verbose_name="收件人",
                            ),
                        ),
                        ("to", models.CharField(max_length=300, verbose_name="收件人")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待发送"),
                                    ("sending", "发送中"),
                                    ("sent", "已发送"),
                                    ("failed", "发送失败"),
                                    ("skipped", "未发送"),
                                ],
                                default="waiting",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="次数"),
                        ),
                        (
                            "claimed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始发送"),
                        ),
                        (
                            "sent_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="发送时间"),
                        ),
                        (
                            "rows",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="行数"),
                        ),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                    ],
                    options={
                        "verbose_name": "订阅邮件",
                        "verbose_name_plural": "订阅邮件",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("send", "recipient"), name="reportletter_once"
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
