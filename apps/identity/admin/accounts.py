"""Accounts: who they are, what they may, their password. A password set by staff ends the account's sign-ins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group as StaffGroup
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from apps.common.admin.group_search import GroupSearchMixin
from apps.common.admin.listing import ListedAdmin
from apps.identity.admin.impersonate import ImpersonatingMixin
from apps.identity.services.family import PASSWORD_NEW, families_revoke
from apps.org.enums import AccountType
from apps.org.errors import LastAdmin
from apps.org.locks import lock_group
from apps.org.models import Account
from apps.org.selectors.accounts import last_admins


def last_admins_locked(ids: Iterable[int | None]) -> list[Account]:
    """Return the accounts without whom a group would have no enabled admin; its writers wait until the transaction around it ends."""
    accounts = Account.objects.filter(pk__in=[pk for pk in ids if pk is not None])
    with transaction.atomic():
        for group_id in accounts.order_by("group").values_list("group", flat=True).distinct():
            lock_group(group_id)
        return last_admins(accounts.select_related("group"))


class AccountForm(UserChangeForm):  # type: ignore[misc]
    """Roles must be of the account's own group, and no group loses its last admin."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        group = cleaned.get("group")
        if any(role.group_id != (group.pk if group else None) for role in cleaned.get("roles", ())):
            raise forms.ValidationError({"roles": "角色须属于所选集团"})
        is_admin = cleaned.get("kind") == AccountType.GROUP_ADMIN and cleaned.get("is_active")
        if any(not is_admin or group != account.group for account in last_admins_locked([self.instance.pk])):
            raise forms.ValidationError(LastAdmin.message)
        return cleaned


class SetPasswordForm(AdminPasswordChangeForm):  # type: ignore[misc]
    """Sets the password and ends every sign-in of the account."""

    def save(self, commit: bool = True) -> Account:
        account: Account = super().save(commit)
        families_revoke(account=account, why=PASSWORD_NEW)
        return account


@admin.register(Account)
class AccountAdmin(ImpersonatingMixin, GroupSearchMixin, UserAdmin, ListedAdmin):  # type: ignore[misc, type-arg]
    form = AccountForm
    add_form = UserCreationForm
    change_password_form = SetPasswordForm
    list_display = ("username", "nickname", "kind", "group", "enterprise", "department", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_active", "kind", ("group", AutocompleteSelectFilter))
    list_filter_submit = True
    list_select_related = ("group", "enterprise", "department")
    search_fields = ("username", "nickname", "full_name", "mobile", "email")
    ordering = ("username",)
    autocomplete_fields = ("group", "enterprise", "department", "roles")
    filter_horizontal = ("groups", "user_permissions")
    readonly_fields = ("last_login", "created_at")
    actions = ("sign_out",)
    actions_detail = ("impersonate",)
    fieldsets = (
        (None, {"fields": ("username", "password", "nickname", "full_name", "job_title", "mobile", "email")}),
        ("组织", {"fields": ("group", "enterprise", "department", "kind", "roles")}),
        ("状态", {"fields": ("is_active", "last_login", "created_at")}),
        ("运营权限", {"fields": ("is_staff", "is_superuser", "groups", "user_permissions"), "classes": ("collapse",)}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "nickname", "password1", "password2")}),
        ("组织", {"fields": ("group", "enterprise", "department", "kind", "is_staff")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> tuple[str, ...]:
        """Only a superuser hands out rights over the back office."""
        guarded = () if request.user.is_superuser else ("is_staff", "is_superuser", "groups", "user_permissions")
        return (*self.readonly_fields, *guarded)

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """Nobody but a superuser changes staff: a password set is an account taken over."""
        if obj is not None and obj.is_staff and not request.user.is_superuser:
            return False
        return bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """Nor does anybody but a superuser delete staff."""
        if obj is not None and obj.is_staff and not request.user.is_superuser:
            return False
        return bool(super().has_delete_permission(request, obj))

    def get_deleted_objects(self, objs: Sequence[Account] | QuerySet[Account], request: HttpRequest) -> Any:
        """Name the last admins among what may not be deleted, beside what the database protects."""
        found, counts, missing, protected = super().get_deleted_objects(objs, request)
        kept = last_admins_locked([account.pk for account in objs])
        return found, counts, missing, [*protected, *(f"{account}：{LastAdmin.message}" for account in kept)]

    @admin.action(description="下线：结束所选账号的全部登录", permissions=["change"])
    def sign_out(self, request: HttpRequest, queryset: QuerySet[Account]) -> None:
        ended = sum(families_revoke(account=account, why="运营下线") for account in queryset)
        self.message_user(request, f"已结束 {ended} 个登录会话", messages.SUCCESS)


admin.site.unregister(StaffGroup)


@admin.register(StaffGroup)
class StaffGroupAdmin(DjangoGroupAdmin, ListedAdmin):  # type: ignore[misc]
    """岗位: what each job of the staff may do. Whoever could change one could give himself every right: a superuser alone does."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: StaffGroup | None = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: StaffGroup | None = None) -> bool:
        return bool(request.user.is_superuser)
