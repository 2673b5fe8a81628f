import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.common.money
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0001_schema"),
        ("common", "0001_schema"),
        ("org", "0001_schema"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="PurchaseLimit",
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
                            "role",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="limits",
                                to="org.role",
                                verbose_name="角色",
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="limits",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
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
                                verbose_name="类目（空为全部商品）",
                            ),
                        ),
                        (
                            "period",
                            models.CharField(
                                choices=[("order", "每单"), ("day", "每日"), ("month", "每月")],
                                max_length=8,
                                verbose_name="周期",
                            ),
                        ),
                        ("amount", apps.common.money.MoneyField(verbose_name="限额（含税）")),
                        (
                            "action",
                            models.CharField(
                                choices=[("refuse", "不允许提交"), ("approve", "需要审批")],
                                default="refuse",
                                max_length=8,
                                verbose_name="超出时",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "采购限额",
                        "verbose_name_plural": "采购限额",
                        "ordering": ["id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("account__isnull", True), ("role__isnull", False)),
                                    models.Q(("account__isnull", False), ("role__isnull", True)),
                                    _connector="OR",
                                ),
                                name="purchaselimit_one_owner",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount__gt", 0)), name="purchaselimit_positive"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("category__isnull", True)),
                                fields=("group", "role", "period"),
                                name="purchaselimit_role_uniq",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("category__isnull", True)),
                                fields=("group", "account", "period"),
                                name="purchaselimit_account_uniq",
                            ),
                            models.UniqueConstraint(
                                fields=("group", "role", "category", "period"),
                                name="purchaselimit_role_category_uniq",
                            ),
                            models.UniqueConstraint(
                                fields=("group", "account", "category", "period"),
                                name="purchaselimit_account_category_uniq",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
        migrations.AddField(
            model_name="account",
            name="avatar",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="common.storedfile",
                verbose_name="头像",
            ),
        ),
    ]
