from decimal import Decimal

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("orders", "0018_order_search"),
        ("orders", "0019_names_of_the_past"),
        ("orders", "0020_staff_desk"),
        ("orders", "0021_settle_right"),
        ("orders", "0022_part_of_an_order_number"),
    ]

    dependencies = [
        ("catalog", "0004_products"),
        ("orders", "0004_reviews_of_lines"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="RankPublication",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("month", models.DateField(unique=True, verbose_name="发布月份")),
                        ("published_at", models.DateTimeField(auto_now_add=True, verbose_name="发布时间")),
                    ],
                    options={
                        "verbose_name": "行业榜单",
                        "verbose_name_plural": "行业榜单",
                        "ordering": ["-month"],
                    },
                ),
                migrations.CreateModel(
                    name="RankEntry",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "publication",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="orders.rankpublication",
                                verbose_name="榜单",
                            ),
                        ),
                        (
                            "period",
                            models.CharField(
                                choices=[("month", "月榜"), ("quarter", "季榜"), ("year", "年榜")], max_length=8, verbose_name="期间"
                            ),
                        ),
                        (
                            "measure",
                            models.CharField(
                                choices=[("times", "按下单次数"), ("amount", "按采购金额")], max_length=6, verbose_name="口径"
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="catalog.product", verbose_name="商品"
                            ),
                        ),
                        ("place", models.PositiveIntegerField(null=True, verbose_name="名次")),
                        ("place_before", models.PositiveIntegerField(null=True, verbose_name="上期名次")),
                    ],
                    options={
                        "verbose_name": "行业榜单商品",
                        "verbose_name_plural": "行业榜单商品",
                        "indexes": [models.Index(fields=["publication", "period", "measure", "place"], name="rankentry_place_idx")],
                        "constraints": [
                            models.UniqueConstraint(fields=("publication", "period", "measure", "product"), name="rankentry_product_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(("place__isnull", False), ("place_before__isnull", False), _connector="OR"),
                                name="rankentry_has_a_place",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OrderedName",
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
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("product_code", models.CharField(max_length=18, verbose_name="商品编码")),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        ("customer_name", models.CharField(blank=True, max_length=120, verbose_name="客户品名")),
                        ("customer_code", models.CharField(blank=True, max_length=60, verbose_name="客户物料编码")),
                    ],
                    options={
                        "verbose_name": "订购过的名称",
                        "verbose_name_plural": "订购过的名称",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "product", "name", "customer_name", "customer_code"), name="orderedname_uniq"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WorkbenchShortcuts",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("codes", models.JSONField(default=list, verbose_name="快捷入口")),
                    ],
                    options={
                        "verbose_name": "工作台快捷入口",
                        "verbose_name_plural": "工作台快捷入口",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.UniqueConstraint(fields=("group", "account"), name="workbenchshortcuts_account_uniq")],
                    },
                ),
                migrations.CreateModel(
                    name="FreightRegion",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("province", models.CharField(blank=True, max_length=30, verbose_name="省")),
                        ("amount_from", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="满额")),
                        ("fee", apps.common.money.MoneyField(default=Decimal("0.00"), verbose_name="运费（含税）")),
                        ("extra_days", models.PositiveSmallIntegerField(default=0, verbose_name="加时天数")),
                    ],
                    options={
                        "verbose_name": "运费规则",
                        "verbose_name_plural": "运费规则",
                        "ordering": ["province", "amount_from"],
                        "constraints": [
                            models.UniqueConstraint(fields=("province", "amount_from"), name="freightregion_province_amount_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(("amount_from__gte", 0), ("fee__gte", 0)), name="freightregion_not_negative"
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
