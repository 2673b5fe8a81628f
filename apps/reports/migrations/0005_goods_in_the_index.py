from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("budgets", "0003_held_transfers"),
        ("catalog", "0014_product_rating"),
        ("orders", "0020_staff_desk"),
        ("org", "0009_credit_policy"),
        ("reports", "0004_saved_views"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="reportfact",
            name="reportfact_day_idx",
        ),
        migrations.AddIndex(
            model_name="reportfact",
            index=models.Index(
                fields=["group", "basis", "-day", "-id"],
                include=("product", "category_id_l1", "amount", "tax_amount", "quantity"),
                name="reportfact_day_goods_idx",
            ),
        ),
    ]
