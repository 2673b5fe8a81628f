import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("approvals", "0009_newest"),
        ("approvals", "0010_first_arrived"),
        ("approvals", "0011_waited_before"),
        ("approvals", "0012_delegation_begun"),
    ]

    dependencies = [
        ("approvals", "0003_decisions"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ApprovalRemark",
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
                            "approval",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="remarks",
                                to="approvals.approval",
                                verbose_name="审批",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("question", "退回询问"), ("answer", "答复"), ("comment", "评论")],
                                max_length=8,
                                verbose_name="类型",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="发言人",
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
                        ("text", models.CharField(max_length=1000, verbose_name="内容")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                        (
                            "step",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="approvals.approvalstep",
                                verbose_name="环节",
                            ),
                        ),
                        ("is_open", models.BooleanField(default=False, verbose_name="待答复")),
                        (
                            "question",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="approvals.approvalremark",
                                verbose_name="所答问题",
                            ),
                        ),
                        (
                            "mentions",
                            models.ManyToManyField(
                                related_name="+", through="approvals.ApprovalMention", to=settings.AUTH_USER_MODEL, verbose_name="提到的人"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "审批讨论",
                        "verbose_name_plural": "审批讨论",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "approval", "id"], name="approvalremark_approval_idx")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("is_open", False), models.Q(("kind", "question"), ("step__isnull", False)), _connector="OR"
                                ),
                                name="approvalremark_open_asks",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalMention",
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
                            "remark",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="approvals.approvalremark",
                                verbose_name="评论",
                            ),
                        ),
                        (
                            "approval",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="mentioned",
                                to="approvals.approval",
                                verbose_name="审批",
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="提到的人",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "审批提及",
                        "verbose_name_plural": "审批提及",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "account", "approval"], name="approvalmention_account_idx")],
                        "constraints": [models.UniqueConstraint(fields=("group", "remark", "account"), name="approvalmention_once_uniq")],
                    },
                ),
            ],
        ),
    ]
