"""The shortcuts of the workbench with the right that each needs, and the choice of each account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.org.enums import PurchasingRight
from apps.org.menus import MenuCode
from apps.org.selectors.purchasing import can_purchase

if TYPE_CHECKING:
    from apps.org.models import Account

# The menu code or the purchasing right that a shortcut needs. None: it is open to everybody.
SHORTCUTS: dict[str, str | PurchasingRight | None] = {
    "approvals": MenuCode.ORDER_APPROVAL,
    "orders": MenuCode.ORDER_LIST,
    "select": PurchasingRight.REQUEST,
    "quickOrder": PurchasingRight.REQUEST,
    "budgets": MenuCode.ASSET_BUDGET,
    "accounts": MenuCode.MANAGEMENT_ACCOUNT,
    "departments": MenuCode.MANAGEMENT_DEPARTMENT,
    "approvalRules": MenuCode.MANAGEMENT_APPROVAL,
    "invoiceApply": MenuCode.INVOICE_APPLY,
    "invoices": MenuCode.INVOICE_LIST,
    "statements": MenuCode.INVOICE_LIST,
    "returns": MenuCode.ORDER_RETURN,
    "requisitions": None,
    "inquiry": PurchasingRight.BROWSE,
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
DEFAULT_COUNT = 8


class WorkbenchShortcuts(TenantModel, TimeStampedModel):
    """The chosen codes in their order. No row if the person has chosen nothing."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    codes = models.JSONField("快捷入口", default=list)

    class Meta(TenantModel.Meta):
        verbose_name = "工作台快捷入口"
        verbose_name_plural = "工作台快捷入口"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account"], name="workbenchshortcuts_account_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {len(self.codes)}"


def list_allowed_shortcuts(*, actor: Account) -> list[str]:
    """Return the codes of the shortcuts that the actor may use."""
    granted = set(actor.menu_codes)
    return [
        code
        for code, needed in SHORTCUTS.items()
        if needed is None
        or (
            can_purchase(actor=actor, needed=needed)
            if isinstance(needed, PurchasingRight)
            else needed in granted
        )
    ]
