"""Create, change, copy and delete roles. A role never grants more rights than its author has.

Set the purchase limits of a role or of an account, and the choices at the checkout of an account.
Only a group admin may change them, so that nobody lifts his own limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError

from apps.org.enums import (
    AddressScope,
    ChangeAction,
    DataScope,
    LimitAction,
    LimitPeriod,
    PaymentKind,
    PurchasingRight,
)
from apps.org.errors import (
    HoldersOutOfScope,
    LimitCategoryUnknown,
    LimitsByAdminOnly,
    LimitsRepeated,
    MenuCodesBeyondRights,
    PurchasingBeyondRights,
    RoleChangedMeanwhile,
    RoleCodeTaken,
    RoleFreesHolders,
    RoleHasHolders,
    RoleIsApprover,
    RoleNameTaken,
    RolesFull,
    RoleTermsByAdminOnly,
    RoleTooPowerful,
    TooManyLimits,
)
from apps.org.locks import lock_group
from apps.org.menus import ENTRY_NAMES, with_groups
from apps.org.models import Account, PurchaseLimit, Role
from apps.org.selectors.accounts import get_account
from apps.org.selectors.purchasing import can_purchase, list_accounts_beyond_terms
from apps.org.selectors.roles import (
    can_grant,
    count_holders_out_of_scope,
    get_role,
    list_role_excess,
)
from apps.org.services.changes import change_record

MAX_ROLES = 200
LABELS = {
    "code": "角色编码",
    "name": "角色名称",
    "data_scope": "数据范围",
    "purchasing": "采购权限",
    "payment_kinds": "可用付款方式",
    "address_scope": "可用收货地址",
    "limits": "采购限额",
    "menus": "菜单权限",
}


@dataclass(frozen=True, slots=True)
class RoleForm:
    """The editable values of a role. An empty code is replaced by a generated one."""

    name: str
    menu_codes: tuple[str, ...]
    data_scope: str
    code: str = ""
    purchasing: str = PurchasingRight.ORDER
    payment_kinds: tuple[str, ...] = ()
    address_scope: str = AddressScope.ALL
    # None leaves the limits of an existing role unchanged.
    limits: tuple[LimitForm, ...] | None = None


@transaction.atomic
def role_create(*, actor: Account, form: RoleForm, copied_from: str = "") -> Role:
    """Return the new role.

    Raises:
        ValidationFailed: the code is taken, the group has 200 roles, or the role would grant rights
            that the actor does not have.
    """
    lock_group(actor.group_id)
    if Role.objects.count() >= MAX_ROLES:
        raise RolesFull(MAX_ROLES)
    role = _save_role(actor, Role(group=actor.group), form)
    action = ChangeAction.COPY if copied_from else ChangeAction.CREATE
    _record_change(actor, role, action, {}, note=f"复制自“{copied_from}”" if copied_from else "")
    return role


@transaction.atomic
def role_update(
    *, actor: Account, pk: int, changes: Mapping[str, Any], seen_at: datetime | None
) -> Role:
    """Return the changed role. It applies from the next request of each holder. `seen_at` is
    the `updated_at` that the client read.

    `changes` has fields of `RoleForm`. Other fields stay unchanged. An empty code leaves the code
    unchanged.

    Raises:
        RoleNotFound: the group has no role with this id.
        Stale: another user changed the role after `seen_at`.
        BeyondRights: the role grants more rights than the actor has, or has holders outside the
            actor's data scope.
        ValidationFailed: as role_create, or the role may order now and frees a holder from the
            actor's own limits.
    """
    lock_group(actor.group_id)
    role = get_role(pk=pk)
    if seen_at is not None and seen_at != role.updated_at:
        raise RoleChangedMeanwhile
    _refuse_beyond(actor, role, "修改")
    if not changes:
        return role
    before, purchasing = _get_history_values(role), role.purchasing
    present = RoleForm(
        name=role.name,
        menu_codes=tuple(role.menu_codes),
        data_scope=role.data_scope,
        code=role.code,
        purchasing=role.purchasing,
        payment_kinds=tuple(role.payment_kinds),
        address_scope=role.address_scope,
    )
    form = replace(present, **changes)
    _save_role(actor, role, replace(form, code=form.code or role.code))
    if role.purchasing != purchasing:
        _refuse_freed_holders(actor, role)
    _record_change(actor, role, ChangeAction.UPDATE, before)
    return role


@transaction.atomic
def role_copy(*, actor: Account, pk: int, name: str) -> Role:
    """Return a new role with the same rights and limits.

    Raises:
        RoleNotFound, ValidationFailed: as role_update and role_create.
    """
    source = get_role(pk=pk)
    form = RoleForm(
        name,
        tuple(source.menu_codes),
        source.data_scope,
        purchasing=source.purchasing,
        payment_kinds=tuple(source.payment_kinds),
        address_scope=source.address_scope,
        limits=list_limits(role=source),
    )
    return role_create(actor=actor, form=form, copied_from=source.name)


@transaction.atomic
def role_delete(*, actor: Account, pk: int) -> None:
    """Delete a role that has no holders and that no approval rule uses.

    Raises:
        RoleNotFound: the group has no role with this id.
        RoleInUse: the role is used. The message says where.
        BeyondRights: the role grants more rights than the actor has.
    """
    lock_group(actor.group_id)
    role = get_role(pk=pk)
    _refuse_beyond(actor, role, "删除")
    if holders := role.accounts.count():
        raise RoleHasHolders(holders)
    _record_change(actor, role, ChangeAction.DELETE, _get_history_values(role), is_deleted=True)
    try:
        with transaction.atomic():
            role.delete()
    except ProtectedError as error:
        raise RoleIsApprover from error


def _refuse_beyond(actor: Account, role: Role, verb: str) -> None:
    if not can_grant(actor=actor, role=role):
        raise RoleTooPowerful(verb)
    if beyond := 0 if actor.is_group_admin else count_holders_out_of_scope(actor=actor, role=role):
        raise HoldersOutOfScope(holders=beyond, verb=verb)


def _save_role(actor: Account, role: Role, form: RoleForm) -> Role:
    """Set the form's values on the role and save it with its limits. A role without a code gets
    a free one.

    Raises:
        RoleTermsByAdminOnly: somebody else than a group admin changes the payment kinds or the
            address scope.
        RoleCodeTaken, RoleNameTaken: another role has the code or the name.
        PurchasingBeyondRights, MenuCodesBeyondRights: the role grants more than the actor has.
        BeyondRights, ValidationFailed: as limits_replace.
    """
    role.name, role.data_scope, role.code = (
        form.name,
        form.data_scope,
        form.code or _find_free_code(),
    )
    _refuse_change_of_checkout_choices(actor, role, form)
    role.purchasing = form.purchasing
    role.payment_kinds = [kind for kind in PaymentKind.values if kind in form.payment_kinds]
    role.address_scope = form.address_scope
    role.menu_codes = [code for code in with_groups(set(form.menu_codes)) if code in ENTRY_NAMES]
    if Role.objects.filter(code=role.code).exclude(pk=role.pk).exists():
        raise RoleCodeTaken
    if Role.objects.filter(name=role.name).exclude(pk=role.pk).exists():
        raise RoleNameTaken
    if not can_purchase(actor=actor, needed=PurchasingRight(role.purchasing)):
        label = PurchasingRight(role.purchasing).label
        raise PurchasingBeyondRights(label)
    if excess := list_role_excess(actor=actor, role=role):
        raise MenuCodesBeyondRights(excess)
    role.save()
    if form.limits is not None and set(form.limits) != set(list_limits(role=role)):
        limits_replace(actor=actor, role=role, limits=form.limits)
    return role


def _refuse_change_of_checkout_choices(actor: Account, role: Role, form: RoleForm) -> None:
    """Only a group admin changes what a role may choose at checkout, so that nobody widens his own
    choices.

    Raises:
        RoleTermsByAdminOnly: the actor is not a group admin and the form changes them.
    """
    is_same = set(form.payment_kinds) == set(role.payment_kinds)
    if actor.is_group_admin or (is_same and form.address_scope == role.address_scope):
        return
    raise RoleTermsByAdminOnly


def _refuse_freed_holders(actor: Account, role: Role) -> None:
    """Refuse a right to order that frees people who have the role from the actor's own terms: an
    account that could only request was judged without them.

    Raises:
        RoleFreesHolders: the actor's terms do not bind an account that has the role.
    """
    if role.purchasing != PurchasingRight.ORDER:
        return
    holders = list(role.accounts.prefetch_related("roles").order_by("pk"))
    beyond_ids = list_accounts_beyond_terms(actor=actor, accounts=holders)
    if beyond_ids:
        raise RoleFreesHolders([row.nickname for row in holders if row.pk in beyond_ids])


def _find_free_code() -> str:
    present_codes = set(Role.objects.values_list("code", flat=True))
    return next(
        code
        for number in range(1, len(present_codes) + 2)
        if (code := f"R{number:03d}") not in present_codes
    )


def _get_history_values(role: Role) -> dict[str, object]:
    """Return the values of the role for its history, as the Chinese names that the page shows."""
    names = [ENTRY_NAMES[code] for code in with_groups(set(role.menu_codes)) if code in ENTRY_NAMES]
    return {
        "code": role.code,
        "name": role.name,
        "data_scope": DataScope(role.data_scope).label,
        "purchasing": PurchasingRight(role.purchasing).label,
        **_get_choice_values(role.payment_kinds, role.address_scope),
        "limits": [limit.text for limit in list_limits(role=role)],
        "menus": names,
    }


def _get_choice_values(payment_kinds: Sequence[str], address_scope: str) -> dict[str, object]:
    """Return the choices at the checkout of a role or of an account for its history."""
    return {
        "payment_kinds": [PaymentKind(kind).label for kind in payment_kinds],
        "address_scope": AddressScope(address_scope).label,
    }


def _record_change(
    actor: Account,
    role: Role,
    action: str,
    before: dict[str, object],
    *,
    note: str = "",
    is_deleted: bool = False,
) -> None:
    change_record(
        actor=actor,
        subject_type="role",
        subject_id=role.pk,
        subject_name=role.name,
        action=action,
        before=before,
        after={} if is_deleted else _get_history_values(role),
        labels=LABELS,
        note=note,
    )


# The limits are read with each person's roles, so their number is bounded.
MAX_LIMITS = 30


@dataclass(frozen=True, slots=True)
class LimitForm:
    """A limit: `amount` in 元 for each order, day or month, and the action above it. Without a
    category it limits whole orders. `category_name` is only for texts.
    """

    period: str
    amount: Decimal
    action: str
    category_id: int | None = None
    category_name: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The limit in words."""
        category = f"“{self.category_name}”" if self.category_id else ""
        return (
            f"{category}{LimitPeriod(self.period).label} ¥{self.amount:,.2f}"
            f"（超出{LimitAction(self.action).label}）"
        )


