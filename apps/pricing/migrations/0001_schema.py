"""Agreements and prices, with the triggers behind AgreementsVersion and its row."""

from decimal import Decimal
from typing import Any

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels
from apps.pricing.sql.agreements_version import version_create, version_drop


def forwards(_apps: Any, schema_editor: Any) -> None:
    version_create(schema_editor.connection)


def backwards(_apps: Any, schema_editor: Any) -> None:
    version_drop(schema_editor.connection)


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
                    name="Assortment",
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
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                    ],
                    options={
                        "verbose_name": "商品范围",
                        "verbose_name_plural": "商品范围",
                        "ordering": ["code"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="AssortmentRule",
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
                            "assortment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rules",
                                to="pricing.assortment",
                                verbose_name="商品范围",
                            ),
                        ),
                        (
                            "mode",
                            models.CharField(
                                choices=[("include", "包含"), ("exclude", "排除")],
                                max_length=7,
                                verbose_name="方式",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("all", "全部商品"),
                                    ("category", "类目"),
                                    ("brand", "品牌"),
                                    ("product", "商品"),
                                ],
                                max_length=8,
                                verbose_name="对象",
                            ),
                        ),
                        (
                            "category",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="assortment_rules",
                                to="catalog.category",
                                verbose_name="类目",
                            ),
                        ),
                        (
                            "brand",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.brand",
                                verbose_name="品牌",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "valid_to",
                            models.DateField(
                                blank=True,
                                help_text="留空：与协议同期；仅询价专属范围使用",
                                null=True,
                                verbose_name="有效期至",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "范围规则",
                        "verbose_name_plural": "范围规则",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("brand__isnull", True),
                                        ("category__isnull", True),
                                        ("kind", "all"),
                                        ("product__isnull", True),
                                    ),
                                    models.Q(
                                        ("brand__isnull", True),
                                        ("category__isnull", False),
                                        ("kind", "category"),
                                        ("product__isnull", True),
                                    ),
                                    models.Q(
                                        ("brand__isnull", False),
                                        ("category__isnull", True),
                                        ("kind", "brand"),
                                        ("product__isnull", True),
                                    ),
                                    models.Q(
                                        ("brand__isnull", True),
                                        ("category__isnull", True),
                                        ("kind", "product"),
                                        ("product__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="assortmentrule_one_target",
                                violation_error_message="请按规则的种类只选择一项：类目、品牌或商品；种类为“全部”时都不选",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="PriceList",
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
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("contract", "合同价"),
                                    ("group", "集团价"),
                                    ("customer", "客户专属价"),
                                ],
                                default="contract",
                                max_length=10,
                                verbose_name="种类",
                            ),
                        ),
                        (
                            "valid_from",
                            models.DateField(blank=True, null=True, verbose_name="生效日"),
                        ),
                        (
                            "valid_to",
                            models.DateField(blank=True, null=True, verbose_name="失效日"),
                        ),
                    ],
                    options={
                        "verbose_name": "价目表",
                        "verbose_name_plural": "价目表",
                        "ordering": ["code"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Agreement",
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
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                        (
                            "price_list",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="agreements",
                                to="pricing.pricelist",
                                verbose_name="价目表",
                            ),
                        ),
                        (
                            "assortment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="agreements",
                                to="pricing.assortment",
                                verbose_name="商品范围",
                            ),
                        ),
                        ("valid_from", models.DateField(verbose_name="生效日")),
                        (
                            "valid_to",
                            models.DateField(blank=True, null=True, verbose_name="失效日"),
                        ),
                        (
                            "is_addition",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                editable=False,
                                help_text="由询价报价产生：先于其他价目表，不改变原有的商品范围",
                                verbose_name="只作增补",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "协议",
                        "verbose_name_plural": "协议",
                        "ordering": ["code"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_to__isnull", True),
                                    ("valid_to__gte", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="agreement_dates_in_order",
                                violation_error_message="失效日不能早于生效日",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="CustomerAgreement",
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
                            "enterprise",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业（空为全集团）",
                            ),
                        ),
                        (
                            "agreement",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="customers",
                                to="pricing.agreement",
                                verbose_name="协议",
                            ),
                        ),
                        (
                            "priority",
                            models.PositiveIntegerField(
                                help_text="数字越小越优先", verbose_name="优先级"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "客户协议",
                        "verbose_name_plural": "客户协议",
                        "ordering": ["group", "priority"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "priority", "-id"], name="custagreement_office_idx"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("enterprise__isnull", True)),
                                fields=("group", "priority"),
                                name="custagreement_group_priority",
                                violation_error_message="该集团已有相同优先级的协议，请换一个优先级",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("enterprise__isnull", False)),
                                fields=("group", "enterprise", "priority"),
                                name="custagreement_enterprise_priority",
                                violation_error_message="该企业已有相同优先级的协议，请换一个优先级",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AgreementsVersion",
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
                        ("token", models.CharField(max_length=36)),
                    ],
                    options={
                        "verbose_name": "协议版本",
                        "verbose_name_plural": "协议版本",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="PriceListItem",
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
                            "price_list",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="items",
                                to="pricing.pricelist",
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
                                blank=True,
                                help_text="留空：只有品名和物料编码是客户的，价格不是",
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        Decimal("99999999.99"), "金额不能超过 99999999.99"
                                    ),
                                ],
                                verbose_name="协议价（含税）",
                            ),
                        ),
                        (
                            "tier1_quantity",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        2, "请填写 2 到 999999 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        999999, "请填写 2 到 999999 之间的整数"
                                    ),
                                ],
                                verbose_name="阶梯1数量",
                            ),
                        ),
                        (
                            "tier1_price",
                            apps.common.money.MoneyField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        Decimal("99999999.99"), "金额不能超过 99999999.99"
                                    ),
                                ],
                                verbose_name="阶梯1单价（含税）",
                            ),
                        ),
                        (
                            "tier2_quantity",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        2, "请填写 2 到 999999 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        999999, "请填写 2 到 999999 之间的整数"
                                    ),
                                ],
                                verbose_name="阶梯2数量",
                            ),
                        ),
                        (
                            "tier2_price",
                            apps.common.money.MoneyField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        Decimal("99999999.99"), "金额不能超过 99999999.99"
                                    ),
                                ],
                                verbose_name="阶梯2单价（含税）",
                            ),
                        ),
                        (
                            "tier3_quantity",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        2, "请填写 2 到 999999 之间的整数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        999999, "请填写 2 到 999999 之间的整数"
                                    ),
                                ],
                                verbose_name="阶梯3数量",
                            ),
                        ),
                        (
                            "tier3_price",
                            apps.common.money.MoneyField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    ),
                                    django.core.validators.MaxValueValidator(
                                        Decimal("99999999.99"), "金额不能超过 99999999.99"
                                    ),
                                ],
                                verbose_name="阶梯3单价（含税）",
                            ),
                        ),
                        (
                            "valid_to",
                            models.DateField(
                                blank=True,
                                help_text="留空：与价目表同期；仅询价专属价目表使用",
                                null=True,
                                verbose_name="有效期至",
                            ),
                        ),
                        (
                            "customer_name",
                            models.CharField(blank=True, max_length=120, verbose_name="客户品名"),
                        ),
                        (
                            "customer_code",
                            models.CharField(
                                blank=True, max_length=60, verbose_name="客户物料编码"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "价目",
                        "verbose_name_plural": "价目",
                        "indexes": [
                            models.Index(
                                fields=["product", "price_list"], name="priceitem_product_list_idx"
                            ),
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
                                                    django.db.models.functions.text.Lower(
                                                        "customer_code"
                                                    ),
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
                            models.UniqueConstraint(
                                fields=("price_list", "product"), name="priceitem_list_product_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("price__gte", 0)),
                                name="priceitem_price_not_negative",
                                violation_error_message="协议价不能为负数",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("tier1_price__isnull", True),
                                        ("tier1_quantity__isnull", True),
                                    ),
                                    models.Q(
                                        ("price__isnull", False),
                                        ("tier1_price__gt", 0),
                                        ("tier1_price__isnull", False),
                                        ("tier1_price__lte", models.F("price")),
                                        ("tier1_quantity__gte", 2),
                                        ("tier1_quantity__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="priceitem_tier1_in_order",
                                violation_error_message="阶梯1的数量和价格须同时填写；数量须逐级增加，且从 2 起；价格须大于 0，且不高于上一级",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("tier2_price__isnull", True),
                                        ("tier2_quantity__isnull", True),
                                    ),
                                    models.Q(
                                        ("tier1_price__isnull", False),
                                        ("tier2_price__gt", 0),
                                        ("tier2_price__isnull", False),
                                        ("tier2_price__lte", models.F("tier1_price")),
                                        ("tier2_quantity__gte", 2),
                                        ("tier2_quantity__isnull", False),
                                        ("tier1_quantity__isnull", False),
                                        ("tier2_quantity__gt", models.F("tier1_quantity")),
                                    ),
                                    _connector="OR",
                                ),
                                name="priceitem_tier2_in_order",
                                violation_error_message="阶梯2的数量和价格须同时填写；数量须逐级增加，且从 2 起；价格须大于 0，且不高于上一级",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("tier3_price__isnull", True),
                                        ("tier3_quantity__isnull", True),
                                    ),
                                    models.Q(
                                        ("tier2_price__isnull", False),
                                        ("tier3_price__gt", 0),
                                        ("tier3_price__isnull", False),
                                        ("tier3_price__lte", models.F("tier2_price")),
                                        ("tier3_quantity__gte", 2),
                                        ("tier3_quantity__isnull", False),
                                        ("tier2_quantity__isnull", False),
                                        ("tier3_quantity__gt", models.F("tier2_quantity")),
                                    ),
                                    _connector="OR",
                                ),
                                name="priceitem_tier3_in_order",
                                violation_error_message="阶梯3的数量和价格须同时填写；数量须逐级增加，且从 2 起；价格须大于 0，且不高于上一级",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OwnName",
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
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "name",
                            models.CharField(blank=True, max_length=120, verbose_name="自有品名"),
                        ),
                        (
                            "code",
                            models.CharField(blank=True, max_length=60, verbose_name="自有物料号"),
                        ),
                        (
                            "changed_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="修改人",
                            ),
                        ),
                        (
                            "changed_at",
                            models.DateTimeField(auto_now=True, verbose_name="修改时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "客户品名与物料号",
                        "verbose_name_plural": "客户品名与物料号",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("name", ""), _negated=True),
                                fields=["group", "name"],
                                name="ownname_name_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "product"), name="ownname_product_uniq"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("code", ""), _negated=True),
                                fields=("group", "code"),
                                name="ownname_code_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("code", ""), ("name", ""), _negated=True),
                                name="ownname_says_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PriceMove",
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
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="pricing.pricelistitem",
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
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="PriceBatch",
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
                            "price_list",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="batches",
                                to="pricing.pricelist",
                                verbose_name="价目表",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("percent", "在现价上增减百分比"),
                                    ("amount", "在现价上增减金额"),
                                    ("market", "定为市场价的百分比"),
                                ],
                                max_length=7,
                                verbose_name="规则",
                            ),
                        ),
                        (
                            "figure",
                            models.DecimalField(
                                decimal_places=2, max_digits=10, verbose_name="数值"
                            ),
                        ),
                        (
                            "step",
                            models.DecimalField(
                                decimal_places=2, max_digits=4, verbose_name="取整到（元）"
                            ),
                        ),
                        (
                            "chosen",
                            models.CharField(blank=True, max_length=200, verbose_name="范围"),
                        ),
                        ("rows_changed", models.PositiveIntegerField(verbose_name="调整价目数")),
                        (
                            "made_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="调价人",
                            ),
                        ),
                        (
                            "made_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="调价时间"),
                        ),
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
                            models.PositiveIntegerField(default=0, verbose_name="撤销时未恢复"),
                        ),
                    ],
                    options={
                        "verbose_name": "批量调价",
                        "verbose_name_plural": "批量调价",
                        "ordering": ["-id"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="PriceBatchRow",
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
                                to="pricing.pricebatch",
                                verbose_name="批次",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="pricing.pricelistitem",
                                verbose_name="价目",
                            ),
                        ),
                        (
                            "product",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        ("before", apps.common.money.MoneyField(verbose_name="调整前")),
                        ("after", apps.common.money.MoneyField(verbose_name="调整后")),
                        (
                            "tier1_price_before",
                            apps.common.money.MoneyField(null=True, verbose_name="阶梯1调整前"),
                        ),
                        (
                            "tier1_price_after",
                            apps.common.money.MoneyField(null=True, verbose_name="阶梯1调整后"),
                        ),
                        (
                            "tier2_price_before",
                            apps.common.money.MoneyField(null=True, verbose_name="阶梯2调整前"),
                        ),
                        (
                            "tier2_price_after",
                            apps.common.money.MoneyField(null=True, verbose_name="阶梯2调整后"),
                        ),
                        (
                            "tier3_price_before",
                            apps.common.money.MoneyField(null=True, verbose_name="阶梯3调整前"),
                        ),
                        (
                            "tier3_price_after",
                            apps.common.money.MoneyField(null=True, verbose_name="阶梯3调整后"),
                        ),
                        (
                            "is_left",
                            models.BooleanField(default=False, verbose_name="撤销时未恢复"),
                        ),
                    ],
                    options={
                        "verbose_name": "调价明细",
                        "verbose_name_plural": "调价明细",
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(
                                fields=["batch", "item"], name="pricebatchrow_batch_item_idx"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("batch", "product"), name="pricebatchrow_batch_product_uniq"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PriceAlarm",
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
                                to="pricing.pricelistitem",
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
                        (
                            "price_before",
                            apps.common.money.MoneyField(
                                null=True, verbose_name="变动前价（含税）"
                            ),
                        ),
                        (
                            "market_price",
                            apps.common.money.MoneyField(verbose_name="市场价（含税）"),
                        ),
                        (
                            "move",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="alarm",
                                to="pricing.pricemove",
                                verbose_name="变动",
                            ),
                        ),
                        (
                            "found_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="发现时间"),
                        ),
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
                            models.Index(
                                condition=models.Q(("seen_at__isnull", True)),
                                fields=["found_at"],
                                name="pricealarm_open_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("kind", "above")),
                                fields=("item", "price", "market_price"),
                                name="pricealarm_fact_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("item__isnull", True),
                                    ("product__isnull", True),
                                    _connector="XOR",
                                ),
                                name="pricealarm_item_or_product",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("item__isnull", False),
                                        ("kind", "above"),
                                        ("price_before__isnull", True),
                                    ),
                                    models.Q(("kind", "moved"), ("price_before__isnull", False)),
                                    _connector="OR",
                                ),
                                name="pricealarm_fields_of_kind",
                            ),
                        ],
                    },
                ),
            ],
        ),
        migrations.RunPython(forwards, backwards, elidable=False),
    ]
