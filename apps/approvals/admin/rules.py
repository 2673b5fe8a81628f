"""Back office: approval rules. Staff choose the group first; all offered choices are then
limited to that group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.db.models import Model
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from unfold.admin import TabularInline
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelect2MultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.approvals.enums import ConditionKind
from apps.approvals.enums import ConditionKind as K
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.conditions import CONDITIONS, PAYMENT_TEXT, Shape, describe_condition
from apps.approvals.selectors.rule_form import (
    MAX_DAYS,
    MAX_PERCENT,
    RuleSpec,
    StepSpec,
    find_rule_problem,
    find_step_problem,
)
from apps.approvals.services.rule_manage import rule_save
from apps.catalog.models import Category, Product
from apps.common.money import MoneyFormField
from apps.common.numbers import parse_key
from apps.office.acts import Act, ActPageMixin
from apps.office.choices import ChoiceWidgetsMixin, limit_to_group
from apps.office.lists import OfficeAdmin
from apps.office.pages import get_request_staff
from apps.org.models import Account, Department, Group

PREFIX = "when_"
# A list names this many people, categories or products, then only their number.
MAX_NAMES = 3
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
        id_by_code = dict(Product.objects.filter(code__in=codes).values_list("code", "pk"))
        unknown = [code for code in codes if code not in id_by_code]
        if unknown:
            raise forms.ValidationError(f"没有编码为 {'、'.join(unknown[:5])} 的商品")
        return [id_by_code[code] for code in dict.fromkeys(codes)]


class SumField(forms.CharField):
    """Days and an amount, separated by a space, cleaned to the value of a sum over time."""

    def clean(self, value: Any) -> dict[str, Any] | None:
        parts = str(super().clean(value)).replace("，", " ").replace(",", " ").split()
        if not parts:
            return None
        if len(parts) != 2 or not parts[0].isdecimal() or not 1 <= int(parts[0]) <= MAX_DAYS:
            raise forms.ValidationError(f"请填写天数（1 至 {MAX_DAYS}）和金额，用空格分隔")
        amount = MoneyFormField(min_value=0).clean(parts[1])
        return {"days": int(parts[0]), "amount": f"{amount:.2f}"}


class RowsField(forms.MultipleChoiceField):
    """A choice of rows, cleaned to integer ids."""

    widget = UnfoldAdminSelect2MultipleWidget

    def clean(self, value: Any) -> list[int]:
        return [int(pk) for pk in super().clean(value)]


def build_condition_fields(*, group_id: int) -> dict[str, forms.Field]:
    """Return the fields by name. People and departments are those of the group."""
    departments = (
        Department.objects.filter(group_id=group_id)
        .select_related("enterprise")
        .order_by("enterprise_id", "position", "pk")
    )
    people = Account.objects.filter(group_id=group_id).order_by("username")
    categories = Category.objects.order_by("code")
    fields: dict[str, forms.Field] = {
        K.AMOUNT: MoneyFormField(
            min_value=0,
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
    }
    for kind, condition in CONDITIONS.items():
        match condition.shape:
            case Shape.NONE:
                fields[kind] = forms.BooleanField(widget=UnfoldBooleanSwitchWidget)
            case Shape.PERCENT:
                fields[kind] = forms.IntegerField(
                    min_value=0,
                    max_value=MAX_PERCENT,
                    widget=UnfoldAdminIntegerFieldWidget,
                    help_text="%",
                )
            case Shape.SUM:
                fields[kind] = SumField(
                    widget=UnfoldAdminTextInputWidget,
                    help_text="天数和金额（元，含税），用空格分隔，如 7 3000.00",
                )
    for kind, field in fields.items():
        field.label, field.required = str(K(kind).label), False
    return {f"{PREFIX}{kind}": field for kind, field in fields.items()}


def get_initial(rule: ApprovalRule) -> dict[str, Any]:
    """Return the initial field values of a stored rule."""
    values: dict[str, Any] = {}
    for row in rule.conditions:
        shape, value = CONDITIONS[row["kind"]].shape, row.get("value")
        if shape == Shape.NONE:
            value = True
        elif shape == Shape.SUM and value:
            value = f"{value['days']} {value['amount']}"
        values[f"{PREFIX}{row['kind']}"] = value
    products = values.get(f"{PREFIX}{K.PRODUCT}")
    if products:
        values[f"{PREFIX}{K.PRODUCT}"] = " ".join(
            Product.objects.filter(pk__in=products).order_by("code").values_list("code", flat=True)
        )
    return values


def read_conditions(cleaned_data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the conditions of the cleaned form in the format of ApprovalRule."""
    conditions: list[dict[str, Any]] = []
    for kind in K.values:
        value = cleaned_data.get(f"{PREFIX}{kind}")
        if value is None or value is False or value in ("", []):
            continue
        shape = CONDITIONS[kind].shape
        stored_value = (
            f"{value:.2f}" if shape == Shape.AMOUNT else None if shape == Shape.NONE else value
        )
        conditions.append({"kind": kind, "value": stored_value})
    return conditions


