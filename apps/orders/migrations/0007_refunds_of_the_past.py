"""What went back before refunds had rows of their own: each whole, at the time its payment last changed."""

from django.db import migrations
from django.db.models import F


def write_refunds(apps, _schema_editor):
    payment, refund = apps.get_model("orders", "Payment"), apps.get_model("orders", "PaymentRefund")
    refunded = payment.objects.filter(status="refunded", refunded_amount=0)
    rows = refunded.order_by("pk").values_list("pk", "group_id", "amount", "updated_at", "payment_no")
    refund.objects.bulk_create(
        (
            refund(payment_id=pk, group_id=group, amount=amount, refunded_at=at, reference=f"past-{number}", note="历史退款")
            for pk, group, amount, at, number in rows.iterator()
        ),
        batch_size=500,
    )
    refunded.update(refunded_amount=F("amount"))


class Migration(migrations.Migration):
    dependencies = [("orders", "0006_payment_refunds")]

    operations = [migrations.RunPython(write_refunds, migrations.RunPython.noop)]
