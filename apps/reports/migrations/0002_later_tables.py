import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0002_later_tables"),
        ("org", "0001_tables"),
        ("reports", "0001_tables"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ExportJob",
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
                        ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "owner",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="导出人",
                            ),
                        ),
                        (
                            "report",
                            models.CharField(
                                choices=[
                                    ("Order", "订单报表"),
                                    ("OrderDetail", "订单明细报表"),
                                    ("Product", "商品报表"),
                                    ("Department", "部门报表"),
                                    ("Purchaser", "采购人报表"),
                                ],
                                max_length=16,
                                verbose_name="报表",
                            ),
                        ),
                        ("question", models.JSONField(default=dict, verbose_name="筛选条件")),
                        ("sort", models.CharField(blank=True, max_length=12, verbose_name="排序")),
                        ("title", models.CharField(max_length=120, verbose_name="名称")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("queued", "排队中"),
                                    ("running", "生成中"),
                                    ("done", "已完成"),
                                    ("failed", "失败"),
                                    ("cancelled", "已取消"),
                                    ("expired", "已过期"),
                                ],
                                default="queued",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "rows_done",
                            models.PositiveIntegerField(default=0, verbose_name="已写行数"),
                        ),
                        (
                            "rows_total",
                            models.PositiveIntegerField(default=0, verbose_name="总行数"),
                        ),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="次数"),
                        ),
                        (
                            "holder",
                            models.CharField(blank=True, max_length=32, verbose_name="执行者"),
                        ),
                        (
                            "lease_until",
                            models.DateTimeField(blank=True, null=True, verbose_name="租约至"),
                        ),
                        (
                            "error",
                            models.CharField(blank=True, max_length=200, verbose_name="失败原因"),
                        ),
                        (
                            "seen_as",
                            models.CharField(blank=True, max_length=60, verbose_name="数据范围"),
                        ),
                        (
                            "file",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="common.storedfile",
                                verbose_name="文件",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="提交时间"),
                        ),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="开始时间"),
                        ),
                        (
                            "ended_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                        (
                            "expires_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="文件保留至"),
                        ),
                    ],
                    options={
                        "verbose_name": "导出任务",
                        "verbose_name_plural": "导出任务",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "owner", "-id"], name="exportjob_owner_idx"
                            ),
                            models.Index(
                                condition=models.Q(("state", "done")),
                                fields=["expires_at"],
                                name="exportjob_expiry_idx",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("state__in", ("queued", "running")), _negated=True
                                ),
                                fields=["created_at"],
                                name="exportjob_age_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
