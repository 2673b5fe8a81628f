"""Which menu code opens which report."""

from __future__ import annotations

from apps.common.api.access import Access
from apps.reports.enums import ReportName
from apps.reports.selectors.question import MENU_OF

# By the action of the view that answers it: order, order_detail …
RIGHTS: dict[str, Access] = {name.name.lower(): Access.menu(MENU_OF[name]) for name in ReportName}
