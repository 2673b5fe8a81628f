from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("recurring", "0001_schema"),
    ]

    operations = [
        migrations.AddField(
            model_name="recurringorder",
            name="approval_mode",
            field=models.CharField(
                choices=[("each", "每次下单都审批"), ("once", "首次审批后，上限内不再审批")],
                db_default="each",
                default="each",
                max_length=4,
                verbose_name="审批方式",
            ),
        ),
        migrations.AddField(
            model_name="recurringorder",
            name="terms_since",
            field=models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="内容确定时间"
            ),
        ),
        migrations.AddConstraint(
            model_name="recurringorder",
            constraint=models.CheckConstraint(
                condition=models.Q(("approval_mode", "once"), _negated=True)
                | models.Q(("amount_ceiling__isnull", False)),
                name="recurringorder_once_has_ceiling",
            ),
        ),
    ]
