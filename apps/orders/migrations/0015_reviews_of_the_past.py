"""Let what was received in the last 180 days be reviewed, as what is received from now on."""

from datetime import timedelta

from django.db import migrations
from django.db.models import Max
from django.utils import timezone

BATCH = 500
REVIEW_WITHIN = timedelta(days=180)


def open_reviews(apps, schema_editor):
    orders = apps.get_model("orders", "Order").objects
    since = timezone.now() - REVIEW_WITHIN
    received = orders.filter(receipts__received_at__gt=since).annotate(received_at=Max("receipts__received_at"))
    last = 0
    while batch := list(received.filter(pk__gt=last).order_by("pk")[:BATCH]):
        for order in batch:
            order.review_until = order.received_at + REVIEW_WITHIN
        orders.bulk_update(batch, ["review_until"])
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("orders", "0014_reviews")]
    operations = [migrations.RunPython(open_reviews, migrations.RunPython.noop)]
