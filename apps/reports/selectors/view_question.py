"""Convert the stored filters of a saved view from their wire names to a `ReportQuestion`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from apps.reports.models import SavedView
from apps.reports.selectors.question import ReportQuestion


def _several(value: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in value)


# Wire name → (field of `ReportQuestion`, conversion of its value).
FIELDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "Basis": ("basis", str),
    "Period": ("preset", str),
    "From": ("since", date.fromisoformat),
    "To": ("until", date.fromisoformat),
    "EnterpriseId": ("enterprise_id", int),
    "DepartmentId": ("department_id", int),
    "OwnDepartmentId": ("own_department_id", int),
    "CategoryId": ("category_id", int),
    "ProductCode": ("product_code", str),
    "RequesterId": ("requester_id", int),
    "Status": ("statuses", _several),
    "PaymentKind": ("payment_kinds", _several),
    "BudgetId": ("budget_id", int),
    "PurchaseOrderNo": ("purchase_order_no", str),
    "CostCenter": ("cost_center", str),
    "OrderNo": ("order_no", str),
    "Weekday": ("weekday", int),
}


def view_question(view: SavedView, *, as_of: date | None = None) -> ReportQuestion:
    """Return the question of a view. Presets are relative to `as_of`, or to today if it is
    None.
    """
    asked = {
        name: read(view.filters[key])
        for key, (name, read) in FIELDS.items()
        if view.filters.get(key) not in (None, "", [])
    }
    return ReportQuestion(**asked, as_of=as_of)
