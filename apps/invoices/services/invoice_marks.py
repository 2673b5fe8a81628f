"""Set and clear the marks that customers keep about issued invoices: by hand, by a sheet, or by
their own system through the API.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.events import event_record
from apps.documents.excel import read_named_cells
from apps.invoices import texts
from apps.invoices.enums import SPECIAL_KINDS, InvoiceEventKind, InvoiceMarkKind, InvoiceStatus
from apps.invoices.errors import InvoiceNotFound, MarkRefused, MarkSheetRefused, TooManyMarked
from apps.invoices.models import Invoice, InvoiceMark
from apps.invoices.selectors.invoices import list_visible_invoices

if TYPE_CHECKING:
    from apps.common.files.intake import Upload
    from apps.org.models import Account

M = InvoiceMarkKind
MAX_MARKED = 500
MAX_ROWS, MAX_MB = 2_000, 5
MAX_NOTE = 200
HEAD = ("发票号码", "发票代码", "处理状态", "说明")
REQUIRED_COLUMNS = ("发票号码", "处理状态")
# The remembered mapping of columns.
SHEET_KIND = "invoice_marks"
EXAMPLE = ("26312000000012345678", "", "已验真、已入账", "2026 年 10 月凭证 0215")
KIND_OF = {str(label): value for value, label in M.choices}


@dataclass(slots=True)
class MarkRow:
    """A row of the sheet, with its errors. A row without errors has an invoice and its kinds."""

    number: int
    invoice_no: str
    invoice_code: str
    mark_text: str
    note: str
    errors: list[str] = field(default_factory=list)
    invoice: Invoice | None = None
    kinds: list[str] = field(default_factory=list)

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the cells in the order of HEAD."""
        return (self.invoice_no, self.invoice_code, self.mark_text, self.note)


@transaction.atomic
def invoices_mark(
    *, actor: Account, invoice_ids: Collection[int], kind: str, note: str = ""
) -> int:
    """Set one mark on up to 500 invoices. Returns the number of changed invoices: an invoice that
    has the mark with the same note stays as it is.

    Raises:
        InvoiceNotFound: the actor cannot see one of the invoices.
        ValidationFailed: the mark does not fit one of the invoices. No invoice is changed.
    """
    invoices = _get_visible_invoices(actor, invoice_ids)
    problems = [
        (str(invoice), problem)
        for invoice in invoices
        if (problem := find_mark_problem(invoice, kind, note))
    ]
    if problems:
        raise MarkRefused(mark=M(kind).label, problems=problems)
    return _set_marks(actor, ((invoice, kind, note) for invoice in invoices))


@transaction.atomic
def invoices_unmark(*, actor: Account, invoice_ids: Collection[int], kind: str) -> int:
    """Clear one mark of up to 500 invoices. Returns the number of invoices that had the mark.

    Raises:
        InvoiceNotFound: the actor cannot see one of the invoices.
    """
    invoices = _get_visible_invoices(actor, invoice_ids)
    marks = InvoiceMark.objects.select_for_update(of=("self",)).filter(
        invoice__in=invoices, kind=kind
    )
    marked = {mark.invoice_id for mark in marks}
    InvoiceMark.objects.filter(invoice__in=marked, kind=kind).delete()
    for invoice in invoices:
        if invoice.pk in marked:
            event_record(
                invoice, actor=actor, kind=InvoiceEventKind.UNMARKED, reason=str(M(kind).label)
            )
    return len(marked)


def find_mark_problem(invoice: Invoice, kind: str, note: str) -> str:
    """Return why the invoice cannot get the mark, or an empty text."""
    if not invoice.invoice_no:
        return texts.MARK_BEFORE_ISSUE
    if kind == M.PROBLEM and not note.strip():
        return texts.MARK_WITHOUT_NOTE
    if kind != M.DEDUCTED:
        return ""
    if invoice.kind not in SPECIAL_KINDS:
        return texts.DEDUCTION_OF_ORDINARY_INVOICE
    if invoice.is_red or invoice.status == InvoiceStatus.RED:
        return texts.DEDUCTION_OF_RED_INVOICE
    return ""


def mark_sheet_preview(*, actor: Account, upload: Upload) -> list[MarkRow]:
    """Return every row of the sheet with its errors. Writes nothing. Three queries.

    Raises:
        FileRefused: the file is not a sheet, has other columns, no rows or more than 2,000 rows.
    """
    cells = read_named_cells(
        upload,
        kind=SHEET_KIND,
        header=HEAD,
        needed=REQUIRED_COLUMNS,
        max_rows=MAX_ROWS,
        max_mb=MAX_MB,
    )
    rows = [
        MarkRow(number, invoice_no, code, marks, note)
        for number, (invoice_no, code, marks, note) in cells
    ]
    visible_invoices = list_visible_invoices(actor=actor).filter(
        invoice_no__in={row.invoice_no for row in rows}
    )
    invoices: dict[str, list[Invoice]] = {}
    for invoice in visible_invoices.exclude(invoice_no=""):
        invoices.setdefault(invoice.invoice_no, []).append(invoice)
    first: dict[int, int] = {}
    for row in rows:
        _check_mark_row(row, invoices.get(row.invoice_no, []))
        if row.invoice is not None and (first.setdefault(row.invoice.pk, row.number) != row.number):
            row.errors.append(texts.invoice_repeated(first[row.invoice.pk]))
    return rows


