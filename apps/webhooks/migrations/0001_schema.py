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
                    name="Webhook",
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
                        ("name", models.CharField(max_length=40, verbose_name="名称")),
                        ("url", models.CharField(max_length=500, verbose_name="推送地址")),
                        ("events", models.JSONField(default=list, verbose_name="订阅事件")),
                        (
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="负责人",
                            ),
                        ),
                        (
                            "secret_seed",
                            models.CharField(
                                editable=False, max_length=64, verbose_name="密钥种子"
                            ),
                        ),
                        (
                            "old_seed",
                            models.CharField(
                                blank=True, editable=False, max_length=64, verbose_name="旧密钥种子"
                            ),
                        ),
                        (
                            "old_seed_until",
                            models.DateTimeField(
                                blank=True, null=True, verbose_name="旧密钥有效至"
                            ),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "paused_reason",
                            models.CharField(blank=True, max_length=200, verbose_name="暂停原因"),
                        ),
                        (
                            "failures",
                            models.PositiveIntegerField(default=0, verbose_name="连续失败次数"),
                        ),
                        (
                            "rest_until",
                            models.DateTimeField(blank=True, null=True, verbose_name="暂缓至"),
                        ),
                        (
                            "delivered_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="最近送达"),
                        ),
                    ],
                    options={
                        "verbose_name": "推送地址",
                        "verbose_name_plural": "推送地址",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "id"], name="webhook_group_idx")],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="WebhookDelivery",
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
                            "webhook",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="webhooks.webhook",
                                verbose_name="推送地址",
                            ),
                        ),
                        ("event_id", models.CharField(max_length=40, verbose_name="事件编号")),
                        ("event", models.CharField(max_length=40, verbose_name="事件")),
                        (
                            "subject",
                            models.CharField(blank=True, max_length=80, verbose_name="单号"),
                        ),
                        ("payload", models.JSONField(default=dict, verbose_name="内容")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待推送"),
                                    ("sending", "推送中"),
                                    ("delivered", "已送达"),
                                    ("failed", "已放弃"),
                                ],
                                default="waiting",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "attempts",
                            models.PositiveIntegerField(default=0, verbose_name="推送次数"),
                        ),
                        ("tries_left", models.PositiveSmallIntegerField(verbose_name="剩余次数")),
                        (
                            "replays",
                            models.PositiveIntegerField(default=0, verbose_name="重放次数"),
                        ),
                        (
                            "status_code",
                            models.PositiveSmallIntegerField(
                                blank=True, null=True, verbose_name="应答状态码"
                            ),
                        ),
                        (
                            "answer",
                            models.CharField(blank=True, max_length=500, verbose_name="应答内容"),
                        ),
                        (
                            "error",
                            models.CharField(blank=True, max_length=200, verbose_name="失败原因"),
                        ),
                        ("tries", models.JSONField(default=list, verbose_name="推送经过")),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="产生时间"),
                        ),
                        ("due_at", models.DateTimeField(verbose_name="可推送时间")),
                        (
                            "ended_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "推送记录",
                        "verbose_name_plural": "推送记录",
                        "ordering": ["-id"],
                        "permissions": [("replay_webhookdelivery", "可以重放推送")],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "webhook", "-id"], name="webhookdelivery_list_idx"
                            ),
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "sending"])),
                                fields=["due_at", "id"],
                                name="webhookdelivery_due_idx",
                            ),
                            models.Index(fields=["created_at"], name="webhookdelivery_age_idx"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "webhook", "event_id"),
                                name="webhookdelivery_event_uniq",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
