"""The form of a price batch: the rows and the rule."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.office.choices import open_search_choices, search_choice
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import Agreement, AssortmentRule, PriceList
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule

MOST_CODES = 1000
# Maximum number of codes in an error message.
MOST_NAMED = 10
SEPARATORS = re.compile(r"[\s,，;；、]+")
STEPS = (("0.01", "分（0.01 元）"), ("0.1", "角（0.1 元）"), ("1", "元"))


class PriceChangeForm(forms.Form):
    price_list = search_choice(Agreement, "price_list", label="价目表", required=True)
    category = search_choice(
        AssortmentRule, "category", label="只调类目", help_text="任一级类目，留空为全部"
    )
    brand = search_choice(AssortmentRule, "brand", label="只调品牌", help_text="留空为全部")
    codes = forms.CharField(
        label="只调这些商品",
        required=False,
        max_length=20_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=f"粘贴商品编码，用空格、逗号或换行分隔，最多 {MOST_CODES} 个；留空为全部",
    )
    kind = forms.ChoiceField(
        label="调价规则", choices=PriceRuleKind.choices, widget=UnfoldAdminSelectWidget
    )
    figure = forms.DecimalField(
        label="数值",
        max_digits=8,
        decimal_places=2,
        widget=UnfoldAdminDecimalFieldWidget(attrs={"step": "0.01"}),
        help_text="百分比或元；降价填负数，例如 -3",
        error_messages={"required": "请填写数值"},
    )
    step = forms.ChoiceField(label="四舍五入到", choices=STEPS, widget=UnfoldAdminSelectWidget)
    skips_refused = forms.BooleanField(
        label="跳过不能调的商品",
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=(
            "新价不大于 0，或涨到市场价以上的商品保持原价，其余照调；不勾选则有一个不能调就全部不调"
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_search_choices(self)

    def clean_price_list(self) -> PriceList:
        price_list: PriceList = self.cleaned_data["price_list"]
        if price_list.agreements.filter(is_addition=True).exists():
            raise forms.ValidationError("询价专属价目表由报价维护，不能批量调价")
        return price_list

    def clean_codes(self) -> tuple[str, ...]:
        codes = tuple(
            dict.fromkeys(code for code in SEPARATORS.split(self.cleaned_data["codes"]) if code)
        )
        if len(codes) > MOST_CODES:
            raise forms.ValidationError(f"最多 {MOST_CODES} 个商品编码，现在有 {len(codes)} 个")
        return codes

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        kind, figure = values.get("kind"), values.get("figure")
        if kind and figure is not None:
            if kind == PriceRuleKind.MARKET and figure <= 0:
                self.add_error("figure", "请填写大于 0 的百分比，例如 90")
            elif kind == PriceRuleKind.PERCENT and figure <= -100:
                self.add_error("figure", "降价不能达到 100%")
            elif figure == 0:
                self.add_error("figure", "数值为 0，价格不会变")
        if values.get("price_list") and values.get("codes"):
            self._refuse_unpriced(values["price_list"], values["codes"])
        return values

    def _refuse_unpriced(self, price_list: PriceList, codes: tuple[str, ...]) -> None:
        """Refuse product codes without a price on the list, so that a mistyped code is not
        ignored.
        """
        known = set(
            PriceChoice(price_list, codes=codes).items().values_list("product__code", flat=True)
        )
        unknown = [code for code in codes if code not in known]
        if unknown:
            more = f" 等 {len(unknown)} 个" if len(unknown) > MOST_NAMED else ""
            self.add_error(
                "codes",
                (
                    f"价目表里没有这些商品的价格：{'、'.join(unknown[:MOST_NAMED])}{more}；"
                    "请更正或删去"
                ),
            )

    def choice(self) -> PriceChoice:
        """Return the chosen rows. The form must be valid."""
        chosen = self.cleaned_data
        return PriceChoice(
            chosen["price_list"], chosen["category"], chosen["brand"], chosen["codes"]
        )

    def rule(self) -> PriceRule:
        """Return the rule. The form must be valid."""
        return PriceRule(
            PriceRuleKind(self.cleaned_data["kind"]),
            self.cleaned_data["figure"],
            Decimal(self.cleaned_data["step"]),
        )
