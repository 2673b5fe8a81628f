"""What waits already has waited since its approval began; the column came with the moment of its migration."""

from typing import Any

from django.db import migrations
from django.db.models import F


def since_it_began(apps: Any, editor: Any) -> None:
    """Take the row's own beginning for the moment of asking."""
    rows = apps.get_model("approvals", "ApprovalTask")._base_manager.using(editor.connection.alias)
    rows.filter(status__in=["waiting", "pending"]).update(arrived_at=F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("approvals", "0007_waiting")]
    operations = [migrations.RunPython(since_it_began, migrations.RunPython.noop)]
