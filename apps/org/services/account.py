"""Create, change, enable and disable accounts of colleagues. To disable a person, call
`account_disable` of `approvals`, which also hands over open work.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.common.errors import ValidationFailed
from apps.org.enums import AccountType, ChangeAction
from apps.org.errors import (
    AccountBeyondRights,
    AccountChangedMeanwhile,
    AccountDisabledAlready,
    AccountEnabledAlready,
    AccountTermsBeyond,
    ActorChanged,
    DepartmentDisabled,
    DepartmentMissing,
    DepartmentOutOfScope,
    GroupAdminByAdminOnly,
    LastAdmin,
    NameTaken,
    OwnAccountDisabled,
    OwnDepartmentMoved,
    RoleBeyondRights,
    RolesLiftTerms,
    RoleUnavailable,
)
from apps.org.locks import lock_group
from apps.org.models import Account, Department, Role
from apps.org.selectors.accounts import (
    find_same_contacts,
    get_account,
    list_assignable_departments,
    list_group_admins,
)
from apps.org.selectors.purchasing import OrderTerms, get_order_terms, list_lifted_terms
from apps.org.selectors.roles import can_grant, can_manage_account, list_role_excess
from apps.org.services.changes import change_record
from apps.org.services.user_names import find_taken_names

USERNAME = re.compile(r"[0-9a-z][0-9a-z._@+-]{1,59}")
NAME_REFUSED = "账号为 2 至 60 位字母、数字或 . _ @ + -，以字母或数字开头"
NAME_TAKEN = "该账号名已被使用，请更换"
# Model field → API field, so that messages appear at the right field.
API_NAMES = {
    "username": "UserName",
    "nickname": "NickName",
    "full_name": "FullName",
    "job_title": "JobTitle",
    "mobile": "Mobile",
    "email": "Email",
}
LABELS = {
    "username": "账号",
    "nickname": "昵称",
    "full_name": "姓名",
    "job_title": "职务",
    "mobile": "手机号码",
    "email": "邮箱",
    "kind": "账号类型",
    "enterprise": "企业",
    "department": "部门",
    "roles": "角色",
}


@dataclass(frozen=True, slots=True)
class AccountForm:
    """The editable values of an account, named like the model's fields. None leaves department,
    roles or kind unchanged.

    `ignore_warnings`: save even if a colleague has the same mobile or mail.
    """

    fields: dict[str, str] = field(default_factory=dict)
    department_id: int | None = None
    role_ids: tuple[int, ...] | None = None
    kind: str | None = None
    ignore_warnings: bool = False


@transaction.atomic
def account_create(*, actor: Account, form: AccountForm) -> Account:
    """Return the new account. It has no password until its owner sets one.

    Raises:
        ValidationFailed: a field is wrong, the department is outside the actor's data scope, a role
            grants more rights than the actor has, the roles have laxer limits than the actor, or
            (`SameContact`) a colleague has the mobile or mail.
        NameTaken: the name is taken, and nothing else is wrong.
    """
    lock_group(actor.group_id)
    if form.department_id is None:
        raise DepartmentMissing
    account = Account(group=actor.group)
    account.set_unusable_password()
    _fill(actor, account, form)
    if not USERNAME.fullmatch(account.username):
        raise ValidationFailed({"UserName": [NAME_REFUSED]})
    _refuse_same_contact(actor, account, form, {"mobile", "email"})
    roles = _get_roles(actor, form.role_ids or (), had=())
    # The last check: an invalid form must not reveal whether another customer uses the name.
    _insert(account)
    account.roles.set(roles)
    _refuse_lifted_terms(actor, account_get_fresh(account.pk))
    account_change_record(actor, account, ChangeAction.CREATE, {})
    return account


@transaction.atomic
def account_update(
    *, actor: Account, pk: int, form: AccountForm, seen_at: datetime | None
) -> Account:
    """Return the changed account. New rights apply from the account's next request. A person
    who moves keeps the cart, the orders and the open approvals.

    Raises:
        AccountNotFound: the account is outside the actor's data scope.
        Stale: another user changed the account after `seen_at`.
        BeyondRights: the account has more rights than the actor, or laxer limits.
        LastAdmin: the group would have no enabled admin left.
        ValidationFailed: as account_create, or the actor moves himself to another department.
    """
    account = account_for_change(actor=actor, pk=pk)
    if seen_at is not None and seen_at != account.updated_at:
        raise AccountChangedMeanwhile
    before, own_terms = get_account_values(account), get_order_terms(account=actor)
    if form.kind == AccountType.NORMAL:
        refuse_last_admin(account)
    _refuse_own_move(actor, account, form)
    _fill(actor, account, form)
    _refuse_same_contact(
        actor,
        account,
        form,
        {name for name in ("mobile", "email") if before[name] != getattr(account, name)},
    )
    with transaction.atomic():
        account.save()
    if form.role_ids is not None:
        account.roles.set(_get_roles(actor, form.role_ids, had=account.roles.all()))
    account_after = account_get_fresh(account.pk)
    if form.role_ids is not None:
        _refuse_lifted_terms(actor, account_after, own=own_terms)
    has_moved = before["department"] != get_account_values(account_after)["department"]
    account_change_record(
        actor, account_after, ChangeAction.MOVE if has_moved else ChangeAction.UPDATE, before
    )
    return account_after


@transaction.atomic
def account_switch_off(*, actor: Account, pk: int) -> tuple[dict[str, Any], Account]:
    """Disable the account. Return its values before the change, for the history, and the
    account. The cart, orders and addresses stay.

    The caller writes the history entry, because it includes what happened to the account's open
    work.

    Raises:
        AccountNotFound, BeyondRights: as account_for_change.
        LastAdmin: the group would have no enabled admin left.
        WrongState: it is the actor's own account, or it is already disabled.
    """
    account = account_for_change(actor=actor, pk=pk)
    if account.pk == actor.pk:
        raise OwnAccountDisabled
    if not account.is_active:
        raise AccountDisabledAlready
    refuse_last_admin(account)
    before = get_account_values(account)
    _switch(account, to=False)
    return before, account


@transaction.atomic
def account_enable(*, actor: Account, pk: int) -> Account:
    """Return the enabled account. Its password and cart are unchanged.

    Raises:
        AccountNotFound, BeyondRights: as account_for_change.
        WrongState: the account is already enabled, or its department is disabled.
    """
    account = account_for_change(actor=actor, pk=pk)
    if account.is_active:
        raise AccountEnabledAlready
    if account.department is not None and not account.department.is_active:
        raise DepartmentDisabled(account.department.name)
    before = get_account_values(account)
    _switch(account, to=True)
    account_change_record(actor, account, ChangeAction.ENABLE, before)
    return account


def account_for_change(*, actor: Account, pk: int) -> Account:
    """Lock the group and return an account that the actor may change. The lock lasts until the
    end of the transaction, so changes of accounts run one after the other.

    Raises:
        AccountNotFound: the account is outside the actor's data scope.
        BeyondRights: the account has more rights than the actor, or laxer limits of its orders.
    """
    lock_group(actor.group_id)
    if (
        not actor.is_staff
        and not Account.objects.filter(pk=actor.pk, is_active=True, kind=actor.kind).exists()
    ):
        raise ActorChanged
    account = get_account(actor=actor, pk=pk)
    if not can_manage_account(actor=actor, account=account):
        raise AccountBeyondRights
    if not actor.is_group_admin:
        lifted = list_lifted_terms(own=get_order_terms(account=actor), account=account)
        if lifted:
            raise AccountTermsBeyond(lifted)
    return account


def _refuse_lifted_terms(actor: Account, account: Account, own: OrderTerms | None = None) -> None:
    """Refuse roles of the account that free its orders from the actor's own limits. `own` are the
    actor's terms before the change, if it may be a change of his own roles.
    """
    if actor.is_group_admin:
        return
    if lifted := list_lifted_terms(own=own or get_order_terms(account=actor), account=account):
        raise RolesLiftTerms(lifted)


def _refuse_own_move(actor: Account, account: Account, form: AccountForm) -> None:
    """Nobody but a group admin moves himself to a department with other rules and budgets."""
    is_moved = form.department_id not in (None, account.department_id)
    if is_moved and account.pk == actor.pk and not actor.is_group_admin:
        raise OwnDepartmentMoved


def refuse_last_admin(account: Account) -> None:
    """Raise LastAdmin if the account is the only enabled admin of its group. The caller holds
    the group's lock.
    """
    if (
        account.is_group_admin
        and account.is_active
        and not list_group_admins(group=account.group_id or 0).exclude(pk=account.pk).exists()
    ):
        raise LastAdmin


def account_get_fresh(pk: int) -> Account:
    """Return the account, read again from the database."""
    account: Account = Account.objects.select_related("enterprise", "department").get(pk=pk)
    return account


def account_change_record(
    actor: Account | None, account: Account, action: str, before: dict[str, Any], *, note: str = ""
) -> None:
    """Write the account's change history. `before` is an earlier result of
    `get_account_values`.
    """
    change_record(
        actor=actor,
        subject_type="account",
        subject_id=account.pk,
        subject_name=str(account),
        action=action,
        before=before,
        after=get_account_values(account),
        labels=LABELS,
        note=note,
    )


def get_account_values(account: Account) -> dict[str, Any]:
    """Return the account's values as the history shows them."""
    values = {name: getattr(account, name) for name in API_NAMES}
    places = {
        "enterprise": account.enterprise.name if account.enterprise else "",
        "department": account.department.name if account.department else "",
    }
    roles = sorted(account.roles.values_list("name", flat=True))
    return {**values, **places, "kind": AccountType(account.kind).label, "roles": roles}


