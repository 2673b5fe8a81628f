import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Dimension",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("cost_center", "成本中心"),
                                    ("project", "项目"),
                                    ("subject", "会计科目"),
                                ],
                                max_length=12,
                                verbose_name="类别",
                            ),
                        ),
                        ("code", models.CharField(max_length=40, verbose_name="编码")),
                        ("name", models.CharField(max_length=80, verbose_name="名称")),
                        (
                            "owner",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="负责人",
                            ),
                        ),
                        (
                            "valid_from",
                            models.DateField(blank=True, null=True, verbose_name="生效日期"),
                        ),
                        (
                            "valid_to",
                            models.DateField(blank=True, null=True, verbose_name="失效日期"),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "核算项",
                        "verbose_name_plural": "核算项",
                        "ordering": ["kind", "code"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "kind", "code"), name="dimension_code_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_from__isnull", True),
                                    ("valid_to__isnull", True),
                                    ("valid_to__gte", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="dimension_days_in_order",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="DimensionDepartment",
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
                            "dimension",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="departments",
                                to="dimensions.dimension",
                                verbose_name="核算项",
                            ),
                        ),
                        (
                            "department",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.department",
                                verbose_name="部门",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "适用部门",
                        "verbose_name_plural": "适用部门",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "dimension", "department"),
                                name="dimensiondepartment_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="DimensionDefault",
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
                            "department",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.department",
                                verbose_name="部门",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("cost_center", "成本中心"),
                                    ("project", "项目"),
                                    ("subject", "会计科目"),
                                ],
                                max_length=12,
                                verbose_name="类别",
                            ),
                        ),
                        (
                            "dimension",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="defaults",
                                to="dimensions.dimension",
                                verbose_name="核算项",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "部门默认核算项",
                        "verbose_name_plural": "部门默认核算项",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "department", "kind"), name="dimensiondefault_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