def list_limits(
    *, role: Role | None = None, account: Account | None = None
) -> tuple[LimitForm, ...]:
    """Return the limits of a role or of an account: first those of whole orders, then those of
    categories, in the order of their periods. One query; none for a new role.
    """
    owner = role or account
    if owner is None or owner.pk is None:
        return ()
    rows = PurchaseLimit.objects.filter(role=role, account=account).select_related("category")
    forms = [
        LimitForm(
            row.period,
            row.amount,
            row.action,
            category_id=row.category_id,
            category_name=row.category_name,
        )
        for row in rows
    ]
    return tuple(sorted(forms, key=_place))


def _place(form: LimitForm) -> tuple[str, int, int]:
    return form.category_name, form.category_id or 0, LimitPeriod.values.index(form.period)


def limits_replace(
    *,
    actor: Account,
    limits: Sequence[LimitForm],
    role: Role | None = None,
    account: Account | None = None,
) -> None:
    """Replace the limits of a role or of an account. The caller has locked the group and records
    the change.

    Raises:
        BeyondRights: the actor is no group admin.
        ValidationFailed: a category and period appear twice, there are more than 30 limits, or a
            category does not exist.
    """
    if not actor.is_group_admin:
        raise LimitsByAdminOnly
    if len(limits) > MAX_LIMITS:
        raise TooManyLimits(MAX_LIMITS)
    if len({(limit.category_id, limit.period) for limit in limits}) < len(limits):
        raise LimitsRepeated
    for limit in limits:
        _refuse_unknown_category(limit)
    PurchaseLimit.objects.filter(role=role, account=account).delete()
    for limit in limits:
        PurchaseLimit.objects.create(
            group_id=actor.group_id,
            role=role,
            account=account,
            category_id=limit.category_id,
            period=limit.period,
            amount=limit.amount,
            action=limit.action,
        )


