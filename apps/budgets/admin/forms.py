"""What finance fills in: a new budget, and an adjustment with its note."""

from __future__ import annotations

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminTextInputWidget

from apps.budgets.enums import BudgetOwner, BudgetRollover
from apps.budgets.periods import period_around
from apps.budgets.services.budget_rollover import rollover_terms
from apps.common.errors import ValidationFailed

FIELDS = (
    "name",
    "enterprise",
    "owner_type",
    "department",
    "account",
    "period",
    "period_from",
    "amount",
    "policy",
    "rollover",
    "rollover_cap",
)
HELP_TEXTS = {
    "period_from": "填写周期内任意一天，系统按所选周期取整月、整季度或整年",
    "department": "归属为“部门”时填写",
    "account": "归属为“账号”时填写",
    "amount": "元；创建后只能通过“调整额度”修改",
    "rollover_cap": "元；结转方式为“限额结转”时填写",
}


class BudgetForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new budget: its owner is inside its enterprise, its period a whole month, quarter or year.

    The admin names model and fields: naming them here would ask for rows before any scope is open.
    """

    def clean_amount(self) -> Any:
        amount = self.cleaned_data["amount"]
        if amount is None or amount < 0:
            raise forms.ValidationError("额度不能小于 0")
        return amount

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        owner, enterprise = cleaned.get("owner_type"), cleaned.get("enterprise")
        for name in (BudgetOwner.DEPARTMENT, BudgetOwner.ACCOUNT):
            chosen = cleaned.get(name)
            if owner == name and chosen is None:
                self.add_error(name, f"请选择{name.label}")
            elif owner is not None and owner != name and chosen is not None:
                self.add_error(name, f"归属为“{BudgetOwner(owner).label}”时不填{name.label}")
            elif chosen is not None and enterprise is not None and chosen.enterprise_id != enterprise.pk:
                self.add_error(name, f"{name.label}须属于所选企业")
        if cleaned.get("period") and cleaned.get("period_from"):
            cleaned["period_from"], cleaned["period_to"] = period_around(period=cleaned["period"], day=cleaned["period_from"])
            self._clean_rollover(cleaned)
        return cleaned

    def _clean_rollover(self, cleaned: dict[str, Any]) -> None:
        way, cap = cleaned.get("rollover"), cleaned.get("rollover_cap")
        try:
            terms = rollover_terms(rollover=way or BudgetRollover.NONE, cap=cap, last=cleaned["period_to"])
        except ValidationFailed as refused:
            self.add_error("rollover", refused.text)
        else:
            cleaned["rollover"], cleaned["rollover_cap"] = terms

    def _post_clean(self) -> None:
        """The instance is made by the service; its constraints hold in the database."""


class AdjustForm(forms.Form):
    delta = forms.DecimalField(
        label="调整金额（元）",
        max_digits=14,
        decimal_places=2,
        help_text="调增填正数，调减填负数，例如 -500.00",
        widget=UnfoldAdminDecimalFieldWidget(attrs={"step": "0.01", "autofocus": True}),
    )
    note = forms.CharField(label="说明", max_length=200, help_text="写入预算流水，例如审批单号", widget=UnfoldAdminTextInputWidget())

    def clean_delta(self) -> Any:
        if self.cleaned_data["delta"] == 0:
            raise forms.ValidationError("调整金额不能为 0")
        return self.cleaned_data["delta"]
