import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

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
                    name="TokenFamily",
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
                            "public_id",
                            models.UUIDField(
                                default=uuid.uuid4, editable=False, unique=True, verbose_name="编号"
                            ),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="token_families",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("generation", models.PositiveIntegerField(default=0, verbose_name="代数")),
                        ("token_hash", models.CharField(max_length=64)),
                        ("rotations", models.JSONField(blank=True, default=list)),
                        (
                            "client_address",
                            models.CharField(blank=True, max_length=45, verbose_name="登录地址"),
                        ),
                        (
                            "user_agent",
                            models.CharField(blank=True, max_length=200, verbose_name="浏览器"),
                        ),
                        (
                            "impersonator",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="代登录运营人员",
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=100,
                                verbose_name="代登录原因",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="登录时间"),
                        ),
                        ("used_at", models.DateTimeField(verbose_name="最近使用")),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "revoked_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="撤销时间"),
                        ),
                        (
                            "revoked_why",
                            models.CharField(blank=True, max_length=40, verbose_name="撤销原因"),
                        ),
                    ],
                    options={
                        "verbose_name": "登录会话",
                        "verbose_name_plural": "登录会话",
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(
                                fields=["account", "-created_at"], name="tokenfamily_account_idx"
                            ),
                            models.Index(fields=["expires_at"], name="tokenfamily_expires_idx"),
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="SessionKey",
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
                        ("key_hash", models.CharField(max_length=64, unique=True)),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="签发时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                        (
                            "issuer",
                            models.CharField(
                                choices=[
                                    ("staff", "运营代登录"),
                                    ("sso", "单点登录"),
                                    ("punchout", "PunchOut"),
                                    ("wechat_work", "企业微信"),
                                ],
                                max_length=20,
                                verbose_name="签发方",
                            ),
                        ),
                        (
                            "issued_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="签发人",
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=100,
                                verbose_name="代登录原因",
                            ),
                        ),
                        (
                            "redirect",
                            models.CharField(blank=True, max_length=500, verbose_name="旧商城地址"),
                        ),
                        (
                            "return_url",
                            models.CharField(blank=True, max_length=500, verbose_name="登录后前往"),
                        ),
                    ],
                    options={
                        "verbose_name": "自动登录密钥",
                        "verbose_name_plural": "自动登录密钥",
                        "permissions": [("impersonate_account", "以客户身份登录")],
                        "abstract": False,
                        "indexes": [
                            models.Index(fields=["expires_at"], name="sessionkey_expires_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="OldMallTicket",
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
                        ("key_hash", models.CharField(max_length=64, unique=True)),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="签发时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "旧商城票据",
                        "verbose_name_plural": "旧商城票据",
                        "abstract": False,
                        "indexes": [
                            models.Index(fields=["expires_at"], name="oldmallticket_expires_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ResetCode",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("code_hash", models.CharField(max_length=64)),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="尝试次数"),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="签发时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("asked", "本人找回密码"),
                                    ("invited", "管理员邀请或重置"),
                                ],
                                db_default="asked",
                                default="asked",
                                max_length=8,
                                verbose_name="类型",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "重置密码验证码",
                        "verbose_name_plural": "重置密码验证码",
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                fields=["account", "expires_at"], name="resetcode_account_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ContactCode",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("code_hash", models.CharField(max_length=64)),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="尝试次数"),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="签发时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("mobile", "手机号码"), ("email", "邮箱")],
                                max_length=10,
                                verbose_name="联系方式",
                            ),
                        ),
                        (
                            "is_proof",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="发送至原邮箱"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "更换联系方式验证码",
                        "verbose_name_plural": "更换联系方式验证码",
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                fields=["account", "expires_at"], name="contactcode_account_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="ContactUndo",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("mobile", "手机号码"), ("email", "邮箱")],
                                max_length=10,
                                verbose_name="联系方式",
                            ),
                        ),
                        (
                            "old_value",
                            models.CharField(blank=True, max_length=254, verbose_name="更换前"),
                        ),
                        (
                            "new_value",
                            models.CharField(blank=True, max_length=254, verbose_name="更换后"),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="更换时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="撤销时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "更换联系方式的撤销链接",
                        "verbose_name_plural": "更换联系方式的撤销链接",
                        "indexes": [
                            models.Index(
                                fields=["account", "expires_at"], name="contactundo_account_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Captcha",
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
                            "public_id",
                            models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                        ),
                        ("answer_x", models.PositiveSmallIntegerField()),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("expires_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "verbose_name": "滑动验证",
                        "verbose_name_plural": "滑动验证",
                        "indexes": [
                            models.Index(fields=["expires_at"], name="captcha_expires_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="FormerPassword",
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
                            "account",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("password", models.CharField(max_length=128)),
                        (
                            "replaced_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="停用时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "历史密码",
                        "verbose_name_plural": "历史密码",
                        "indexes": [
                            models.Index(
                                fields=["account", "-id"], name="formerpassword_account_idx"
                            )
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="WeChatWorkAccount",
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
                        ("corp_id", models.CharField(max_length=64, verbose_name="企业 ID")),
                        (
                            "user_id",
                            models.CharField(max_length=64, verbose_name="企业微信成员账号"),
                        ),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="商城账号",
                            ),
                        ),
                        (
                            "bound_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="绑定人（空为本人）",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="绑定时间"),
                        ),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="最近登录"),
                        ),
                    ],
                    options={
                        "verbose_name": "企业微信绑定",
                        "verbose_name_plural": "企业微信绑定",
                        "ordering": ["-id"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("corp_id", "user_id"), name="wechatwork_member_uniq"
                            ),
                            models.UniqueConstraint(
                                fields=("corp_id", "account"), name="wechatwork_account_uniq"
                            ),
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="WeChatWorkState",
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
                        ("state_hash", models.CharField(max_length=64, unique=True)),
                        ("browser_hash", models.CharField(max_length=64)),
                        (
                            "return_url",
                            models.CharField(
                                blank=True, max_length=2000, verbose_name="登录后前往"
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="发起时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                        (
                            "user_id",
                            models.CharField(blank=True, max_length=64, verbose_name="待绑定成员"),
                        ),
                        (
                            "bound_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="绑定时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "企业微信登录请求",
                        "verbose_name_plural": "企业微信登录请求",
                        "indexes": [
                            models.Index(fields=["expires_at"], name="wechatworkstate_expires_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="SecondFactor",
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
                            "account",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("secret", models.TextField()),
                        ("last_step", models.BigIntegerField(default=0)),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="创建时间"),
                        ),
                        (
                            "confirmed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="启用时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "两步验证",
                        "verbose_name_plural": "两步验证",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="RecoveryCode",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("code_hash", models.CharField(max_length=64)),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "恢复码",
                        "verbose_name_plural": "恢复码",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("account", "code_hash"), name="recoverycode_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
                migrations.CreateModel(
                    name="RememberedDevice",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("key_hash", models.CharField(max_length=64, unique=True)),
                        (
                            "user_agent",
                            models.CharField(blank=True, max_length=200, verbose_name="浏览器"),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="记住时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="有效期至")),
                    ],
                    options={
                        "verbose_name": "免验证设备",
                        "verbose_name_plural": "免验证设备",
                        "indexes": [
                            models.Index(fields=["expires_at"], name="remembereddevice_expires_idx")
                        ],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="Passkey",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        ("name", models.CharField(max_length=40, verbose_name="名称")),
                        ("credential_id", models.CharField(max_length=1364, unique=True)),
                        ("credential", models.BinaryField()),
                        ("sign_count", models.BigIntegerField(default=0)),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="添加时间"),
                        ),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="最近使用"),
                        ),
                    ],
                    options={
                        "verbose_name": "通行密钥",
                        "verbose_name_plural": "通行密钥",
                        "indexes": [],
                        "constraints": [],
                    },
                ),
                migrations.CreateModel(
                    name="PasskeyChallenge",
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
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="账号",
                            ),
                        ),
                        (
                            "purpose",
                            models.CharField(
                                choices=[("new", "添加"), ("proof", "验证")],
                                max_length=10,
                                verbose_name="用途",
                            ),
                        ),
                        ("challenge_hash", models.CharField(max_length=64, unique=True)),
                        ("session_hash", models.CharField(max_length=64)),
                        (
                            "created_at",
                            models.DateTimeField(auto_now_add=True, verbose_name="发起时间"),
                        ),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        (
                            "used_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="使用时间"),
                        ),
                    ],
                    options={
                        "verbose_name": "通行密钥验证请求",
                        "verbose_name_plural": "通行密钥验证请求",
                        "indexes": [
                            models.Index(fields=["expires_at"], name="passkeychallenge_expires_idx")
                        ],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
