import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("catalog", "0016_price_alarms"), ("catalog", "0017_hot_keywords")]

    dependencies = [
        ("catalog", "0006_prices_and_pictures"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="PriceBatchRow",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "batch",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rows",
                                to="catalog.pricebatch",
                                verbose_name="批次",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="catalog.pricelistitem",
                                verbose_name="价目",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="catalog.product", verbose_name="商品"
                            ),
                        ),
                        ("before", apps.common.money.MoneyField(verbose_name="调整前")),
                        ("after", apps.common.money.MoneyField(verbose_name="调整后")),
                        ("is_left", models.BooleanField(default=False, verbose_name="撤销时未恢复")),
                    ],
                    options={
                        "verbose_name": "调价明细",
                        "verbose_name_plural": "调价明细",
                        "ordering": ["id"],
                        "indexes": [models.Index(fields=["batch", "item"], name="pricebatchrow_batch_item_idx")],
                        "constraints": [models.UniqueConstraint(fields=("batch", "product"), name="pricebatchrow_batch_product_uniq")],
                    },
                ),
                migrations.CreateModel(
                    name="PriceMove",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="catalog.product", verbose_name="商品"
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.pricelistitem",
                                verbose_name="价目",
                            ),
                        ),
                        ("before", apps.common.money.MoneyField(verbose_name="变动前")),
                        ("after", apps.common.money.MoneyField(verbose_name="变动后")),
                        ("at", models.DateTimeField(verbose_name="变动时间")),
                    ],
                    options={
                        "verbose_name": "价格变动",
                        "verbose_name_plural": "价格变动",
                        "ordering": ["id"],
                        "indexes": [models.Index(fields=["at"], name="pricemove_at_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="PriceAlarm",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "kind",
                            models.CharField(
                                choices=[("above", "高于市场价"), ("moved", "30 天内大幅变动")],
                                db_default="above",
                                default="above",
                                max_length=5,
                                verbose_name="种类",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="alarms",
                                to="catalog.pricelistitem",
                                verbose_name="价目",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("price", apps.common.money.MoneyField(verbose_name="当前价（含税）")),
                        ("price_before", apps.common.money.MoneyField(null=True, verbose_name="变动前价（含税）")),
                        ("market_price", apps.common.money.MoneyField(verbose_name="市场价（含税）")),
                        (
                            "move",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="alarm",
                                to="catalog.pricemove",
                                verbose_name="变动",
                            ),
                        ),
                        ("found_at", models.DateTimeField(auto_now_add=True, verbose_name="发现时间")),
                        (
                            "seen_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="确认人",
                            ),
                        ),
                        ("seen_at", models.DateTimeField(null=True, verbose_name="确认时间")),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                    ],
                    options={
                        "verbose_name": "价格预警",
                        "verbose_name_plural": "价格预警",
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(condition=models.Q(("seen_at__isnull", True)), fields=["found_at"], name="pricealarm_open_idx")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("kind", "above")), fields=("item", "price", "market_price"), name="pricealarm_fact_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("item__isnull", True), ("product__isnull", True), _connector="XOR"),
                                name="pricealarm_item_or_product",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("item__isnull", False), ("kind", "above"), ("price_before__isnull", True)),
                                    models.Q(("kind", "moved"), ("price_before__isnull", False)),
                                    _connector="OR",
                                ),
                                name="pricealarm_fields_of_kind",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProductImage",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="images",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("path", models.CharField(max_length=200, verbose_name="路径")),
                        ("position", models.PositiveSmallIntegerField(default=0, verbose_name="排序")),
                    ],
                    options={
                        "verbose_name": "商品图片",
                        "verbose_name_plural": "商品图片",
                        "ordering": ["position", "id"],
                    },
                ),
                migrations.CreateModel(
                    name="SuggestTerm",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("product", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="catalog.product")),
                        ("key", models.CharField(max_length=60)),
                    ],
                    options={
                        "verbose_name": "联想词",
                        "verbose_name_plural": "联想词",
                        "indexes": [models.Index(fields=["key"], name="suggestterm_key_idx", opclasses=["varchar_pattern_ops"])],
                        "constraints": [models.UniqueConstraint(fields=("product", "key"), name="suggestterm_product_key_uniq")],
                    },
                ),
                migrations.CreateModel(
                    name="StockMovement",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="catalog.product", verbose_name="商品"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("receive", "入库"),
                                    ("adjust", "盘点"),
                                    ("reserve", "预占"),
                                    ("release", "释放"),
                                    ("ship", "出库"),
                                    ("return", "退货入库"),
                                ],
                                max_length=8,
                                verbose_name="类型",
                            ),
                        ),
                        ("quantity", models.IntegerField(verbose_name="数量")),
                        ("reference", models.CharField(blank=True, max_length=40, verbose_name="单据")),
                        ("at", models.DateTimeField(auto_now_add=True, verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "库存流水",
                        "verbose_name_plural": "库存流水",
                        "indexes": [
                            models.Index(fields=["product", "at"], name="stockmovement_product_idx"),
                            models.Index(fields=["reference"], name="stockmovement_ref_idx"),
                        ],
                    },
                ),
            ],
        ),
    ]
