import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="CartItem",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="cart_items",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        ("is_selected", models.BooleanField(default=True, verbose_name="选中")),
                        (
                            "added_price",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="加入时单价（含税）"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "购物车商品",
                        "verbose_name_plural": "购物车商品",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "account", "product"),
                                name="cartitem_account_product_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("quantity__gte", 1)),
                                name="cartitem_quantity_positive",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="QuickList",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("name", models.CharField(max_length=40, verbose_name="名称")),
                        (
                            "is_shared",
                            models.BooleanField(default=False, verbose_name="共享给部门"),
                        ),
                        ("lines", models.JSONField(default=list, verbose_name="商品")),
                        (
                            "line_count",
                            models.PositiveIntegerField(default=0, verbose_name="商品数"),
                        ),
                    ],
                    options={
                        "verbose_name": "快速下单清单",
                        "verbose_name_plural": "快速下单清单",
                        "ordering": ["-updated_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "is_shared", "account"],
                                name="quicklist_shared_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "account", "name"),
                                name="quicklist_account_name_uniq",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
