import django.db.models.deletion
from django.db import migrations, models

import apps.common.money
import apps.org.models.group
import apps.org.models.role
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("org", "0001_initial"), ("org", "0009_credit_policy")]

    initial = True

    dependencies = []

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Group",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="创建时间")),
                        ("updated_at", models.DateTimeField(auto_now=True, verbose_name="更新时间")),
                        ("code", models.CharField(max_length=30, unique=True, verbose_name="集团编码")),
                        ("name", models.CharField(max_length=100, verbose_name="集团名称")),
                        ("short_name", models.CharField(blank=True, max_length=30, verbose_name="简称")),
                        ("industry", models.CharField(blank=True, max_length=40, verbose_name="行业")),
                        ("theme_color", models.CharField(blank=True, max_length=9, verbose_name="主题色")),
                        ("logo", models.TextField(blank=True, verbose_name="集团标识")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        ("allows_wechat_work", models.BooleanField(db_default=True, default=True, verbose_name="允许企业微信登录")),
                        (
                            "payment_kinds",
                            models.JSONField(blank=True, db_default=[], default=list, verbose_name="允许的付款方式（空为全部）"),
                        ),
                        (
                            "invoice_kinds",
                            models.JSONField(blank=True, db_default=[], default=list, verbose_name="允许的发票种类（空为全部）"),
                        ),
                        (
                            "over_budget",
                            models.CharField(
                                choices=[("budget", "按各预算的设置"), ("approve", "至少需要审批"), ("block", "一律不允许提交")],
                                db_default="budget",
                                default="budget",
                                max_length=8,
                                verbose_name="超预算下单",
                            ),
                        ),
                        (
                            "approval_remind_hours",
                            models.PositiveSmallIntegerField(db_default=8, default=8, verbose_name="审批超时提醒（工作小时，0 为不提醒）"),
                        ),
                        (
                            "approval_escalate_hours",
                            models.PositiveSmallIntegerField(
                                db_default=24, default=24, verbose_name="审批超时升级（工作小时，0 为不升级）"
                            ),
                        ),
                        (
                            "session_hours",
                            models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="登录保持时长（小时，空为平台默认）"),
                        ),
                        (
                            "has_single_session",
                            models.BooleanField(db_default=False, default=False, verbose_name="同一账号只保留最近一次登录"),
                        ),
                    ],
                    options={
                        "verbose_name": "集团",
                        "verbose_name_plural": "集团",
                        "ordering": ["code"],
                    },
                ),
                migrations.CreateModel(
                    name="Enterprise",
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
                        ("code", models.CharField(max_length=30, verbose_name="企业编码")),
                        ("name", models.CharField(max_length=100, verbose_name="企业名称")),
                        (
                            "credit_code",
                            models.CharField(
                                max_length=18, validators=[apps.org.models.group.validate_credit_code], verbose_name="统一社会信用代码"
                            ),
                        ),
                        ("province", models.CharField(blank=True, max_length=30, verbose_name="省")),
                        ("city", models.CharField(blank=True, max_length=30, verbose_name="市")),
                        ("district", models.CharField(blank=True, max_length=30, verbose_name="区县")),
                        ("street", models.CharField(blank=True, max_length=200, verbose_name="详细地址")),
                        ("phone", models.CharField(blank=True, max_length=30, verbose_name="电话")),
                        ("credit_limit", apps.common.money.MoneyField(blank=True, null=True, verbose_name="信用额度（空为不可月结）")),
                        (
                            "credit_policy",
                            models.CharField(
                                choices=[("block", "不允许提交"), ("approve", "由平台审批"), ("none", "不限制")],
                                db_default="block",
                                default="block",
                                max_length=8,
                                verbose_name="超出信用额度时",
                            ),
                        ),
                        ("credit_days", models.PositiveSmallIntegerField(default=30, verbose_name="账期天数")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "企业",
                        "verbose_name_plural": "企业",
                        "ordering": ["code"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "code"), name="enterprise_group_code_uniq"),
                            models.UniqueConstraint(fields=("group", "credit_code"), name="enterprise_group_credit_uniq"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Role",
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
                        ("code", models.CharField(max_length=30, verbose_name="角色编码")),
                        ("name", models.CharField(max_length=60, verbose_name="角色名称")),
                        (
                            "menu_codes",
                            models.JSONField(
                                blank=True, default=list, validators=[apps.org.models.role.validate_menu_codes], verbose_name="菜单权限"
                            ),
                        ),
                        (
                            "data_scope",
                            models.CharField(
                                choices=[("own", "仅本人"), ("department", "本部门及下级"), ("enterprise", "本企业"), ("group", "全集团")],
                                default="own",
                                max_length=12,
                                verbose_name="数据范围",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "角色",
                        "verbose_name_plural": "角色",
                        "ordering": ["code"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.UniqueConstraint(fields=("group", "code"), name="role_group_code_uniq")],
                    },
                ),
                migrations.CreateModel(
                    name="InvoiceTitle",
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
                            "enterprise",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="invoice_titles",
                                to="org.enterprise",
                                verbose_name="企业",
                            ),
                        ),
                        ("title", models.CharField(max_length=100, verbose_name="抬头")),
                        ("tax_number", models.CharField(max_length=20, verbose_name="税号")),
                        ("address", models.CharField(blank=True, max_length=200, verbose_name="地址")),
                        ("phone", models.CharField(blank=True, max_length=30, verbose_name="电话")),
                        ("bank", models.CharField(blank=True, max_length=100, verbose_name="开户行")),
                        ("bank_account", models.CharField(blank=True, max_length=40, verbose_name="账号")),
                        ("is_default", models.BooleanField(default=False, verbose_name="默认")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        ("has_special_qualification", models.BooleanField(default=False, verbose_name="专票资质已审核")),
                    ],
                    options={
                        "verbose_name": "开票抬头",
                        "verbose_name_plural": "开票抬头",
                        "ordering": ["-is_default", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.UniqueConstraint(fields=("group", "enterprise", "title"), name="invoicetitle_title_uniq")],
                    },
                ),
            ],
        ),
    ]