def get_names(rules: Iterable[ApprovalRule]) -> Names:
    """Return {kind: {id: name}} of the rows the conditions name."""
    keys: defaultdict[str, set[int]] = defaultdict(set)
    for row in (row for rule in rules for row in rule.conditions if row["kind"] in NAMED):
        keys[row["kind"]].update((row.get("value") or [])[:MAX_NAMES])
    names: Names = {}
    for kind, kind_keys in keys.items():
        model, field = NAMED[K(kind)]
        names[kind] = dict(
            model._default_manager.filter(pk__in=kind_keys).order_by("pk").values_list("pk", field)
        )
    return names


def _format_names(names: dict[int, str], ids: list[int]) -> str:
    shown_names = (names[key] for key in sorted(ids[:MAX_NAMES]) if key in names)
    return "、".join(shown_names) + (f" 等 {len(ids)} 项" if len(ids) > MAX_NAMES else "")


def format_conditions(rule: ApprovalRule, names: Names) -> str:
    """Return the rule's conditions as a sentence; `names` is the result of `get_names`."""
    texts = []
    for row in rule.conditions:
        kind, value = K(row["kind"]), row.get("value")
        if kind in NAMED:
            text = f"{kind.label}：{_format_names(names[kind], value or [])}"
        elif kind == K.PAYMENT:
            text = (
                f"{kind.label}：{'、'.join(PAYMENT_TEXT.get(each, each) for each in value or [])}"
            )
        else:
            text = describe_condition(row, names="")
        texts.append(str(text))
    return (" 且 " if rule.condition_mode == "all" else " 或 ").join(texts) or "所有订单"


WHEN = tuple(f"{PREFIX}{kind}" for kind in ConditionKind.values)
PLAIN = (
    "name",
    "is_active",
    "position",
    "enterprise",
    "department",
    "condition_mode",
    "allows_self_approval",
    "allows_same_person",
    "valid_from",
    "valid_until",
)


