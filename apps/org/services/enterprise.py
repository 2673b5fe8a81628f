"""Create, change and delete the legal entities of a group (集团管理). Only the platform changes
credit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.common.errors import ValidationFailed, refuse_stale
from apps.org.enums import ChangeAction
from apps.org.errors import EnterpriseInUse, LastEnterprise
from apps.org.models import Account, Enterprise
from apps.org.selectors.enterprises import get_enterprise
from apps.org.services.changes import change_record
from apps.org.services.group import group_lock

# Model field → API field, so that messages appear at the right field.
WIRE = {
    "code": "Code",
    "name": "Name",
    "credit_code": "CreditCode",
    "province": "Province",
    "city": "City",
    "district": "District",
    "street": "Street",
    "phone": "Phone",
    "is_active": "IsActive",
}
LABELS = {
    "code": "企业编码",
    "name": "企业名称",
    "credit_code": "统一社会信用代码",
    "province": "省",
    "city": "市",
    "district": "区县",
    "street": "详细地址",
    "phone": "电话",
    "is_active": "启用",
}


@transaction.atomic
def enterprise_create(*, actor: Account, fields: dict[str, Any]) -> Enterprise:
    """Return the new enterprise of the actor's group. It has no credit until the platform sets
    it.

    Raises:
        Forbidden: the actor's data scope is not the whole group.
        ValidationFailed: a field is wrong, or the code or credit code already exists.
    """
    group = group_lock(actor=actor, pk=str(actor.group_id))
    return _save_enterprise(actor, Enterprise(group=group), fields, ChangeAction.CREATE)


@transaction.atomic
def enterprise_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> Enterprise:
    """Return the changed enterprise. A disabled enterprise keeps its accounts and history but
    cannot buy.

    Raises:
        EnterpriseNotFound, Forbidden: the actor cannot see or change the enterprise.
        Stale: another user changed the enterprise after `seen_at`.
        WrongState: it is the last enabled enterprise.
        ValidationFailed: a field is wrong.
    """
    group_lock(actor=actor, pk=str(actor.group_id))
    enterprise = get_enterprise(actor=actor, pk=pk)
    refuse_stale(enterprise, seen_at=seen_at)
    if (
        changes.get("is_active") is False
        and not Enterprise.objects.filter(is_active=True).exclude(pk=enterprise.pk).exists()
    ):
        raise LastEnterprise
    turned = "is_active" in changes and changes["is_active"] != enterprise.is_active
    action = ChangeAction.UPDATE
    if (
        turned
        and len([name for name, value in changes.items() if getattr(enterprise, name) != value])
        == 1
    ):
        action = ChangeAction.ENABLE if changes["is_active"] else ChangeAction.DISABLE
    return _save_enterprise(actor, enterprise, changes, action)


@transaction.atomic
def enterprise_delete(*, actor: Account, pk: str) -> None:
    """Delete an enterprise that no other row refers to.

    Raises:
        EnterpriseNotFound, Forbidden: as enterprise_update.
        WrongState: accounts, departments, orders or other rows refer to the enterprise. It can only
            be disabled.
    """
    group_lock(actor=actor, pk=str(actor.group_id))
    enterprise = get_enterprise(actor=actor, pk=pk)
    key, name = enterprise.pk, enterprise.name
    before = {field: getattr(enterprise, field) for field in LABELS}
    if any(_has(enterprise, relation) for relation in Enterprise._meta.related_objects):
        raise EnterpriseInUse
    enterprise.delete()
    _record(actor, key, name, ChangeAction.DELETE, before, {})


def _has(enterprise: Enterprise, relation: Any) -> bool:
    """Whether any row of this relation refers to the enterprise. Includes rows that the delete
    would cascade to.
    """
    return bool(
        relation.related_model._base_manager.filter(**{relation.field.name: enterprise}).exists()
    )


def _save_enterprise(
    actor: Account, enterprise: Enterprise, fields: dict[str, Any], action: ChangeAction
) -> Enterprise:
    before = {name: getattr(enterprise, name) for name in LABELS} if enterprise.pk else {}
    for name, value in fields.items():
        setattr(enterprise, name, value)
    try:
        enterprise.clean_fields(exclude=["group"])
        enterprise.validate_constraints()
    except ValidationError as error:
        raise ValidationFailed(_errors(enterprise, error)) from error
    enterprise.save()
    _record(
        actor,
        enterprise.pk,
        enterprise.name,
        action,
        before,
        {name: getattr(enterprise, name) for name in LABELS},
    )
    return get_enterprise(actor=actor, pk=str(enterprise.pk))


def _errors(enterprise: Enterprise, error: ValidationError) -> dict[str, list[str]]:
    """Return the messages by API field name. A duplicate value has its message at its field."""
    found = {WIRE[name]: list(texts) for name, texts in error.message_dict.items() if name in WIRE}
    others = Enterprise.objects.exclude(pk=enterprise.pk)
    if others.filter(code=enterprise.code).exists():
        found["Code"] = ["企业编码已存在，请更换"]
    if others.filter(credit_code=enterprise.credit_code).exists():
        found["CreditCode"] = ["该统一社会信用代码已被本集团的企业使用"]
    return found or {"non_field_errors": list(error.messages)}


def _record(
    actor: Account,
    pk: int,
    name: str,
    action: ChangeAction,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    change_record(
        actor=actor,
        subject_type="enterprise",
        subject_id=pk,
        subject_name=name,
        action=action,
        before=before,
        after=after,
        labels=LABELS,
    )
