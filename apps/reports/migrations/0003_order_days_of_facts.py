"""Sum the facts there are: from here on both are written together."""

from django.db import migrations

COMMON = "enterprise_id, department_id, requester_id, budget_id, order_status, payment_kind, purchase_order_no, cost_center"
KEYS = "group_id, order_id, basis, day"
FILL = f"""
INSERT INTO reports_reportorderday ({KEYS}, {COMMON}, facts, quantity, amount, tax_amount)
SELECT {KEYS}, {COMMON}, count(*), sum(quantity), sum(amount), sum(tax_amount)
FROM reports_reportfact
GROUP BY {KEYS}, {COMMON}
"""  # noqa: S608 - names of this file


class Migration(migrations.Migration):
    dependencies = [("reports", "0002_order_days")]
    operations = [migrations.RunSQL(FILL, reverse_sql="DELETE FROM reports_reportorderday")]
