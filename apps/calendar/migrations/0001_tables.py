from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="CalendarDay",
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
                        ("day", models.DateField(unique=True, verbose_name="日期")),
                        (
                            "is_worked",
                            models.BooleanField(
                                default=False,
                                help_text="勾选：周末调休上班；不勾选：放假",
                                verbose_name="上班",
                            ),
                        ),
                        (
                            "name",
                            models.CharField(
                                help_text="如：国庆节、国庆节调休",
                                max_length=30,
                                verbose_name="名称",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "节假日",
                        "verbose_name_plural": "节假日历",
                        "ordering": ["-day"],
                        "indexes": [],
                        "constraints": [],
                    },
                ),
            ],
        ),
    ]
