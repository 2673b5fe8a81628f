import uuid

import django.db.models.deletion
import django.utils.timezone
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
                    name="Event",
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
                        ("subject_type", models.CharField(max_length=40, verbose_name="对象类型")),
                        ("subject_id", models.BigIntegerField(verbose_name="对象编号")),
                        ("kind", models.CharField(max_length=60, verbose_name="事件")),
                        (
                            "actor",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="操作人",
                            ),
                        ),
                        (
                            "acting_for",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="代理",
                            ),
                        ),
                        (
                            "from_state",
                            models.CharField(blank=True, max_length=40, verbose_name="原状态"),
                        ),
                        (
                            "to_state",
                            models.CharField(blank=True, max_length=40, verbose_name="新状态"),
                        ),
                        ("note", models.CharField(blank=True, max_length=500, verbose_name="说明")),
                        ("data", models.JSONField(blank=True, default=dict, verbose_name="数据")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "事件",
                        "verbose_name_plural": "事件",
                        "ordering": ["at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "subject_type", "subject_id", "at"],
                                name="event_subject_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="StoredFile",
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
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="上传人",
                            ),
                        ),
                        ("path", models.CharField(max_length=200, verbose_name="路径")),
                        ("name", models.CharField(max_length=200, verbose_name="文件名")),
                        ("content_type", models.CharField(max_length=80, verbose_name="类型")),
                        ("size", models.PositiveIntegerField(verbose_name="字节数")),
                        ("sha256", models.CharField(max_length=64)),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="上传时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "文件",
                        "verbose_name_plural": "文件",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "owner", "-created_at"],
                                name="storedfile_owner_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="WorkOwner",
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
                        ("kind", models.CharField(max_length=60, verbose_name="类型")),
                        ("object_id", models.BigIntegerField(verbose_name="对象")),
                        (
                            "owner",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="负责人",
                            ),
                        ),
                        (
                            "taken_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="认领时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "工作认领",
                        "verbose_name_plural": "工作认领",
                        "indexes": [
                            models.Index(
                                fields=["owner", "kind", "object_id"], name="workowner_owner_idx"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("kind", "object_id"), name="workowner_one_owner"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ImportRun",
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
                        ("writer", models.CharField(max_length=40, verbose_name="导入")),
                        ("kind", models.CharField(max_length=40, verbose_name="表格")),
                        ("key", models.CharField(blank=True, max_length=64, verbose_name="内容")),
                        (
                            "actor",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="导入人",
                            ),
                        ),
                        ("group_id", models.BigIntegerField(null=True, verbose_name="集团")),
                        ("options", models.JSONField(default=dict, verbose_name="选项")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("staged", "准备中"),
                                    ("held", "待复核"),
                                    ("writing", "正在写入"),
                                    ("taking_back", "正在撤回"),
                                    ("done", "已完成"),
                                    ("taken_back", "已全部撤回"),
                                ],
                                default="staged",
                                max_length=11,
                                verbose_name="状态",
                            ),
                        ),
                        ("rows", models.PositiveIntegerField(default=0, verbose_name="需写入的行")),
                        (
                            "rows_written",
                            models.PositiveIntegerField(default=0, verbose_name="已写入的行"),
                        ),
                        ("report", models.JSONField(default=dict, verbose_name="结果")),
                        (
                            "failures",
                            models.PositiveIntegerField(default=0, verbose_name="失败次数"),
                        ),
                        (
                            "holder",
                            models.CharField(blank=True, max_length=32, verbose_name="执行者"),
                        ),
                        (
                            "held_until",
                            models.DateTimeField(
                                default=django.utils.timezone.now, verbose_name="执行期限"
                            ),
                        ),
                        (
                            "made_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="确认时间"),
                        ),
                        ("ended_at", models.DateTimeField(null=True, verbose_name="结束时间")),
                    ],
                    options={
                        "verbose_name": "表格导入",
                        "verbose_name_plural": "表格导入",
                        "indexes": [
                            models.Index(
                                fields=["writer", "kind", "-id"], name="importrun_kind_idx"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ("writing", "taking_back"))),
                                fields=("key",),
                                name="importrun_open_uniq",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ImportChunk",
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
                            "run",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="chunks",
                                to="common.importrun",
                                verbose_name="导入",
                            ),
                        ),
                        ("number", models.PositiveIntegerField(verbose_name="序号")),
                        (
                            "is_follow_up",
                            models.BooleanField(default=False, verbose_name="后续工作"),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "待写入"),
                                    ("written", "已写入"),
                                    ("taken_back", "已撤回"),
                                ],
                                default="waiting",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        ("rows", models.JSONField(default=list, verbose_name="行")),
                        ("before", models.JSONField(default=list, verbose_name="原值")),
                    ],
                    options={
                        "verbose_name": "导入分批",
                        "verbose_name_plural": "导入分批",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("run", "number"), name="importchunk_number_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ColumnMapping",
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
                        ("kind", models.CharField(max_length=40, verbose_name="表格")),
                        ("group_id", models.BigIntegerField(default=0, verbose_name="集团")),
                        (
                            "enterprise_id",
                            models.BigIntegerField(
                                db_default=0, default=0, verbose_name="客户企业"
                            ),
                        ),
                        ("columns", models.JSONField(default=dict, verbose_name="列对应")),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "表格列对应",
                        "verbose_name_plural": "表格列对应",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("kind", "group_id", "enterprise_id"),
                                name="columnmapping_kind_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ListView",
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
                            "owner",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="保存人",
                            ),
                        ),
                        ("page", models.CharField(max_length=80, verbose_name="列表")),
                        ("name", models.CharField(max_length=20, verbose_name="名称")),
                        ("query", models.CharField(max_length=1000, verbose_name="筛选条件")),
                    ],
                    options={
                        "verbose_name": "保存的筛选",
                        "verbose_name_plural": "保存的筛选",
                        "ordering": ["id"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("owner", "page", "name"), name="listview_name_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
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
                migrations.CreateModel(
                    name="JobRun",
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
                        ("name", models.CharField(max_length=60, unique=True, verbose_name="任务")),
                        ("started_at", models.DateTimeField(verbose_name="开始时间")),
                        ("seconds", models.FloatField(verbose_name="用时（秒）")),
                        ("count", models.IntegerField(null=True, verbose_name="处理数")),
                        (
                            "error",
                            models.CharField(blank=True, max_length=200, verbose_name="错误"),
                        ),
                    ],
                    options={
                        "verbose_name": "任务执行",
                        "verbose_name_plural": "任务执行",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="IdempotencyRecord",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("key", models.CharField(max_length=80)),
                        ("endpoint", models.CharField(max_length=200)),
                        ("body_hash", models.CharField(max_length=64)),
                        ("answer", models.JSONField(null=True)),
                        ("message", models.CharField(blank=True, max_length=200)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "verbose_name": "幂等记录",
                        "verbose_name_plural": "幂等记录",
                        "indexes": [
                            models.Index(fields=["created_at"], name="idempotency_created_idx")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("account", "key"), name="idempotency_account_key_uniq"
                            )
                        ],
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
                    name="RateBlock",
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
                            "name",
                            models.CharField(max_length=160, unique=True, verbose_name="计数器"),
                        ),
                        ("rule", models.CharField(max_length=40, verbose_name="限制项目")),
                        ("client", models.CharField(max_length=120, verbose_name="受限对象")),
                        (
                            "account",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("began_at", models.DateTimeField(verbose_name="开始时间")),
                        ("until", models.DateTimeField(verbose_name="到期时间")),
                        ("times", models.PositiveIntegerField(default=1, verbose_name="累计次数")),
                        ("released_at", models.DateTimeField(null=True, verbose_name="解除时间")),
                        (
                            "released_by",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="解除人",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "频次限制",
                        "verbose_name_plural": "频次限制",
                        "ordering": ["-until", "-pk"],
                        "permissions": [("release_rateblock", "可以解除限制")],
                        "indexes": [
                            models.Index(fields=["-until", "-id"], name="rateblock_until_idx"),
                            models.Index(fields=["client"], name="rateblock_client_idx"),
                        ],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