def _refuse_unknown_category(limit: LimitForm) -> None:
    """`catalog` is above this app, so the foreign key looks for its row.

    Raises:
        LimitCategoryUnknown: there is no category with this id.
    """
    row = PurchaseLimit(category_id=limit.category_id)
    try:
        row.clean_fields(exclude={each.name for each in row._meta.fields} - {"category"})
    except ValidationError as error:
        raise LimitCategoryUnknown from error


@dataclass(frozen=True, slots=True)
class AccountTermsForm:
    """What restricts the orders of one account. None leaves a value unchanged. An empty tuple of
    `payment_kinds` narrows nothing.
    """

    limits: tuple[LimitForm, ...] | None = None
    payment_kinds: tuple[str, ...] | None = None
    address_scope: str | None = None


@transaction.atomic
def account_terms_set(*, actor: Account, pk: int, form: AccountTermsForm) -> Account:
    """Set the limits, the kinds of payment and the scope of addresses of an account, and return it.
    They apply from its next order.

    Raises:
        AccountNotFound: the actor's data scope has no account with this id.
        BeyondRights, ValidationFailed: as limits_replace.
    """
    lock_group(actor.group_id)
    account = get_account(actor=actor, pk=pk)
    if not actor.is_group_admin:
        raise LimitsByAdminOnly
    before = _get_account_terms(account)
    if form.limits is not None and set(form.limits) != set(list_limits(account=account)):
        limits_replace(actor=actor, limits=form.limits, account=account)
    if form.payment_kinds is not None:
        account.own_payment_kinds = [kind for kind in PaymentKind if kind in form.payment_kinds]
    if form.address_scope is not None:
        account.own_address_scope = form.address_scope
    account.save(update_fields=["own_payment_kinds", "own_address_scope"])
    change_record(
        actor=actor,
        subject_type="account",
        subject_id=account.pk,
        subject_name=str(account),
        action=ChangeAction.UPDATE,
        before=before,
        after=_get_account_terms(account),
        labels=LABELS,
    )
    return account


def _get_account_terms(account: Account) -> dict[str, object]:
    """Return what restricts the orders of the account for its history."""
    return {
        "limits": [limit.text for limit in list_limits(account=account)],
        **_get_choice_values(account.own_payment_kinds, account.own_address_scope),
    }
