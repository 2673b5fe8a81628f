"""Forms of the staff actions on invoices and bank receipts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.common.money import ZERO, MoneyFormField
from apps.invoices.enums import RedReason
from apps.invoices.selectors.bank_receipts import OpenOrder, Suggestion, find_targets
from apps.office.choices import build_day_input


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label="原因", max_length=300, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )


class NumberForm(forms.Form):
    invoice_code = forms.CharField(
        label="发票代码",
        max_length=12,
        required=False,
        help_text="数电发票留空",
        widget=UnfoldAdminTextInputWidget(),
    )
    invoice_no = forms.CharField(
        label="发票号码",
        max_length=20,
        help_text="数电 20 位，纸质 8 位",
        widget=UnfoldAdminTextInputWidget(attrs={"autofocus": True}),
    )


class PostForm(forms.Form):
    carrier = forms.CharField(label="承运商", max_length=40, widget=UnfoldAdminTextInputWidget())
    tracking_no = forms.CharField(
        label="运单号", max_length=60, widget=UnfoldAdminTextInputWidget()
    )


class RedOpenForm(forms.Form):
    reason = forms.ChoiceField(
        label="红冲原因", choices=RedReason.choices, widget=UnfoldAdminSelectWidget()
    )
    note = forms.CharField(
        label="说明",
        max_length=300,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


CENT = Decimal("0.01")


class ReceiptForm(forms.Form):
    """One line of the bank statement, typed by staff. The amount is in 元 with two decimals."""

    serial = forms.CharField(
        label="银行流水号",
        max_length=40,
        widget=UnfoldAdminTextInputWidget(attrs={"autofocus": True}),
    )
    received_on = forms.DateField(label="到账日期", widget=build_day_input())
    payer_name = forms.CharField(
        label="付款方户名", max_length=120, widget=UnfoldAdminTextInputWidget()
    )
    payer_account = forms.CharField(
        label="付款方账号", max_length=40, required=False, widget=UnfoldAdminTextInputWidget()
    )
    amount = MoneyFormField(
        label="到账金额（元）",
        max_digits=10,
        min_value=CENT,
        widget=UnfoldAdminDecimalFieldWidget(),
    )
    remark = forms.CharField(
        label="附言",
        max_length=200,
        required=False,
        help_text="订单号、对账单号写在这里可自动识别",
        widget=UnfoldAdminTextInputWidget(),
    )


class SetAsideForm(forms.Form):
    reason = forms.CharField(
        label="原因",
        max_length=200,
        required=False,
        help_text="例如：利息、押金；清空则重新列入待匹配",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class MatchForm(forms.Form):
    """One amount field for each open order of the enterprise, with the suggested amount as
    initial value. An empty field matches nothing.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        orders: list[OpenOrder],
        parts: Mapping[int, Decimal],
        suggestions: Sequence[Suggestion],
        query: str,
    ) -> None:
        super().__init__(data)
        self.orders, self.suggestions, self.query = orders, suggestions, query
        self.targets = find_targets(query) if query else []
        for row in orders:
            label = f"订单 {row.order.order_no} 本次匹配金额"
            self.fields[f"order_{row.order.pk}"] = MoneyFormField(
                label=label,
                min_value=ZERO,
                max_value=row.left,
                initial=parts.get(row.order.pk),
                required=False,
                widget=UnfoldAdminDecimalFieldWidget(attrs={"aria-label": label}),
            )

    @property
    def rows(self) -> list[tuple[OpenOrder, Any]]:
        """Return the orders with their form fields."""
        return [(row, self[f"order_{row.order.pk}"]) for row in self.orders]

    @property
    def parts(self) -> dict[int, Decimal]:
        """The amounts by order pk, in 元."""
        return {
            row.order.pk: self.cleaned_data[f"order_{row.order.pk}"] or ZERO for row in self.orders
        }
