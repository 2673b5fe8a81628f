"""调整数量 by staff: a field for each line of what is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextareaWidget

from apps.approvals.subjects import LineNow

LINE = "line_"


class AmendForm(forms.Form):
    """Quantities of lines as they stand, to be lowered; 0 drops one. Cleaned as `quantities` of those that change, and `reason`."""

    def __init__(self, data: Mapping[str, Any] | None, lines: list[LineNow]) -> None:
        super().__init__(data)
        self.lines = lines
        for line in lines:
            self.fields[f"{LINE}{line.line_id}"] = forms.IntegerField(
                label=line.name,
                min_value=0,
                max_value=line.quantity,
                initial=line.quantity,
                help_text=f"现有 {line.quantity} {line.unit}，只能减少，填 0 移除该商品",
                widget=UnfoldAdminIntegerFieldWidget,
                error_messages={"max_value": f"不能多于现有的 {line.quantity} {line.unit}", "min_value": "不能小于 0"},
            )
        self.fields["reason"] = forms.CharField(
            label="调整原因",
            max_length=300,
            help_text="申请人会看到这段话",
            error_messages={"required": "请填写此项"},
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        )

    def clean(self) -> dict[str, Any]:
        """Leave what a person changed."""
        wanted = {line.line_id: self.cleaned_data.get(f"{LINE}{line.line_id}", line.quantity) for line in self.lines}
        changed = {line.line_id: wanted[line.line_id] for line in self.lines if wanted[line.line_id] != line.quantity}
        if not self.errors and not changed:
            raise forms.ValidationError("请先减少数量或移除商品")
        return {"quantities": changed, "reason": self.cleaned_data.get("reason", "")}
