"""Forms for the actions of staff on an order."""

from __future__ import annotations

from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.common.money import MoneyFormField
from apps.orders.models import OrderLine


class CancelForm(forms.Form):
    reason = forms.CharField(
        label="取消原因", max_length=200, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )


class NoteForm(forms.Form):
    text = forms.CharField(
        label="备注",
        max_length=500,
        help_text="仅运营人员可见，提交后不能修改",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class PaymentForm(forms.Form):
    amount = MoneyFormField(
        label="收款金额（元）",
        min_value=0,
        widget=UnfoldAdminDecimalFieldWidget(),
    )
    reference = forms.CharField(
        label="凭证号", max_length=60, required=False, widget=UnfoldAdminTextInputWidget()
    )
    # The amount left to pay when the page was opened. It detects a second click or a colleague's
    # entry.
    left_seen = MoneyFormField(required=False, widget=forms.HiddenInput())


class ShipForm(forms.Form):
    """Carrier, tracking number, and a quantity for each line with unshipped pieces. The
    quantities are prefilled with everything that is left.
    """

    carrier = forms.CharField(
        label="承运商",
        max_length=40,
        help_text="可从用过的承运商中选择，也可直接输入",
        widget=UnfoldAdminTextInputWidget(
            attrs={"list": "carriers", "autofocus": True, "autocomplete": "off"}
        ),
    )
    tracking_no = forms.CharField(
        label="运单号", max_length=60, widget=UnfoldAdminTextInputWidget()
    )
    # The number of shipped pieces when the page was opened.
    shipped_seen = forms.IntegerField(required=False, widget=forms.HiddenInput())

    def __init__(
        self, *args: Any, lines: list[OrderLine], carriers: list[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.carriers = carriers
        self.initial["shipped_seen"] = sum(line.shipped_quantity for line in lines)
        self.open_lines = [line for line in lines if line.unshipped]
        for line in self.open_lines:
            unshipped = line.unshipped
            self.fields[f"line_{line.pk}"] = forms.IntegerField(
                label=f"{line.name} 本次发货数量",
                min_value=0,
                max_value=unshipped,
                initial=unshipped,
                required=False,
                widget=UnfoldAdminIntegerFieldWidget(
                    attrs={"inputmode": "numeric", "aria-label": f"{line.name} 本次发货数量"}
                ),
            )

    @property
    def rows(self) -> list[tuple[OrderLine, int, Any]]:
        """Return each line with unshipped pieces, their number, and its field."""
        return [(line, line.unshipped, self[f"line_{line.pk}"]) for line in self.open_lines]

    @property
    def quantities(self) -> dict[int, int]:
        """Return the quantities by order line pk. An empty field ships nothing of the line."""
        return {line.pk: self.cleaned_data[f"line_{line.pk}"] or 0 for line in self.open_lines}
