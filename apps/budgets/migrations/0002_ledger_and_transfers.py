import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("budgets", "0002_rollover")]

    dependencies = [
        ("budgets", "0001_budgets"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="BudgetEntry",
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
                            "budget",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="budgets.budget",
                                verbose_name="预算",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("allocate", "拨款"),
                                    ("adjust", "调整"),
                                    ("reserve", "预占"),
                                    ("release", "释放"),
                                    ("consume", "使用"),
                                    ("refund", "退回"),
                                    ("carry_out", "结转转出"),
                                    ("carry_in", "结转转入"),
                                ],
                                max_length=10,
                                verbose_name="类型",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额")),
                        ("reference", models.CharField(blank=True, max_length=40, verbose_name="订单号")),
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
                        ("note", models.CharField(blank=True, max_length=200, verbose_name="说明")),
                        ("at", models.DateTimeField(verbose_name="时间")),
                        (
                            "counterpart",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="budgets.budgetentry",
                                verbose_name="对应流水",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "预算流水",
                        "verbose_name_plural": "预算流水",
                        "ordering": ["-at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "budget", "-at"], name="budgetentry_budget_at_idx")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("kind", "carry_out")), fields=("budget",), name="budgetentry_carried_out_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BudgetTransfer",
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
                            "source",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="budgets.budget", verbose_name="调出预算"
                            ),
                        ),
                        (
                            "target",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="budgets.budget", verbose_name="调入预算"
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额")),
                        ("reason", models.CharField(max_length=100, verbose_name="调拨原因")),
                        (
                            "status",
                            models.CharField(
                                choices=[("waiting", "待审批"), ("approved", "已通过"), ("rejected", "已驳回"), ("withdrawn", "已撤回")],
                                default="waiting",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "requester",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="申请人",
                            ),
                        ),
                        (
                            "decided_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="审批人",
                            ),
                        ),
                        ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="审批时间")),
                        ("decision_note", models.CharField(blank=True, max_length=200, verbose_name="审批意见")),
                    ],
                    options={
                        "verbose_name": "预算调拨",
                        "verbose_name_plural": "预算调拨",
                        "ordering": ["-created_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "waiting")), fields=["group", "source"], name="budgettransfer_waiting_idx"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="budgettransfer_of_something"),
                            models.CheckConstraint(
                                condition=models.Q(("source", models.F("target")), _negated=True), name="budgettransfer_between_two"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("decided_by__isnull", True),
                                    models.Q(("decided_by", models.F("requester")), _negated=True),
                                    _connector="OR",
                                ),
                                name="budgettransfer_not_himself",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("decided_at__isnull", True), ("decided_by__isnull", True), ("status", "waiting")),
                                    models.Q(models.Q(("status", "waiting"), _negated=True), ("decided_at__isnull", False)),
                                    _connector="OR",
                                ),
                                name="budgettransfer_decided_with_time",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
