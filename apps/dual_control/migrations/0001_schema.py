from decimal import Decimal

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

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
                    name="ActLimit",
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
                        ("kind", models.CharField(max_length=40, verbose_name="操作")),
                        ("job", models.CharField(max_length=20, verbose_name="岗位")),
                        (
                            "alone",
                            apps.common.money.MoneyField(
                                blank=True,
                                default=Decimal("0.00"),
                                help_text="不超过时一人即可完成；0 为每次都须复核，留空为不限",
                                null=True,
                                verbose_name="单人上限（元）",
                            ),
                        ),
                        (
                            "release",
                            apps.common.money.MoneyField(
                                blank=True,
                                default=Decimal("0.00"),
                                help_text="可放行他人提出的操作；0 为不能复核，留空为不限",
                                null=True,
                                verbose_name="复核上限（元）",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "复核额度",
                        "verbose_name_plural": "复核额度",
                        "ordering": ["kind", "job"],
                        "constraints": [
                            models.UniqueConstraint(fields=("kind", "job"), name="actlimit_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("alone__gte", 0), ("alone", None), _connector="OR"),
                                    models.Q(
                                        ("release__gte", 0), ("release", None), _connector="OR"
                                    ),
                                ),
                                name="actlimit_not_negative",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Proposal",
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
                        ("kind", models.CharField(max_length=40, verbose_name="操作")),
                        ("subject_type", models.CharField(max_length=60)),
                        ("subject_id", models.BigIntegerField()),
                        ("subject_text", models.CharField(max_length=200, verbose_name="对象")),
                        ("parameters", models.JSONField()),
                        ("facts", models.JSONField()),
                        (
                            "amount",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="金额"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("proposed", "待复核"),
                                    ("released", "已放行"),
                                    ("rejected", "已驳回"),
                                    ("withdrawn", "已撤回"),
                                    ("expired", "已过期"),
                                ],
                                default="proposed",
                                max_length=10,
                                verbose_name="状态",
                            ),
                        ),
                        (
                            "proposer",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="提出人",
                            ),
                        ),
                        ("proposed_at", models.DateTimeField(verbose_name="提出时间")),
                        ("expires_at", models.DateTimeField(verbose_name="有效期至")),
                        (
                            "decider",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="复核人",
                            ),
                        ),
                        (
                            "decided_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="复核时间"),
                        ),
                        (
                            "reason",
                            models.CharField(blank=True, max_length=300, verbose_name="处理说明"),
                        ),
                    ],
                    options={
                        "verbose_name": "待复核",
                        "verbose_name_plural": "待复核",
                        "ordering": ["-pk"],
                        "indexes": [
                            models.Index(fields=["state", "proposed_at"], name="proposal_state_idx")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state", "proposed")),
                                fields=("kind", "subject_type", "subject_id"),
                                name="proposal_open_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("state__in", ("released", "rejected")), _negated=True
                                    ),
                                    models.Q(
                                        ("decider__isnull", False),
                                        models.Q(("decider", models.F("proposer")), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="proposal_second_person",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("decided_at", None), ("state", "proposed")),
                                    models.Q(
                                        models.Q(("state", "proposed"), _negated=True),
                                        ("decided_at__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="proposal_decided_once",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
