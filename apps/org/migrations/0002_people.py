import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import apps.org.contact
from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("org", "0002_invoice_title"),
        ("org", "0003_group_logo_data"),
        ("org", "0004_group_allows_wechat_work"),
        ("org", "0005_organisation_change"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("org", "0001_groups"),
    ]

    run_before = [("admin", "0001_initial"), ("auditlog", "0001_initial")]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Department",
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
                        ("cost_center", models.CharField(blank=True, max_length=40, verbose_name="成本中心")),
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
                            models.UniqueConstraint(fields=("group", "enterprise", "code"), name="department_code_uniq"),
                            models.CheckConstraint(
                                condition=models.Q(("parent", models.F("id")), _negated=True), name="department_not_own_parent"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Account",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
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
                        ("username", models.CharField(max_length=60, unique=True, verbose_name="账号")),
                        ("nickname", models.CharField(max_length=40, verbose_name="昵称")),
                        ("full_name", models.CharField(blank=True, max_length=40, verbose_name="姓名")),
                        ("job_title", models.CharField(blank=True, max_length=40, verbose_name="职务")),
                        (
                            "kind",
                            models.CharField(
                                choices=[("GA", "集团管理员"), ("NU", "普通账号")], default="NU", max_length=2, verbose_name="账号类型"
                            ),
                        ),
                        (
                            "mobile",
                            models.CharField(
                                blank=True, max_length=20, validators=[apps.org.contact.validate_mobile], verbose_name="手机号码"
                            ),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="邮箱")),
                        ("is_staff", models.BooleanField(default=False, verbose_name="运营人员")),
                        ("is_active", models.BooleanField(default=True, verbose_name="启用")),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="创建时间")),
                        ("updated_at", models.DateTimeField(auto_now=True, verbose_name="更新时间")),
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
                        ("roles", models.ManyToManyField(blank=True, related_name="accounts", to="org.role", verbose_name="角色")),
                    ],
                    options={
                        "verbose_name": "账号",
                        "verbose_name_plural": "账号",
                        "ordering": ["id"],
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "enterprise", "department"], name="account_place_idx")],
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
                    name="Address",
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
                        ("mobile", models.CharField(max_length=20, validators=[apps.org.contact.validate_mobile], verbose_name="手机号码")),
                        ("province", models.CharField(max_length=30, verbose_name="省")),
                        ("city", models.CharField(max_length=30, verbose_name="市")),
                        ("district", models.CharField(blank=True, max_length=30, verbose_name="区县")),
                        ("town", models.CharField(blank=True, db_default="", default="", max_length=30, verbose_name="街道")),
                        ("street", models.CharField(max_length=200, verbose_name="详细地址")),
                        (
                            "postal_code",
                            models.CharField(
                                blank=True, max_length=6, validators=[apps.org.contact.validate_postal_code], verbose_name="邮政编码"
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
                        "indexes": [models.Index(fields=["group", "enterprise", "account"], name="address_owner_idx")],
                    },
                ),
            ],
        ),
    ]
