import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("catalog", "0010_inquiries"), ("catalog", "0011_own_words_by_prefix"), ("catalog", "0012_favorite_added_price")]

    dependencies = [
        ("catalog", "0004_products"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="AssortmentRule",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "assortment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rules",
                                to="catalog.assortment",
                                verbose_name="商品范围",
                            ),
                        ),
                        ("mode", models.CharField(choices=[("include", "包含"), ("exclude", "排除")], max_length=7, verbose_name="方式")),
                        (
                            "kind",
                            models.CharField(
                                choices=[("all", "全部商品"), ("category", "类目"), ("brand", "品牌"), ("product", "商品")],
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
                                related_name="+",
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
                                blank=True, help_text="留空：与协议同期；仅询价专属范围使用", null=True, verbose_name="有效期至"
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
                                        ("brand__isnull", True), ("category__isnull", True), ("kind", "all"), ("product__isnull", True)
                                    ),
                                    models.Q(
                                        ("brand__isnull", True),
                                        ("category__isnull", False),
                                        ("kind", "category"),
                                        ("product__isnull", True),
                                    ),
                                    models.Q(
                                        ("brand__isnull", False), ("category__isnull", True), ("kind", "brand"), ("product__isnull", True)
                                    ),
                                    models.Q(
                                        ("brand__isnull", True), ("category__isnull", True), ("kind", "product"), ("product__isnull", False)
                                    ),
                                    _connector="OR",
                                ),
                                name="assortmentrule_one_target",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProductDocument",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        ("path", models.CharField(editable=False, max_length=200, verbose_name="路径")),
                        ("content_type", models.CharField(editable=False, max_length=80, verbose_name="类型")),
                        ("size", models.PositiveIntegerField(editable=False, verbose_name="字节数")),
                        ("position", models.PositiveSmallIntegerField(default=0, verbose_name="排序")),
                        ("uploaded_at", models.DateTimeField(auto_now_add=True, verbose_name="上传时间")),
                    ],
                    options={
                        "verbose_name": "商品资料",
                        "verbose_name_plural": "商品资料",
                        "ordering": ["position", "id"],
                        "indexes": [models.Index(fields=["product", "position", "id"], name="productdocument_product_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="Favorite",
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
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="catalog.product", verbose_name="商品"
                            ),
                        ),
                        ("type", models.PositiveSmallIntegerField(choices=[(1, "收藏"), (2, "浏览")], verbose_name="类型")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                        ("added_price", apps.common.money.MoneyField(blank=True, null=True, verbose_name="当时单价（含税）")),
                    ],
                    options={
                        "verbose_name": "收藏与浏览",
                        "verbose_name_plural": "收藏与浏览",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "account", "type", "-at"], name="favorite_recent_idx")],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "account", "type", "product"), name="favorite_account_product_uniq")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OwnName",
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
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="catalog.product", verbose_name="商品"
                            ),
                        ),
                        ("name", models.CharField(blank=True, max_length=120, verbose_name="自有品名")),
                        ("code", models.CharField(blank=True, max_length=60, verbose_name="自有物料号")),
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
                        ("changed_at", models.DateTimeField(auto_now=True, verbose_name="修改时间")),
                    ],
                    options={
                        "verbose_name": "客户品名与物料号",
                        "verbose_name_plural": "客户品名与物料号",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(condition=models.Q(("name", ""), _negated=True), fields=["group", "name"], name="ownname_name_idx")
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "product"), name="ownname_product_uniq"),
                            models.UniqueConstraint(
                                condition=models.Q(("code", ""), _negated=True), fields=("group", "code"), name="ownname_code_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("code", ""), ("name", ""), _negated=True), name="ownname_says_something"
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
