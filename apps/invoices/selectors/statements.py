"""Statements for the list and the detail page."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from apps.common.keys import key_of
from apps.invoices.enums import FIGURE_KINDS, StatementStatus
from apps.invoices.errors import StatementNotFound
from apps.invoices.models import Statement, StatementLine, StatementProgress, StatementRemark
from apps.org.enums import DataScope
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class StatementFilter:
    """Filter of the list. `since` and `until` are first days of months, both inclusive."""

    status: str = ""
    enterprise_id: int | None = None
    since: date | None = None
    until: date | None = None


def statements_visible(*, actor: Account) -> QuerySet[Statement]:
    """Return the statements of the actor's enterprise, or of the whole group if the data scope
    is the group. A narrower scope sees none.

    The debts of an enterprise are not visible to a single department.
    """
    rows: QuerySet[Statement] = Statement.objects.select_related("enterprise", "confirmed_by")
    scope = actor.data_scope_of(MenuCode.INVOICE_LIST)
    if scope == DataScope.GROUP:
        return rows
    if scope == DataScope.ENTERPRISE and actor.enterprise_id:
        return rows.filter(enterprise=actor.enterprise_id)
    return rows.none()


def statements_listed(*, actor: Account, wanted: StatementFilter) -> QuerySet[Statement]:
    """Return the statements that match the filter, newest month first."""
    named = {
        "status": wanted.status,
        "enterprise": wanted.enterprise_id,
        "month__gte": wanted.since,
        "month__lte": wanted.until,
    }
    rows = statements_visible(actor=actor).filter(
        Q(**{name: value for name, value in named.items() if value})
    )
    return rows.order_by("-month", "enterprise__code")


def statement_get(*, actor: Account, pk: str) -> Statement:
    """Return one statement.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
    """
    found = statements_visible(actor=actor).filter(pk=key_of(pk)).first()
    if found is None:
        raise StatementNotFound
    return found


def statement_as_of(*, statement: Statement) -> datetime | None:
    """Return the time of the last update of a running statement, None for an issued one."""
    if statement.status != StatementStatus.RUNNING:
        return None
    progress = StatementProgress.objects.filter(enterprise=statement.enterprise_id).first()
    return progress.told_until if progress else None


def statement_lines(*, statement: Statement, figure: str = "") -> QuerySet[StatementLine]:
    """Return the lines of a figure, or all lines without a figure, oldest first."""
    kinds: Collection[str] = FIGURE_KINDS.get(figure, ())
    rows: QuerySet[StatementLine] = StatementLine.objects.filter(
        statement=statement
    ).select_related("order")
    return (rows.filter(kind__in=kinds) if figure else rows).order_by("at", "pk")


def statement_remarks(*, statement: Statement) -> list[StatementRemark]:
    """Return the remarks of the customer and the staff, oldest first."""
    return list(
        StatementRemark.objects.filter(statement=statement)
        .select_related("author", "line")
        .order_by("at", "pk")
    )


def statements_disputed() -> QuerySet[Statement]:
    """Return the disputed statements of all groups, longest waiting first. `disputed_at` is the
    time of the first unanswered remark.
    """
    answered = StatementRemark.objects.filter(
        statement=OuterRef("statement"), is_answer=True, at__gt=OuterRef("at")
    )
    waits = StatementRemark.objects.filter(
        ~Exists(answered), statement=OuterRef("pk"), is_answer=False
    ).order_by("at")
    rows = Statement.objects.filter(status=StatementStatus.DISPUTED).select_related("enterprise")
    found: QuerySet[Statement] = rows.annotate(
        disputed_at=Subquery(waits.values("at")[:1])
    ).order_by("disputed_at", "pk")
    return found
