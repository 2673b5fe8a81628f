"""Invoice titles of an enterprise, and their 专票资质: the customer submits the papers, staff
review them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed, refuse_stale
from apps.common.events import event_record
from apps.common.models import StoredFile
from apps.common.tenancy import row_scope
from apps.invoices.enums import InvoiceEventKind, QualificationStatus
from apps.invoices.errors import (
    DefaultTitleInactive,
    EnterpriseUnavailable,
    InactiveTitleAsDefault,
    QualificationDecided,
    QualificationFilesInvalid,
    QualificationFileUnavailable,
    QualificationNotFound,
    QualificationPending,
    QualificationRefusalReasonMissing,
    QualifiedAlready,
    TitleInactive,
    TitleIncomplete,
    TitleTaken,
)
from apps.invoices.models import SpecialQualification
from apps.invoices.selectors.plan import SPECIAL_FIELDS
from apps.invoices.selectors.titles import get_title, list_enterprises, refuse_title_change
from apps.orders.snapshots import build_invoice_snapshot
from apps.org.enums import ChangeAction
from apps.org.models import Enterprise, InvoiceTitle
from apps.org.services.changes import change_record
from apps.org.validators import is_credit_code

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence
    from datetime import datetime

    from apps.org.models import Account

# 税号: a 统一社会信用代码 of 18 characters with a verified check digit, otherwise 15, 17 or 20
# letters and digits.
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
QUALIFIED_FIELDS = ("title", "tax_number", "address", "phone", "bank", "bank_account")
S = QualificationStatus
MAX_FILES = 5


@transaction.atomic
def title_create(
    *, actor: Account, enterprise_id: int | None, fields: dict[str, Any]
) -> InvoiceTitle:
    """Return the new title. The first title of an enterprise is its default. `fields` are the
    values by model field.

    Raises:
        Forbidden: the actor may use titles, but not change them.
        ValidationFailed: a field is invalid, or the enterprise has this title already.
    """
    refuse_title_change(actor)
    enterprise = _lock_enterprise(actor, enterprise_id or actor.enterprise_id)
    title = InvoiceTitle(group=actor.group, enterprise=enterprise)
    _save_title(
        title,
        {
            **fields,
            "is_default": fields.get("is_default") or not _filter_active(enterprise).exists(),
        },
    )
    _record_change(actor, title, ChangeAction.CREATE, {})
    return get_title(actor=actor, pk=str(title.pk))


@transaction.atomic
def title_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> InvoiceTitle:
    """Return the changed title. A change of a field that the 专票资质 covers ends the approval.
    `changes` are the new values by model field.

    Raises:
        TitleNotFound, Forbidden: the actor cannot see or change this title.
        Stale: the title has changed after `seen_at`.
        ValidationFailed: a field is invalid.
    """
    refuse_title_change(actor)
    title = _lock_title(actor, pk)
    refuse_stale(title, seen_at=seen_at)
    before = _get_values(title)
    _save_title(title, changes)
    if any(before[name] != getattr(title, name) for name in QUALIFIED_FIELDS):
        _end_qualification(title)
    _record_change(actor, title, ChangeAction.UPDATE, before)
    return get_title(actor=actor, pk=pk)


@transaction.atomic
def title_make_default(*, actor: Account, pk: str) -> InvoiceTitle:
    """Make the title the default of its enterprise.

    Raises:
        TitleNotFound, Forbidden: the actor cannot see or change this title.
        ValidationFailed: the title is disabled.
    """
    refuse_title_change(actor)
    title = _lock_title(actor, pk)
    if not title.is_active:
        raise InactiveTitleAsDefault
    before = _get_values(title)
    _save_title(title, {"is_default": True})
    _record_change(actor, title, ChangeAction.UPDATE, before)
    return get_title(actor=actor, pk=pk)


@transaction.atomic
def title_deactivate(*, actor: Account, pk: str) -> None:
    """Disable the title. Orders and invoices have their own copy of it. If it was the default,
    another title becomes the default.

    Raises:
        TitleNotFound, Forbidden: the actor cannot see or change this title.
    """
    refuse_title_change(actor)
    title = _lock_title(actor, pk)
    before, was_default = _get_values(title), title.is_default
    title.is_active = title.is_default = False
    title.save(update_fields=["is_active", "is_default", "updated_at"])
    successor = _filter_active(title.enterprise).order_by("pk").first() if was_default else None
    if successor is not None:
        successor.is_default = True
        successor.save(update_fields=["is_default", "updated_at"])
    _record_change(actor, title, ChangeAction.DISABLE, before)


@transaction.atomic
def qualification_apply(
    *, actor: Account, title_pk: str, file_ids: Sequence[uuid.UUID], note: str
) -> InvoiceTitle:
    """Submit the papers of a title and return the updated title.

    Raises:
        Forbidden: the actor may use titles, but not change them.
        TitleNotFound: the actor cannot see a title with this id.
        ValidationFailed: a field that special invoices print is empty, or the actor has not
            uploaded one of the files.
        WrongState: a request is pending or approved already, or the title is disabled.
    """
    refuse_title_change(actor)
    pk = get_title(actor=actor, pk=title_pk).pk
    title: InvoiceTitle = InvoiceTitle.objects.select_for_update(of=("self",)).get(pk=pk)
    if not title.is_active:
        raise TitleInactive
    if title.has_special_qualification:
        raise QualifiedAlready
    if SpecialQualification.objects.filter(title=title, status=S.PENDING).exists():
        raise QualificationPending
    if empty := [label for field, label in SPECIAL_FIELDS.items() if not getattr(title, field)]:
        raise TitleIncomplete(empty)
    files = _get_files(actor, file_ids)
    row: SpecialQualification = SpecialQualification.objects.create(
        title=title, title_snapshot=build_invoice_snapshot(title), note=note, submitted_by=actor
    )
    row.files.set(files)
    event_record(row, actor=actor, kind=InvoiceEventKind.SUBMITTED, to_state=row.status)
    return get_title(actor=actor, pk=title_pk)


def qualification_decide(
    *, actor: Account, qualification_id: int, is_approved: bool, reason: str = ""
) -> SpecialQualification:
    """Approve the papers, or refuse them with a reason (staff).

    Raises:
        QualificationNotFound: no request has this id.
        ValidationFailed: the refusal has no reason.
        WrongState: the request is decided already, or the title has changed since.
    """
    if not is_approved and not reason.strip():
        raise QualificationRefusalReasonMissing
    with row_scope(SpecialQualification, qualification_id, missing=QualificationNotFound):
        title_id = SpecialQualification.objects.values_list("title_id", flat=True).get(
            pk=qualification_id
        )
        title = InvoiceTitle.objects.select_for_update(of=("self",)).get(pk=title_id)
        row: SpecialQualification = SpecialQualification.objects.select_for_update(
            of=("self",)
        ).get(pk=qualification_id)
        if row.status != S.PENDING:
            raise QualificationDecided(row.get_status_display())
        row.status = S.APPROVED if is_approved else S.REFUSED
        row.decided_by, row.decided_at, row.reason = actor, timezone.now(), reason
        row.save(update_fields=["status", "decided_by", "decided_at", "reason", "updated_at"])
        title.has_special_qualification = is_approved
        title.save(update_fields=["has_special_qualification", "updated_at"])
        kind = InvoiceEventKind.QUALIFIED if is_approved else InvoiceEventKind.NOT_QUALIFIED
        event_record(
            row, actor=actor, kind=kind, from_state=S.PENDING, to_state=row.status, reason=reason
        )
        payload = {
            "To": [row.submitted_by_id],
            "Title": f"“{title.title}”的专票资质{'已通过审核' if is_approved else '未通过审核'}",
            "Text": reason,
            "Link": "/userCenter/invoice/index?Dialog=titles",
            "SubjectKey": f"invoiceTitle:{title.pk}",
        }
        outbox_publish(topic="invoice.qualification", key=str(row.pk), payload=payload)
    return row


def find_tax_number_problem(number: str) -> str:
    """Return an error text for a 税号, empty if it is valid."""
    if len(number) == 18:
        return "" if is_credit_code(number) else "税号校验位不正确，请核对 18 位统一社会信用代码"
    return (
        ""
        if OTHER_TAX_NUMBER.fullmatch(number)
        else "税号应为 18 位统一社会信用代码，或 15、17、20 位纳税人识别号"
    )


def _lock_enterprise(actor: Account, pk: int | None) -> Enterprise:
    """Lock the enterprise, so that concurrent writes do not create two default titles.

    Raises:
        EnterpriseUnavailable: it does not exist, or is out of the actor's data scope.
    """
    enterprise = list_enterprises(actor=actor).select_for_update().filter(pk__in=[pk]).first()
    if enterprise is None:
        raise EnterpriseUnavailable
    return enterprise


def _lock_title(actor: Account, pk: str) -> InvoiceTitle:
    _lock_enterprise(actor, get_title(actor=actor, pk=pk).enterprise_id)
    locked_title: InvoiceTitle = (
        InvoiceTitle.objects.select_for_update(of=("self",))
        .select_related("enterprise")
        .get(pk=int(pk))
    )
    return locked_title


def _filter_active(enterprise: Enterprise) -> Any:
    return InvoiceTitle.objects.filter(enterprise=enterprise, is_active=True)


def _get_values(title: InvoiceTitle) -> dict[str, Any]:
    return {name: getattr(title, name) for name in LABELS}


def _save_title(title: InvoiceTitle, fields: dict[str, Any]) -> None:
    """Set the fields, check and save the title. An enterprise has at most one default title.

    Raises:
        ValidationFailed: the tax number is invalid, or the title exists already.
    """
    for name, value in fields.items():
        setattr(title, name, value.strip() if isinstance(value, str) else value)
    title.tax_number = title.tax_number.upper()
    if problem := find_tax_number_problem(title.tax_number):
        raise ValidationFailed({"TaxNumber": [problem]})
    others = InvoiceTitle.objects.filter(enterprise_id=title.enterprise_id).exclude(pk=title.pk)
    if others.filter(title=title.title).exists():
        raise TitleTaken
    if title.is_default and not title.is_active:
        raise DefaultTitleInactive
    if title.is_default:
        others.filter(is_default=True).update(is_default=False)
    title.save()


def _end_qualification(title: InvoiceTitle) -> None:
    """End the qualification for special invoices of a title whose data changed."""
    lapsing_states = (QualificationStatus.APPROVED, QualificationStatus.PENDING)
    SpecialQualification.objects.filter(title=title, status__in=lapsing_states).update(
        status=QualificationStatus.LAPSED
    )
    title.has_special_qualification = False
    title.save(update_fields=["has_special_qualification", "updated_at"])


def _record_change(
    actor: Account, title: InvoiceTitle, action: ChangeAction, before: dict[str, Any]
) -> None:
    subject: dict[str, Any] = {
        "subject_type": "invoice_title",
        "subject_id": title.pk,
        "subject_name": title.title,
    }
    change_record(
        actor=actor,
        action=action,
        before=before,
        after=_get_values(title),
        labels=LABELS,
        **subject,
    )


def _get_files(actor: Account, file_ids: Sequence[uuid.UUID]) -> list[StoredFile]:
    """Return the actor's uploaded files.

    Raises:
        QualificationFilesInvalid: there are none, or too many.
        QualificationFileUnavailable: one is missing or belongs to someone else.
    """
    if not 1 <= len(set(file_ids)) <= MAX_FILES:
        raise QualificationFilesInvalid(MAX_FILES)
    files = list(StoredFile.objects.filter(owner=actor, public_id__in=file_ids))
    if len(files) != len(set(file_ids)):
        raise QualificationFileUnavailable
    return files
