"""After-sales in the back office."""

from apps.aftersales.admin import cancels, dashboard, orders, returns
from apps.office.first_page import WORK_PARTS

__all__ = ["cancels", "dashboard", "orders", "returns"]

WORK_PARTS.add(dashboard.build_returns_part)
WORK_PARTS.add(dashboard.build_cancels_part)
