import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("approvals", "0002_rule_versions"),
        ("approvals", "0003_delegation"),
        ("approvals", "0004_over_budget"),
        ("approvals", "0005_version_content"),
    ]

    dependencies = [
        ("approvals", "0001_rules"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Approval",
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
                        ("subject_type", models.CharField(max_length=40, verbose_name="对象类型")),
                        ("subject_id", models.BigIntegerField(verbose_name="对象")),
                        ("subject_no", models.CharField(max_length=40, verbose_name="单号")),
                        (
                            "requester",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="申请人",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额")),
                        ("is_over_budget", models.BooleanField(db_default=False, default=False, verbose_name="超出预算")),
                        ("reasons", models.JSONField(default=list, verbose_name="审批原因")),
                        (
                            "status",
                            models.CharField(
                                choices=[("pending", "审批中"), ("approved", "已通过"), ("rejected", "已驳回"), ("withdrawn", "已撤回")],
                                default="pending",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="结束时间")),
                        ("version", models.PositiveIntegerField(db_default=1, default=1, verbose_name="版本")),
                        ("urged_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="催办时间")),
                    ],
                    options={
                        "verbose_name": "审批",
                        "verbose_name_plural": "审批",
                        "ordering": ["-created_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "requester", "-created_at"], name="approval_requester_idx"),
                            models.Index(fields=["group", "-created_at", "-id"], name="approval_newest_idx"),
                            models.Index(fields=["group", "subject_type", "subject_id"], name="approval_subject_idx"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "pending")),
                                fields=("group", "subject_type", "subject_id"),
                                name="approval_one_pending",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalStep",
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
                                related_name="steps",
                                to="approvals.approval",
                                verbose_name="审批",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="步骤")),
                        ("rule_name", models.CharField(max_length=80, verbose_name="规则")),
                        (
                            "rule",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="approvals.approvalrule",
                                verbose_name="审批规则",
                            ),
                        ),
                        ("rule_version", models.PositiveIntegerField(blank=True, null=True, verbose_name="规则版本")),
                        ("conditions", models.JSONField(blank=True, editable=False, null=True, verbose_name="规则条件")),
                        (
                            "condition_mode",
                            models.CharField(
                                choices=[("all", "满足全部条件"), ("any", "满足任一条件")],
                                db_default="all",
                                default="all",
                                editable=False,
                                max_length=3,
                                verbose_name="条件关系",
                            ),
                        ),
                        ("mode", models.CharField(choices=[("any", "或签"), ("all", "会签")], max_length=3, verbose_name="方式")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "未开始"),
                                    ("active", "审批中"),
                                    ("approved", "已通过"),
                                    ("rejected", "已驳回"),
                                    ("skipped", "已跳过"),
                                    ("closed", "已关闭"),
                                ],
                                default="waiting",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        ("is_for_staff", models.BooleanField(default=False, verbose_name="由客服审批")),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                        ("asked_at", models.DateTimeField(blank=True, null=True, verbose_name="询问时间")),
                    ],
                    options={
                        "verbose_name": "审批环节",
                        "verbose_name_plural": "审批环节",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.UniqueConstraint(fields=("group", "approval", "no"), name="approvalstep_no_uniq")],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalDelegation",
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
                            "delegator",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="委托人",
                            ),
                        ),
                        (
                            "delegate",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="代理人",
                            ),
                        ),
                        ("valid_from", models.DateField(verbose_name="开始日")),
                        ("valid_until", models.DateField(verbose_name="结束日")),
                        ("reason", models.CharField(blank=True, max_length=200, verbose_name="原因")),
                        ("begun_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="生效时间")),
                        ("cancelled_at", models.DateTimeField(blank=True, null=True, verbose_name="取消时间")),
                    ],
                    options={
                        "verbose_name": "代理审批",
                        "verbose_name_plural": "代理审批",
                        "ordering": ["-valid_from", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "delegate", "valid_until"], name="approvaldelegation_to_idx"),
                            models.Index(fields=["group", "delegator", "valid_until"], name="approvaldelegation_by_idx"),
                            models.Index(
                                condition=models.Q(("begun_at", None), ("cancelled_at", None)),
                                fields=["valid_from"],
                                name="approvaldelegation_unbegun_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("valid_until__gte", models.F("valid_from"))), name="approvaldelegation_dates_in_order"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("delegator", models.F("delegate")), _negated=True),
                                name="approvaldelegation_not_to_self",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
