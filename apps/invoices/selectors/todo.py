"""What a person may apply for now."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from apps.invoices.selectors.available import lines_available
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

# Beyond this many it only matters that there are many: nobody waits for an exact figure.
COUNTED = 100


def invoices_todo(*, actor: Account, below: Collection[int]) -> dict[str, int | None]:
    """Return how many orders of the actor's enterprise have goods to invoice, within his data scope; no more than COUNTED are counted."""
    if actor.enterprise_id is None or not actor.has_menu_code(MenuCode.INVOICE_APPLY):
        return {"orders_to_invoice": None}
    lines = lines_available(actor=actor, enterprise_id=actor.enterprise_id, below=below)
    return {"orders_to_invoice": lines.order_by().values("order_id").distinct()[:COUNTED].count()}