@transaction.atomic
def mark_sheet_apply(*, actor: Account, upload: Upload, is_good_only: bool = False) -> int:
    """Set all marks of the sheet. Returns the number of rows that were applied. `is_good_only`:
    apply the valid rows although others are wrong.

    Raises:
        FileRefused: as mark_sheet_preview.
        ValidationFailed: a row has an error, or with `is_good_only` every row. No invoice is
            changed.
    """
    rows = mark_sheet_preview(actor=actor, upload=upload)
    errors_by_row = {row.number: row.errors for row in rows if row.errors}
    if errors_by_row and not (is_good_only and len(errors_by_row) < len(rows)):
        raise MarkSheetRefused(errors_by_row)
    rows = [row for row in rows if not row.errors]
    _set_marks(
        actor,
        (
            (row.invoice, kind, row.note)
            for row in rows
            if row.invoice is not None
            for kind in row.kinds
        ),
    )
    return len(rows)


def _get_visible_invoices(actor: Account, invoice_ids: Collection[int]) -> list[Invoice]:
    """Return the invoices, without void ones.

    Raises:
        TooManyMarked: there are more than MAX_MARKED.
        InvoiceNotFound: the actor cannot see one of them.
    """
    keys = set(invoice_ids)
    if len(keys) > MAX_MARKED:
        raise TooManyMarked(MAX_MARKED)
    rows = list_visible_invoices(actor=actor).exclude(status=InvoiceStatus.VOID)
    invoices = list(rows.filter(pk__in=keys).order_by("pk"))
    if len(invoices) < len(keys):
        raise InvoiceNotFound
    return invoices


def _set_marks(actor: Account, wishes: Iterable[tuple[Invoice, str, str]]) -> int:
    """Write the marks that are missing or have another note, each with an event. Return their
    number.
    """
    now, writer = timezone.now(), actor.impersonator or actor
    requested_marks = {
        (invoice.pk, kind): (invoice, note.strip()) for invoice, kind, note in wishes
    }
    present = {
        (invoice_id, kind): note
        for invoice_id, kind, note in InvoiceMark.objects.filter(
            invoice__in={pk for pk, _ in requested_marks}
        ).values_list("invoice_id", "kind", "note")
    }
    changed_marks = {
        key: value for key, value in requested_marks.items() if present.get(key) != value[1]
    }
    InvoiceMark.objects.bulk_create(
        [
            InvoiceMark(
                group_id=invoice.group_id,
                invoice=invoice,
                kind=kind,
                note=note,
                marked_at=now,
                marked_by=writer,
            )
            for (_, kind), (invoice, note) in changed_marks.items()
        ],
        update_conflicts=True,
        unique_fields=["group", "invoice", "kind"],
        update_fields=["note", "marked_at", "marked_by"],
    )
    for (_, kind), (invoice, note) in changed_marks.items():
        reason = "：".join(filter(None, [str(M(kind).label), note]))
        event_record(invoice, actor=actor, kind=InvoiceEventKind.MARKED, reason=reason)
    return len(changed_marks)


def _check_mark_row(row: MarkRow, candidates: list[Invoice]) -> None:
    """Set the invoice and the kinds of the row, or its errors."""
    names = [name.strip() for name in row.mark_text.replace("，", "、").split("、")]
    row.kinds = [KIND_OF[name] for name in names if name in KIND_OF]
    if unknown := [name for name in names if name not in KIND_OF]:
        kind_names = "、".join(KIND_OF)
        row.errors.append(
            texts.mark_unknown(name=unknown[0], choices=kind_names)
            if unknown[0]
            else texts.mark_missing(kind_names)
        )
    if len(row.note) > MAX_NOTE:
        row.errors.append(texts.note_too_long(MAX_NOTE))
    if row.invoice_code:
        candidates = [invoice for invoice in candidates if invoice.invoice_code == row.invoice_code]
    if not row.invoice_no:
        row.errors.append(texts.INVOICE_NO_MISSING)
    elif not candidates:
        row.errors.append(texts.INVOICE_UNKNOWN)
    elif len(candidates) > 1:
        row.errors.append(texts.INVOICE_AMBIGUOUS)
    else:
        row.invoice = candidates[0]
        row.errors += [
            problem
            for kind in row.kinds
            if (problem := find_mark_problem(row.invoice, kind, row.note))
        ]
