"""Each line keeps its whole path of categories; those of the past take their product's."""

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def from_products(apps, schema_editor):
    lines = apps.get_model("orders", "OrderLine")._base_manager
    products = apps.get_model("catalog", "Product")._base_manager.filter(pk=OuterRef("product_id"))
    last = lines.order_by("-pk").values_list("pk", flat=True).first() or 0
    for begin in range(0, last + 1, 20_000):
        lines.filter(pk__gte=begin, pk__lt=begin + 20_000, category_id_l3=0).update(
            category_id_l2=Subquery(products.values("l2_id")[:1]), category_id_l3=Subquery(products.values("category_id")[:1])
        )


class Migration(migrations.Migration):
    dependencies = [("orders", "0015_reviews_of_the_past"), ("catalog", "0001_initial")]

    operations = [
        migrations.AddField("orderline", "category_id_l2", models.BigIntegerField("二级类目", default=0, db_default=0)),
        migrations.AddField("orderline", "category_id_l3", models.BigIntegerField("三级类目", default=0, db_default=0)),
        migrations.RunPython(from_products, migrations.RunPython.noop),
    ]
