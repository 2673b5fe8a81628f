import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("approvals", "0001_initial"), ("approvals", "0013_office_order")]

    initial = True

    dependencies = [
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ApprovalRule",
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
                        ("conditions", models.JSONField(blank=True, default=list, verbose_name="条件")),
                        (
                            "condition_mode",
                            models.CharField(
                                choices=[("all", "满足全部条件"), ("any", "满足任一条件")],
                                default="all",
                                max_length=3,
                                verbose_name="条件关系",
                            ),
                        ),
                        ("allows_self_approval", models.BooleanField(default=False, verbose_name="允许申请人审批自己的订单")),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="顺序")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        ("valid_from", models.DateField(blank=True, help_text="留空：立即生效", null=True, verbose_name="生效日")),
                        (
                            "valid_until",
                            models.DateField(blank=True, help_text="当天仍有效；留空：长期有效", null=True, verbose_name="失效日"),
                        ),
                        ("version", models.PositiveIntegerField(db_default=1, default=1, editable=False, verbose_name="版本")),
                        ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="删除时间")),
                    ],
                    options={
                        "verbose_name": "审批规则",
                        "verbose_name_plural": "审批规则",
                        "ordering": ["position", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(fields=["group", "is_active", "position"], name="approvalrule_active_idx"),
                            models.Index(fields=["group", "position", "-id"], name="approvalrule_office_idx"),
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
                    name="ApprovalRuleStep",
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
                            "mode",
                            models.CharField(choices=[("any", "或签"), ("all", "会签")], default="any", max_length=3, verbose_name="方式"),
                        ),
                        (
                            "approver_kind",
                            models.CharField(
                                choices=[("accounts", "指定账号"), ("role", "角色"), ("head", "部门负责人"), ("head_up", "上级部门负责人")],
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
                        ("levels_up", models.PositiveSmallIntegerField(default=0, verbose_name="向上级数")),
                        (
                            "accounts",
                            models.ManyToManyField(blank=True, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="账号"),
                        ),
                    ],
                    options={
                        "verbose_name": "审批步骤",
                        "verbose_name_plural": "审批步骤",
                        "ordering": ["no", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.UniqueConstraint(fields=("group", "rule", "no"), name="approvalrulestep_no_uniq")],
                    },
                ),
                migrations.CreateModel(
                    name="ApprovalRuleVersion",
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
                            models.UniqueConstraint(fields=("group", "rule", "number"), name="approvalruleversion_number_uniq")
                        ],
                    },
                ),
            ],
        ),
    ]
