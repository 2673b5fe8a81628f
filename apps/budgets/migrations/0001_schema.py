from decimal import Decimal

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

import apps.budgets.models
import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("catalog", "0001_schema"),
        ("dimensions", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Budget",
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
                        ("name", models.CharField(max_length=80, verbose_name="预算名称")),
                        (
                            "owner_type",
                            models.CharField(
                                choices=[
                                    ("enterprise", "企业"),
                                    ("department", "部门"),
                                    ("account", "账号"),
                                ],
                                max_length=10,
                                verbose_name="归属",
                            ),
                        ),
                        (
                            "enterprise",
                            models.ForeignKey(
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
                            "account",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "parent",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="children",
                                to="budgets.budget",
                                verbose_name="上级预算",
                            ),
                        ),
                        (
                            "category",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="catalog.category",
                                verbose_name="限定类目",
                            ),
                        ),
                        (
                            "dimension",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="dimensions.dimension",
                                verbose_name="限定核算项",
                            ),
                        ),
                        (
                            "period",
                            models.CharField(
                                choices=[("month", "月度"), ("quarter", "季度"), ("year", "年度")],
                                max_length=8,
                                verbose_name="周期",
                            ),
                        ),
                        ("period_from", models.DateField(verbose_name="开始日")),
                        ("period_to", models.DateField(verbose_name="结束日")),
                        (
                            "policy",
                            models.CharField(
                                choices=[
                                    ("block", "超出禁止下单"),
                                    ("warn", "超出提醒"),
                                    ("approve", "超出需审批"),
                                ],
                                default="block",
                                max_length=8,
                                verbose_name="超出策略",
                            ),
                        ),
                        (
                            "rollover",
                            models.CharField(
                                choices=[
                                    ("none", "不结转"),
                                    ("all", "全部结转"),
                                    ("cap", "限额结转"),
                                ],
                                db_default="none",
                                default="none",
                                max_length=4,
                                verbose_name="结转方式",
                            ),
                        ),
                        (
                            "rollover_cap",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="结转上限"
                            ),
                        ),
                        (
                            "rolled_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="结转时间"
                            ),
                        ),
                        (
                            "thresholds",
                            models.JSONField(
                                db_default=[80, 100],
                                default=apps.budgets.models.default_thresholds,
                                verbose_name="预警线（%）",
                            ),
                        ),
                        (
                            "amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="额度"
                            ),
                        ),
                        (
                            "reserved",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="已预占"
                            ),
                        ),
                        (
                            "consumed",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="已使用"
                            ),
                        ),
                        (
                            "held",
                            apps.common.money.MoneyField(
                                db_default=Decimal("0.00"),
                                default=Decimal("0.00"),
                                verbose_name="调出待审",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "预算",
                        "verbose_name_plural": "预算",
                        "ordering": ["-period_from", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "enterprise", "period_from", "period_to"],
                                name="budget_period_idx",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("rolled_at__isnull", True),
                                    models.Q(("rollover", "none"), _negated=True),
                                ),
                                fields=["period_to"],
                                name="budget_to_carry_idx",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("amount__gte", 0),
                                    ("consumed__gte", 0),
                                    ("held__gte", 0),
                                    ("reserved__gte", 0),
                                ),
                                name="budget_not_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("policy", "block"), _negated=True),
                                    (
                                        "amount__gte",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("reserved"), "+", models.F("consumed")
                                            ),
                                            "+",
                                            models.F("held"),
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="budget_block_not_overdrawn",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("period_to__gte", models.F("period_from"))),
                                name="budget_period_in_order",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("account__isnull", True),
                                        ("department__isnull", True),
                                        ("owner_type", "enterprise"),
                                    ),
                                    models.Q(
                                        ("account__isnull", True),
                                        ("department__isnull", False),
                                        ("owner_type", "department"),
                                    ),
                                    models.Q(
                                        ("account__isnull", False),
                                        ("department__isnull", True),
                                        ("owner_type", "account"),
                                    ),
                                    _connector="OR",
                                ),
                                name="budget_one_owner",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("rollover", "cap"), ("rollover_cap__gt", 0)),
                                    models.Q(
                                        models.Q(("rollover", "cap"), _negated=True),
                                        ("rollover_cap__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="budget_cap_where_capped",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("parent", models.F("id")), _negated=True),
                                name="budget_not_own_parent",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("category__isnull", True),
                                    ("dimension__isnull", True),
                                    _connector="OR",
                                ),
                                name="budget_one_earmark",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BudgetReservation",
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
                            "budget",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reservations",
                                to="budgets.budget",
                                verbose_name="预算",
                            ),
                        ),
                        ("reference", models.CharField(max_length=40, verbose_name="订单号")),
                        (
                            "amount",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="预占中"
                            ),
                        ),
                        (
                            "consumed",
                            apps.common.money.MoneyField(
                                default=Decimal("0.00"), verbose_name="已使用"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "预算预占",
                        "verbose_name_plural": "预算预占",
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "reference", "budget"),
                                name="budgetreservation_reference_uniq",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount__gte", 0), ("consumed__gte", 0)),
                                name="budgetreservation_not_negative",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="BudgetEntry",
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
                        (
                            "reference",
                            models.CharField(blank=True, max_length=40, verbose_name="订单号"),
                        ),
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
                        (
                            "origin",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="budgets.budget",
                                verbose_name="来自下级预算",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "预算流水",
                        "verbose_name_plural": "预算流水",
                        "ordering": ["-at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "budget", "-at"], name="budgetentry_budget_at_idx"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("kind", "carry_out")),
                                fields=("budget",),
                                name="budgetentry_carried_out_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BudgetTransfer",
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
                            "source",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="budgets.budget",
                                verbose_name="调出预算",
                            ),
                        ),
                        (
                            "target",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="budgets.budget",
                                verbose_name="调入预算",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="金额")),
                        ("reason", models.CharField(max_length=100, verbose_name="调拨原因")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "待审批"),
                                    ("approved", "已通过"),
                                    ("rejected", "已驳回"),
                                    ("withdrawn", "已撤回"),
                                ],
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
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="审批时间"),
                        ),
                        (
                            "decision_note",
                            models.CharField(blank=True, max_length=200, verbose_name="审批意见"),
                        ),
                    ],
                    options={
                        "verbose_name": "预算调拨",
                        "verbose_name_plural": "预算调拨",
                        "ordering": ["-created_at", "-id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "waiting")),
                                fields=["group", "source"],
                                name="budgettransfer_waiting_idx",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("amount__gt", 0)),
                                name="budgettransfer_of_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("source", models.F("target")), _negated=True),
                                name="budgettransfer_between_two",
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
                                    models.Q(
                                        ("decided_at__isnull", True),
                                        ("decided_by__isnull", True),
                                        ("status", "waiting"),
                                    ),
                                    models.Q(
                                        models.Q(("status", "waiting"), _negated=True),
                                        ("decided_at__isnull", False),
                                    ),
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
