"""The shortcuts of the workbench and the menu code of each, in the default order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

SHORTCUTS: dict[str, str | None] = {
    "approvals": MenuCode.ORDER_APPROVAL,
    "orders": MenuCode.ORDER_LIST,
    "select": None,
    "quickOrder": None,
    "budgets": MenuCode.ASSET_BUDGET,
    "accounts": MenuCode.MANAGEMENT_ACCOUNT,
    "departments": MenuCode.MANAGEMENT_DEPARTMENT,
    "approvalRules": MenuCode.MANAGEMENT_APPROVAL,
    "invoiceApply": MenuCode.INVOICE_APPLY,
    "invoices": MenuCode.INVOICE_LIST,
    "statements": MenuCode.INVOICE_LIST,
    "returns": MenuCode.ORDER_RETURN,
    "requisitions": None,
    "inquiry": None,
    "favorites": None,
    "addresses": MenuCode.MANAGEMENT_ADDRESS,
    "roles": MenuCode.MANAGEMENT_ROLE,
    "group": MenuCode.MANAGEMENT_GROUP,
    "rank": None,
    "assistant": None,
    "browsed": None,
    "account": None,
}
# Number of allowed shortcuts shown by default.
OFFERED = 8


def shortcuts_allowed(*, actor: Account) -> list[str]:
    """Return the codes of the shortcuts that the actor may use."""
    granted = set(actor.menu_codes)
    return [code for code, menu in SHORTCUTS.items() if menu is None or menu in granted]
