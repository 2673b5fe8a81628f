import django.db.models.deletion
import django_fsm
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("cart", "0001_schema"),
        ("catalog", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Requisition",
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
                            "requisition_no",
                            models.CharField(max_length=24, unique=True, verbose_name="申请单号"),
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
                            "status",
                            django_fsm.FSMField(
                                choices=[
                                    ("open", "待采购"),
                                    ("partly", "部分采购"),
                                    ("ordered", "已采购"),
                                    ("returned", "已退回"),
                                    ("withdrawn", "已撤回"),
                                ],
                                default="open",
                                max_length=10,
                                protected=True,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "cost_center",
                            models.CharField(blank=True, max_length=60, verbose_name="成本中心"),
                        ),
                        (
                            "reason",
                            models.CharField(blank=True, max_length=300, verbose_name="申请说明"),
                        ),
                        (
                            "closed_reason",
                            models.CharField(
                                blank=True, max_length=200, verbose_name="退回或撤回原因"
                            ),
                        ),
                        ("submitted_at", models.DateTimeField(verbose_name="提交时间")),
                    ],
                    options={
                        "verbose_name": "采购申请",
                        "verbose_name_plural": "采购申请",
                        "ordering": ["-submitted_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "requester", "-submitted_at"],
                                name="requisition_requester_idx",
                            ),
                            models.Index(
                                fields=["group", "enterprise", "department", "-submitted_at"],
                                name="requisition_place_idx",
                            ),
                            models.Index(
                                condition=models.Q(("status__in", ["open", "partly"])),
                                fields=["group", "submitted_at"],
                                name="requisition_standing_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="RequisitionLine",
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
                            "requisition",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="requisitions.requisition",
                                verbose_name="采购申请",
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
                        ("product_code", models.CharField(max_length=18, verbose_name="商品编码")),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        (
                            "image",
                            models.CharField(blank=True, max_length=200, verbose_name="图片"),
                        ),
                        ("price", apps.common.money.MoneyField(verbose_name="申请时单价（含税）")),
                        ("quantity", models.PositiveIntegerField(verbose_name="申请数量")),
                        (
                            "ordered_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="已下单数量"),
                        ),
                        (
                            "gathered_by",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="采购人",
                            ),
                        ),
                        (
                            "cart_item",
                            models.ForeignKey(
                                blank=True,
                                db_constraint=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="cart.cartitem",
                                verbose_name="购物车行",
                            ),
                        ),
                        (
                            "gathered_quantity",
                            models.PositiveIntegerField(default=0, verbose_name="采购中数量"),
                        ),
                    ],
                    options={
                        "verbose_name": "采购申请行",
                        "verbose_name_plural": "采购申请行",
                        "ordering": ["requisition", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "requisition", "no"),
                                name="requisitionline_no_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("quantity__gte", 1),
                                    ("quantity__gte", models.F("ordered_quantity")),
                                ),
                                name="requisitionline_never_ordered_twice",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="RequisitionTake",
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
                            "line",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="takes",
                                to="requisitions.requisitionline",
                                verbose_name="采购申请行",
                            ),
                        ),
                        ("order_no", models.CharField(max_length=24, verbose_name="订单号")),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        (
                            "buyer",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="下单人",
                            ),
                        ),
                        ("at", models.DateTimeField(verbose_name="下单时间")),
                    ],
                    options={
                        "verbose_name": "采购申请下单",
                        "verbose_name_plural": "采购申请下单",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "line"], name="requisitiontake_line_idx"),
                            models.Index(
                                fields=["group", "order_no"], name="requisitiontake_order_idx"
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1)),
                                name="requisitiontake_of_something",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
