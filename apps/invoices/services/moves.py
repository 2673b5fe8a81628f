"""Every change of state of applications, invoices and red requests goes through `move`: the table, the save, the event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.common.errors import WrongState
from apps.common.events import event_record
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind, InvoiceStatus, RedStatus
from apps.invoices.models import Invoice, InvoiceApplication, RedLetter

if TYPE_CHECKING:
    from apps.org.models import Account

A, S, R = ApplicationStatus, InvoiceStatus, RedStatus
# state → the states it may come to
APPLICATION_MOVES: dict[str, tuple[str, ...]] = {
    A.PENDING: (A.ACCEPTED, A.REJECTED, A.WITHDRAWN),
    A.ACCEPTED: (A.ISSUING, A.ISSUED, A.REJECTED, A.WITHDRAWN),
    A.ISSUING: (A.ISSUED, A.REJECTED, A.ACCEPTED),
    A.ISSUED: (),
    A.REJECTED: (),
    A.WITHDRAWN: (),
}
INVOICE_MOVES: dict[str, tuple[str, ...]] = {
    S.PLANNED: (S.ISSUING, S.ISSUED, S.VOID),
    S.ISSUING: (S.ISSUED, S.FAILED),
    S.FAILED: (S.ISSUING, S.ISSUED, S.VOID),
    S.ISSUED: (S.PARTLY_RED, S.RED),
    S.PARTLY_RED: (S.PARTLY_RED, S.RED),
    S.RED: (),
    S.VOID: (),
}
RED_MOVES: dict[str, tuple[str, ...]] = {
    R.AWAITS_SELLER: (R.CONFIRMED, R.REFUSED, R.WITHDRAWN, R.EXPIRED),
    R.AWAITS_BUYER: (R.CONFIRMED, R.REFUSED, R.WITHDRAWN, R.EXPIRED),
    R.CONFIRMED: (R.ISSUED, R.WITHDRAWN),
    R.ISSUED: (),
    R.REFUSED: (),
    R.WITHDRAWN: (),
    R.EXPIRED: (),
}
TABLES: dict[type[Any], tuple[str, dict[str, tuple[str, ...]]]] = {
    InvoiceApplication: ("开票申请", APPLICATION_MOVES),
    Invoice: ("发票", INVOICE_MOVES),
    RedLetter: ("红冲申请", RED_MOVES),
}

REFRESH = "请刷新后查看最新状态"
# What can be done instead of what an end refuses.
INSTEAD: dict[tuple[type[Any], str], str] = {
    (InvoiceApplication, A.WITHDRAWN): "如需开票请重新申请",
    (InvoiceApplication, A.REJECTED): "请按驳回原因修改后重新申请",
    (InvoiceApplication, A.ISSUED): "如需更正请在发票详情中申请红冲",
    (RedLetter, R.WITHDRAWN): "如需红冲请重新申请",
    (RedLetter, R.REFUSED): "如需红冲请重新申请",
    (RedLetter, R.EXPIRED): "如需红冲请重新申请",
}


def move(
    subject: InvoiceApplication | Invoice | RedLetter,
    to: str,
    verb: str,
    *,
    actor: Account | None,
    kind: InvoiceEventKind,
    reason: str = "",
    fields: dict[str, Any] | None = None,
) -> None:
    """Bring a locked subject to a state with what else changes of it, and write the event.

    Raises:
        WrongState: the table leads there from nowhere near; the message says where it stands.
    """
    name, table = TABLES[type(subject)]
    before = subject.status
    if to not in table[before]:
        body = {"Status": before, "StatusText": subject.get_status_display()}
        stands = f"{name} {subject} {subject.get_status_display()}"
        raise WrongState.standing(stands, verb, INSTEAD.get((type(subject), before), REFRESH), body=body)
    subject.status = to
    for field, value in (fields or {}).items():
        setattr(subject, field, value)
    subject.save(update_fields=["status", *(fields or {}), "updated_at"])
    event_record(subject, actor=actor, kind=kind, from_state=before, to_state=to, reason=reason[:500])
