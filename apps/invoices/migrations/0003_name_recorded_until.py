from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("invoices", "0002_later_tables")]

    operations = [
        migrations.RenameField("statementprogress", "told_until", "recorded_until"),
    ]