def _fill(actor: Account, account: Account, form: AccountForm) -> None:
    """Set the form's values on the account without saving it. The roles are not set here.

    Raises:
        ValidationFailed: a value is invalid, the department cannot be chosen, or an actor who is
            not a group administrator changes the kind.
    """
    for name, value in form.fields.items():
        setattr(account, name, value.casefold() if name == "username" else value)
    if form.department_id is not None and form.department_id != account.department_id:
        department = _get_assignable_department(actor, form.department_id)
        account.department, account.enterprise = department, department.enterprise
    if form.kind is not None and form.kind != account.kind:
        if not actor.is_group_admin:
            raise GroupAdminByAdminOnly
        account.kind = form.kind
    relations = {"group", "enterprise", "department", "avatar", "password"}
    names = {each.name for each in Account._meta.fields} - relations
    account_fields_check(account, names)


def account_fields_check(account: Account, names: Collection[str]) -> None:
    """Validate these fields of the account.

    Raises:
        ValidationFailed: a value is invalid.
    """
    others = [each.name for each in Account._meta.fields if each.name not in names]
    try:
        account.clean_fields(exclude=others)
    except ValidationError as error:
        raise ValidationFailed(
            {API_NAMES.get(name, name): list(texts) for name, texts in error.message_dict.items()}
        ) from error


