from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("org", "0003_own_choices"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="account",
            index=models.Index(
                condition=models.Q(("kind", "GA")),
                fields=["group"],
                name="account_group_admin_idx",
            ),
        ),
    ]
