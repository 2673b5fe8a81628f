"""Keep addresses: one's own by login, shared ones with the menu code 收货地址 and in one's data scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.common.errors import Forbidden, ValidationFailed
from apps.org.models import Account, Address, Department, Enterprise, Group
from apps.org.selectors.addresses import address_get, may_manage_owner

OWN_LIMIT = 50
# Fields of the row → keys on the wire, for messages beside the field.
WIRE = {
    "label": "Label",
    "receiver": "Receiver",
    "mobile": "Mobile",
    "province": "Province",
    "city": "City",
    "district": "District",
    "street": "Street",
    "postal_code": "PostalCode",
}


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose an address is to be: an account's own, a department's, an enterprise's, or (all None) the whole group's."""

    account: Account | None = None
    department: Department | None = None
    enterprise: Enterprise | None = None


@transaction.atomic
def address_create(
    *, actor: Account, owner_type: str, department_id: str | None, enterprise_id: str | None, fields: dict[str, Any]
) -> Address:
    """Return the new address; `owner_type` is `account` (the actor's own), `department`, `enterprise` or `group`.

    Raises:
        Forbidden: a shared address outside what the actor may manage.
        ValidationFailed: a field is wrong, or he has 50 of his own.
    """
    owner = _owner(actor, owner_type, department_id, enterprise_id)
    _lock(actor)
    if owner.account is not None and Address.objects.filter(account=actor, is_active=True).count() >= OWN_LIMIT:
        raise ValidationFailed({"Receiver": [f"最多保存 {OWN_LIMIT} 个收货地址，请先删除不用的地址"]})
    address = Address(group=actor.group, account=owner.account, department=owner.department, enterprise=owner.enterprise)
    return _written(address, fields)


@transaction.atomic
def address_update(*, actor: Account, pk: str, changes: dict[str, Any]) -> Address:
    """Return the changed address; whose it is does not change.

    Raises:
        AddressNotFound: none such that the actor may see.
        Forbidden: he may use it, not change it.
        ValidationFailed: a field is wrong.
    """
    _lock(actor)
    return _written(_manageable(actor, pk), changes)


@transaction.atomic
def address_delete(*, actor: Account, pk: str) -> None:
    """Take the address out of use; orders keep their own copy.

    Raises:
        AddressNotFound, Forbidden: as for a change.
    """
    _lock(actor)
    address = _manageable(actor, pk)
    address.is_active = address.is_default = False
    address.save(update_fields=["is_active", "is_default", "updated_at"])


def _lock(actor: Account) -> None:
    """Queue writers of one group, so that no owner gets two defaults, nor a person one address too many."""
    no_key = connection.features.has_select_for_no_key_update
    list(Group.objects.select_for_update(of=("self",), no_key=no_key).filter(pk__in=[actor.group_id]).values_list("pk"))


def _manageable(actor: Account, pk: str) -> Address:
    address = address_get(actor=actor, pk=pk)
    if address.account_id != actor.pk and not may_manage_owner(
        actor=actor, enterprise_id=address.enterprise_id, department_id=address.department_id
    ):
        raise Forbidden("这是共用地址，请联系有“收货地址”权限的管理员修改")
    return address


def _owner(actor: Account, owner_type: str, department_id: str | None, enterprise_id: str | None) -> Owner:
    if owner_type == "account":
        return Owner(account=actor, enterprise=actor.enterprise)
    department = enterprise = None
    if owner_type == "department":
        department = _row(Department, department_id or str(actor.department_id), "DepartmentId", "请选择部门")
        enterprise = department.enterprise
    elif owner_type == "enterprise":
        enterprise = _row(Enterprise, enterprise_id or str(actor.enterprise_id), "EnterpriseId", "请选择企业")
    owner = Owner(department=department, enterprise=enterprise)
    if not may_manage_owner(
        actor=actor, enterprise_id=enterprise.pk if enterprise else None, department_id=department.pk if department else None
    ):
        raise Forbidden("您没有维护该范围共用地址的权限，请联系贵司管理员")
    return owner


def _row(model: type[Any], pk: str, key: str, message: str) -> Any:
    row = model.objects.filter(pk=int(pk), is_active=True).first() if pk.isdecimal() and len(pk) < 19 else None
    if row is None:
        raise ValidationFailed({key: [message]})
    return row


def _written(address: Address, fields: dict[str, Any]) -> Address:
    for name, value in fields.items():
        setattr(address, name, value)
    try:
        address.clean_fields(exclude=["group", "account", "enterprise", "department"])
    except ValidationError as error:
        raise ValidationFailed({WIRE.get(name, name): list(texts) for name, texts in error.message_dict.items()}) from error
    if address.is_default:
        same_owner = Address.objects.filter(account=address.account_id, department=address.department_id, enterprise=address.enterprise_id)
        same_owner.filter(is_default=True).exclude(pk=address.pk).update(is_default=False)
    address.save()
    return address
