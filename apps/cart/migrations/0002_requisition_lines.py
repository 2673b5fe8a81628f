import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("cart", "0002_added_price"), ("cart", "0003_quick_list")]

    dependencies = [
        ("cart", "0001_cart_and_lists"),
        ("catalog", "0004_products"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="RequisitionLine",
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
                            "requisition",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="cart.requisition",
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
                        ("image", models.CharField(blank=True, max_length=200, verbose_name="图片")),
                        ("price", apps.common.money.MoneyField(verbose_name="申请时单价（含税）")),
                        ("quantity", models.PositiveIntegerField(verbose_name="申请数量")),
                        ("ordered_quantity", models.PositiveIntegerField(default=0, verbose_name="已下单数量")),
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
                        ("gathered_quantity", models.PositiveIntegerField(default=0, verbose_name="采购中数量")),
                    ],
                    options={
                        "verbose_name": "采购申请行",
                        "verbose_name_plural": "采购申请行",
                        "ordering": ["requisition", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "requisition", "no"), name="requisitionline_no_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1), ("quantity__gte", models.F("ordered_quantity"))),
                                name="requisitionline_never_ordered_twice",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RequisitionTake",
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
                            "line",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="takes",
                                to="cart.requisitionline",
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
                            models.Index(fields=["group", "order_no"], name="requisitiontake_order_idx"),
                        ],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("quantity__gte", 1)), name="requisitiontake_of_something")
                        ],
                    },
                ),
            ],
        ),
    ]
