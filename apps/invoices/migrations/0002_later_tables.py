import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0002_later_tables"),
        ("invoices", "0001_tables"),
        ("org", "0001_tables"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="SpecialQualification",
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
                            "title",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="qualifications",
                                to="org.invoicetitle",
                                verbose_name="抬头",
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("pending", "待审核"),
                                    ("approved", "已通过"),
                                    ("refused", "未通过"),
                                    ("lapsed", "已失效"),
                                ],
                                default="pending",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        ("title_snapshot", models.JSONField(default=dict, verbose_name="抬头内容")),
                        ("note", models.CharField(blank=True, max_length=300, verbose_name="说明")),
                        (
                            "submitted_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="提交人",
                            ),
                        ),
                        (
                            "decided_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="审核人",
                            ),
                        ),
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="审核时间"),
                        ),
                        (
                            "reason",
                            models.CharField(blank=True, max_length=300, verbose_name="未通过原因"),
                        ),
                        (
                            "files",
                            models.ManyToManyField(
                                related_name="+", to="common.storedfile", verbose_name="证明文件"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "专票资质",
                        "verbose_name_plural": "专票资质",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "pending")),
                                fields=("title",),
                                name="specialqualification_one_pending",
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
