import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import apps.approvals.models.flow
import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("approvals", "0006_amendments_remarks"), ("approvals", "0007_waiting"), ("approvals", "0008_arrived_since")]

    dependencies = [
        ("approvals", "0002_chains"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ApprovalTask",
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
                            "step",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tasks",
                                to="approvals.approvalstep",
                                verbose_name="环节",
                            ),
                        ),
                        (
                            "approver",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="审批人",
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
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "未开始"),
                                    ("pending", "待审批"),
                                    ("approved", "已同意"),
                                    ("rejected", "已驳回"),
                                    ("transferred", "已转交"),
                                    ("skipped", "已跳过"),
                                    ("closed", "已关闭"),
                                ],
                                default="waiting",
                                max_length=11,
                                verbose_name="状态",
                            ),
                        ),
                        ("comment", models.CharField(blank=True, max_length=500, verbose_name="意见")),
                        (
                            "arrived_at",
                            models.DateTimeField(
                                db_default=django.db.models.functions.datetime.Now(),
                                default=apps.approvals.models.flow.present_moment,
                                editable=False,
                                verbose_name="送达时间",
                            ),
                        ),
                        ("first_arrived_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="首次送达时间")),
                        ("reminded_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="提醒时间")),
                        ("escalated_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="升级时间")),
                        (
                            "escalated_from",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="approvals.approvaltask",
                                verbose_name="升级自",
                            ),
                        ),
                        ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="处理时间")),
                        (
                            "waited_minutes",
                            models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name="处理用时（工作分钟）"),
                        ),
                    ],
                    options={
                        "verbose_name": "审批任务",
                        "verbose_name_plural": "审批任务",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "approver", "status"], name="approvaltask_inbox_idx"),
                            models.Index(
                                condition=models.Q(("status", "pending")), fields=["group", "arrived_at"], name="approvaltask_waiting_idx"
                            ),
                            models.Index(fields=["group", "decided_at"], name="approvaltask_decided_idx"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalAmendment",
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
                                related_name="amendments",
                                to="approvals.approval",
                                verbose_name="审批",
                            ),
                        ),
                        ("version", models.PositiveIntegerField(verbose_name="版本")),
                        (
                            "actor",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="调整人",
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
                        ("reason", models.CharField(max_length=300, verbose_name="调整原因")),
                        ("lines", models.JSONField(default=list, verbose_name="数量变化")),
                        ("figures", models.JSONField(default=list, verbose_name="金额变化")),
                        ("amount_before", apps.common.money.MoneyField(verbose_name="调整前金额")),
                        ("amount_after", apps.common.money.MoneyField(verbose_name="调整后金额")),
                        ("at", models.DateTimeField(verbose_name="调整时间")),
                    ],
                    options={
                        "verbose_name": "审批调整",
                        "verbose_name_plural": "审批调整",
                        "ordering": ["version"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "approval", "version"), name="approvalamendment_version_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(("amount_after__lte", models.F("amount_before"))), name="approvalamendment_never_dearer"
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
