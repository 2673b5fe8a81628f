from django.db import migrations, models

BATCH = 1000


def forwards(apps, schema_editor):
    """What started before is known by its reasons: a rule's condition or the budget's policy named the budget there."""
    approvals = apps.get_model("approvals", "Approval")._base_manager
    over = [pk for pk, reasons in approvals.values_list("pk", "reasons").iterator() if any("超出预算" in text for text in reasons)]
    for first in range(0, len(over), BATCH):
        approvals.filter(pk__in=over[first : first + BATCH]).update(is_over_budget=True)


class Migration(migrations.Migration):
    dependencies = [("approvals", "0003_delegation")]

    operations = [
        migrations.AddField("approval", "is_over_budget", models.BooleanField(default=False, db_default=False, verbose_name="超出预算")),
        migrations.RunPython(forwards, migrations.RunPython.noop, elidable=False),
    ]
