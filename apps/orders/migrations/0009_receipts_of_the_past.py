"""Write the receipts of before there were any, from the events that tell of them; what no event tells of dates from its parcel."""

from decimal import ROUND_HALF_UP, Decimal

from django.db import migrations
from django.db.models import Max

BATCH = 500
CENT = Decimal("0.01")


def tax_of(amount, rate):
    return amount - (amount / (1 + rate)).quantize(CENT, rounding=ROUND_HALF_UP)


class Writer:
    def __init__(self, apps):
        self.apps = apps
        self.receipts = apps.get_model("orders", "Receipt").objects
        self.lines_of = apps.get_model("orders", "ReceiptLine")
        # The event's subject is the order by its name, as event_record writes it.
        self.events = apps.get_model("common", "Event").objects.filter(subject_type="orders.order", kind__in=["received", "completed"])

    def write(self, orders):
        """Write the receipts of a batch of orders."""
        rows = {order.pk: order for order in orders}
        lines = self.apps.get_model("orders", "OrderLine").objects.filter(order_id__in=rows, received_quantity__gt=0)
        open_lines = {line.pk: line for line in lines.order_by("pk")}
        done = dict.fromkeys(open_lines, 0)
        for event in self.events.filter(subject_id__in=list(rows)).order_by("at", "pk"):
            wanted = {int(pk): quantity for pk, quantity in event.data.get("lines", {}).items()}
            self.receipt(rows[event.subject_id], event.at, event.actor_id, self.left(wanted, open_lines, done), open_lines, done)
        for order in orders:
            wanted = {pk: line.received_quantity for pk, line in open_lines.items() if line.order_id == order.pk}
            at = order.completed_at or order.received_at or order.shipped_at or order.submitted_at
            self.receipt(order, at, None, self.left(wanted, open_lines, done), open_lines, done)

    @staticmethod
    def left(wanted, open_lines, done):
        parts = {pk: min(quantity, open_lines[pk].received_quantity - done[pk]) for pk, quantity in wanted.items() if pk in open_lines}
        return {pk: quantity for pk, quantity in parts.items() if quantity > 0}

    def receipt(self, order, at, by, parts, open_lines, done):
        if not parts:
            return
        receipt = self.receipts.create(group_id=order.group_id, order_id=order.pk, received_at=at, received_by_id=by)
        rows = []
        for pk, quantity in sorted(parts.items()):
            line = open_lines[pk]
            before, after = line.unit_price_incl_tax * done[pk], line.unit_price_incl_tax * (done[pk] + quantity)
            tax = tax_of(after, line.tax_rate) - tax_of(before, line.tax_rate)
            row = {"receipt_id": receipt.pk, "order_line_id": pk, "quantity": quantity, "amount_incl_tax": after - before}
            rows.append(self.lines_of(group_id=order.group_id, tax_amount=tax, **row))
            done[pk] += quantity
        self.lines_of.objects.bulk_create(rows)


def write_receipts(apps, schema_editor):
    writer = Writer(apps)
    received = apps.get_model("orders", "Order").objects.filter(lines__received_quantity__gt=0, receipts=None)
    last = 0
    while True:
        # By key and not by an offset: what is written leaves the set.
        found = received.filter(pk__gt=last).annotate(received_at=Max("shipments__received_at")).order_by("pk")[:BATCH]
        batch = list(found)
        if not batch:
            return
        writer.write(batch)
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("common", "0002_initial"), ("orders", "0008_receipts")]
    operations = [migrations.RunPython(write_receipts, migrations.RunPython.noop)]
