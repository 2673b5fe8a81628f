import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("catalog", "0013_material_codes_without_dashes"), ("catalog", "0014_product_rating"), ("catalog", "0015_price_batches")]

    dependencies = [
        ("catalog", "0005_own_names_and_rules"),
        ("org", "0001_groups"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="PictureVector",
                    fields=[
                        (
                            "product",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("path", models.CharField(max_length=200, verbose_name="图片")),
                        ("embedder", models.CharField(max_length=80, verbose_name="描述方式")),
                        ("vector", models.BinaryField(verbose_name="向量")),
                        ("at", models.DateTimeField(auto_now=True, verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "图片向量",
                        "verbose_name_plural": "图片向量",
                    },
                ),
                migrations.CreateModel(
                    name="PictureBatchRow",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "batch",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rows",
                                to="catalog.picturebatch",
                                verbose_name="批次",
                            ),
                        ),
                        ("file_name", models.CharField(max_length=120, verbose_name="文件名")),
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
                        ("position", models.PositiveSmallIntegerField(null=True, verbose_name="第几张")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待检查"),
                                    ("ready", "可写入"),
                                    ("same", "无变化"),
                                    ("unknown", "没有对应商品"),
                                    ("refused", "不能使用"),
                                    ("moved", "预览后已变动"),
                                    ("written", "已写入"),
                                ],
                                max_length=8,
                                verbose_name="结果",
                            ),
                        ),
                        ("reason", models.CharField(blank=True, max_length=200, verbose_name="原因")),
                        ("path", models.CharField(blank=True, max_length=200, verbose_name="路径")),
                        ("before", models.CharField(blank=True, max_length=200, verbose_name="原图片")),
                        ("digest", models.CharField(blank=True, max_length=64, verbose_name="内容")),
                        ("is_left", models.BooleanField(db_default=False, default=False, verbose_name="撤销时未恢复")),
                    ],
                    options={
                        "verbose_name": "图片明细",
                        "verbose_name_plural": "图片明细",
                        "ordering": ["id"],
                        "indexes": [models.Index(fields=["batch", "state"], name="picturebatchrow_state_idx")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ("waiting", "ready", "same", "written"))),
                                fields=("batch", "product", "position"),
                                name="picturebatchrow_place_uniq",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PriceListItem",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "price_list",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="items",
                                to="catalog.pricelist",
                                verbose_name="价目表",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="price_items",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "price",
                            apps.common.money.MoneyField(
                                blank=True, help_text="留空：只有品名和物料编码是客户的，价格不是", null=True, verbose_name="协议价（含税）"
                            ),
                        ),
                        (
                            "valid_to",
                            models.DateField(
                                blank=True, help_text="留空：与价目表同期；仅询价专属价目表使用", null=True, verbose_name="有效期至"
                            ),
                        ),
                        ("customer_name", models.CharField(blank=True, max_length=120, verbose_name="客户品名")),
                        ("customer_code", models.CharField(blank=True, max_length=60, verbose_name="客户物料编码")),
                    ],
                    options={
                        "verbose_name": "价目",
                        "verbose_name_plural": "价目",
                        "indexes": [
                            models.Index(fields=["product", "price_list"], name="priceitem_product_list_idx"),
                            models.Index(
                                condition=models.Q(("customer_code", ""), _negated=True),
                                fields=["price_list", "customer_code"],
                                name="priceitem_customer_code_idx",
                                opclasses=["int8_ops", "varchar_pattern_ops"],
                            ),
                            models.Index(
                                models.F("price_list"),
                                django.db.models.functions.text.Replace(
                                    django.db.models.functions.text.Replace(
                                        django.db.models.functions.text.Replace(
                                            django.db.models.functions.text.Replace(
                                                django.db.models.functions.text.Replace(
                                                    django.db.models.functions.text.Lower("customer_code"),
                                                    models.Value("-"),
                                                    models.Value(""),
                                                ),
                                                models.Value(" "),
                                                models.Value(""),
                                            ),
                                            models.Value("_"),
                                            models.Value(""),
                                        ),
                                        models.Value("."),
                                        models.Value(""),
                                    ),
                                    models.Value("/"),
                                    models.Value(""),
                                ),
                                name="priceitem_customer_key_idx",
                            ),
                            models.Index(
                                condition=models.Q(("customer_name", ""), _negated=True),
                                fields=["price_list", "customer_name"],
                                name="priceitem_customer_name_idx",
                                opclasses=["int8_ops", "varchar_pattern_ops"],
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("price_list", "product"), name="priceitem_list_product_uniq"),
                            models.CheckConstraint(condition=models.Q(("price__gte", 0)), name="priceitem_price_not_negative"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProductInquiryLine",
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
                            "inquiry",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lines",
                                to="catalog.productinquiry",
                                verbose_name="询价单",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="行号")),
                        ("name", models.CharField(max_length=120, verbose_name="意向商品")),
                        ("spec", models.CharField(blank=True, max_length=300, verbose_name="规格要求")),
                        ("quantity", models.PositiveIntegerField(verbose_name="数量")),
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        ("target_price", apps.common.money.MoneyField(blank=True, null=True, verbose_name="目标单价（含税）")),
                        (
                            "product",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="报价商品",
                            ),
                        ),
                        ("quoted_price", apps.common.money.MoneyField(blank=True, null=True, verbose_name="报价（含税）")),
                        ("price_before", apps.common.money.MoneyField(blank=True, null=True, verbose_name="报价前价格（含税）")),
                        (
                            "price_item",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="catalog.pricelistitem",
                                verbose_name="专属价",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="报价备注")),
                    ],
                    options={
                        "verbose_name": "询价明细",
                        "verbose_name_plural": "询价明细",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "inquiry", "no"), name="inquiryline_no_uniq"),
                            models.CheckConstraint(condition=models.Q(("quantity__gte", 1)), name="inquiryline_quantity_positive"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("product__isnull", True), ("quoted_price__isnull", True)),
                                    models.Q(("product__isnull", False), ("quoted_price__gte", 0), ("quoted_price__isnull", False)),
                                    _connector="OR",
                                ),
                                name="inquiryline_product_has_price",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
