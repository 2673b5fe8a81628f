"""Forms of the staff actions on a return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from apps.aftersales.enums import ReturnFinding
from apps.aftersales.models import ReturnLine
from apps.aftersales.services.return_review import InspectionResult


class ApproveForm(forms.Form):
    needs_goods = forms.BooleanField(
        label="需要客户退回商品",
        required=False,
        initial=True,
        help_text="价值低、不便退回的商品可以不勾选：审核后直接处理",
        widget=UnfoldBooleanWidget(),
    )
    send_to = forms.CharField(
        label="寄回地址",
        max_length=200,
        required=False,
        help_text="客户自行寄回时必填：地址、收件人和电话，客户会看到",
        widget=UnfoldAdminTextInputWidget(),
    )
    note = forms.CharField(
        label="给客户的说明",
        max_length=200,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )


class RejectForm(forms.Form):
    reason = forms.CharField(
        label="驳回原因",
        max_length=200,
        help_text="客户会看到，请说明为什么不能受理，或建议他怎么做",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class ParcelForm(forms.Form):
    carrier = forms.CharField(
        label="承运商", max_length=40, widget=UnfoldAdminTextInputWidget(attrs={"autofocus": True})
    )
    tracking_no = forms.CharField(
        label="运单号", max_length=60, widget=UnfoldAdminTextInputWidget()
    )


class ReplyForm(forms.Form):
    text = forms.CharField(
        label="回复客户",
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "autofocus": True}),
    )


@dataclass(frozen=True, slots=True)
class InspectRow:
    """A return line on the inspection page, with its form fields."""

    line: ReturnLine
    fields: tuple[Any, ...]


class InspectForm(forms.Form):
    """For each line: accepted pieces, finding, note, and whether the pieces can be sold again."""

    def __init__(self, *args: Any, lines: Sequence[ReturnLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = lines
        for line in lines:
            name = f"第 {line.no} 行"
            self.fields[f"accepted_{line.pk}"] = forms.IntegerField(
                label=f"{name}通过数量",
                min_value=0,
                max_value=line.quantity,
                initial=line.quantity,
                widget=UnfoldAdminIntegerFieldWidget(
                    attrs={"inputmode": "numeric", "aria-label": f"{name}通过数量"}
                ),
            )
            self.fields[f"finding_{line.pk}"] = forms.ChoiceField(
                label=f"{name}检测结果",
                choices=ReturnFinding.choices,
                widget=UnfoldAdminSelectWidget(attrs={"aria-label": f"{name}检测结果"}),
            )
            self.fields[f"note_{line.pk}"] = forms.CharField(
                label=f"{name}说明",
                max_length=200,
                required=False,
                widget=UnfoldAdminTextInputWidget(attrs={"aria-label": f"{name}说明"}),
            )
            self.fields[f"to_shelf_{line.pk}"] = forms.BooleanField(
                label=f"{name}可再次销售",
                required=False,
                widget=UnfoldBooleanWidget(attrs={"aria-label": f"{name}可再次销售"}),
            )

    @property
    def rows(self) -> list[InspectRow]:
        """Return the lines with their form fields."""
        names = ("accepted", "finding", "note", "to_shelf")
        return [
            InspectRow(line, tuple(self[f"{name}_{line.pk}"] for name in names))
            for line in self.lines
        ]

    @property
    def results(self) -> dict[int, InspectionResult]:
        """Return the inspection results by return line."""
        values = self.cleaned_data
        return {
            line.pk: InspectionResult(
                values[f"accepted_{line.pk}"],
                values[f"finding_{line.pk}"],
                values[f"note_{line.pk}"],
                values[f"to_shelf_{line.pk}"],
            )
            for line in self.lines
        }
