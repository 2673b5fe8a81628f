from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("approvals", "0006_step_reasons"),
    ]

    operations = [
        migrations.AddField(
            model_name="approvalrule",
            name="bands",
            field=models.JSONField(blank=True, db_default=[], default=list, verbose_name="分档"),
        ),
        migrations.AddField(
            model_name="approvalrulestep",
            name="band",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="第几档；留空：所有档", null=True, verbose_name="分档"
            ),
        ),
        migrations.AddField(
            model_name="approvalstep",
            name="band",
            field=models.CharField(
                blank=True, db_default="", editable=False, max_length=120, verbose_name="分档"
            ),
        ),
    ]
