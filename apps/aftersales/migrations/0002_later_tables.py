import django.db.models.deletion
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    dependencies = [
        ("aftersales", "0001_tables"),
        ("common", "0002_later_tables"),
        ("org", "0001_tables"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ReturnPicture",
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
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="common.storedfile",
                                verbose_name="图片",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "售后凭证",
                        "verbose_name_plural": "售后凭证",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "return_order", "no"), name="returnpicture_no_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
