"""Make and change accounts of colleagues: who they are, where they belong, what they may."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.common.errors import Stale, ValidationFailed
from apps.common.tenancy import platform_scope
from apps.org.enums import AccountType, ChangeAction
from apps.org.errors import BeyondRights, LastAdmin
from apps.org.locks import lock_group
from apps.org.models import Account, Department, Role
from apps.org.selectors.account_list import account_get
from apps.org.selectors.account_places import places_of
from apps.org.selectors.accounts import group_admins
from apps.org.selectors.grants import excess_of, may_grant, may_manage
from apps.org.selectors.same_contact import same_contacts
from apps.org.services.changes import change_record

USERNAME = re.compile(r"[0-9a-z][0-9a-z._@+-]{1,59}")
NAME_REFUSED = "账号为 2 至 60 位字母、数字或 . _ @ + -，以字母或数字开头"
NAME_TAKEN = "该账号名已被使用，请更换"
# Fields of the row → keys on the wire, for messages beside the field.
WIRE = {
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
    """What is written of an account: plain fields by the row's names; None leaves department, roles or kind as they are.

    `is_anyway`: also with the mobile or mail of a colleague.
    """

    fields: dict[str, str] = field(default_factory=dict)
    department_id: int | None = None
    role_ids: tuple[int, ...] | None = None
    kind: str | None = None
    is_anyway: bool = False


@transaction.atomic
def account_create(*, actor: Account, form: AccountForm) -> Account:
    """Return the new account; it has no password until its owner sets one.

    Raises:
        ValidationFailed: a field is wrong, the name is taken, the place is out of the actor's sight, a role
            grants more than he has, or (`SameContact`) a colleague has the mobile or mail.
    """
    lock_group(actor.group_id)
    if form.department_id is None:
        raise ValidationFailed({"DepartmentId": ["请选择部门"]})
    account = Account(group=actor.group)
    account.set_unusable_password()
    _fill(actor, account, form)
    if not USERNAME.fullmatch(account.username):
        raise ValidationFailed({"UserName": [NAME_REFUSED]})
    _refuse_same_contact(actor, account, form, {"mobile", "email"})
    _insert(account)
    account.roles.set(_roles(actor, form.role_ids or (), had=()))
    record(actor, account, ChangeAction.CREATE, {})
    return account


@transaction.atomic
def account_update(*, actor: Account, pk: int, form: AccountForm, seen_at: datetime | None) -> Account:
    """Return the changed account; a moved person keeps cart, orders and what he is asked to approve. Rights count on his next request.

    Raises:
        AccountNotFound: out of the actor's data scope.
        Stale: somebody else has changed it since `seen_at`.
        BeyondRights: the account may more than the actor.
        LastAdmin: the group would have no enabled admin left.
        ValidationFailed: as for a new one.
    """
    account = account_for_change(actor=actor, pk=pk)
    if seen_at is not None and seen_at != account.updated_at:
        raise Stale("该账号刚刚被其他管理员修改，请核对最新内容后重试")
    before = shown(account)
    if form.kind == AccountType.NORMAL:
        refuse_last_admin(account)
    _fill(actor, account, form)
    _refuse_same_contact(actor, account, form, {name for name in ("mobile", "email") if before[name] != getattr(account, name)})
    with transaction.atomic():
        account.save()
    if form.role_ids is not None:
        account.roles.set(_roles(actor, form.role_ids, had=account.roles.all()))
    changed = account_get_fresh(account.pk)
    moved = before["department"] != shown(changed)["department"]
    record(actor, changed, ChangeAction.MOVE if moved else ChangeAction.UPDATE, before)
    return changed


def account_for_change(*, actor: Account, pk: int) -> Account:
    """Return an account that the actor may change, holding the group's lock to the transaction's end: accounts change one by one.

    Raises:
        AccountNotFound: out of the actor's data scope.
        BeyondRights: the account may more than the actor.
    """
    lock_group(actor.group_id)
    if not actor.is_staff and not Account.objects.filter(pk=actor.pk, is_active=True, kind=actor.kind).exists():
        raise BeyondRights("您的账号刚刚被停用或调整，请重新登录后再操作")
    account = account_get(actor=actor, pk=pk)
    if not may_manage(actor=actor, account=account):
        raise BeyondRights("该账号的权限超出您自己的权限，请联系集团管理员操作")
    return account


def refuse_last_admin(account: Account) -> None:
    """Raise LastAdmin where the account is the only enabled admin of its group; the group is locked by the caller."""
    if account.is_group_admin and account.is_active and not group_admins(group=account.group_id or 0).exclude(pk=account.pk).exists():
        raise LastAdmin


def account_get_fresh(pk: int) -> Account:
    """Return the account as the database has it now."""
    account: Account = Account.objects.select_related("enterprise", "department").get(pk=pk)
    return account


def record(actor: Account, account: Account, action: str, before: dict[str, Any], *, note: str = "") -> None:
    """Write the account's change history: `before` is what `shown` gave."""
    change_record(
        actor=actor,
        subject_type="account",
        subject_id=account.pk,
        subject_name=str(account),
        action=action,
        before=before,
        after=shown(account),
        labels=LABELS,
        note=note,
    )


