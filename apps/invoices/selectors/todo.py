"""The number of orders that an account can apply to invoice."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from apps.invoices.selectors.available import lines_available
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

# Above this number the exact count does not matter, so the query stops counting.
COUNTED = 100


def invoices_todo(*, actor: Account, below: Collection[int]) -> int | None:
    """Return the number of orders of the actor's enterprise with goods to invoice, within the
    data scope, at most COUNTED. None if the actor may not apply.
    """
    if actor.enterprise_id is None or not actor.has_menu_code(MenuCode.INVOICE_APPLY):
        return None
    lines = lines_available(actor=actor, enterprise_id=actor.enterprise_id, below=below)
    return int(lines.order_by().values("order_id").distinct()[:COUNTED].count())
