"""专票资质: the customer submits the papers of a title, and staff review them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed, WrongState
from apps.common.events import event_record
from apps.common.models import StoredFile
from apps.common.row_scope import row_scope
from apps.invoices.enums import InvoiceEventKind, QualificationStatus
from apps.invoices.errors import QualificationNotFound
from apps.invoices.models import SpecialQualification
from apps.invoices.selectors.plan import SPECIAL_FIELDS
from apps.invoices.selectors.scope import refuse_title_keeping
from apps.invoices.selectors.titles import title_get
from apps.orders.snapshots import invoice_snapshot
from apps.org.models import InvoiceTitle

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence

    from apps.org.models import Account

S = QualificationStatus
MAX_FILES = 5


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
    refuse_title_keeping(actor)
    pk = title_get(actor=actor, pk=title_pk).pk
    title: InvoiceTitle = InvoiceTitle.objects.select_for_update(of=("self",)).get(pk=pk)
    if not title.is_active:
        raise WrongState("抬头已停用，请先启用再提交专票资质")
    if title.has_special_qualification:
        raise WrongState("该抬头的专票资质已通过，无需再次提交")
    if SpecialQualification.objects.filter(title=title, status=S.PENDING).exists():
        raise WrongState("该抬头的专票资质正在审核，请等待结果")
    if empty := [label for field, label in SPECIAL_FIELDS.items() if not getattr(title, field)]:
        raise ValidationFailed({"Title": [f"请先补全抬头的{'、'.join(empty)}再提交专票资质"]})
    files = _files(actor, file_ids)
    row: SpecialQualification = SpecialQualification.objects.create(
        title=title, title_snapshot=invoice_snapshot(title), note=note, submitted_by=actor
    )
    row.files.set(files)
    event_record(row, actor=actor, kind=InvoiceEventKind.SUBMITTED, to_state=row.status)
    return title_get(actor=actor, pk=title_pk)


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
        raise ValidationFailed({"Reason": ["请填写未通过原因"]})
    with row_scope(SpecialQualification, qualification_id, missing=QualificationNotFound):
        found = SpecialQualification.objects.get(pk=qualification_id)
        title = InvoiceTitle.objects.select_for_update(of=("self",)).get(pk=found.title_id)
        row: SpecialQualification = SpecialQualification.objects.select_for_update(
            of=("self",)
        ).get(pk=qualification_id)
        if row.status != S.PENDING:
            raise WrongState(f"该专票资质{row.get_status_display()}，请刷新后查看")
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


def _files(actor: Account, file_ids: Sequence[uuid.UUID]) -> list[StoredFile]:
    if not 1 <= len(set(file_ids)) <= MAX_FILES:
        raise ValidationFailed(
            {"FileIds": [f"请上传 1 至 {MAX_FILES} 个证明文件（如营业执照、一般纳税人证明）"]}
        )
    found = list(StoredFile.objects.filter(owner=actor, public_id__in=file_ids))
    if len(found) != len(set(file_ids)):
        raise ValidationFailed({"FileIds": ["文件不存在或已失效，请重新上传"]})
    return found
