import uuid

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
                    name="Conversation",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "title",
                            models.CharField(default="新对话", max_length=60, verbose_name="标题"),
                        ),
                        ("asked", models.PositiveIntegerField(default=0, verbose_name="提问数")),
                        ("last_at", models.DateTimeField(verbose_name="最近提问")),
                    ],
                    options={
                        "verbose_name": "AI 对话",
                        "verbose_name_plural": "AI 对话",
                        "ordering": ["-last_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "account", "-last_at"],
                                name="conversation_recent_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Message",
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
                            "conversation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="assistant.conversation",
                                verbose_name="对话",
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
                            "role",
                            models.CharField(
                                choices=[("person", "用户"), ("assistant", "助手")],
                                max_length=10,
                                verbose_name="谁",
                            ),
                        ),
                        ("text", models.TextField(blank=True, verbose_name="内容")),
                        ("parts", models.JSONField(default=dict, verbose_name="附带")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("writing", "回答中"),
                                    ("complete", "已完成"),
                                    ("stopped", "已停止"),
                                    ("failed", "未完成"),
                                ],
                                default="complete",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "provider",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("embedded", "内置助手"),
                                    ("model", "大模型"),
                                    ("fallback", "内置助手（模型不可用）"),
                                ],
                                max_length=10,
                                verbose_name="回答者",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "AI 对话消息",
                        "verbose_name_plural": "AI 对话消息",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "conversation", "id"],
                                name="message_conversation_idx",
                            ),
                            models.Index(
                                condition=models.Q(("status", "writing")),
                                fields=["group", "account", "created_at"],
                                name="message_writing_idx",
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="CartProposal",
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
                            "public_id",
                            models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                        ),
                        (
                            "message",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="proposals",
                                to="assistant.message",
                                verbose_name="回答",
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
                        ("lines", models.JSONField(default=list, verbose_name="清单")),
                        (
                            "status",
                            models.CharField(
                                choices=[("open", "待确认"), ("accepted", "已加入购物车")],
                                default="open",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="时间"),
                        ),
                        (
                            "accepted_at",
                            models.DateTimeField(
                                blank=True, null=True, verbose_name="加入购物车时间"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "AI 加购清单",
                        "verbose_name_plural": "AI 加购清单",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "message"], name="proposal_message_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="AssistantUsage",
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
                            "provider",
                            models.CharField(
                                choices=[
                                    ("embedded", "内置助手"),
                                    ("model", "大模型"),
                                    ("fallback", "内置助手（模型不可用）"),
                                ],
                                max_length=10,
                                verbose_name="回答者",
                            ),
                        ),
                        ("model", models.CharField(blank=True, max_length=80, verbose_name="模型")),
                        (
                            "tools",
                            models.CharField(blank=True, max_length=200, verbose_name="用到的工具"),
                        ),
                        (
                            "prompt_tokens",
                            models.PositiveIntegerField(default=0, verbose_name="输入 Token"),
                        ),
                        (
                            "completion_tokens",
                            models.PositiveIntegerField(default=0, verbose_name="输出 Token"),
                        ),
                        (
                            "first_ms",
                            models.PositiveIntegerField(default=0, verbose_name="首字毫秒"),
                        ),
                        ("total_ms", models.PositiveIntegerField(default=0, verbose_name="总毫秒")),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("writing", "回答中"),
                                    ("complete", "已完成"),
                                    ("stopped", "已停止"),
                                    ("failed", "未完成"),
                                ],
                                max_length=10,
                                verbose_name="结果",
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True, verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "AI 用量",
                        "verbose_name_plural": "AI 用量",
                        "ordering": ["-at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "account", "-at"],
                                name="assistantusage_account_idx",
                            ),
                            models.Index(fields=["-at"], name="assistantusage_at_idx"),
                        ],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
