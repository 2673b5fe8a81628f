from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("catalog", "0002_full_text"), ("catalog", "0003_measures_in_latin_units"), ("catalog", "0004_agreements_version")]

    dependencies = [
        ("catalog", "0001_agreements"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="CustomerAgreement",
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
                                to="catalog.agreement",
                                verbose_name="协议",
                            ),
                        ),
                        ("priority", models.PositiveIntegerField(help_text="数字越小越优先", verbose_name="优先级")),
                    ],
                    options={
                        "verbose_name": "客户协议",
                        "verbose_name_plural": "客户协议",
                        "ordering": ["group", "priority"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "priority", "-id"], name="custagreement_office_idx")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("enterprise__isnull", True)),
                                fields=("group", "priority"),
                                name="custagreement_group_priority",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("enterprise__isnull", False)),
                                fields=("group", "enterprise", "priority"),
                                name="custagreement_enterprise_priority",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PriceBatch",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "price_list",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="batches",
                                to="catalog.pricelist",
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
                        ("figure", models.DecimalField(decimal_places=2, max_digits=10, verbose_name="数值")),
                        ("step", models.DecimalField(decimal_places=2, max_digits=4, verbose_name="取整到（元）")),
                        ("chosen", models.CharField(blank=True, max_length=200, verbose_name="范围")),
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
                        ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="调价时间")),
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
                        ("rows_left", models.PositiveIntegerField(default=0, verbose_name="撤销时未恢复")),
                    ],
                    options={
                        "verbose_name": "批量调价",
                        "verbose_name_plural": "批量调价",
                        "ordering": ["-id"],
                    },
                ),
                migrations.CreateModel(
                    name="SelectionScenario",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("code", models.SlugField(max_length=30, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=20, verbose_name="名称")),
                        ("hint", models.CharField(blank=True, max_length=80, verbose_name="说明")),
                        (
                            "heads_name",
                            models.CharField(
                                default="人数",
                                help_text="表单上怎么称呼人数，例如 新员工人数、打印机台数",
                                max_length=10,
                                verbose_name="人数的叫法",
                            ),
                        ),
                        (
                            "heads",
                            models.PositiveIntegerField(
                                default=10, validators=[django.core.validators.MinValueValidator(1)], verbose_name="默认人数"
                            ),
                        ),
                        ("budget", apps.common.money.MoneyField(default=Decimal("1000.00"), verbose_name="默认预算（含税）")),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "选品场景",
                        "verbose_name_plural": "选品场景",
                        "ordering": ["position", "id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("heads__gte", 1), ("budget__gte", 0)), name="selectionscenario_figures_positive"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SearchLog",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("group_id", models.BigIntegerField(blank=True, null=True, verbose_name="集团")),
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
                                models.F("account"), models.OrderBy(models.F("at"), descending=True), name="searchlog_account_at_idx"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SearchSynonym",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        (
                            "word",
                            models.CharField(
                                help_text="同一个词只能有一行；不分大小写、全半角", max_length=40, unique=True, verbose_name="词"
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
                                blank=True, help_text="多个用分号隔开，如：中性笔；水笔。忽略词不填", max_length=300, verbose_name="对应词"
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
                    },
                ),
                migrations.CreateModel(
                    name="MenuGroup",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("code", models.CharField(max_length=20, unique=True, verbose_name="编码")),
                        ("name", models.CharField(max_length=30, verbose_name="名称")),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                    ],
                    options={
                        "verbose_name": "菜单分组",
                        "verbose_name_plural": "菜单分组",
                        "ordering": ["position", "id"],
                    },
                ),
            ],
        ),
    ]