def shown(account: Account) -> dict[str, Any]:
    """Return the account as its history tells it."""
    plain = {name: getattr(account, name) for name in WIRE}
    places = {
        "enterprise": account.enterprise.name if account.enterprise else "",
        "department": account.department.name if account.department else "",
    }
    roles = sorted(account.roles.values_list("name", flat=True))
    return {**plain, **places, "kind": AccountType(account.kind).label, "roles": roles}


def _fill(actor: Account, account: Account, form: AccountForm) -> None:
    for name, value in form.fields.items():
        setattr(account, name, value.casefold() if name == "username" else value)
    if form.department_id is not None and form.department_id != account.department_id:
        department = _department(actor, form.department_id)
        account.department, account.enterprise = department, department.enterprise
    if form.kind is not None and form.kind != account.kind:
        if not actor.is_group_admin:
            raise ValidationFailed({"UserType": ["只有集团管理员可以设置或取消集团管理员"]})
        account.kind = form.kind
    try:
        account.clean_fields(exclude=["group", "enterprise", "department", "avatar", "password"])
    except ValidationError as error:
        raise ValidationFailed({WIRE.get(name, name): list(texts) for name, texts in error.message_dict.items()}) from error


def _refuse_same_contact(actor: Account, account: Account, form: AccountForm, changed: set[str]) -> None:
    texts = [] if form.is_anyway else same_contacts(actor=actor, account=account, fields=changed)
    if texts:
        raise ValidationFailed({"SameContact": texts})


def _department(actor: Account, pk: int) -> Department:
    department = places_of(actor=actor).filter(pk=pk, is_active=True).select_related("enterprise").first()
    if department is None:
        raise ValidationFailed({"DepartmentId": ["请选择您数据范围内的启用部门"]})
    return department


def _roles(actor: Account, ids: Iterable[int], *, had: Iterable[Role]) -> list[Role]:
    """Return the roles; those the account has already may stay, a new one must be within what the actor has."""
    wanted = set(ids)
    roles = list(Role.objects.filter(pk__in=wanted))
    if len(roles) != len(wanted):
        raise ValidationFailed({"RoleIds": ["所选角色不存在或已删除，请刷新后重新选择"]})
    kept = {role.pk for role in had}
    for role in roles:
        if role.pk not in kept and not may_grant(actor=actor, role=role):
            over = "、".join(excess_of(actor=actor, codes=role.menu_codes, scope=role.data_scope))
            raise ValidationFailed({"RoleIds": [f"不能授予角色“{role.name}”，它包含您自己没有的权限：{over}"]})
    return roles


def _insert(account: Account) -> None:
    """Names are unique over the platform: the constraint decides between two at once."""
    with platform_scope(reason="names are unique over the platform"):
        taken = Account.objects.filter(username=account.username).exists()
    try:
        if not taken:
            with transaction.atomic():
                account.save()
            return
    except IntegrityError as error:
        raise ValidationFailed({"UserName": [NAME_TAKEN]}) from error
    raise ValidationFailed({"UserName": [NAME_TAKEN]})