def _refuse_same_contact(
    actor: Account, account: Account, form: AccountForm, changed_fields: set[str]
) -> None:
    texts = (
        []
        if form.ignore_warnings
        else find_same_contacts(actor=actor, account=account, fields=changed_fields)
    )
    if texts:
        raise ValidationFailed({"SameContact": texts})


def _get_assignable_department(actor: Account, pk: int) -> Department:
    department = (
        list_assignable_departments(actor=actor)
        .filter(pk=pk, is_active=True)
        .select_related("enterprise")
        .first()
    )
    if department is None:
        raise DepartmentOutOfScope
    return department


def _get_roles(actor: Account, ids: Iterable[int], *, had: Iterable[Role]) -> list[Role]:
    """Return the roles. The account may keep its present roles; the actor must have all rights
    of a new role.

    Raises:
        RoleUnavailable: a role does not exist.
        RoleBeyondRights: a role has rights that the actor lacks.
    """
    role_ids = set(ids)
    roles = list(Role.objects.filter(pk__in=role_ids))
    if len(roles) != len(role_ids):
        raise RoleUnavailable
    present_role_ids = {role.pk for role in had}
    for role in roles:
        if role.pk not in present_role_ids and not can_grant(actor=actor, role=role):
            excess = list_role_excess(actor=actor, role=role)
            raise RoleBeyondRights(name=role.name, excess=excess)
    return roles


def _insert(account: Account) -> None:
    """User names are unique on the platform. The database constraint decides between two
    concurrent inserts.

    Raises:
        NameTaken: another account has the user name.
    """
    taken_names = find_taken_names(group_id=account.group_id, names=[account.username])
    if taken_names.in_group or taken_names.elsewhere:
        raise NameTaken({"UserName": [NAME_TAKEN]}, elsewhere=len(taken_names.elsewhere))
    try:
        with transaction.atomic():
            account.save()
    except IntegrityError as error:
        raise NameTaken({"UserName": [NAME_TAKEN]}, elsewhere=1) from error


def _switch(account: Account, *, to: bool) -> None:
    account.is_active = to
    account.save(update_fields=["is_active", "updated_at"])
