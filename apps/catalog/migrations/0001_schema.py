"""The catalogue, with the full-text index over `Product.search_tokens`, which Django's models cannot
express.
"""

from decimal import Decimal
from typing import Any

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

import apps.catalog.barcodes
import apps.common.money
from apps.catalog.indexing.full_text import full_text_create, full_text_drop
from apps.common.migration_operations import CreateModels


def forwards(_apps: Any, schema_editor: Any) -> None:
    full_text_create(schema_editor.connection)


def backwards(_apps: Any, schema_editor: Any) -> None:
    full_text_drop(schema_editor.connection)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="CatalogChange",
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
                            "kind",
                            models.CharField(
                                choices=[
                                    ("product", "商品"),
                                    ("category", "类目"),
                                    ("price", "价格"),
                                    ("assortment", "商品范围"),
                                    ("agreement", "协议"),
                                    ("search", "搜索词"),
                                    ("restored", "已恢复原值"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("key", models.CharField(max_length=60)),
                        ("at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "verbose_name": "目录变更",
                        "verbose_name_plural": "目录变更",
                        "indexes": [models.Index(fields=["at"], name="catalogchange_at_idx")],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="MenuGroup",
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
                        ("code", models.CharField(max_length=20, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=30, verbose_name="名称")),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                    ],
                    options={
                        "verbose_name": "菜单分组",
                        "verbose_name_plural": "菜单分组",
                        "ordering": ["position", "id"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Category",
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
                        ("code", models.CharField(max_length=20, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=40, verbose_name="名称")),
                        (
                            "parent",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="children",
                                to="catalog.category",
                                verbose_name="上级类目",
                            ),
                        ),
                        ("level", models.PositiveSmallIntegerField(verbose_name="级别")),
                        (
                            "menu_group",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="categories",
                                to="catalog.menugroup",
                                verbose_name="菜单分组",
                            ),
                        ),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                    ],
                    options={
                        "verbose_name": "类目",
                        "verbose_name_plural": "类目",
                        "ordering": ["level", "position", "id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("level__gte", 1), ("level__lte", 3)),
                                name="category_level_1_to_3",
                                violation_error_message="类目只有一级、二级和三级",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("level", 1),
                                        ("menu_group__isnull", False),
                                        ("parent__isnull", True),
                                    ),
                                    models.Q(("level__gt", 1), ("parent__isnull", False)),
                                    _connector="OR",
                                ),
                                name="category_root_has_group",
                                violation_error_message="一级类目须选择菜单分组，二级和三级类目须选择上级类目",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ProductFamily",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                        (
                            "category",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.category",
                                verbose_name="三级类目",
                            ),
                        ),
                        ("axes", models.JSONField(default=list, verbose_name="可选项")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "商品族",
                        "verbose_name_plural": "商品族",
                        "ordering": ["code"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("code", ""), _negated=True),
                                    models.Q(("name", ""), _negated=True),
                                ),
                                name="productfamily_code_and_name",
                                violation_error_message="编码和名称须填写",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Brand",
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
                        ("code", models.CharField(max_length=20, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=40, unique=True, verbose_name="名称")),
                        (
                            "english_name",
                            models.CharField(blank=True, max_length=60, verbose_name="英文名"),
                        ),
                        (
                            "description",
                            models.CharField(blank=True, max_length=300, verbose_name="简介"),
                        ),
                    ],
                    options={
                        "verbose_name": "品牌",
                        "verbose_name_plural": "品牌",
                        "ordering": ["name"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Product",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "code",
                            models.CharField(
                                max_length=18,
                                unique=True,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^\\d{1,18}$", "商品编码只能由数字组成"
                                    )
                                ],
                                verbose_name="商品编码",
                            ),
                        ),
                        (
                            "model_code",
                            models.CharField(blank=True, max_length=60, verbose_name="型号"),
                        ),
                        (
                            "model_key",
                            models.CharField(
                                blank=True, editable=False, max_length=60, verbose_name="型号检索键"
                            ),
                        ),
                        (
                            "barcode",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=14,
                                validators=[apps.catalog.barcodes.validate_barcode],
                                verbose_name="条码",
                            ),
                        ),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        (
                            "name_key",
                            models.CharField(
                                blank=True,
                                editable=False,
                                max_length=120,
                                verbose_name="名称检索键",
                            ),
                        ),
                        (
                            "brand",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="products",
                                to="catalog.brand",
                                verbose_name="品牌",
                            ),
                        ),
                        (
                            "category",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="products",
                                to="catalog.category",
                                verbose_name="三级类目",
                            ),
                        ),
                        (
                            "l1",
                            models.ForeignKey(
                                db_index=False,
                                editable=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.category",
                            ),
                        ),
                        (
                            "l2",
                            models.ForeignKey(
                                db_index=False,
                                editable=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.category",
                            ),
                        ),
                        (
                            "l3",
                            models.ForeignKey(
                                db_index=False,
                                editable=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.category",
                            ),
                        ),
                        (
                            "family",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="catalog.productfamily",
                                verbose_name="商品族",
                            ),
                        ),
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        (
                            "pack",
                            models.CharField(blank=True, max_length=60, verbose_name="包装规格"),
                        ),
                        (
                            "base_unit",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=10,
                                verbose_name="基本单位",
                            ),
                        ),
                        (
                            "contents",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        1, "请填写 1 到 1000000 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        1000000, "请填写 1 到 1000000 之间的整数"
                                    ),
                                ],
                                verbose_name="内含数量",
                            ),
                        ),
                        (
                            "min_quantity",
                            models.PositiveIntegerField(
                                default=1,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        1, "请填写 1 到 1000000 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        1000000, "请填写 1 到 1000000 之间的整数"
                                    ),
                                ],
                                verbose_name="起订量",
                            ),
                        ),
                        (
                            "step_quantity",
                            models.PositiveIntegerField(
                                default=1,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        1, "请填写 1 到 1000000 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        1000000, "请填写 1 到 1000000 之间的整数"
                                    ),
                                ],
                                verbose_name="增量",
                            ),
                        ),
                        (
                            "market_price",
                            apps.common.money.MoneyField(
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        Decimal("99999999.99"), "金额不能超过 99999999.99"
                                    ),
                                ],
                                verbose_name="市场价（含税）",
                            ),
                        ),
                        (
                            "tax_rate",
                            models.DecimalField(
                                decimal_places=2, max_digits=4, verbose_name="税率"
                            ),
                        ),
                        ("tax_code", models.CharField(max_length=19, verbose_name="税收分类编码")),
                        (
                            "attributes",
                            models.JSONField(blank=True, default=dict, verbose_name="属性"),
                        ),
                        (
                            "keywords",
                            models.CharField(blank=True, max_length=200, verbose_name="关键词"),
                        ),
                        (
                            "selling_points",
                            models.CharField(blank=True, max_length=200, verbose_name="卖点"),
                        ),
                        ("description", models.TextField(blank=True, verbose_name="详情")),
                        (
                            "image",
                            models.CharField(blank=True, max_length=200, verbose_name="图片"),
                        ),
                        (
                            "stock",
                            models.PositiveIntegerField(
                                default=0,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        0, "请填写 0 到 2000000000 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        2000000000, "请填写 0 到 2000000000 之间的整数"
                                    ),
                                ],
                                verbose_name="库存",
                            ),
                        ),
                        (
                            "reserved",
                            models.PositiveIntegerField(
                                default=0, editable=False, verbose_name="已预占"
                            ),
                        ),
                        (
                            "lead_days",
                            models.PositiveSmallIntegerField(
                                default=1,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        0, "请填写 0 到 365 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        365, "请填写 0 到 365 之间的整数"
                                    ),
                                ],
                                verbose_name="交货天数",
                            ),
                        ),
                        (
                            "sales_count",
                            models.PositiveIntegerField(default=0, verbose_name="销量"),
                        ),
                        (
                            "rating_count",
                            models.PositiveIntegerField(
                                db_default=0, default=0, editable=False, verbose_name="评价数"
                            ),
                        ),
                        (
                            "rating_stars",
                            models.PositiveIntegerField(
                                db_default=0, default=0, editable=False, verbose_name="星级合计"
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[("on", "在售"), ("off", "下架")],
                                default="on",
                                max_length=3,
                                verbose_name="状态",
                            ),
                        ),
                        ("is_public", models.BooleanField(default=True, verbose_name="公开")),
                        ("listed_at", models.DateField(verbose_name="上架日期")),
                        (
                            "search_tokens",
                            models.TextField(blank=True, editable=False, verbose_name="检索词"),
                        ),
                    ],
                    options={
                        "verbose_name": "商品",
                        "verbose_name_plural": "商品",
                        "ordering": ["-sales_count", "id"],
                        "indexes": [
                            models.Index(
                                models.F("l1"),
                                models.OrderBy(models.F("sales_count"), descending=True),
                                models.F("id"),
                                name="product_l1_sales_idx",
                            ),
                            models.Index(
                                models.F("l2"),
                                models.OrderBy(models.F("sales_count"), descending=True),
                                models.F("id"),
                                name="product_l2_sales_idx",
                            ),
                            models.Index(
                                models.F("l3"),
                                models.OrderBy(models.F("sales_count"), descending=True),
                                models.F("id"),
                                name="product_l3_sales_idx",
                            ),
                            models.Index(
                                models.OrderBy(models.F("sales_count"), descending=True),
                                models.F("id"),
                                name="product_sales_idx",
                            ),
                            models.Index(fields=["brand"], name="product_brand_idx"),
                            models.Index(fields=["model_key"], name="product_model_key_idx"),
                            models.Index(fields=["name_key"], name="product_name_key_idx"),
                            models.Index(
                                condition=models.Q(("barcode", ""), _negated=True),
                                fields=["barcode"],
                                name="product_barcode_idx",
                            ),
                            models.Index(
                                models.F("market_price"),
                                models.F("id"),
                                name="product_market_price_idx",
                            ),
                            models.Index(
                                models.OrderBy(models.F("listed_at"), descending=True),
                                models.F("id"),
                                name="product_listed_idx",
                            ),
                            models.Index(
                                condition=models.Q(("family__isnull", False)),
                                fields=["family"],
                                name="product_family_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("market_price__gte", 0)),
                                name="product_price_not_negative",
                                violation_error_message="市场价不能为负数",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("min_quantity__gte", 1), ("step_quantity__gte", 1)
                                ),
                                name="product_steps_positive",
                                violation_error_message="起订量和增量须大于 0",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("base_unit", ""), ("contents", None)),
                                    models.Q(
                                        ("contents__gte", 1),
                                        ("contents__isnull", False),
                                        models.Q(("base_unit", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="product_contents_with_base_unit",
                                violation_error_message="基本单位与内含数量须同时填写，或都留空",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("reserved__lte", models.F("stock"))),
                                name="product_reserved_within_stock",
                                violation_error_message="库存不能小于已预占的数量",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("rating_stars__gte", models.F("rating_count")),
                                    (
                                        "rating_stars__lte",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("rating_count"), "*", models.Value(5)
                                        ),
                                    ),
                                ),
                                name="product_rating_one_to_five",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProductImage",
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
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="images",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("path", models.CharField(max_length=200, verbose_name="路径")),
                        (
                            "position",
                            models.PositiveSmallIntegerField(default=0, verbose_name="排序"),
                        ),
                    ],
                    options={
                        "verbose_name": "商品图片",
                        "verbose_name_plural": "商品图片",
                        "ordering": ["position", "id"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ProductDocument",
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
                            "product",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="documents",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("manual", "使用说明"),
                                    ("certificate", "合格证"),
                                    ("report", "检测报告"),
                                    ("licence", "授权证书"),
                                    ("other", "其他资料"),
                                ],
                                default="manual",
                                max_length=12,
                                verbose_name="种类",
                            ),
                        ),
                        ("title", models.CharField(max_length=80, verbose_name="标题")),
                        (
                            "path",
                            models.CharField(editable=False, max_length=200, verbose_name="路径"),
                        ),
                        (
                            "content_type",
                            models.CharField(editable=False, max_length=80, verbose_name="类型"),
                        ),
                        (
                            "size",
                            models.PositiveIntegerField(editable=False, verbose_name="字节数"),
                        ),
                        (
                            "position",
                            models.PositiveSmallIntegerField(default=0, verbose_name="排序"),
                        ),
                        (
                            "uploaded_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="上传时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "商品资料",
                        "verbose_name_plural": "商品资料",
                        "ordering": ["position", "id"],
                        "indexes": [
                            models.Index(
                                fields=["product", "position", "id"],
                                name="productdocument_product_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="SuggestTerm",
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
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                            ),
                        ),
                        ("key", models.CharField(max_length=60)),
                    ],
                    options={
                        "verbose_name": "联想词",
                        "verbose_name_plural": "联想词",
                        "indexes": [
                            models.Index(
                                fields=["key"],
                                name="suggestterm_key_idx",
                                opclasses=["varchar_pattern_ops"],
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("product", "key"), name="suggestterm_product_key_uniq"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StockMovement",
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
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
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
                        (
                            "reference",
                            models.CharField(blank=True, max_length=40, verbose_name="单据"),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True, verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "库存流水",
                        "verbose_name_plural": "库存流水",
                        "indexes": [
                            models.Index(
                                fields=["product", "at"], name="stockmovement_product_idx"
                            ),
                            models.Index(fields=["reference"], name="stockmovement_ref_idx"),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="FamilyMember",
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
                            "family",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="members",
                                to="catalog.productfamily",
                                verbose_name="商品族",
                            ),
                        ),
                        (
                            "product",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="family_member",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("values", models.JSONField(default=list, verbose_name="可选值")),
                        (
                            "values_key",
                            models.CharField(
                                editable=False, max_length=243, verbose_name="可选值检索键"
                            ),
                        ),
                        (
                            "position",
                            models.PositiveSmallIntegerField(default=0, verbose_name="排序"),
                        ),
                    ],
                    options={
                        "verbose_name": "商品族成员",
                        "verbose_name_plural": "商品族成员",
                        "ordering": ["position", "product_id"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("family", "values_key"),
                                name="familymember_values_uniq",
                                violation_error_message="族内已有相同可选值的商品",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("values_key", ""), _negated=True),
                                name="familymember_has_values",
                                violation_error_message="每个可选项都须有值",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="PictureBatch",
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
                            "made_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="上传人",
                            ),
                        ),
                        (
                            "made_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="上传时间"),
                        ),
                        (
                            "written_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="写入人",
                            ),
                        ),
                        ("written_at", models.DateTimeField(null=True, verbose_name="写入时间")),
                        (
                            "undone_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="撤销人",
                            ),
                        ),
                        ("undone_at", models.DateTimeField(null=True, verbose_name="撤销时间")),
                        (
                            "rows_left",
                            models.PositiveIntegerField(
                                db_default=0, default=0, verbose_name="撤销时未恢复"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "批量图片",
                        "verbose_name_plural": "批量图片",
                        "ordering": ["-id"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="PictureBatchRow",
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
                        (
                            "position",
                            models.PositiveSmallIntegerField(null=True, verbose_name="第几张"),
                        ),
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
                        (
                            "reason",
                            models.CharField(blank=True, max_length=200, verbose_name="原因"),
                        ),
                        ("path", models.CharField(blank=True, max_length=200, verbose_name="路径")),
                        (
                            "before",
                            models.CharField(blank=True, max_length=200, verbose_name="原图片"),
                        ),
                        (
                            "digest",
                            models.CharField(blank=True, max_length=64, verbose_name="内容"),
                        ),
                        (
                            "is_left",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="撤销时未恢复"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "图片明细",
                        "verbose_name_plural": "图片明细",
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(
                                fields=["batch", "state"], name="picturebatchrow_state_idx"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("state__in", ("waiting", "ready", "same", "written"))
                                ),
                                fields=("batch", "product", "position"),
                                name="picturebatchrow_place_uniq",
                            )
                        ],
                    },
                ),
            ],
        ),
        migrations.RunPython(forwards, backwards, elidable=False),
    ]
