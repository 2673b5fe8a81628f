import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.migration_operations import CreateModels


class Migration(migrations.Migration):
    replaces = [("org", "0006_group_settings"), ("org", "0007_address_town"), ("org", "0008_group_approval_hours")]

    dependencies = [
        ("common", "0001_common_tables"),
        ("org", "0002_people"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="avatar",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="common.storedfile",
                verbose_name="头像",
            ),
        ),
        CreateModels(
            models=[
                migrations.CreateModel(
                    name="OrganisationChange",
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
                        ("changes", models.JSONField(blank=True, default=list, verbose_name="变更内容")),
                        ("note", models.CharField(blank=True, max_length=500, verbose_name="说明")),
                        ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="时间")),
                    ],
                    options={
                        "verbose_name": "变更记录",
                        "verbose_name_plural": "变更记录",
                        "ordering": ["-pk"],
                        "abstract": False,
                        "base_manager_name": "objects",
                        "indexes": [models.Index(fields=["group", "subject_type", "subject_id", "-id"], name="orgchange_subject_idx")],
                    },
                ),
            ],
        ),
    ]
