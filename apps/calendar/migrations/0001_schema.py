"""The calendar, with the public holidays of 2026 as the State Council announced them on 4 November
2025.

Source: 国务院办公厅关于2026年部分节假日安排的通知. Staff enter later years by hand.
"""

from datetime import date, timedelta
from typing import Any

from django.db import migrations, models

from apps.common.migration_operations import CreateModels

# name, first day, number of days, days worked for it
HOLIDAYS: tuple[tuple[str, date, int, tuple[date, ...]], ...] = (
    ("元旦", date(2026, 1, 1), 3, (date(2026, 1, 4),)),
    ("春节", date(2026, 2, 15), 9, (date(2026, 2, 14), date(2026, 2, 28))),
    ("清明节", date(2026, 4, 4), 3, ()),
    ("劳动节", date(2026, 5, 1), 5, (date(2026, 5, 9),)),
    ("端午节", date(2026, 6, 19), 3, ()),
    ("中秋节", date(2026, 9, 25), 3, ()),
    ("国庆节", date(2026, 10, 1), 7, (date(2026, 9, 20), date(2026, 10, 10))),
)


def enter(apps: Any, _editor: Any) -> None:
    """Insert the days; existing rows stay."""
    model = apps.get_model("calendar", "CalendarDay")
    rows = []
    for name, first, count, worked in HOLIDAYS:
        rows += [model(day=first + timedelta(days=number), name=name) for number in range(count)]
        rows += [model(day=day, is_worked=True, name=f"{name}调休") for day in worked]
    model.objects.bulk_create(rows, ignore_conflicts=True)


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
        migrations.RunPython(enter, migrations.RunPython.noop),
    ]
