from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("catalog", "0007_image_search"), ("catalog", "0008_search_synonym"), ("catalog", "0009_search_history")]

    dependencies = [
        ("catalog", "0003_categories_and_inquiries"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ScenarioKind",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "scenario",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="kinds",
                                to="catalog.selectionscenario",
                                verbose_name="场景",
                            ),
                        ),
                        ("name", models.CharField(max_length=20, verbose_name="名称")),
                        (
                            "keyword",
                            models.CharField(
                                blank=True, help_text="商品还须符合这些词；没有类目时只按词找", max_length=60, verbose_name="关键词"
                            ),
                        ),
                        (
                            "avoid",
                            models.CharField(
                                blank=True, help_text="名称含其中任何一个词的不选，用分号隔开", max_length=100, verbose_name="排除词"
                            ),
                        ),
                        (
                            "unit",
                            models.CharField(
                                blank=True,
                                help_text="按什么计数，例如 支、个；几种都算时用 / 隔开：盒/罐",
                                max_length=20,
                                verbose_name="计数单位",
                            ),
                        ),
                        (
                            "per_head",
                            models.DecimalField(
                                decimal_places=3,
                                default=Decimal("1"),
                                max_digits=7,
                                validators=[django.core.validators.MinValueValidator(0)],
                                verbose_name="每人数量",
                            ),
                        ),
                        (
                            "fixed",
                            models.PositiveIntegerField(
                                default=0, help_text="与人数无关的数量，例如 会议用白板笔 4 支", verbose_name="另加固定数量"
                            ),
                        ),
                        ("is_default", models.BooleanField(default=True, verbose_name="默认选中")),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                        (
                            "categories",
                            models.ManyToManyField(blank=True, related_name="+", to="catalog.category", verbose_name="三级类目"),
                        ),
                    ],
                    options={
                        "verbose_name": "场景品类",
                        "verbose_name_plural": "场景品类",
                        "ordering": ["position", "id"],
                        "constraints": [
                            models.UniqueConstraint(fields=("scenario", "name"), name="scenariokind_name_uniq"),
                            models.CheckConstraint(condition=models.Q(("per_head__gte", 0)), name="scenariokind_per_head_not_negative"),
                            models.CheckConstraint(
                                condition=models.Q(("per_head__gt", 0), ("fixed__gt", 0), _connector="OR"),
                                name="scenariokind_needs_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Brand",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("code", models.CharField(max_length=20, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=40, unique=True, verbose_name="名称")),
                        ("english_name", models.CharField(blank=True, max_length=60, verbose_name="英文名")),
                        ("description", models.CharField(blank=True, max_length=300, verbose_name="简介")),
                    ],
                    options={
                        "verbose_name": "品牌",
                        "verbose_name_plural": "品牌",
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="Product",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="创建时间")),
                        ("updated_at", models.DateTimeField(auto_now=True, verbose_name="更新时间")),
                        (
                            "code",
                            models.CharField(
                                max_length=18,
                                unique=True,
                                validators=[django.core.validators.RegexValidator("^\\d{1,18}$", "商品编码只能由数字组成")],
                                verbose_name="商品编码",
                            ),
                        ),
                        ("model_code", models.CharField(blank=True, max_length=60, verbose_name="型号")),
                        ("model_key", models.CharField(blank=True, editable=False, max_length=60, verbose_name="型号检索键")),
                        ("name", models.CharField(max_length=120, verbose_name="名称")),
                        ("name_key", models.CharField(blank=True, editable=False, max_length=120, verbose_name="名称检索键")),
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
                        ("unit", models.CharField(max_length=10, verbose_name="单位")),
                        ("pack", models.CharField(blank=True, max_length=60, verbose_name="包装规格")),
                        ("min_quantity", models.PositiveIntegerField(default=1, verbose_name="起订量")),
                        ("step_quantity", models.PositiveIntegerField(default=1, verbose_name="增量")),
                        ("market_price", apps.common.money.MoneyField(verbose_name="市场价（含税）")),
                        ("tax_rate", models.DecimalField(decimal_places=2, max_digits=4, verbose_name="税率")),
                        ("tax_code", models.CharField(max_length=19, verbose_name="税收分类编码")),
                        ("attributes", models.JSONField(blank=True, default=dict, verbose_name="属性")),
                        ("keywords", models.CharField(blank=True, max_length=200, verbose_name="关键词")),
                        ("selling_points", models.CharField(blank=True, max_length=200, verbose_name="卖点")),
                        ("description", models.TextField(blank=True, verbose_name="详情")),
                        ("image", models.CharField(blank=True, max_length=200, verbose_name="图片")),
                        ("stock", models.PositiveIntegerField(default=0, verbose_name="库存")),
                        ("reserved", models.PositiveIntegerField(default=0, editable=False, verbose_name="已预占")),
                        ("lead_days", models.PositiveSmallIntegerField(default=1, verbose_name="交货天数")),
                        ("sales_count", models.PositiveIntegerField(default=0, verbose_name="销量")),
                        ("rating_count", models.PositiveIntegerField(db_default=0, default=0, editable=False, verbose_name="评价数")),
                        ("rating_stars", models.PositiveIntegerField(db_default=0, default=0, editable=False, verbose_name="星级合计")),
                        (
                            "status",
                            models.CharField(choices=[("on", "在售"), ("off", "下架")], default="on", max_length=3, verbose_name="状态"),
                        ),
                        ("is_public", models.BooleanField(default=True, verbose_name="公开")),
                        ("listed_at", models.DateField(verbose_name="上架日期")),
                        ("search_tokens", models.TextField(blank=True, editable=False, verbose_name="检索词")),
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
                                models.OrderBy(models.F("sales_count"), descending=True), models.F("id"), name="product_sales_idx"
                            ),
                            models.Index(fields=["brand"], name="product_brand_idx"),
                            models.Index(fields=["model_key"], name="product_model_key_idx"),
                            models.Index(fields=["name_key"], name="product_name_key_idx"),
                            models.Index(models.F("market_price"), models.F("id"), name="product_market_price_idx"),
                            models.Index(models.OrderBy(models.F("listed_at"), descending=True), models.F("id"), name="product_listed_idx"),
                        ],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("market_price__gte", 0)), name="product_price_not_negative"),
                            models.CheckConstraint(
                                condition=models.Q(("min_quantity__gte", 1), ("step_quantity__gte", 1)), name="product_steps_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("reserved__lte", models.F("stock"))), name="product_reserved_within_stock"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("rating_stars__gte", models.F("rating_count")),
                                    (
                                        "rating_stars__lte",
                                        django.db.models.expressions.CombinedExpression(models.F("rating_count"), "*", models.Value(5)),
                                    ),
                                ),
                                name="product_rating_one_to_five",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
