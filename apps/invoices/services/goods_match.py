"""Match a goods-received sheet with a statement, and dispute its differences."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.invoices.enums import MatchResult
from apps.invoices.errors import (
    DisputedLinesInvalid,
    GoodsSheetRefused,
    LineDisputedAlready,
    LineEqual,
    MatchedLineChanged,
    MatchLineNotFound,
)
from apps.invoices.models import GoodsMatch, GoodsMatchLine, Statement, StatementRemark
from apps.invoices.selectors.goods_match import (
    compare_goods,
    find_disputes,
    get_difference_key,
    get_our_goods,
    match_line_text,
    read_goods_sheet,
)
from apps.invoices.selectors.statements import get_statement
from apps.invoices.services.statements import remarks_write, statement_lock_answerable

if TYPE_CHECKING:
    from apps.common.files.intake import Upload
    from apps.org.models import Account

MAX_DISPUTED = 200


@transaction.atomic
def goods_match_create(*, actor: Account, statement_id: str, upload: Upload) -> GoodsMatch:
    """Compare the sheet with the statement and return the match. It replaces the previous match of
    the statement. A difference that has been disputed with the same figures keeps its remark.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
        FileRefused: the file is not a sheet, has other columns, no rows or more than 10,000 rows.
        ValidationFailed: a row has an error. The previous match stays.
    """
    statement = get_statement(actor=actor, pk=statement_id)
    rows = read_goods_sheet(upload)
    if errors_by_row := {row.number: row.errors for row in rows if row.errors}:
        raise GoodsSheetRefused(errors_by_row)
    # Serialises two uploads for one statement.
    Statement.objects.select_for_update(of=("self",), no_key=True).get(pk=statement.pk)
    GoodsMatch.objects.filter(statement=statement).delete()
    has_amounts = any(row.amount is not None for row in rows)
    match: GoodsMatch = GoodsMatch.objects.create(
        group_id=statement.group_id,
        statement=statement,
        file_name=(upload.name or "收货单")[:120],
        sheet_rows=len(rows),
        has_amounts=has_amounts,
        matched_at=timezone.now(),
        matched_by=actor.impersonator or actor,
    )
    lines = list(compare_goods(statement, rows, has_amounts=has_amounts))
    # Differences first; the sort keeps the order of keys within both parts.
    lines.sort(key=lambda line: line.result == MatchResult.EQUAL)
    disputes = find_disputes(statement)
    for number, line in enumerate(lines, start=1):
        line.match, line.no = match, number
        line.remark = disputes.get(get_difference_key(line))
    GoodsMatchLine.objects.bulk_create(lines, batch_size=1000)
    return match


@transaction.atomic
def goods_match_dispute(
    *, actor: Account, statement_id: str, line_ids: Collection[int], text: str = ""
) -> list[StatementRemark]:
    """Dispute differences of the statement's match, one remark each. `text` is added to each
    remark.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
        MatchLineNotFound: a line is not a line of the statement's latest match.
        WrongState: the statement cannot be disputed, or a line is equal or disputed already.
        Stale: the statement has changed since the match.
    """
    if not line_ids or len(set(line_ids)) > MAX_DISPUTED:
        raise DisputedLinesInvalid(MAX_DISPUTED)
    statement = statement_lock_answerable(get_statement(actor=actor, pk=statement_id).pk)
    lines = list(
        GoodsMatchLine.objects.filter(match__statement=statement, pk__in=set(line_ids)).order_by(
            "no"
        )
    )
    if len(lines) < len(set(line_ids)):
        raise MatchLineNotFound
    _refuse_settled(lines)
    _refuse_changed(statement, lines)
    texts = ["。".join(filter(None, [match_line_text(line), text.strip()]))[:500] for line in lines]
    remarks = remarks_write(
        actor=actor,
        statement=statement,
        remarks=[(line.line_id, whole) for line, whole in zip(lines, texts, strict=True)],
    )
    for line, remark in zip(lines, remarks, strict=True):
        line.remark, remark.difference = remark, get_difference_key(line)
    GoodsMatchLine.objects.bulk_update(lines, ["remark"])
    StatementRemark.objects.bulk_update(remarks, ["difference"])
    return remarks


def _refuse_settled(lines: list[GoodsMatchLine]) -> None:
    """Raise an error if a line is already disputed or shows no difference."""
    for line in lines:
        if line.remark_id is not None:
            raise LineDisputedAlready(order_no=line.order_ref, material_code=line.material_code)
        if line.result == MatchResult.EQUAL:
            raise LineEqual(order_no=line.order_ref, material_code=line.material_code)


def _refuse_changed(statement: Statement, lines: list[GoodsMatchLine]) -> None:
    """Refuse a difference whose side of the mall is not as it was at the match."""
    goods, _ = get_our_goods(statement, {line.order_ref for line in lines})
    for line in lines:
        our_goods = goods.get((line.order_ref, line.material_code))
        now = (our_goods.quantity, our_goods.amount) if our_goods else (None, None)
        if now != (line.our_quantity, line.our_amount):
            raise MatchedLineChanged(line.order_ref)
