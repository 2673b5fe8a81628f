"""After-sales in the back office."""

from apps.aftersales.admin import cancels, dashboard, orders, returns
from apps.office.first_page import register_work_part

__all__ = ["cancels", "dashboard", "orders", "returns"]

register_work_part(dashboard.returns_part)
register_work_part(dashboard.cancels_part)
