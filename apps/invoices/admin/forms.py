"""Forms of the staff actions on invoices."""

from __future__ import annotations

from django import forms
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.invoices.enums import RedReason


class NothingForm(forms.Form):
    """A form without fields, for actions that need only a confirmation."""


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
