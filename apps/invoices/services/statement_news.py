"""Notify the readers of an enterprise's statements about changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.common.background.outbox import outbox_publish
from apps.invoices.statement_enums import StatementStatus
from apps.org.menus import MenuCode
from apps.org.selectors.rights import list_entitled_accounts

if TYPE_CHECKING:
    from apps.invoices.models import Statement
    from apps.org.models import Account

ISSUED_TOPIC = "statement.issued"
TITLES = {
    StatementStatus.CONFIRMED: "已由{who}确认",
    StatementStatus.DISPUTED: "被{who}提出异议",
    StatementStatus.PENDING: "的异议已答复",
}


def issued_publish(statement: Statement, *, is_latest: bool) -> None:
    """Publish that a statement waits for the customer. Only the latest month notifies people:
    the first run of a mall issues many months at once.
    """
    text = f"期末应付 {statement.closing:,.2f} 元，请核对后确认"
    _publish(
        ISSUED_TOPIC,
        statement,
        to=_readers(statement) if is_latest else [],
        title="已出账",
        text=text,
        once=str(statement.pk),
    )


def moved_publish(statement: Statement, *, actor: Account, text: str) -> None:
    """Publish that a statement was confirmed, disputed or answered. The actor gets no notice."""
    to = [pk for pk in _readers(statement) if pk != actor.pk]
    status = StatementStatus(statement.status)
    once = f"{statement.pk}:{status}:{statement.updated_at.isoformat()}"
    _publish(
        f"statement.{status}",
        statement,
        to=to,
        title=TITLES[status].format(who=actor.nickname),
        text=text,
        once=once,
    )


def _readers(statement: Statement) -> list[int]:
    return sorted(
        list_entitled_accounts(
            menu=MenuCode.INVOICE_LIST, enterprise_id=statement.enterprise_id
        ).values_list("pk", flat=True)
    )


def _publish(
    topic: str, statement: Statement, *, to: list[int], title: str, text: str, once: str
) -> None:
    payload: dict[str, Any] = {
        "To": to,
        "Title": f"{statement.enterprise.name} {statement.month:%Y 年 %m 月}对账单{title}",
        "Text": text,
        "Link": f"/userCenter/invoice/statement/{statement.pk}",
        "SubjectKey": f"statement:{statement.pk}",
        "Once": once,
    }
    outbox_publish(topic=topic, key=statement.statement_no, payload=payload)
