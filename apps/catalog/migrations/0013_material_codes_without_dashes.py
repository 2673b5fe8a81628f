"""Customers' material codes are found without their dashes: an index of the code as models are compared."""

from django.db import migrations, models
from django.db.models.functions import Lower, Replace


def without(field, marks):
    key = Lower(field)
    for mark in marks:
        key = Replace(key, models.Value(mark), models.Value(""))
    return key


class Migration(migrations.Migration):
    dependencies = [("catalog", "0012_favorite_added_price")]
    operations = [
        migrations.AddIndex(
            model_name="pricelistitem",
            index=models.Index(
                models.F("price_list"), without("customer_code", ("-", " ", "_", ".", "/")), name="priceitem_customer_key_idx"
            ),
        ),
    ]
