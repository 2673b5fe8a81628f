import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("identity", "0001_initial"), ("identity", "0005_invitation")]

    initial = True

    dependencies = [
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="Captcha",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                        ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("answer_x", models.PositiveSmallIntegerField()),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("expires_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "verbose_name": "滑动验证",
                        "verbose_name_plural": "滑动验证",
                        "indexes": [models.Index(fields=["expires_at"], name="captcha_expires_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="FormerPassword",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        ("replaced_at", models.DateTimeField(auto_now_add=True, verbose_name="停用时间")),
                    ],
                    options={
                        "verbose_name": "历史密码",
                        "verbose_name_plural": "历史密码",
                        "indexes": [models.Index(fields=["account", "-id"], name="formerpassword_account_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="SessionKey",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="签发时间")),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="使用时间")),
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
                        ("reason", models.CharField(blank=True, db_default="", default="", max_length=100, verbose_name="代登录原因")),
                        ("redirect", models.CharField(blank=True, max_length=500, verbose_name="旧商城地址")),
                        ("return_url", models.CharField(blank=True, max_length=500, verbose_name="登录后前往")),
                    ],
                    options={
                        "verbose_name": "自动登录密钥",
                        "verbose_name_plural": "自动登录密钥",
                        "permissions": [("impersonate_account", "以客户身份登录")],
                        "abstract": False,
                        "indexes": [models.Index(fields=["expires_at"], name="sessionkey_expires_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="OldMallTicket",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="签发时间")),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="使用时间")),
                    ],
                    options={
                        "verbose_name": "旧商城票据",
                        "verbose_name_plural": "旧商城票据",
                        "abstract": False,
                        "indexes": [models.Index(fields=["expires_at"], name="oldmallticket_expires_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="ResetCode",
                    fields=[
                        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="尝试次数")),
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="签发时间")),
                        ("expires_at", models.DateTimeField(verbose_name="过期时间")),
                        ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="使用时间")),
                        (
                            "kind",
                            models.CharField(
                                choices=[("asked", "本人找回密码"), ("invited", "管理员邀请或重置")],
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
                        "indexes": [models.Index(fields=["account", "expires_at"], name="resetcode_account_idx")],
                    },
                ),
            ],
        ),
    ]
