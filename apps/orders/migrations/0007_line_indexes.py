from django.db import migrations, models


class Migration(migrations.Migration):
    """The indexes of the columns that 0006 has filled, in a transaction of their own."""

    dependencies = [("orders", "0006_line_keys")]

    operations = [
        migrations.AddIndex(
            model_name="orderline",
            index=models.Index(
                condition=models.Q(("is_ended", False)),
                fields=["group", "product", "enterprise_key", "-ordered_at"],
                name="orderline_last_price_idx",
            ),
        ),
        migrations.AddIndex(
            model_name="orderline",
            index=models.Index(
                condition=models.Q(("is_ended", False)),
                fields=["group", "enterprise_key", "category_id_l2", "-ordered_at"],
                include=("order", "amount_incl_tax"),
                name="orderline_category_sum_idx",
            ),
        ),
        migrations.AddIndex(
            model_name="orderline",
            index=models.Index(
                condition=models.Q(("is_ended", False)),
                fields=["group", "enterprise_key", "brand_key", "-ordered_at"],
                include=("order", "amount_incl_tax"),
                name="orderline_brand_sum_idx",
            ),
        ),
        migrations.AddIndex(
            model_name="orderline",
            index=models.Index(
                condition=models.Q(("is_ended", False)),
                fields=["group", "product", "-ordered_at"],
                name="orderline_group_price_idx",
            ),
        ),
    ]
