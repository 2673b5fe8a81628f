"""After-sales in the back office."""

from apps.aftersales.admin import cancels, dashboard, policies, returns
from apps.common.admin.work import work_part

__all__ = ["cancels", "dashboard", "policies", "returns"]

work_part(dashboard.returns_part)
work_part(dashboard.cancels_part)
