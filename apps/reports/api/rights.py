"""The menu code that each report requires."""

from __future__ import annotations

from apps.common.api.access import Access
from apps.reports.enums import ReportName
from apps.reports.selectors.question import MENU_OF

# Keys are the actions of the viewset: order, order_detail …
RIGHTS: dict[str, Access] = {name.name.lower(): Access.menu(MENU_OF[name]) for name in ReportName}
