"""The search, with the triggers that move AgreementsVersion when a row of 搜索词 changes."""

from typing import Any

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels
from apps.pricing.sql.agreements_version import version_create


def forwards(_apps: Any, schema_editor: Any) -> None:
    version_create(schema_editor.connection)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
        ("org", "0001_schema"),
        ("pricing", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="SearchLog",
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
                            "group_id",
                            models.BigIntegerField(blank=True, null=True, verbose_name="集团"),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("keyword", models.CharField(max_length=60, verbose_name="关键词")),
                        ("results", models.PositiveIntegerField(default=0, verbose_name="结果数")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "搜索记录",
                        "verbose_name_plural": "搜索记录",
                        "indexes": [
                            models.Index(fields=["group_id", "at"], name="searchlog_group_at_idx"),
                            models.Index(
                                models.F("account"),
                                models.OrderBy(models.F("at"), descending=True),
                                name="searchlog_account_at_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="SearchSynonym",
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
                            "word",
                            models.CharField(
                                help_text="同一个词只能有一行；不分大小写、全半角",
                                max_length=40,
                                unique=True,
                                verbose_name="词",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("same", "同义词（互相都能搜到）"),
                                    ("means", "也指（只从左到右）"),
                                    ("unit", "单位换算"),
                                    ("ignored", "忽略词"),
                                ],
                                default="same",
                                max_length=7,
                                verbose_name="作用",
                            ),
                        ),
                        (
                            "others",
                            models.CharField(
                                blank=True,
                                help_text="多个用分号隔开，如：中性笔；水笔。忽略词不填",
                                max_length=300,
                                verbose_name="对应词",
                            ),
                        ),
                        (
                            "factor",
                            models.DecimalField(
                                blank=True,
                                decimal_places=6,
                                help_text="仅单位换算填写：1 千瓦 = 1000 w，填 1000",
                                max_digits=12,
                                null=True,
                                validators=[django.core.validators.MinValueValidator(0)],
                                verbose_name="换算系数",
                            ),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "搜索词",
                        "verbose_name_plural": "搜索词",
                        "ordering": ["kind", "word"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="HotKeyword",
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
                            "keyword",
                            models.CharField(
                                help_text="按填写的样子显示；不分大小写、全半角，同一个词只能有一行",
                                max_length=60,
                                verbose_name="热词",
                            ),
                        ),
                        ("key", models.CharField(editable=False, max_length=60, unique=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("pinned", "置顶"), ("hidden", "隐藏")],
                                default="pinned",
                                max_length=6,
                                verbose_name="作用",
                            ),
                        ),
                        (
                            "position",
                            models.PositiveSmallIntegerField(
                                default=0,
                                help_text="置顶词按数字从小到大排列；隐藏词不看顺序",
                                verbose_name="顺序",
                            ),
                        ),
                        (
                            "valid_from",
                            models.DateTimeField(
                                blank=True,
                                help_text="留空：立即生效",
                                null=True,
                                verbose_name="开始时间",
                            ),
                        ),
                        (
                            "valid_to",
                            models.DateTimeField(
                                blank=True,
                                help_text="留空：长期有效",
                                null=True,
                                verbose_name="结束时间",
                            ),
                        ),
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
                        "indexes": [],
                    },
                ),
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
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="PictureVersion",
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
                        ("token", models.CharField(max_length=32)),
                    ],
                    options={
                        "verbose_name": "图片向量版本",
                        "verbose_name_plural": "图片向量版本",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ImageSearch",
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
                            "key",
                            models.CharField(max_length=32, unique=True, verbose_name="结果编号"),
                        ),
                        (
                            "group_id",
                            models.BigIntegerField(blank=True, null=True, verbose_name="集团"),
                        ),
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
                        (
                            "browser",
                            models.CharField(blank=True, max_length=64, verbose_name="浏览器"),
                        ),
                        ("picture", models.TextField(verbose_name="缩略图")),
                        ("found", models.JSONField(default=list, verbose_name="商品与得分")),
                        ("guesses", models.JSONField(default=list, verbose_name="类目与占比")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "以图搜索",
                        "verbose_name_plural": "以图搜索",
                        "indexes": [models.Index(fields=["at"], name="imagesearch_at_idx")],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="RestockReminder",
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
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="登记时间"),
                        ),
                        ("told_at", models.DateTimeField(null=True, verbose_name="已提醒时间")),
                    ],
                    options={
                        "verbose_name": "到货提醒",
                        "verbose_name_plural": "到货提醒",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "account", "-id"],
                                name="restockreminder_account_idx",
                            ),
                            models.Index(
                                condition=models.Q(("told_at__isnull", True)),
                                fields=["id"],
                                name="restockreminder_open_idx",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("told_at__isnull", True)),
                                fields=("group", "account", "product"),
                                name="restockreminder_open_uniq",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Favorite",
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
                                related_name="+",
                                to="catalog.product",
                                verbose_name="商品",
                            ),
                        ),
                        (
                            "type",
                            models.PositiveSmallIntegerField(
                                choices=[(1, "收藏"), (2, "浏览")], verbose_name="类型"
                            ),
                        ),
                        ("at", models.DateTimeField(verbose_name="时间")),
                        (
                            "added_price",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="当时单价（含税）"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "收藏与浏览",
                        "verbose_name_plural": "收藏与浏览",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "account", "type", "-at"],
                                name="favorite_recent_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "account", "type", "product"),
                                name="favorite_account_product_uniq",
                            )
                        ],
                    },
                ),
            ],
        ),
        migrations.RunPython(forwards, migrations.RunPython.noop, elidable=False),
    ]
