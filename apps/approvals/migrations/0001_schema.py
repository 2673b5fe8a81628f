import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import apps.approvals.models.flow
import apps.common.money
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
                    name="ApprovalDelegation",
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
                        (
                            "reason",
                            models.CharField(blank=True, max_length=200, verbose_name="原因"),
                        ),
                        (
                            "rules",
                            models.JSONField(
                                blank=True, db_default=[], default=list, verbose_name="审批规则"
                            ),
                        ),
                        (
                            "amount_limit",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="金额上限"
                            ),
                        ),
                        (
                            "begun_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="生效时间"
                            ),
                        ),
                        (
                            "cancelled_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="取消时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "代理审批",
                        "verbose_name_plural": "代理审批",
                        "ordering": ["-valid_from", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "delegate", "valid_until"],
                                name="approvaldelegation_to_idx",
                            ),
                            models.Index(
                                fields=["group", "delegator", "valid_until"],
                                name="approvaldelegation_by_idx",
                            ),
                            models.Index(
                                condition=models.Q(("begun_at", None), ("cancelled_at", None)),
                                fields=["valid_from"],
                                name="approvaldelegation_unbegun_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("valid_until__gte", models.F("valid_from"))),
                                name="approvaldelegation_dates_in_order",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("amount_limit", None), ("amount_limit__gt", 0), _connector="OR"
                                ),
                                name="approvaldelegation_limit_positive",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("delegator", models.F("delegate")), _negated=True
                                ),
                                name="approvaldelegation_not_to_self",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Approval",
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
                        (
                            "whole_amount",
                            apps.common.money.MoneyField(
                                blank=True, editable=False, null=True, verbose_name="提交的合计金额"
                            ),
                        ),
                        (
                            "is_over_budget",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="超出预算"
                            ),
                        ),
                        ("reasons", models.JSONField(default=list, verbose_name="审批原因")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("pending", "审批中"),
                                    ("approved", "已通过"),
                                    ("rejected", "已驳回"),
                                    ("withdrawn", "已撤回"),
                                ],
                                default="pending",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="结束时间"),
                        ),
                        (
                            "version",
                            models.PositiveIntegerField(
                                db_default=1, default=1, verbose_name="版本"
                            ),
                        ),
                        (
                            "urged_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="催办时间"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "审批",
                        "verbose_name_plural": "审批",
                        "ordering": ["-created_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "requester", "-created_at"],
                                name="approval_requester_idx",
                            ),
                            models.Index(
                                fields=["group", "-created_at", "-id"], name="approval_newest_idx"
                            ),
                            models.Index(
                                fields=["group", "subject_type", "subject_id"],
                                name="approval_subject_idx",
                            ),
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
                    name="ApprovalRule",
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
                        ("name", models.CharField(max_length=80, verbose_name="规则名称")),
                        (
                            "enterprise",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.enterprise",
                                verbose_name="企业",
                            ),
                        ),
                        (
                            "department",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.department",
                                verbose_name="部门",
                            ),
                        ),
                        (
                            "conditions",
                            models.JSONField(blank=True, default=list, verbose_name="条件"),
                        ),
                        (
                            "condition_mode",
                            models.CharField(
                                choices=[("all", "满足全部条件"), ("any", "满足任一条件")],
                                default="all",
                                max_length=3,
                                verbose_name="条件关系",
                            ),
                        ),
                        (
                            "bands",
                            models.JSONField(
                                blank=True, db_default=[], default=list, verbose_name="分档"
                            ),
                        ),
                        (
                            "allows_self_approval",
                            models.BooleanField(
                                default=False, verbose_name="允许申请人审批自己的订单"
                            ),
                        ),
                        (
                            "allows_same_person",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                verbose_name="允许同一人审批多个步骤",
                            ),
                        ),
                        (
                            "copy_accounts",
                            models.JSONField(blank=True, default=list, verbose_name="抄送的人"),
                        ),
                        (
                            "copy_roles",
                            models.JSONField(blank=True, default=list, verbose_name="抄送的角色"),
                        ),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="顺序")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "valid_from",
                            models.DateField(
                                blank=True,
                                help_text="留空：立即生效",
                                null=True,
                                verbose_name="生效日",
                            ),
                        ),
                        (
                            "valid_until",
                            models.DateField(
                                blank=True,
                                help_text="当天仍有效；留空：长期有效",
                                null=True,
                                verbose_name="失效日",
                            ),
                        ),
                        (
                            "has_shared_sums",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                editable=False,
                                verbose_name="累计多人订单",
                            ),
                        ),
                        (
                            "version",
                            models.PositiveIntegerField(
                                db_default=1, default=1, editable=False, verbose_name="版本"
                            ),
                        ),
                        (
                            "deleted_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="删除时间"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "审批规则",
                        "verbose_name_plural": "审批规则",
                        "ordering": ["position", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "is_active", "position"],
                                name="approvalrule_active_idx",
                            ),
                            models.Index(
                                fields=["group", "position", "-id"], name="approvalrule_office_idx"
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("valid_from__isnull", True),
                                    ("valid_until__isnull", True),
                                    ("valid_until__gte", models.F("valid_from")),
                                    _connector="OR",
                                ),
                                name="approvalrule_dates_in_order",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalStep",
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
                        (
                            "rule_version",
                            models.PositiveIntegerField(
                                blank=True, null=True, verbose_name="规则版本"
                            ),
                        ),
                        (
                            "conditions",
                            models.JSONField(
                                blank=True, editable=False, null=True, verbose_name="规则条件"
                            ),
                        ),
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
                        (
                            "band",
                            models.CharField(
                                blank=True,
                                db_default="",
                                editable=False,
                                max_length=120,
                                verbose_name="分档",
                            ),
                        ),
                        (
                            "reasons",
                            models.JSONField(
                                db_default=[], default=list, editable=False, verbose_name="原因"
                            ),
                        ),
                        (
                            "mode",
                            models.CharField(
                                choices=[("any", "或签"), ("all", "会签")],
                                max_length=3,
                                verbose_name="方式",
                            ),
                        ),
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
                        (
                            "is_for_staff",
                            models.BooleanField(default=False, verbose_name="由客服审批"),
                        ),
                        (
                            "allows_same_person",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                editable=False,
                                verbose_name="允许同一人审批多个步骤",
                            ),
                        ),
                        (
                            "added_by",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="加签人",
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                        (
                            "asked_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="询问时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "审批环节",
                        "verbose_name_plural": "审批环节",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "approval", "no"), name="approvalstep_no_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalTask",
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
                        (
                            "comment",
                            models.CharField(blank=True, max_length=500, verbose_name="意见"),
                        ),
                        (
                            "arrived_at",
                            models.DateTimeField(
                                db_default=django.db.models.functions.datetime.Now(),
                                default=apps.approvals.models.flow.present_moment,
                                editable=False,
                                verbose_name="送达时间",
                            ),
                        ),
                        (
                            "first_arrived_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="首次送达时间"
                            ),
                        ),
                        (
                            "reminded_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="提醒时间"
                            ),
                        ),
                        (
                            "escalated_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="升级时间"
                            ),
                        ),
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
                        (
                            "added_by",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="加签人",
                            ),
                        ),
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="处理时间"),
                        ),
                        (
                            "waited_minutes",
                            models.PositiveIntegerField(
                                blank=True,
                                editable=False,
                                null=True,
                                verbose_name="处理用时（工作分钟）",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "审批任务",
                        "verbose_name_plural": "审批任务",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "approver", "status"],
                                name="approvaltask_inbox_idx",
                            ),
                            models.Index(
                                condition=models.Q(("status", "pending")),
                                fields=["group", "arrived_at"],
                                name="approvaltask_waiting_idx",
                            ),
                            models.Index(
                                fields=["group", "decided_at"], name="approvaltask_decided_idx"
                            ),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalAmendment",
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
                        (
                            "reasons_before",
                            models.JSONField(
                                db_default=[], default=list, verbose_name="调整前的审批原因"
                            ),
                        ),
                        (
                            "reasons_after",
                            models.JSONField(
                                db_default=[], default=list, verbose_name="调整后的审批原因"
                            ),
                        ),
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
                            models.UniqueConstraint(
                                fields=("group", "approval", "version"),
                                name="approvalamendment_version_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("amount_after__lte", models.F("amount_before"))
                                ),
                                name="approvalamendment_never_dearer",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalMention",
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
                        "indexes": [
                            models.Index(
                                fields=["group", "account", "approval"],
                                name="approvalmention_account_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "remark", "account"),
                                name="approvalmention_once_uniq",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalRemark",
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
                                choices=[
                                    ("question", "退回询问"),
                                    ("answer", "答复"),
                                    ("comment", "评论"),
                                ],
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
                                related_name="+",
                                through="approvals.ApprovalMention",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="提到的人",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "审批讨论",
                        "verbose_name_plural": "审批讨论",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "approval", "id"],
                                name="approvalremark_approval_idx",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("is_open", False),
                                    models.Q(("kind", "question"), ("step__isnull", False)),
                                    _connector="OR",
                                ),
                                name="approvalremark_open_asks",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalCopy",
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
                            "approval",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="copies",
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
                                verbose_name="抄送给",
                            ),
                        ),
                        (
                            "sent_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="抄送人",
                            ),
                        ),
                        ("at", models.DateTimeField(verbose_name="抄送时间")),
                        (
                            "read_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="阅读时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "审批抄送",
                        "verbose_name_plural": "审批抄送",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "account", "approval"],
                                name="approvalcopy_account_idx",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "approval", "account"),
                                name="approvalcopy_once_uniq",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalRuleStep",
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
                            "rule",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="steps",
                                to="approvals.approvalrule",
                                verbose_name="规则",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="步骤")),
                        (
                            "band",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                help_text="第几档；留空：所有档",
                                null=True,
                                verbose_name="分档",
                            ),
                        ),
                        (
                            "mode",
                            models.CharField(
                                choices=[("any", "或签"), ("all", "会签")],
                                default="any",
                                max_length=3,
                                verbose_name="方式",
                            ),
                        ),
                        (
                            "approver_kind",
                            models.CharField(
                                choices=[
                                    ("accounts", "指定账号"),
                                    ("role", "角色"),
                                    ("head", "部门负责人"),
                                    ("head_up", "上级部门负责人"),
                                ],
                                max_length=8,
                                verbose_name="审批人",
                            ),
                        ),
                        (
                            "role",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.role",
                                verbose_name="角色",
                            ),
                        ),
                        (
                            "levels_up",
                            models.PositiveSmallIntegerField(default=0, verbose_name="向上级数"),
                        ),
                        (
                            "accounts",
                            models.ManyToManyField(
                                blank=True,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "审批步骤",
                        "verbose_name_plural": "审批步骤",
                        "ordering": ["no", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "rule", "no"), name="approvalrulestep_no_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalRuleVersion",
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
                            "rule",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="versions",
                                to="approvals.approvalrule",
                                verbose_name="规则",
                            ),
                        ),
                        ("number", models.PositiveIntegerField(verbose_name="版本")),
                        (
                            "action",
                            models.CharField(
                                choices=[
                                    ("created", "新建"),
                                    ("copied", "复制新建"),
                                    ("changed", "修改"),
                                    ("enabled", "启用"),
                                    ("disabled", "停用"),
                                    ("deleted", "删除"),
                                    ("restored", "恢复历史版本"),
                                ],
                                max_length=8,
                                verbose_name="操作",
                            ),
                        ),
                        ("words", models.JSONField(default=list, verbose_name="内容")),
                        ("content", models.JSONField(blank=True, null=True, verbose_name="数据")),
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
                        ("at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "审批规则版本",
                        "verbose_name_plural": "审批规则版本",
                        "ordering": ["-number"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "rule", "number"),
                                name="approvalruleversion_number_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="RuleReplay",
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
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="发起人",
                            ),
                        ),
                        (
                            "rule",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="approvals.approvalrule",
                                verbose_name="原规则",
                            ),
                        ),
                        ("content", models.JSONField(verbose_name="规则草稿")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("queued", "等待开始"),
                                    ("running", "回放中"),
                                    ("done", "已完成"),
                                    ("failed", "失败"),
                                ],
                                default="queued",
                                max_length=8,
                                verbose_name="状态",
                            ),
                        ),
                        ("done", models.PositiveIntegerField(default=0, verbose_name="已回放")),
                        ("total", models.PositiveIntegerField(default=0, verbose_name="订单数")),
                        ("result", models.JSONField(blank=True, null=True, verbose_name="结果")),
                        (
                            "error",
                            models.CharField(blank=True, max_length=200, verbose_name="失败原因"),
                        ),
                    ],
                    options={
                        "verbose_name": "规则回放",
                        "verbose_name_plural": "规则回放",
                        "ordering": ["-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "owner", "-id"], name="rulereplay_owner_idx"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("done__lte", models.F("total"))),
                                name="rulereplay_done_lte",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
