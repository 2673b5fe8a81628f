import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import apps.common.money
import apps.org.models.account
import apps.org.models.group
import apps.org.validators
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Group",
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
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "code",
                            models.CharField(max_length=30, unique=True, verbose_name="集团编码"),
                        ),
                        ("name", models.CharField(max_length=100, verbose_name="集团名称")),
                        (
                            "short_name",
                            models.CharField(blank=True, max_length=30, verbose_name="简称"),
                        ),
                        (
                            "industry",
                            models.CharField(blank=True, max_length=40, verbose_name="行业"),
                        ),
                        (
                            "theme_color",
                            models.CharField(blank=True, max_length=9, verbose_name="主题色"),
                        ),
                        ("logo", models.TextField(blank=True, verbose_name="集团标识")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "allows_wechat_work",
                            models.BooleanField(
                                db_default=True, default=True, verbose_name="允许企业微信登录"
                            ),
                        ),
                        (
                            "payment_kinds",
                            models.JSONField(
                                blank=True,
                                db_default=[],
                                default=list,
                                verbose_name="允许的付款方式（空为全部）",
                            ),
                        ),
                        (
                            "invoice_kinds",
                            models.JSONField(
                                blank=True,
                                db_default=[],
                                default=list,
                                verbose_name="允许的发票种类（空为全部）",
                            ),
                        ),
                        (
                            "over_budget",
                            models.CharField(
                                choices=[
                                    ("budget", "按各预算的设置"),
                                    ("approve", "至少需要审批"),
                                    ("block", "一律不允许提交"),
                                ],
                                db_default="budget",
                                default="budget",
                                max_length=8,
                                verbose_name="超预算下单",
                            ),
                        ),
                        (
                            "budget_choice",
                            models.CharField(
                                choices=[
                                    ("free", "可自选可用预算"),
                                    ("nearest", "必须使用最近归属的预算"),
                                ],
                                db_default="free",
                                default="free",
                                max_length=8,
                                verbose_name="预算的确定方式",
                            ),
                        ),
                        (
                            "approval_remind_hours",
                            models.PositiveSmallIntegerField(
                                db_default=8,
                                default=8,
                                verbose_name="审批超时提醒（工作小时，0 为不提醒）",
                            ),
                        ),
                        (
                            "approval_escalate_hours",
                            models.PositiveSmallIntegerField(
                                db_default=24,
                                default=24,
                                verbose_name="审批超时升级（工作小时，0 为不升级）",
                            ),
                        ),
                        (
                            "session_hours",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                null=True,
                                verbose_name="登录保持时长（小时，空为平台默认）",
                            ),
                        ),
                        (
                            "has_single_session",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                verbose_name="同一账号只保留最近一次登录",
                            ),
                        ),
                        (
                            "requires_second_factor",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="登录须两步验证"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "集团",
                        "verbose_name_plural": "集团",
                        "ordering": ["code"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Role",
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
                        ("code", models.CharField(max_length=30, verbose_name="角色编码")),
                        ("name", models.CharField(max_length=60, verbose_name="角色名称")),
                        (
                            "menu_codes",
                            models.JSONField(
                                blank=True,
                                default=list,
                                validators=[apps.org.models.account.validate_menu_codes],
                                verbose_name="菜单权限",
                            ),
                        ),
                        (
                            "data_scope",
                            models.CharField(
                                choices=[
                                    ("own", "仅本人"),
                                    ("department", "本部门及下级"),
                                    ("enterprise", "本企业"),
                                    ("group", "全集团"),
                                ],
                                default="own",
                                max_length=12,
                                verbose_name="数据范围",
                            ),
                        ),
                        (
                            "purchasing",
                            models.CharField(
                                choices=[
                                    ("order", "下单"),
                                    ("request", "仅申请"),
                                    ("browse", "仅浏览"),
                                    ("unpriced", "仅浏览（不显示价格）"),
                                ],
                                db_default="order",
                                default="order",
                                max_length=12,
                                verbose_name="采购权限",
                            ),
                        ),
                        (
                            "payment_kinds",
                            models.JSONField(
                                blank=True,
                                db_default=[],
                                default=list,
                                verbose_name="可用付款方式（空为不限）",
                            ),
                        ),
                        (
                            "address_scope",
                            models.CharField(
                                choices=[
                                    ("own", "仅本人地址"),
                                    ("department", "本人和所在部门的地址"),
                                    ("all", "全部可用地址"),
                                ],
                                db_default="all",
                                default="all",
                                max_length=12,
                                verbose_name="可用收货地址",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "角色",
                        "verbose_name_plural": "角色",
                        "ordering": ["code"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "code"), name="role_group_code_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Enterprise",
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
                        ("code", models.CharField(max_length=30, verbose_name="企业编码")),
                        ("name", models.CharField(max_length=100, verbose_name="企业名称")),
                        (
                            "credit_code",
                            models.CharField(
                                max_length=18,
                                validators=[apps.org.models.group.validate_credit_code],
                                verbose_name="统一社会信用代码",
                            ),
                        ),
                        (
                            "province",
                            models.CharField(blank=True, max_length=30, verbose_name="省"),
                        ),
                        ("city", models.CharField(blank=True, max_length=30, verbose_name="市")),
                        (
                            "district",
                            models.CharField(blank=True, max_length=30, verbose_name="区县"),
                        ),
                        (
                            "street",
                            models.CharField(blank=True, max_length=200, verbose_name="详细地址"),
                        ),
                        ("phone", models.CharField(blank=True, max_length=30, verbose_name="电话")),
                        (
                            "credit_limit",
                            apps.common.money.MoneyField(
                                blank=True, null=True, verbose_name="信用额度（空为不可月结）"
                            ),
                        ),
                        (
                            "credit_policy",
                            models.CharField(
                                choices=[
                                    ("block", "不允许提交"),
                                    ("approve", "由平台审批"),
                                    ("none", "不限制"),
                                ],
                                db_default="block",
                                default="block",
                                max_length=8,
                                verbose_name="超出信用额度时",
                            ),
                        ),
                        (
                            "credit_days",
                            models.PositiveSmallIntegerField(default=30, verbose_name="账期天数"),
                        ),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "企业",
                        "verbose_name_plural": "企业",
                        "ordering": ["code"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "code"), name="enterprise_group_code_uniq"
                            ),
                            models.UniqueConstraint(
                                fields=("group", "credit_code"), name="enterprise_group_credit_uniq"
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Department",
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
                            "enterprise",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="departments",
                                to="org.enterprise",
                                verbose_name="企业",
                            ),
                        ),
                        (
                            "parent",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="children",
                                to="org.department",
                                verbose_name="上级部门",
                            ),
                        ),
                        ("code", models.CharField(max_length=30, verbose_name="部门编码")),
                        ("name", models.CharField(max_length=60, verbose_name="部门名称")),
                        (
                            "head",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="部门负责人",
                            ),
                        ),
                        (
                            "cost_center",
                            models.CharField(blank=True, max_length=40, verbose_name="成本中心"),
                        ),
                        ("position", models.PositiveIntegerField(default=0, verbose_name="排序")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "部门",
                        "verbose_name_plural": "部门",
                        "ordering": ["position", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "enterprise", "code"), name="department_code_uniq"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("parent", models.F("id")), _negated=True),
                                name="department_not_own_parent",
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="Account",
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
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        (
                            "last_login",
                            models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                        ),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="org.group",
                                verbose_name="集团",
                            ),
                        ),
                        (
                            "enterprise",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="accounts",
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
                                related_name="accounts",
                                to="org.department",
                                verbose_name="部门",
                            ),
                        ),
                        (
                            "username",
                            models.CharField(max_length=60, unique=True, verbose_name="账号"),
                        ),
                        (
                            "nickname",
                            models.CharField(
                                max_length=40,
                                validators=[apps.org.validators.validate_visible],
                                verbose_name="昵称",
                            ),
                        ),
                        (
                            "full_name",
                            models.CharField(
                                blank=True,
                                max_length=40,
                                validators=[apps.org.validators.validate_visible],
                                verbose_name="姓名",
                            ),
                        ),
                        (
                            "job_title",
                            models.CharField(
                                blank=True,
                                max_length=40,
                                validators=[apps.org.validators.validate_visible],
                                verbose_name="职务",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("GA", "集团管理员"), ("NU", "普通账号")],
                                default="NU",
                                max_length=2,
                                verbose_name="账号类型",
                            ),
                        ),
                        (
                            "mobile",
                            models.CharField(
                                blank=True,
                                max_length=20,
                                validators=[apps.org.validators.validate_mobile],
                                verbose_name="手机号码",
                            ),
                        ),
                        (
                            "email",
                            models.EmailField(blank=True, max_length=254, verbose_name="邮箱"),
                        ),
                        ("is_staff", models.BooleanField(default=False, verbose_name="运营人员")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "created_at",
                            models.DateTimeField(
                                default=django.utils.timezone.now, verbose_name="创建时间"
                            ),
                        ),
                        (
                            "updated_at",
                            models.DateTimeField(auto_now=True, verbose_name="更新时间"),
                        ),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                        (
                            "roles",
                            models.ManyToManyField(
                                blank=True,
                                related_name="accounts",
                                to="org.role",
                                verbose_name="角色",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "账号",
                        "verbose_name_plural": "账号",
                        "ordering": ["id"],
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "enterprise", "department"],
                                name="account_place_idx",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("group__isnull", True), ("is_staff", True)),
                                    models.Q(("group__isnull", False), ("is_staff", False)),
                                    _connector="OR",
                                ),
                                name="account_staff_or_group",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="InvoiceTitle",
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
                        (
                            "address",
                            models.CharField(blank=True, max_length=200, verbose_name="地址"),
                        ),
                        ("phone", models.CharField(blank=True, max_length=30, verbose_name="电话")),
                        (
                            "bank",
                            models.CharField(blank=True, max_length=100, verbose_name="开户行"),
                        ),
                        (
                            "bank_account",
                            models.CharField(blank=True, max_length=40, verbose_name="账号"),
                        ),
                        ("is_default", models.BooleanField(default=False, verbose_name="默认")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        (
                            "has_special_qualification",
                            models.BooleanField(default=False, verbose_name="专票资质已审核"),
                        ),
                    ],
                    options={
                        "verbose_name": "开票抬头",
                        "verbose_name_plural": "开票抬头",
                        "ordering": ["-is_default", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "enterprise", "title"),
                                name="invoicetitle_title_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="OrganisationChange",
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
                            "actor",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="操作人",
                            ),
                        ),
                        ("subject_type", models.CharField(max_length=30, verbose_name="对象类型")),
                        ("subject_id", models.BigIntegerField(verbose_name="对象")),
                        ("subject_name", models.CharField(max_length=200, verbose_name="对象名称")),
                        ("action", models.CharField(max_length=30, verbose_name="操作")),
                        (
                            "changes",
                            models.JSONField(blank=True, default=list, verbose_name="变更内容"),
                        ),
                        ("note", models.CharField(blank=True, max_length=500, verbose_name="说明")),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "变更记录",
                        "verbose_name_plural": "变更记录",
                        "ordering": ["-pk"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "subject_type", "subject_id", "-id"],
                                name="orgchange_subject_idx",
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Address",
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
                            "enterprise",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="addresses",
                                to="org.enterprise",
                                verbose_name="企业（空为全集团）",
                            ),
                        ),
                        (
                            "department",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="addresses",
                                to="org.department",
                                verbose_name="部门（空为不限）",
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="addresses",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号（空为共用）",
                            ),
                        ),
                        ("label", models.CharField(blank=True, max_length=20, verbose_name="标签")),
                        ("receiver", models.CharField(max_length=40, verbose_name="收货人")),
                        (
                            "mobile",
                            models.CharField(
                                max_length=20,
                                validators=[apps.org.validators.validate_mobile],
                                verbose_name="手机号码",
                            ),
                        ),
                        ("province", models.CharField(max_length=30, verbose_name="省")),
                        ("city", models.CharField(max_length=30, verbose_name="市")),
                        (
                            "district",
                            models.CharField(blank=True, max_length=30, verbose_name="区县"),
                        ),
                        (
                            "town",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=30,
                                verbose_name="街道",
                            ),
                        ),
                        ("street", models.CharField(max_length=200, verbose_name="详细地址")),
                        (
                            "postal_code",
                            models.CharField(
                                blank=True,
                                max_length=6,
                                validators=[apps.org.validators.validate_postal_code],
                                verbose_name="邮政编码",
                            ),
                        ),
                        ("is_default", models.BooleanField(default=False, verbose_name="默认地址")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                    ],
                    options={
                        "verbose_name": "收货地址",
                        "verbose_name_plural": "收货地址",
                        "ordering": ["-is_default", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [
                            models.Index(
                                fields=["group", "enterprise", "account"], name="address_owner_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
