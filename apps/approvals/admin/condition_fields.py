"""The conditions of a rule as form fields, one for each kind, and as a sentence for the list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Model
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelect2MultipleWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.approvals.enums import ConditionKind as K
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.matching import PAYMENT_TEXT
from apps.catalog.models import Category, Product
from apps.org.models import Account, Department

PREFIX = "when_"
# A list names this many people, categories or products, then only their number.
MOST_NAMED = 3
Names = dict[str, dict[int, str]]
# Kinds whose value is a list of ids: the model of the ids and its name field.
NAMED: dict[str, tuple[type[Model], str]] = {
    K.CATEGORY: (Category, "name"),
    K.PRODUCT: (Product, "name"),
    K.DEPARTMENT: (Department, "name"),
    K.REQUESTER: (Account, "nickname"),
}


class CodesField(forms.CharField):
    """商品编码 separated by spaces or commas, cleaned to product ids."""

    def clean(self, value: Any) -> list[int]:
        codes = str(super().clean(value)).replace("，", " ").replace(",", " ").split()
        known = dict(Product.objects.filter(code__in=codes).values_list("code", "pk"))
        unknown = [code for code in codes if code not in known]
        if unknown:
            raise forms.ValidationError(f"没有编码为 {'、'.join(unknown[:5])} 的商品")
        return [known[code] for code in dict.fromkeys(codes)]


class RowsField(forms.MultipleChoiceField):
    """A choice of rows, cleaned to integer ids."""

    widget = UnfoldAdminSelect2MultipleWidget

    def clean(self, value: Any) -> list[int]:
        return [int(pk) for pk in super().clean(value)]


def _amount_field() -> forms.DecimalField:
    widget = UnfoldAdminDecimalFieldWidget(attrs={"step": "0.01"})
    return forms.DecimalField(
        min_value=0, max_digits=14, decimal_places=2, help_text="元，含税", widget=widget
    )


def condition_fields(*, group_id: int) -> dict[str, forms.Field]:
    """Return the fields by name. People and departments are those of the group."""
    departments = (
        Department.objects.filter(group_id=group_id)
        .select_related("enterprise")
        .order_by("enterprise_id", "position", "pk")
    )
    people = Account.objects.filter(group_id=group_id).order_by("username")
    categories = Category.objects.order_by("code")
    fields: dict[str, forms.Field] = {
        K.AMOUNT: forms.DecimalField(
            min_value=0,
            max_digits=14,
            decimal_places=2,
            widget=UnfoldAdminDecimalFieldWidget,
            help_text="元，含税",
        ),
        K.LINE_QUANTITY: forms.IntegerField(min_value=1, widget=UnfoldAdminIntegerFieldWidget),
        K.CATEGORY: RowsField(choices=[(row.pk, f"{row.code} {row.name}") for row in categories]),
        K.PRODUCT: CodesField(
            widget=UnfoldAdminTextInputWidget, help_text="商品编码，多个用空格或逗号分隔"
        ),
        K.DEPARTMENT: RowsField(
            choices=[(row.pk, f"{row.enterprise.name} / {row.name}") for row in departments]
        ),
        K.REQUESTER: RowsField(choices=[(row.pk, str(row)) for row in people]),
        K.PAYMENT: forms.MultipleChoiceField(
            choices=list(PAYMENT_TEXT.items()), widget=UnfoldAdminCheckboxSelectMultipleWidget
        ),
        K.OVER_BUDGET: forms.BooleanField(widget=UnfoldBooleanSwitchWidget),
    }
    for kind, field in fields.items():
        field.label, field.required = str(K(kind).label), False
    return {f"{PREFIX}{kind}": field for kind, field in fields.items()}


def initial_of(rule: ApprovalRule) -> dict[str, Any]:
    """Return the initial field values of a stored rule."""
    values: dict[str, Any] = {f"{PREFIX}{row['kind']}": row.get("value") for row in rule.conditions}
    if f"{PREFIX}{K.OVER_BUDGET}" in values:
        values[f"{PREFIX}{K.OVER_BUDGET}"] = True
    products = values.get(f"{PREFIX}{K.PRODUCT}")
    if products:
        values[f"{PREFIX}{K.PRODUCT}"] = " ".join(
            Product.objects.filter(pk__in=products).order_by("code").values_list("code", flat=True)
        )
    return values


def conditions_of(cleaned: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the conditions of the cleaned form in the format of ApprovalRule."""
    found: list[dict[str, Any]] = []
    for kind in K.values:
        value = cleaned.get(f"{PREFIX}{kind}")
        if value in (None, "", [], False):
            continue
        stored = f"{value:.2f}" if kind == K.AMOUNT else None if kind == K.OVER_BUDGET else value
        found.append({"kind": kind, "value": stored})
    return found


def names_of(rules: Iterable[ApprovalRule]) -> Names:
    """Return {kind: {id: name}} of the rows the conditions name. One query for each kind, for
    any number of rules.
    """
    keys: defaultdict[str, set[int]] = defaultdict(set)
    for row in (row for rule in rules for row in rule.conditions if row["kind"] in NAMED):
        keys[row["kind"]].update((row.get("value") or [])[:MOST_NAMED])
    found: Names = {}
    for kind, wanted in keys.items():
        model, field = NAMED[K(kind)]
        found[kind] = dict(
            model._default_manager.filter(pk__in=wanted).order_by("pk").values_list("pk", field)
        )
    return found


def _named(names: dict[int, str], ids: list[int]) -> str:
    told = (names[key] for key in sorted(ids[:MOST_NAMED]) if key in names)
    return "、".join(told) + (f" 等 {len(ids)} 项" if len(ids) > MOST_NAMED else "")


def conditions_sentence(rule: ApprovalRule, names: Names) -> str:
    """Return the rule's conditions as a sentence; `names` is the result of `names_of`."""
    texts = []
    for row in rule.conditions:
        kind, value = K(row["kind"]), row.get("value")
        if kind == K.AMOUNT:
            text = f"{kind.label} ¥{float(value):,.2f}"
        elif kind in NAMED:
            text = f"{kind.label}：{_named(names[kind], value or [])}"
        elif kind == K.PAYMENT:
            text = (
                f"{kind.label}：{'、'.join(PAYMENT_TEXT.get(each, each) for each in value or [])}"
            )
        else:
            text = kind.label if value is None else f"{kind.label} {value}"
        texts.append(str(text))
    return (" 且 " if rule.condition_mode == "all" else " 或 ").join(texts) or "所有订单"
