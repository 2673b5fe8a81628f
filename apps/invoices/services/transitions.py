"""The state tables of applications, invoices and red requests, and the function that changes a
state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import TextChoices

from apps.common.document_kit.flow import DocumentFlow
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind, InvoiceStatus, RedStatus
from apps.invoices.models import Invoice, InvoiceApplication, RedLetter

if TYPE_CHECKING:
    from apps.org.models import Account

StateTexts = dict[str, tuple[str, str]]
A, S, R = ApplicationStatus, InvoiceStatus, RedStatus
# State → the states that may follow
APPLICATION_TRANSITIONS: dict[str, tuple[str, ...]] = {
    A.PENDING: (A.ACCEPTED, A.REJECTED, A.WITHDRAWN),
    A.ACCEPTED: (A.ISSUING, A.ISSUED, A.REJECTED, A.WITHDRAWN),
    A.ISSUING: (A.ISSUED, A.REJECTED, A.ACCEPTED),
    A.ISSUED: (),
    A.REJECTED: (),
    A.WITHDRAWN: (),
}
INVOICE_TRANSITIONS: dict[str, tuple[str, ...]] = {
    S.PLANNED: (S.ISSUING, S.ISSUED, S.VOID),
    S.ISSUING: (S.ISSUED, S.FAILED),
    S.FAILED: (S.ISSUING, S.ISSUED, S.VOID),
    S.ISSUED: (S.PARTLY_RED, S.RED),
    S.PARTLY_RED: (S.PARTLY_RED, S.RED),
    S.RED: (),
    S.VOID: (),
}
RED_TRANSITIONS: dict[str, tuple[str, ...]] = {
    R.AWAITS_SELLER: (R.CONFIRMED, R.REFUSED, R.WITHDRAWN, R.EXPIRED),
    R.AWAITS_BUYER: (R.CONFIRMED, R.REFUSED, R.WITHDRAWN, R.EXPIRED),
    R.CONFIRMED: (R.ISSUED, R.WITHDRAWN),
    R.ISSUED: (),
    R.REFUSED: (),
    R.WITHDRAWN: (),
    R.EXPIRED: (),
}
REFRESH = "请刷新后查看最新状态"
ASK_AGAIN = "如需红冲请重新申请"


def _build_texts(title: str, states: type[TextChoices], advice: dict[str, str]) -> StateTexts:
    """Return the text and the advice of a refused step for each state. The default advice is to
    refresh the page.
    """
    return {
        state.value: (f"{title} {{document}} {state.label}", advice.get(state.value, REFRESH))
        for state in states
    }


APPLICATIONS = DocumentFlow(
    name="invoice_application",
    number="application_no",
    state_texts=_build_texts(
        "开票申请",
        A,
        {
            A.WITHDRAWN: "如需开票请重新申请",
            A.REJECTED: "请按驳回原因修改后重新申请",
            A.ISSUED: "如需更正请在发票详情中申请红冲",
        },
    ),
    columns=["status"],
)
INVOICES = DocumentFlow(
    name="invoice",
    number="request_no",
    state_texts=_build_texts("发票", S, {}),
    columns=["status"],
)
RED_LETTERS = DocumentFlow(
    name="red_letter",
    number="red_no",
    state_texts=_build_texts(
        "红冲申请", R, dict.fromkeys((R.WITHDRAWN, R.REFUSED, R.EXPIRED), ASK_AGAIN)
    ),
    columns=["status"],
)
FLOWS: dict[type[Any], tuple[DocumentFlow, dict[str, tuple[str, ...]]]] = {
    InvoiceApplication: (APPLICATIONS, APPLICATION_TRANSITIONS),
    Invoice: (INVOICES, INVOICE_TRANSITIONS),
    RedLetter: (RED_LETTERS, RED_TRANSITIONS),
}


def document_transition(
    document: InvoiceApplication | Invoice | RedLetter,
    to: str,
    verb: str,
    *,
    actor: Account | None,
    kind: InvoiceEventKind,
    reason: str = "",
    fields: dict[str, Any] | None = None,
) -> None:
    """Change the state of a locked document, save `fields` with it, and write the event.

    Raises:
        WrongState: the table does not allow the step to `to`. The message names `verb`.
    """
    flow, table = FLOWS[type(document)]
    before = document.status
    if to not in table[before]:
        raise flow.build_wrong_state(document, verb)
    document.status = to
    for field, value in (fields or {}).items():
        setattr(document, field, value)
    flow.record(
        document,
        actor=actor,
        kind=kind,
        before=before,
        reason=reason,
        columns=["status", *(fields or {})],
    )
