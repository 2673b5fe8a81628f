import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("reports", "0004_saved_views")]

    dependencies = [
        ("org", "0002_people"),
        ("reports", "0002_days_and_views"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ReportSubscription",
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
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="创建时间")),
                        ("updated_at", models.DateTimeField(auto_now=True, verbose_name="更新时间")),
                        (
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="创建人",
                            ),
                        ),
                        (
                            "view",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="subscriptions",
                                to="reports.savedview",
                                verbose_name="视图",
                            ),
                        ),
                        (
                            "frequency",
                            models.CharField(
                                choices=[("daily", "每天"), ("weekly", "每周"), ("monthly", "每月")], max_length=8, verbose_name="频率"
                            ),
                        ),
                        ("weekday", models.PositiveSmallIntegerField(default=1, verbose_name="星期")),
                        ("month_day", models.PositiveSmallIntegerField(default=1, verbose_name="日")),
                        ("at_time", models.TimeField(verbose_name="时间")),
                        (
                            "shift",
                            models.CharField(
                                choices=[("none", "照常发送"), ("next", "顺延至下一个工作日"), ("skip", "当次不发送")],
                                default="none",
                                max_length=4,
                                verbose_name="遇节假日",
                            ),
                        ),
                        ("has_xlsx", models.BooleanField(default=True, verbose_name="附 Excel")),
                        ("has_pdf", models.BooleanField(default=True, verbose_name="附 PDF")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        ("paused_reason", models.CharField(blank=True, max_length=200, verbose_name="暂停原因")),
                        ("next_at", models.DateTimeField(blank=True, null=True, verbose_name="下次发送")),
                    ],
                    options={
                        "verbose_name": "报表订阅",
                        "verbose_name_plural": "报表订阅",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "owner", "-id"], name="reportsubscription_own_idx"),
                            models.Index(
                                condition=models.Q(("is_active", True), ("next_at__isnull", False)),
                                fields=["next_at"],
                                name="reportsubscription_due_idx",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReportRecipient",
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
                            "subscription",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="recipients",
                                to="reports.reportsubscription",
                                verbose_name="订阅",
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="同事",
                            ),
                        ),
                        ("address", models.EmailField(blank=True, max_length=254, verbose_name="邮箱")),
                        ("is_listed", models.BooleanField(default=True, verbose_name="在名单中")),
                        ("unsubscribed_at", models.DateTimeField(blank=True, null=True, verbose_name="退订时间")),
                    ],
                    options={
                        "verbose_name": "订阅收件人",
                        "verbose_name_plural": "订阅收件人",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("account__isnull", False)),
                                fields=("subscription", "account"),
                                name="reportrecipient_account",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("address", ""), _negated=True),
                                fields=("subscription", "address"),
                                name="reportrecipient_address",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("account__isnull", False), models.Q(("address", ""), _negated=True), _connector="XOR"),
                                name="reportrecipient_one",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReportSend",
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
                            "subscription",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sends",
                                to="reports.reportsubscription",
                                verbose_name="订阅",
                            ),
                        ),
                        ("due_at", models.DateTimeField(verbose_name="应发时间")),
                        ("is_asked", models.BooleanField(default=False, verbose_name="立即发送")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("sending", "发送中"),
                                    ("sent", "已发送"),
                                    ("partly", "部分失败"),
                                    ("failed", "发送失败"),
                                    ("skipped", "未发送"),
                                ],
                                default="sending",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="开始时间")),
                        ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="结束时间")),
                    ],
                    options={
                        "verbose_name": "报表发送记录",
                        "verbose_name_plural": "报表发送记录",
                        "ordering": ["-due_at"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["created_at"], name="reportsend_age_idx")],
                        "constraints": [models.UniqueConstraint(fields=("subscription", "due_at"), name="reportsend_once")],
                    },
                ),
                migrations.CreateModel(
                    name="ReportLetter",
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
                            "send",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="letters",
                                to="reports.reportsend",
                                verbose_name="发送记录",
                            ),
                        ),
                        (
                            "recipient",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="reports.reportrecipient",
                                verbose_name="收件人",
                            ),
                        ),
                        ("to", models.CharField(max_length=300, verbose_name="收件人")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待发送"),
                                    ("sending", "发送中"),
                                    ("sent", "已发送"),
                                    ("failed", "发送失败"),
                                    ("skipped", "未发送"),
                                ],
                                default="waiting",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="次数")),
                        ("claimed_at", models.DateTimeField(blank=True, null=True, verbose_name="开始发送")),
                        ("sent_at", models.DateTimeField(blank=True, null=True, verbose_name="发送时间")),
                        ("rows", models.PositiveIntegerField(blank=True, null=True, verbose_name="行数")),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                    ],
                    options={
                        "verbose_name": "订阅邮件",
                        "verbose_name_plural": "订阅邮件",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.UniqueConstraint(fields=("send", "recipient"), name="reportletter_once")],
                    },
                ),
            ],
        ),
    ]
