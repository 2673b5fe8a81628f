"""Create, change and disable the invoice titles of an enterprise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.common.errors import ValidationFailed
from apps.common.stale import refuse_stale
from apps.invoices.enums import QualificationStatus
from apps.invoices.models import SpecialQualification
from apps.invoices.selectors.scope import enterprises_invoiced, refuse_title_keeping
from apps.invoices.selectors.titles import title_get
from apps.org.enums import ChangeAction
from apps.org.models import Enterprise, InvoiceTitle
from apps.org.services.changes import change_record
from apps.org.validators import is_credit_code

if TYPE_CHECKING:
    from datetime import datetime

    from apps.org.models import Account

# 税号: a 统一社会信用代码 of 18 characters with a verified check digit, otherwise 15, 17 or 20
# letters and
# digits.
OTHER_TAX_NUMBER = re.compile(r"[0-9A-Z]{15}|[0-9A-Z]{17}|[0-9A-Z]{20}")
LABELS = {
    "title": "抬头",
    "tax_number": "税号",
    "address": "地址",
    "phone": "电话",
    "bank": "开户行",
    "bank_account": "账号",
    "is_default": "默认",
    "is_active": "启用",
}
# An approved 专票资质 covers these fields. A change ends it.
QUALIFIED_FOR = ("title", "tax_number", "address", "phone", "bank", "bank_account")


@transaction.atomic
def title_create(
    *, actor: Account, enterprise_id: int | None, fields: dict[str, Any]
) -> InvoiceTitle:
    """Return the new title. The first title of an enterprise is its default.

    Raises:
        Forbidden: the actor may use titles, but not change them.
        ValidationFailed: a field is invalid, or the enterprise has this title already.
    """
    refuse_title_keeping(actor)
    enterprise = _locked_enterprise(actor, enterprise_id or actor.enterprise_id)
    title = InvoiceTitle(group=actor.group, enterprise=enterprise)
    _write(
        title,
        {**fields, "is_default": fields.get("is_default") or not _active(enterprise).exists()},
    )
    _remember(actor, title, ChangeAction.CREATE, {})
    return title_get(actor=actor, pk=str(title.pk))


@transaction.atomic
def title_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> InvoiceTitle:
    """Return the changed title. A change of a field that the 专票资质 covers ends the approval.

    Raises:
        TitleNotFound, Forbidden: the actor cannot see or change this title.
        Stale: the title has changed after `seen_at`.
        ValidationFailed: a field is invalid.
    """
    refuse_title_keeping(actor)
    title = _locked(actor, pk)
    refuse_stale(title, seen_at=seen_at)
    before = _facts(title)
    _write(title, changes)
    if any(before[name] != getattr(title, name) for name in QUALIFIED_FOR):
        _lapse(title)
    _remember(actor, title, ChangeAction.UPDATE, before)
    return title_get(actor=actor, pk=pk)


@transaction.atomic
def title_default(*, actor: Account, pk: str) -> InvoiceTitle:
    """Make the title the default of its enterprise.

    Raises:
        TitleNotFound, Forbidden: the actor cannot see or change this title.
        ValidationFailed: the title is disabled.
    """
    refuse_title_keeping(actor)
    title = _locked(actor, pk)
    if not title.is_active:
        raise ValidationFailed({"IsDefault": ["抬头已停用，请先启用再设为默认"]})
    before = _facts(title)
    _write(title, {"is_default": True})
    _remember(actor, title, ChangeAction.UPDATE, before)
    return title_get(actor=actor, pk=pk)


@transaction.atomic
def title_deactivate(*, actor: Account, pk: str) -> None:
    """Disable the title. Orders and invoices have their own copy of it. If it was the default,
    another title becomes the default.

    Raises:
        TitleNotFound, Forbidden: the actor cannot see or change this title.
    """
    refuse_title_keeping(actor)
    title = _locked(actor, pk)
    before, was_default = _facts(title), title.is_default
    title.is_active = title.is_default = False
    title.save(update_fields=["is_active", "is_default", "updated_at"])
    successor = _active(title.enterprise).order_by("pk").first() if was_default else None
    if successor is not None:
        successor.is_default = True
        successor.save(update_fields=["is_default", "updated_at"])
    _remember(actor, title, ChangeAction.DISABLE, before)


def _locked_enterprise(actor: Account, pk: int | None) -> Enterprise:
    """Lock the enterprise, so that concurrent writes do not create two default titles."""
    found = enterprises_invoiced(actor=actor).select_for_update().filter(pk__in=[pk]).first()
    if found is None:
        raise ValidationFailed({"EnterpriseId": ["企业不存在或不在您的数据范围内，请重新选择"]})
    return found


def _locked(actor: Account, pk: str) -> InvoiceTitle:
    _locked_enterprise(actor, title_get(actor=actor, pk=pk).enterprise_id)
    locked: InvoiceTitle = (
        InvoiceTitle.objects.select_for_update(of=("self",))
        .select_related("enterprise")
        .get(pk=int(pk))
    )
    return locked


def _active(enterprise: Enterprise) -> Any:
    return InvoiceTitle.objects.filter(enterprise=enterprise, is_active=True)


def _facts(title: InvoiceTitle) -> dict[str, Any]:
    return {name: getattr(title, name) for name in LABELS}


def _write(title: InvoiceTitle, fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        setattr(title, name, value.strip() if isinstance(value, str) else value)
    title.tax_number = title.tax_number.upper()
    if problem := tax_number_problem(title.tax_number):
        raise ValidationFailed({"TaxNumber": [problem]})
    others = InvoiceTitle.objects.filter(enterprise_id=title.enterprise_id).exclude(pk=title.pk)
    if others.filter(title=title.title).exists():
        raise ValidationFailed({"Title": ["该企业已有同名抬头，请直接修改或启用原有抬头"]})
    if title.is_default and not title.is_active:
        raise ValidationFailed({"IsDefault": ["停用的抬头不能设为默认"]})
    if title.is_default:
        others.filter(is_default=True).update(is_default=False)
    title.save()


def tax_number_problem(number: str) -> str:
    """Return an error text for a 税号, empty if it is valid."""
    if len(number) == 18:
        return "" if is_credit_code(number) else "税号校验位不正确，请核对 18 位统一社会信用代码"
    return (
        ""
        if OTHER_TAX_NUMBER.fullmatch(number)
        else "税号应为 18 位统一社会信用代码，或 15、17、20 位纳税人识别号"
    )


def _lapse(title: InvoiceTitle) -> None:
    held = (QualificationStatus.APPROVED, QualificationStatus.PENDING)
    SpecialQualification.objects.filter(title=title, status__in=held).update(
        status=QualificationStatus.LAPSED
    )
    title.has_special_qualification = False
    title.save(update_fields=["has_special_qualification", "updated_at"])


def _remember(
    actor: Account, title: InvoiceTitle, action: ChangeAction, before: dict[str, Any]
) -> None:
    known: dict[str, Any] = {
        "subject_type": "invoice_title",
        "subject_id": title.pk,
        "subject_name": title.title,
    }
    change_record(
        actor=actor, action=action, before=before, after=_facts(title), labels=LABELS, **known
    )
