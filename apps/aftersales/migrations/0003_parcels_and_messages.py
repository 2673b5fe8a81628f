import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("aftersales", "0003_refund_permission")]

    dependencies = [
        ("aftersales", "0002_returns"),
        ("common", "0001_common_tables"),
        ("org", "0002_people"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ReturnMessage",
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
                            "return_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="messages",
                                to="aftersales.returnorder",
                                verbose_name="售后单",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="留言人",
                            ),
                        ),
                        (
                            "acting_for",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="代客户",
                            ),
                        ),
                        ("is_ours", models.BooleanField(default=False, verbose_name="客服留言")),
                        ("text", models.CharField(max_length=500, verbose_name="内容")),
                        ("sent_at", models.DateTimeField(verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "售后留言",
                        "verbose_name_plural": "售后留言",
                        "ordering": ["sent_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "return_order", "sent_at"], name="returnmessage_idx")],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnPicture",
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
                            "return_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="aftersales.returnorder",
                                verbose_name="售后单",
                            ),
                        ),
                        (
                            "message",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="aftersales.returnmessage",
                                verbose_name="留言",
                            ),
                        ),
                        ("no", models.PositiveSmallIntegerField(verbose_name="序号")),
                        (
                            "file",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="common.storedfile", verbose_name="图片"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "售后凭证",
                        "verbose_name_plural": "售后凭证",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [models.UniqueConstraint(fields=("group", "return_order", "no"), name="returnpicture_no_uniq")],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnParcel",
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
                            "return_order",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parcels",
                                to="aftersales.returnorder",
                                verbose_name="售后单",
                            ),
                        ),
                        (
                            "direction",
                            models.CharField(
                                choices=[("back", "客户寄回"), ("out", "寄出换新或修好的商品"), ("refused", "退还未通过检测的商品")],
                                max_length=8,
                                verbose_name="方向",
                            ),
                        ),
                        ("carrier", models.CharField(max_length=40, verbose_name="承运商")),
                        ("tracking_no", models.CharField(max_length=60, verbose_name="运单号")),
                        (
                            "sent_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="登记人",
                            ),
                        ),
                        ("sent_at", models.DateTimeField(verbose_name="寄出时间")),
                    ],
                    options={
                        "verbose_name": "售后包裹",
                        "verbose_name_plural": "售后包裹",
                        "ordering": ["sent_at", "id"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "return_order", "direction"), name="returnparcel_direction_uniq")
                        ],
                    },
                ),
            ],
        ),
    ]
