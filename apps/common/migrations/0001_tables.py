from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="OutboxMessage",
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
                        ("topic", models.CharField(max_length=60, verbose_name="主题")),
                        ("key", models.CharField(blank=True, max_length=80, verbose_name="键")),
                        (
                            "group_id",
                            models.BigIntegerField(blank=True, null=True, verbose_name="集团"),
                        ),
                        ("payload", models.JSONField(default=dict, verbose_name="内容")),
                        (
                            "queue",
                            models.CharField(
                                choices=[
                                    ("interactive", "即时"),
                                    ("mail", "对外发送"),
                                    ("bulk", "批量"),
                                ],
                                db_default="interactive",
                                default="interactive",
                                max_length=12,
                                verbose_name="队列",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="写入时间"),
                        ),
                        ("available_at", models.DateTimeField(verbose_name="可投递时间")),
                        ("attempts", models.PositiveIntegerField(default=0, verbose_name="次数")),
                        (
                            "delivered_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="投递时间"),
                        ),
                        (
                            "last_error",
                            models.CharField(blank=True, max_length=500, verbose_name="最近错误"),
                        ),
                        (
                            "dead_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="放弃时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "待发消息",
                        "verbose_name_plural": "待发消息",
                        "permissions": [("replay_outboxmessage", "可以重新投递")],
                        "indexes": [
                            models.Index(
                                condition=models.Q(
                                    ("dead_at__isnull", True), ("delivered_at__isnull", True)
                                ),
                                fields=["available_at", "id"],
                                name="outbox_due_idx",
                            ),
                            models.Index(
                                condition=models.Q(("dead_at__isnull", False)),
                                fields=["-id"],
                                name="outbox_dead_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="RateCounter",
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
                        ("name", models.CharField(max_length=160, unique=True)),
                        ("count", models.PositiveIntegerField(default=0)),
                        ("expires_at", models.DateTimeField()),
                    ],
                    options={
                        "verbose_name": "限流计数",
                        "verbose_name_plural": "限流计数",
                        "indexes": [
                            models.Index(fields=["expires_at"], name="ratecounter_expires_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="RunnerLease",
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
                        ("name", models.CharField(max_length=60, unique=True)),
                        ("holder", models.CharField(max_length=120)),
                        ("expires_at", models.DateTimeField()),
                    ],
                    options={
                        "verbose_name": "执行租约",
                        "verbose_name_plural": "执行租约",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
