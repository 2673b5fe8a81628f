import django.db.models.deletion
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0002_later_tables"),
        ("inquiries", "0001_tables"),
        ("org", "0001_tables"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ProductInquiryPicture",
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
                            "inquiry",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="inquiries.productinquiry",
                                verbose_name="询价单",
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
                        "verbose_name": "询价图片",
                        "verbose_name_plural": "询价图片",
                        "ordering": ["no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "inquiry", "no"), name="inquirypicture_no_uniq"
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
