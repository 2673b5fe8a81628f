import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("catalog", "0001_initial"), ("catalog", "0021_picture_batch_undo")]

    initial = True

    dependencies = [
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Assortment",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                    ],
                    options={
                        "verbose_name": "商品范围",
                        "verbose_name_plural": "商品范围",
                        "ordering": ["code"],
                    },
                ),
                migrations.CreateModel(
                    name="CatalogChange",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                    },
                ),
                migrations.CreateModel(
                    name="AgreementsVersion",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("token", models.CharField(max_length=36)),
                    ],
                    options={
                        "verbose_name": "协议版本",
                        "verbose_name_plural": "协议版本",
                    },
                ),
                migrations.CreateModel(
                    name="HotKeyword",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "keyword",
                            models.CharField(
                                help_text="按填写的样子显示；不分大小写、全半角，同一个词只能有一行", max_length=60, verbose_name="热词"
                            ),
                        ),
                        ("key", models.CharField(editable=False, max_length=60, unique=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("pinned", "置顶"), ("hidden", "隐藏")], default="pinned", max_length=6, verbose_name="作用"
                            ),
                        ),
                        (
                            "position",
                            models.PositiveSmallIntegerField(
                                default=0, help_text="置顶词按数字从小到大排列；隐藏词不看顺序", verbose_name="顺序"
                            ),
                        ),
                        ("valid_from", models.DateTimeField(blank=True, help_text="留空：立即生效", null=True, verbose_name="开始时间")),
                        ("valid_to", models.DateTimeField(blank=True, help_text="留空：长期有效", null=True, verbose_name="结束时间")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "热词",
                        "verbose_name_plural": "热词",
                        "ordering": ["-kind", "position", "id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_from__isnull", True),
                                    ("valid_to__isnull", True),
                                    ("valid_to__gt", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="hotkeyword_ends_after_start",
                                violation_error_message="结束时间必须晚于开始时间",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PictureVersion",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("token", models.CharField(max_length=32)),
                    ],
                    options={
                        "verbose_name": "图片向量版本",
                        "verbose_name_plural": "图片向量版本",
                    },
                ),
                migrations.CreateModel(
                    name="ImageSearch",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("key", models.CharField(max_length=32, unique=True, verbose_name="结果编号")),
                        ("group_id", models.BigIntegerField(blank=True, null=True, verbose_name="集团")),
                        (
                            "account",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("browser", models.CharField(blank=True, max_length=64, verbose_name="浏览器")),
                        ("picture", models.TextField(verbose_name="缩略图")),
                        ("found", models.JSONField(default=list, verbose_name="商品与得分")),
                        ("guesses", models.JSONField(default=list, verbose_name="类目与占比")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "以图搜索",
                        "verbose_name_plural": "以图搜索",
                        "indexes": [models.Index(fields=["at"], name="imagesearch_at_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="PictureBatch",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="上传时间")),
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
                        ("rows_left", models.PositiveIntegerField(db_default=0, default=0, verbose_name="撤销时未恢复")),
                    ],
                    options={
                        "verbose_name": "批量图片",
                        "verbose_name_plural": "批量图片",
                        "ordering": ["-id"],
                    },
                ),
                migrations.CreateModel(
                    name="PriceList",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                        (
                            "kind",
                            models.CharField(
                                choices=[("contract", "合同价"), ("group", "集团价"), ("customer", "客户专属价")],
                                default="contract",
                                max_length=10,
                                verbose_name="种类",
                            ),
                        ),
                        ("valid_from", models.DateField(blank=True, null=True, verbose_name="生效日")),
                        ("valid_to", models.DateField(blank=True, null=True, verbose_name="失效日")),
                    ],
                    options={
                        "verbose_name": "价目表",
                        "verbose_name_plural": "价目表",
                        "ordering": ["code"],
                    },
                ),
                migrations.CreateModel(
                    name="Agreement",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                        (
                            "price_list",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="agreements",
                                to="catalog.pricelist",
                                verbose_name="价目表",
                            ),
                        ),
                        (
                            "assortment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="agreements",
                                to="catalog.assortment",
                                verbose_name="商品范围",
                            ),
                        ),
                        ("valid_from", models.DateField(verbose_name="生效日")),
                        ("valid_to", models.DateField(blank=True, null=True, verbose_name="失效日")),
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
                                condition=models.Q(("valid_to__isnull", True), ("valid_to__gte", models.F("valid_from")), _connector="OR"),
                                name="agreement_dates_in_order",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
