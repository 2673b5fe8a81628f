"""What mass changes, sheets and jobs did to a price or a product: with each trace the batch, the move or the ledger that tells more."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from auditlog.models import LogEntry
from django.http import HttpRequest
from django.urls import reverse

from apps.catalog.enums import ProductStatus
from apps.catalog.models import PriceBatchRow, PriceListItem, PriceMove, Product, StockMovement
from apps.common.admin.history import NEWEST, Trace
from apps.common.admin.money import yuan_text

# A batch and the moves it records are one transaction.
TOGETHER = timedelta(minutes=5)
COUNTED = (StockMovement.Kind.ADJUST, StockMovement.Kind.RECEIVE)
Told = tuple[Decimal, Decimal, datetime]


def price_item_traces(request: HttpRequest, item: PriceListItem) -> list[Trace]:
    """Return the batches that changed the price or gave it back, and its moves of which no batch tells."""
    rows = PriceBatchRow.objects.filter(item=item).select_related("batch__made_by", "batch__undone_by").order_by("-batch_id")[:NEWEST]
    traces, told = [], []
    for row in rows:
        batch, page = row.batch, _page(request, "pricebatch", row.batch_id)
        what = f"批量调价（批次 {batch.pk}，{batch.rule_text}）：{_moved(row.before, row.after)}"
        traces.append(Trace(batch.made_at, what, _name(batch.made_by), page))
        told.append((row.before, row.after, batch.made_at))
        if batch.undone_at and not row.is_left:
            what = f"撤销批量调价（批次 {batch.pk}）：{_moved(row.after, row.before)}"
            traces.append(Trace(batch.undone_at, what, _name(batch.undone_by), page))
            told.append((row.after, row.before, batch.undone_at))
    moves = PriceMove.objects.filter(item=item).order_by("-pk")[:NEWEST]
    return [*traces, *(_move(request, move) for move in moves if not _is_told(move, told))]


def product_traces(request: HttpRequest, product: Product) -> list[Trace]:
    """Return how the market's price has moved, what was counted or received, and when it was put on or taken off sale with others."""
    moves = PriceMove.objects.filter(product=product, item=None).order_by("-pk")[:NEWEST]
    stock = StockMovement.objects.filter(product=product, kind__in=COUNTED).order_by("-at")[:NEWEST]
    ledger = _list(request, "stockmovement", product__id__exact=product.pk)
    counted = [Trace(row.at, f"库存{row.get_kind_display()} {row.quantity:+}（{row.reference or '—'}）", page=ledger) for row in stock]
    return [*(_move(request, move) for move in moves), *counted, *_put_on_sale(product)]


def ledgers_of(request: HttpRequest, product_id: int) -> list[tuple[str, str]]:
    """Return the lists (name, address) of the product's moves and stock that the reader may open."""
    lists = (("价格变动", "pricemove"), ("库存流水", "stockmovement"))
    return [(name, page) for name, model in lists if (page := _list(request, model, product__id__exact=product_id))]


def _put_on_sale(product: Product) -> list[Trace]:
    """Return the log's lines of 上架 and 下架, which is done in the list to many at once."""
    entries = LogEntry.objects.get_for_object(product).select_related("actor").order_by("-pk")[:NEWEST]
    words = dict(ProductStatus.choices)
    alone = [entry for entry in entries if set(entry.changes_dict) == {"status"} and entry.action == LogEntry.Action.UPDATE]
    return [Trace(entry.timestamp, f"状态：{_words(words, entry.changes_dict['status'])}", _name(entry.actor)) for entry in alone]


def _words(words: dict[str, Any], change: list[str]) -> str:
    return " → ".join(str(words.get(each, each)) for each in change)


def _is_told(move: PriceMove, told: list[Told]) -> bool:
    return any((move.before, move.after) == (before, after) and abs(move.at - at) < TOGETHER for before, after, at in told)


def _move(request: HttpRequest, move: PriceMove) -> Trace:
    name = "协议价" if move.item_id else "市场价"
    return Trace(move.at, f"{name}变动：{_moved(move.before, move.after)}", page=_page(request, "pricemove", move.pk))


def _moved(before: Decimal, after: Decimal) -> str:
    return f"{yuan_text(before)} → {yuan_text(after)}"


def _name(account: Any) -> str:
    return str(account) if account else "系统"


def _page(request: HttpRequest, model: str, key: int) -> str:
    return reverse(f"admin:catalog_{model}_change", args=[key]) if _may(request, model) else ""


def _list(request: HttpRequest, model: str, **query: object) -> str:
    return f"{reverse(f'admin:catalog_{model}_changelist')}?{urlencode(query)}" if _may(request, model) else ""


def _may(request: HttpRequest, model: str) -> bool:
    return bool(request.user.has_perm(f"catalog.view_{model}") or request.user.has_perm(f"catalog.change_{model}"))
