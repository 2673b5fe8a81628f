"""Give the disputes made before 0006 their key, from the line of the match that names them. Without
it the next upload does not find them again.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

BATCH = 500


def fill_differences(apps: Any, _editor: Any) -> None:
    """Compute the key as `get_difference_key` of apps/invoices/selectors/goods_match.py does."""
    lines = apps.get_model("invoices", "GoodsMatchLine")._base_manager
    rows = lines.filter(remark__isnull=False, remark__difference="").select_related("remark")
    remarks = []
    for line in rows.order_by("pk").iterator(chunk_size=BATCH):
        sides = [line.our_quantity, line.their_quantity]
        if line.result == "amount":
            sides += [line.our_amount, line.their_amount]
        order = line.line_id or line.order_ref
        parts = (order, line.material_code, line.result, *sides)
        line.remark.difference = "|".join(str(part) for part in parts)
        remarks.append(line.remark)
    manager = apps.get_model("invoices", "StatementRemark")._base_manager
    manager.bulk_update(remarks, ["difference"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [
        ("invoices", "0006_remark_difference"),
    ]

    operations = [
        migrations.RunPython(fill_differences, migrations.RunPython.noop),
    ]