class GroupForm(forms.Form):
    group = forms.ModelChoiceField(
        label="集团", queryset=Group.objects.none(), widget=UnfoldAdminSelectWidget
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["group"].queryset = Group.objects.filter(is_active=True).order_by("code")  # type: ignore[attr-defined]


class RuleForm(forms.ModelForm[ApprovalRule]):
    """One field for each kind of condition; an empty field adds no condition.

    The admin class sets model and fields: setting them here would run queries at import, outside
    any tenant scope.
    """

    group_id: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.update(build_condition_fields(group_id=self.group_id))
        self.initial.update(get_initial(self.instance))
        for name in ("enterprise", "department"):
            limit_to_group(self.fields[name].widget, group_id=self.group_id)

    def clean(self) -> dict[str, Any]:
        cleaned_data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            field, text = find_rule_problem(spec=self.build_spec(), group_id=self.group_id)
            if text:
                self.add_error(field if field in self.fields else None, text)
        return cleaned_data

    def build_spec(self) -> RuleSpec:
        """Return the rule of the cleaned form."""
        return RuleSpec(
            conditions=read_conditions(self.cleaned_data),
            # Bands and copies are set by the customer's administrator and stay.
            bands=self.instance.bands,
            copy_accounts=self.instance.copy_accounts,
            copy_roles=self.instance.copy_roles,
            **{name: self.cleaned_data[name] for name in PLAIN},
        )


class StepFormSet(BaseInlineFormSet[ApprovalRuleStep, ApprovalRule, Any]):
    """At least one step, with approvers of the rule's group. The order of the steps is their
    number.
    """

    group_id: int

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        for name in ("accounts", "role"):
            limit_to_group(form.fields[name].widget, group_id=self.group_id)

    def build_specs(self) -> list[StepSpec]:
        """Return the steps that are not deleted, in order. Each keeps its band (分档)."""
        filled_forms = [
            {**form.cleaned_data, "band": form.instance.band}
            for form in self.forms
            if form.cleaned_data.get("approver_kind") and not form.cleaned_data.get("DELETE")
        ]
        return [
            StepSpec(
                row["approver_kind"],
                row["mode"],
                tuple(row["accounts"]),
                row["role"],
                row["levels_up"],
                row["band"],
            )
            for row in sorted(filled_forms, key=lambda row: row["no"])
        ]

    def clean(self) -> None:
        if any(self.errors):
            return
        specs = self.build_specs()
        if not specs:
            raise forms.ValidationError("请至少添加一个审批步骤")
        for number, spec in enumerate(specs, start=1):
            text = find_step_problem(spec=spec, group_id=self.group_id)
            if text:
                raise forms.ValidationError(f"第 {number} 步：{text}")


class StepInline(ChoiceWidgetsMixin, TabularInline):
    model = ApprovalRuleStep
    formset = StepFormSet
    extra = 1
    fields = ("no", "approver_kind", "accounts", "role", "levels_up", "mode", "band")
    readonly_fields = ("band",)
    autocomplete_fields = ("accounts", "role")
    hide_title = True

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow deleting a step to everybody who may change the rule."""
        return bool(self.has_change_permission(request, obj))

    def get_formset(
        self, request: HttpRequest, obj: ApprovalRule | None = None, **kwargs: Any
    ) -> Any:
        formset = super().get_formset(request, obj, **kwargs)
        return type("StepFormSetOfGroup", (formset,), {"group_id": get_group_id(request, obj)})


def get_group_id(request: HttpRequest, rule: ApprovalRule | None) -> int:
    """Return the id of the page's group: the rule's group, or the group chosen for a new rule;
    0 if none.
    """
    if rule is not None:
        return int(rule.group_id)
    group_id = parse_key(request.GET.get("group", ""))
    return group_id if Group.objects.filter(pk=group_id).exists() else 0


@admin.register(ApprovalRule)
class ApprovalRuleAdmin(ActPageMixin, OfficeAdmin):
    """Approval rules of a group with their steps. The group is chosen first and limits all other
    choices. The form saves through the services, which write a version.
    """

    form = RuleForm
    inlines = (StepInline,)
    list_display = (
        "name",
        "group",
        "place",
        "conditions_text",
        "step_count",
        "position",
        "valid_from",
        "valid_until",
        "is_active",
    )
    list_select_related = ("group", "enterprise", "department")
    list_filter = ("is_active", ("group", AutocompleteSelectFilter))
    list_filter_submit = True
    search_fields = ("name", "group__name", "enterprise__name", "department__name")
    search_help_text = "按规则、集团、企业或部门搜索"
    ordering = ("group_id", "position")
    autocomplete_fields = ("enterprise", "department")
    warn_unsaved_form = True
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("name", "is_active"),
                    ("enterprise", "department"),
                    ("position", "allows_self_approval", "allows_same_person"),
                    ("valid_from", "valid_until"),
                )
            },
        ),
        ("条件（不填写即所有订单）", {"fields": ("condition_mode", *WHEN)}),
    )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Forbid deletion: a rule is switched off, so that its decisions can still be read."""
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).filter(deleted_at=None).prefetch_related("steps")

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Add the conditions in words to the rules of the page, with one set of queries."""
        listed = super().get_changelist_instance(request)
        names = get_names(listed.result_list)
        for rule in listed.result_list:
            rule.conditions_sentence = format_conditions(rule, names)
        return listed

    def get_form(
        self,
        request: HttpRequest,
        obj: ApprovalRule | None = None,
        change: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Return the form for the group. The form creates its condition fields itself."""
        form = super().get_form(request, obj, change=change, **{**kwargs, "fields": PLAIN})
        return type("RuleFormOfGroup", (form,), {"group_id": get_group_id(request, obj)})

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for the group first, because everything a rule names belongs to it."""
        if get_group_id(request, None) or not self.has_add_permission(request):
            view: HttpResponse = super().add_view(request, form_url, extra_context)
            return view
        form = GroupForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            return HttpResponseRedirect(f"{request.path}?group={form.cleaned_data['group'].pk}")
        return self.show_act_page(
            request, Act("下一步", "新增审批规则", "..", form), lambda _cleaned_data: None
        )

    def save_model(self, request: HttpRequest, obj: ApprovalRule, form: Any, change: bool) -> None:
        """Do nothing: save_related writes the rule together with its steps."""

    def save_related(
        self, request: HttpRequest, form: Any, formsets: list[StepFormSet], change: bool
    ) -> None:
        steps = formsets[0].build_specs()
        rule_save(
            rule=form.instance,
            group_id=form.group_id,
            spec=form.build_spec(),
            steps=steps,
            actor=get_request_staff(request),
        )
        for formset in formsets:
            formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []

    @admin.display(description="适用范围")
    def place(self, rule: ApprovalRule) -> str:
        return str(rule.department or rule.enterprise or "全集团")

    @admin.display(description="条件")
    def conditions_text(self, rule: ApprovalRule) -> str:
        return str(rule.conditions_sentence)  # type: ignore[attr-defined]

    @admin.display(description="步骤数")
    def step_count(self, rule: ApprovalRule) -> int:
        return len(rule.steps.all())


auditlog.register(ApprovalRule, exclude_fields=["updated_at", "version"])
auditlog.register(ApprovalRuleStep, m2m_fields={"accounts"})
