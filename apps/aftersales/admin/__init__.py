"""After-sales in the back office."""

from apps.aftersales.admin import dashboard, policies, returns
from apps.common.admin.work import work_part

__all__ = ["dashboard", "policies", "returns"]

work_part(dashboard.returns_part)
