"""Forms for the actions of the staff on an inquiry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.inquiries.models import ProductInquiryLine
from apps.inquiries.services.inquiry_quote import LONGEST, MOST, QuotedLine
from apps.office.choices import day_input
from apps.pricing.selectors.offers import Offer

USUAL = timedelta(days=30)


class DeclineForm(forms.Form):
    reason = forms.CharField(
        label="关闭原因",
        max_length=200,
        help_text="客户会看到，请说明为什么不能报价，或建议他怎么做",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class ReplyForm(forms.Form):
    text = forms.CharField(
        label="回复客户",
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "autofocus": True}),
    )


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A line of the quote form: the requested line, similar products of the catalogue, and the
    fields for code, price and note.
    """

    line: ProductInquiryLine
    candidates: Sequence[Offer]
    fields: tuple[Any, ...]


class QuoteForm(forms.Form):
    """The last day of the quote, a note, and for each line either a product with a price or the
    reason why it is not available.
    """

    valid_to = forms.DateField(label="报价有效期至", widget=day_input())
    note = forms.CharField(
        label="报价说明",
        max_length=500,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )

    def __init__(
        self,
        *args: Any,
        lines: Sequence[ProductInquiryLine],
        candidates: Mapping[int, Sequence[Offer]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lines, self.candidates = lines, candidates
        today = timezone.localdate()
        self.fields["valid_to"].initial = today + USUAL
        self.fields["valid_to"].help_text = f"当天仍有效；最晚 {today + LONGEST:%Y-%m-%d}"
        for line in lines:
            self.fields[f"code_{line.pk}"] = forms.RegexField(
                r"^[0-9]{1,18}$",
                label=f"第 {line.no} 行报价商品编码",
                required=False,
                error_messages={"invalid": "商品编码只能由数字组成"},
                widget=UnfoldAdminTextInputWidget(
                    attrs={
                        "list": f"candidates_{line.pk}",
                        "autocomplete": "off",
                        "aria-label": f"第 {line.no} 行报价商品编码",
                    }
                ),
            )
            self.fields[f"price_{line.pk}"] = forms.DecimalField(
                label=f"第 {line.no} 行报价",
                required=False,
                max_digits=9,
                decimal_places=2,
                min_value=0,
                max_value=MOST,
                widget=UnfoldAdminDecimalFieldWidget(
                    attrs={"aria-label": f"第 {line.no} 行报价（元，含税）"}
                ),
            )
            self.fields[f"note_{line.pk}"] = forms.CharField(
                label=f"第 {line.no} 行备注",
                required=False,
                max_length=200,
                widget=UnfoldAdminTextInputWidget(attrs={"aria-label": f"第 {line.no} 行备注"}),
            )

    @property
    def rows(self) -> list[QuoteRow]:
        """Return each line with its fields."""
        return [
            QuoteRow(
                line,
                self.candidates.get(line.pk, ()),
                tuple(self[f"{name}_{line.pk}"] for name in ("code", "price", "note")),
            )
            for line in self.lines
        ]

    @property
    def quoted(self) -> dict[int, QuotedLine]:
        """Return the quoted lines by the key of the inquiry's line."""
        filled = self.cleaned_data
        return {
            line.pk: QuotedLine(
                filled[f"code_{line.pk}"], filled[f"price_{line.pk}"], filled[f"note_{line.pk}"]
            )
            for line in self.lines
        }
