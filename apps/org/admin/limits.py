"""采购限额 on the pages of roles and accounts. The services of `purchase_limits` and `role` check
and save them, and write the customer's history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from unfold.admin import TabularInline

from apps.office.choices import ChoiceWidgetsMixin
from apps.office.pages import PageBase
from apps.org.admin.base import staff_in
from apps.org.models import Account, PurchaseLimit, Role
from apps.org.services.purchase_limits import MAX_LIMITS, LimitForm, account_limits_set
from apps.org.services.role import role_update
from apps.org.services.staff import staff_as_group_admin

if TYPE_CHECKING:
    LimitFormSetBase = BaseInlineFormSet[PurchaseLimit, Any, Any]
else:
    LimitFormSetBase = BaseInlineFormSet


class LimitFormSet(LimitFormSetBase):
    """The limits of one role or account, each category and period once."""

    def limits(self) -> list[LimitForm]:
        """Return the limits that are not deleted."""
        return [
            LimitForm(
                row["period"],
                row["amount"],
                row["action"],
                category_id=row["category"].pk if row["category"] else None,
            )
            for row in (form.cleaned_data for form in self.forms)
            if row.get("period") and not row.get("DELETE")
        ]

    def clean(self) -> None:
        if any(self.errors):
            return
        keys = [(limit.category_id, limit.period) for limit in self.limits()]
        if len(set(keys)) < len(keys):
            raise forms.ValidationError("每个类目的每个周期只能设置一个限额")


class LimitInline(ChoiceWidgetsMixin, TabularInline):
    model = PurchaseLimit
    formset = LimitFormSet
    fields = ("category", "period", "amount", "action")
    autocomplete_fields = ("category",)
    extra = 0
    max_num = MAX_LIMITS

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow deleting a limit to everybody who may change the role or the account."""
        return self.has_change_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may change the page's row may change its limits."""
        page = self.admin_site._registry[self.parent_model]
        return bool(page.has_change_permission(request, obj))


class LimitsMixin(PageBase):
    """A page of a role or an account with its limits. Staff accounts and new rows have none."""

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        is_customers = obj is not None and obj.group_id is not None
        return [*super().get_inlines(request, obj), *([LimitInline] if is_customers else [])]

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the limits by the service. It raises a DomainError that the form shows."""
        if formset.model is not PurchaseLimit:
            super().save_formset(request, form, formset, change)
            return
        if formset.has_changed():
            _limits_save(request, form.instance, formset.limits())
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []


def _limits_save(request: HttpRequest, owner: Role | Account, limits: list[LimitForm]) -> None:
    group_id: Any = owner.group_id
    with staff_as_group_admin(staff=staff_in(request), group_id=group_id) as actor:
        if isinstance(owner, Role):
            changes = {"limits": tuple(limits)}
            role_update(actor=actor, pk=owner.pk, changes=changes, seen_at=None)
        else:
            account_limits_set(actor=actor, pk=owner.pk, limits=limits)
