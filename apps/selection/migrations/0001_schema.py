from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="SelectionScenario",
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
                                default=10,
                                validators=[django.core.validators.MinValueValidator(1)],
                                verbose_name="默认人数",
                            ),
                        ),
                        (
                            "budget",
                            apps.common.money.MoneyField(
                                default=Decimal("1000.00"),
                                validators=[
                                    django.core.validators.MinValueValidator(
                                        Decimal("0.00"), "金额不能为负数"
                                    )
                                ],
                                verbose_name="默认预算（含税）",
                            ),
                        ),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "选品场景",
                        "verbose_name_plural": "选品场景",
                        "ordering": ["position", "id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("heads__gte", 1), ("budget__gte", 0)),
                                name="selectionscenario_figures_positive",
                                violation_error_message="默认人数须大于 0，默认预算不能为负数",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ScenarioKind",
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
                            "scenario",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="kinds",
                                to="selection.selectionscenario",
                                verbose_name="场景",
                            ),
                        ),
                        ("name", models.CharField(max_length=20, verbose_name="名称")),
                        (
                            "keyword",
                            models.CharField(
                                blank=True,
                                help_text="商品还须符合这些词；没有类目时只按词找",
                                max_length=60,
                                verbose_name="关键词",
                            ),
                        ),
                        (
                            "avoid",
                            models.CharField(
                                blank=True,
                                help_text="名称含其中任何一个词的不选，用分号隔开",
                                max_length=100,
                                verbose_name="排除词",
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
                                default=0,
                                help_text="与人数无关的数量，例如 会议用白板笔 4 支",
                                verbose_name="另加固定数量",
                            ),
                        ),
                        ("is_default", models.BooleanField(default=True, verbose_name="默认选中")),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                        (
                            "categories",
                            models.ManyToManyField(
                                blank=True,
                                related_name="+",
                                to="catalog.category",
                                verbose_name="三级类目",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "场景品类",
                        "verbose_name_plural": "场景品类",
                        "ordering": ["position", "id"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("scenario", "name"), name="scenariokind_name_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("per_head__gte", 0)),
                                name="scenariokind_per_head_not_negative",
                                violation_error_message="每人数量不能为负数",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("per_head__gt", 0), ("fixed__gt", 0), _connector="OR"
                                ),
                                name="scenariokind_needs_something",
                                violation_error_message="每人数量和另加固定数量至少填写一项",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
