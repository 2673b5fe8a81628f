"""Create, change and delete addresses. Every account manages its own. Shared addresses need the
menu code 收货地址 and the data scope.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.common.errors import ValidationFailed, refuse_stale
from apps.common.numbers import parse_key
from apps.org.enums import ChangeAction
from apps.org.errors import AddressScopeBeyondRights, OwnAddressesFull, SharedAddressReadOnly
from apps.org.locks import lock_group
from apps.org.models import Account, Address, Department, Enterprise
from apps.org.regions import find_region_problem
from apps.org.selectors.addresses import can_manage_owner, get_address
from apps.org.services.changes import change_record

OWN_LIMIT = 50
# Model field → API field, so that messages appear at the right field.
API_NAMES = {
    "label": "Label",
    "receiver": "Receiver",
    "mobile": "Mobile",
    "province": "Province",
    "city": "City",
    "district": "District",
    "town": "Town",
    "street": "Street",
    "postal_code": "PostalCode",
}

# Fields in the history of a shared address, with their labels in the form.
LABELS = {
    "label": "标签",
    "receiver": "收货人",
    "mobile": "手机号码",
    "province": "省份",
    "city": "城市",
    "district": "区县",
    "town": "街道",
    "street": "详细地址",
    "postal_code": "邮政编码",
    "is_default": "默认地址",
}


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of an address: an account, a department, an enterprise, or (all None) the whole
    group.
    """

    account: Account | None = None
    department: Department | None = None
    enterprise: Enterprise | None = None


@transaction.atomic
def address_create(
    *,
    actor: Account,
    owner_type: str,
    department_id: str | None,
    enterprise_id: str | None,
    fields: dict[str, Any],
) -> Address:
    """Return the new address. `owner_type` is `account` (the actor's own), `department`,
    `enterprise` or `group`. `fields` are the values by model field.

    Raises:
        Forbidden: the address is shared and outside the actor's data scope.
        ValidationFailed: a field is wrong, or the actor already has 50 own addresses.
    """
    lock_group(actor.group_id)
    owner = _get_owner(actor, owner_type, department_id, enterprise_id)
    if (
        owner.account is not None
        and Address.objects.filter(account=actor, is_active=True).count() >= OWN_LIMIT
    ):
        raise OwnAddressesFull(OWN_LIMIT)
    address = Address(
        group=actor.group,
        account=owner.account,
        department=owner.department,
        enterprise=owner.enterprise,
    )
    address_written = _save_address(address, fields)
    _record_history(
        actor, address_written, ChangeAction.CREATE, {}, get_address_values(address_written)
    )
    return address_written


@transaction.atomic
def address_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> Address:
    """Return the changed address. The owner cannot change. `changes` are the new values by model
    field.

    Raises:
        Stale: another user changed the address after `seen_at`, the UpdatedAt that the client read.
        AddressNotFound: the actor cannot see an address with this id.
        Forbidden: the actor may use the address but not change it.
        ValidationFailed: a field is wrong.
    """
    lock_group(actor.group_id)
    address = _get_manageable(actor, pk)
    refuse_stale(address, seen_at=seen_at)
    before = get_address_values(address)
    address_written = _save_address(address, changes)
    _record_history(
        actor, address_written, ChangeAction.UPDATE, before, get_address_values(address_written)
    )
    return address_written


@transaction.atomic
def address_delete(*, actor: Account, pk: str) -> None:
    """Disable the address. Orders have their own copy.

    Raises:
        AddressNotFound, Forbidden: as address_update.
    """
    lock_group(actor.group_id)
    address = _get_manageable(actor, pk)
    address.is_active = address.is_default = False
    address.save(update_fields=["is_active", "is_default", "updated_at"])
    _record_history(actor, address, ChangeAction.DELETE, get_address_values(address), {})


def get_address_values(address: Address) -> dict[str, Any]:
    """Return the values that the change history compares."""
    return {name: getattr(address, name) for name in LABELS}


def _record_history(
    actor: Account,
    address: Address,
    action: ChangeAction,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    """Write the history of a shared address. Personal addresses have no history."""
    if address.account_id is None:
        subject_name = f"{address.receiver} {address.full_text}"
        subject: dict[str, Any] = {
            "subject_type": "address",
            "subject_id": address.pk,
            "subject_name": subject_name,
        }
        change_record(
            actor=actor, action=action, before=before, after=after, labels=LABELS, **subject
        )


def _get_manageable(actor: Account, pk: str) -> Address:
    address = get_address(actor=actor, pk=pk)
    if address.account_id != actor.pk and not can_manage_owner(
        actor=actor, enterprise_id=address.enterprise_id, department_id=address.department_id
    ):
        raise SharedAddressReadOnly
    return address


def build_personal_owner(actor: Account) -> Owner:
    """Return the actor as the owner of a personal address."""
    return Owner(account=actor, enterprise=actor.enterprise)


def _get_owner(
    actor: Account, owner_type: str, department_id: str | None, enterprise_id: str | None
) -> Owner:
    """Return the owner of an address: the actor, a department, an enterprise, or nobody for the
    whole group.

    Raises:
        ValidationFailed: the department or the enterprise does not exist or is disabled.
        AddressScopeBeyondRights: the actor may not manage addresses of this owner.
    """
    if owner_type == "account":
        return build_personal_owner(actor)
    department = enterprise = None
    if owner_type == "department":
        department = _get_active_row(
            Department, department_id or str(actor.department_id), "DepartmentId", "请选择部门"
        )
        enterprise = department.enterprise
    elif owner_type == "enterprise":
        enterprise = _get_active_row(
            Enterprise, enterprise_id or str(actor.enterprise_id), "EnterpriseId", "请选择企业"
        )
    owner = Owner(department=department, enterprise=enterprise)
    if not can_manage_owner(
        actor=actor,
        enterprise_id=enterprise.pk if enterprise else None,
        department_id=department.pk if department else None,
    ):
        raise AddressScopeBeyondRights
    return owner


def _get_active_row(model: type[Any], pk: str, key: str, message: str) -> Any:
    """Return the active row.

    Raises:
        ValidationFailed: there is none. `message` is shown at the field `key`.
    """
    row = model.objects.filter(pk=parse_key(pk), is_active=True).first()
    if row is None:
        raise ValidationFailed({key: [message]})
    return row


def _get_region(address: Address) -> dict[str, str]:
    return {"province": address.province, "city": address.city, "district": address.district}


def _save_address(address: Address, fields: dict[str, Any]) -> Address:
    """Set the fields, check them and save. The owner has at most one default address.

    Raises:
        ValidationFailed: a field is invalid, or the new region does not exist.
    """
    was = _get_region(address)
    for name, value in fields.items():
        setattr(address, name, value)
    try:
        address.clean_fields(exclude=["group", "account", "enterprise", "department"])
    except ValidationError as error:
        raise ValidationFailed(
            {API_NAMES.get(name, name): list(texts) for name, texts in error.message_dict.items()}
        ) from error
    # Freight depends on the province. An unknown province would get the price of "everywhere
    # else". Existing values may stay.
    if _get_region(address) != was and (problem := find_region_problem(**_get_region(address))):
        raise ValidationFailed({API_NAMES[problem[0]]: [problem[1]]})
    if address.is_default:
        place = {
            "account": None,
            "department": address.department_id,
            "enterprise": address.enterprise_id,
        }
        # A person has one default address, also if the person's enterprise has changed.
        same_owner = Address.objects.filter(
            **({"account": address.account_id} if address.account_id else place)
        )
        same_owner.filter(is_default=True).exclude(pk=address.pk).update(is_default=False)
    address.save()
    return address
