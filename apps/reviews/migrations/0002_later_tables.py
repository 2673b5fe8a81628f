import django.db.models.deletion
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0002_later_tables"),
        ("org", "0001_tables"),
        ("reviews", "0001_tables"),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="ReviewPicture",
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
                            "review",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pictures",
                                to="reviews.orderreview",
                                verbose_name="评价",
                            ),
                        ),
                        ("is_follow_up", models.BooleanField(default=False, verbose_name="追评")),
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
                        "verbose_name": "评价图片",
                        "verbose_name_plural": "评价图片",
                        "ordering": ["is_follow_up", "no"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "review", "is_follow_up", "no"),
                                name="reviewpicture_no_uniq",
                            )
                        ],
                        "indexes": [],
                    },
                ),
            ],
        ),
    ]
