from decimal import Decimal

import django.db.models.deletion
import django_fsm
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
        ("common", "0001_schema"),
        ("orders", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="CancelOrder",
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
                            "cancel_no",
                            models.CharField(max_length=24, unique=True, verbose_name="取消单号"),
                        ),
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
                                choices=[
                                    ("pending", "待处理"),
                                    ("done", "已取消"),
                                    ("refused", "已拒绝"),
                                    ("withdrawn", "已撤销"),
                                ],
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
                        (
                            "reason",
                            models.CharField(blank=True, max_length=200, verbose_name="补充说明"),
                        ),
                        ("is_whole", models.BooleanField(default=False, verbose_name="整单取消")),
                        (
                            "goods_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="取消商品金额（含税）"
                            ),
                        ),
                        (
                            "freight_before",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="原运费（含税）"
                            ),
                        ),
                        (
                            "freight_after",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="取消后运费（含税）"
                            ),
                        ),
                        (
                            "total_before",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="原应付金额（含税）"
                            ),
                        ),
                        (
                            "total_after",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="取消后应付金额（含税）"
                            ),
                        ),
                        (
                            "refund_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="退款金额"
                            ),
                        ),
                        ("submitted_at", models.DateTimeField(verbose_name="申请时间")),
                        (
                            "decide_by",
                            models.DateTimeField(blank=True, null=True, verbose_name="处理时限"),
                        ),
                        (
                            "reminded_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="提醒时间"),
                        ),
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="处理时间"),
                        ),
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
                        (
                            "decision_note",
                            models.CharField(blank=True, max_length=200, verbose_name="处理说明"),
                        ),
                    ],
                    options={
                        "verbose_name": "取消订单",
                        "verbose_name_plural": "取消订单",
                        "ordering": ["-submitted_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="cancel_order_idx"),
                            models.Index(
                                fields=["group", "status", "-submitted_at"],
                                name="cancel_status_idx",
                            ),
                            models.Index(
                                fields=["group", "-submitted_at", "-id"], name="cancel_newest_idx"
                            ),
                            models.Index(fields=["status", "decide_by"], name="cancel_staff_idx"),
                            models.Index(
                                fields=["decide_by", "-submitted_at", "-id"],
                                name="cancel_office_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "pending"), _negated=True),
                                    ("decide_by__isnull", False),
                                    _connector="OR",
                                ),
                                name="cancel_waits_with_an_end",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("total_after__lte", models.F("total_before"))),
                                name="cancel_never_dearer",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("status", "pending")),
                                fields=("group", "order"),
                                name="cancel_one_waits",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CancelOrderLine",
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
                        (
                            "amount_incl_tax",
                            apps.common.money.MoneyField(verbose_name="金额（含税）"),
                        ),
                    ],
                    options={
                        "verbose_name": "取消明细",
                        "verbose_name_plural": "取消明细",
                        "ordering": ["order_line__no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "cancel_order", "order_line"),
                                name="cancelline_line_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1)), name="cancelline_some"
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnOrder",
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
                            "return_no",
                            models.CharField(max_length=24, unique=True, verbose_name="售后单号"),
                        ),
                        (
                            "order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="returns",
                                to="orders.order",
                                verbose_name="订单",
                            ),
                        ),
                        (
                            "requester",
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
                                verbose_name="部门",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("return", "退货"),
                                    ("exchange", "换货"),
                                    ("repair", "维修"),
                                ],
                                max_length=10,
                                verbose_name="方式",
                            ),
                        ),
                        (
                            "status",
                            django_fsm.FSMField(
                                choices=[
                                    ("pending_review", "待审核"),
                                    ("rejected", "审核驳回"),
                                    ("pending_send", "待寄回"),
                                    ("pending_receipt", "待收货"),
                                    ("inspecting", "检测中"),
                                    ("processing", "处理中"),
                                    ("pending_confirm", "待确认"),
                                    ("completed", "已完成"),
                                    ("withdrawn", "已撤销"),
                                ],
                                default="pending_review",
                                max_length=16,
                                protected=True,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                choices=[
                                    ("quality", "质量问题"),
                                    ("damaged", "收到时破损"),
                                    ("short", "少件"),
                                    ("wrong", "发错货"),
                                    ("unsuitable", "不合用或多买了"),
                                ],
                                max_length=12,
                                verbose_name="原因",
                            ),
                        ),
                        (
                            "detail",
                            models.CharField(blank=True, max_length=500, verbose_name="问题描述"),
                        ),
                        (
                            "way",
                            models.CharField(
                                choices=[
                                    ("pickup", "上门取件"),
                                    ("send", "客户寄回"),
                                    ("none", "无需寄回"),
                                ],
                                max_length=8,
                                verbose_name="退回方式",
                            ),
                        ),
                        (
                            "video_url",
                            models.URLField(blank=True, max_length=300, verbose_name="视频链接"),
                        ),
                        (
                            "contact",
                            models.JSONField(default=dict, verbose_name="联系人与取件地址"),
                        ),
                        (
                            "send_to",
                            models.CharField(blank=True, max_length=200, verbose_name="寄回地址"),
                        ),
                        (
                            "close_reason",
                            models.CharField(
                                blank=True, max_length=200, verbose_name="驳回或撤销原因"
                            ),
                        ),
                        (
                            "refund_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="退款金额（含税）"
                            ),
                        ),
                        (
                            "paid_back",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="其中退回已付款"
                            ),
                        ),
                        ("waits_red", models.BooleanField(default=False, verbose_name="等待红冲")),
                        (
                            "refunder",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="退款经办人",
                            ),
                        ),
                        ("submitted_at", models.DateTimeField(verbose_name="申请时间")),
                        (
                            "approved_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="审核时间"),
                        ),
                        (
                            "received_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="收货时间"),
                        ),
                        (
                            "inspected_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="检测时间"),
                        ),
                        (
                            "refunded_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="退款时间"),
                        ),
                        (
                            "completed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="完成时间"),
                        ),
                        ("waiting_since", models.DateTimeField(verbose_name="进入当前状态时间")),
                        (
                            "due_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="本步骤期限"),
                        ),
                        (
                            "reminded_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="提醒时间"),
                        ),
                        (
                            "customer_unread",
                            models.PositiveSmallIntegerField(default=0, verbose_name="客户未读"),
                        ),
                        (
                            "staff_unread",
                            models.PositiveSmallIntegerField(default=0, verbose_name="客服未读"),
                        ),
                    ],
                    options={
                        "verbose_name": "退换货",
                        "verbose_name_plural": "退换货",
                        "ordering": ["-submitted_at", "-id"],
                        "permissions": [("refund_returnorder", "退款")],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "order"], name="returnorder_order_idx"),
                            models.Index(
                                fields=["group", "requester", "-submitted_at"],
                                name="returnorder_requester_idx",
                            ),
                            models.Index(
                                fields=["group", "enterprise", "department", "-submitted_at"],
                                name="returnorder_place_idx",
                            ),
                            models.Index(
                                fields=["group", "status", "-submitted_at"],
                                name="returnorder_status_idx",
                            ),
                            models.Index(fields=["status", "due_at"], name="returnorder_due_idx"),
                            models.Index(
                                fields=["group", "enterprise", "refunded_at"],
                                name="returnorder_refunded_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("refund_amount__gte", 0)),
                                name="returnorder_refund_not_negative",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnLine",
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
                            "return_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="aftersales.returnorder",
                                verbose_name="售后单",
                            ),
                        ),
                        (
                            "order_line",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="return_lines",
                                to="orders.orderline",
                                verbose_name="订单行",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="行号")),
                        ("quantity", models.PositiveIntegerField(verbose_name="申请数量")),
                        ("is_opened", models.BooleanField(default=False, verbose_name="已拆封")),
                        (
                            "accepted_quantity",
                            models.PositiveIntegerField(
                                blank=True, null=True, verbose_name="通过数量"
                            ),
                        ),
                        (
                            "finding",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("as_told", "与申请相符"),
                                    ("no_fault", "检测无故障"),
                                    ("used", "已使用或人为损坏"),
                                    ("incomplete", "配件或包装不全"),
                                    ("other_goods", "不是本单商品"),
                                ],
                                max_length=12,
                                verbose_name="检测结果",
                            ),
                        ),
                        (
                            "finding_note",
                            models.CharField(blank=True, max_length=200, verbose_name="检测说明"),
                        ),
                        ("to_shelf", models.BooleanField(default=False, verbose_name="可再次销售")),
                        (
                            "amount_incl_tax",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="退款金额（含税）"
                            ),
                        ),
                        (
                            "tax_amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="其中税额"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "售后明细",
                        "verbose_name_plural": "售后明细",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "return_order", "no"), name="returnline_no_uniq"
                            ),
                            models.UniqueConstraint(
                                fields=("group", "return_order", "order_line"),
                                name="returnline_line_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("quantity__gte", 1),
                                    models.Q(
                                        ("accepted_quantity__isnull", True),
                                        ("accepted_quantity__lte", models.F("quantity")),
                                        _connector="OR",
                                    ),
                                ),
                                name="returnline_accepted_within",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnMessage",
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
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="留言人",
                            ),
                        ),
                        (
                            "acting_for",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="代客户",
                            ),
                        ),
                        ("is_ours", models.BooleanField(default=False, verbose_name="客服留言")),
                        ("text", models.CharField(max_length=500, verbose_name="内容")),
                        ("sent_at", models.DateTimeField(verbose_name="时间")),
                        (
                            "return_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="aftersales.returnorder",
                                verbose_name="售后单",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "售后留言",
                        "verbose_name_plural": "售后留言",
                        "ordering": ["sent_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "return_order", "sent_at"],
                                name="returnmessage_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnPicture",
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
                            "return_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="aftersales.returnorder",
                                verbose_name="售后单",
                            ),
                        ),
                        (
                            "message",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="aftersales.returnmessage",
                                verbose_name="留言",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="序号")),
                        (
                            "file",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="common.storedfile",
                                verbose_name="图片",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "售后凭证",
                        "verbose_name_plural": "售后凭证",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "return_order", "no"), name="returnpicture_no_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnParcel",
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
                            "return_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parcels",
                                to="aftersales.returnorder",
                                verbose_name="售后单",
                            ),
                        ),
                        (
                            "direction",
                            models.CharField(
                                choices=[
                                    ("back", "客户寄回"),
                                    ("out", "寄出换新或修好的商品"),
                                    ("refused", "退还未通过检测的商品"),
                                ],
                                max_length=8,
                                verbose_name="方向",
                            ),
                        ),
                        ("carrier", models.CharField(max_length=40, verbose_name="承运商")),
                        ("tracking_no", models.CharField(max_length=60, verbose_name="运单号")),
                        (
                            "sent_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="登记人",
                            ),
                        ),
                        ("sent_at", models.DateTimeField(verbose_name="寄出时间")),
                    ],
                    options={
                        "verbose_name": "售后包裹",
                        "verbose_name_plural": "售后包裹",
                        "ordering": ["sent_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "return_order", "direction"),
                                name="returnparcel_direction_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnPolicy",
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
                                choices=[
                                    ("return", "退货"),
                                    ("exchange", "换货"),
                                    ("repair", "维修"),
                                ],
                                max_length=10,
                                verbose_name="方式",
                            ),
                        ),
                        (
                            "days",
                            models.PositiveSmallIntegerField(
                                help_text="签收后多少天内可以申请；0 表示不提供",
                                verbose_name="一般期限（天）",
                            ),
                        ),
                        (
                            "quality_days",
                            models.PositiveSmallIntegerField(
                                help_text="质量问题在签收后多少天内可以申请；0 表示不提供",
                                verbose_name="质量问题期限（天）",
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
                        (
                            "note",
                            models.CharField(
                                blank=True,
                                help_text="客户申请时会看到",
                                max_length=200,
                                verbose_name="说明",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "售后政策",
                        "verbose_name_plural": "售后政策",
                        "ordering": ["category__level", "category", "kind"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("category", "kind"), name="returnpolicy_category_kind_uniq"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("category__isnull", True)),
                                fields=("kind",),
                                name="returnpolicy_others_kind_uniq",
                                violation_error_message="其他类目已有这种售后的规则",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
