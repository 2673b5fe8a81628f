"""The history of a product beside the edits on its own page: stock movements and list actions."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from auditlog.models import LogEntry
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse

from apps.catalog.enums import ProductStatus
from apps.catalog.models import Product, StockMovement
from apps.office.dossier import NEWEST, Trace

SHOWN_KINDS = (StockMovement.Kind.ADJUST, StockMovement.Kind.RECEIVE)


def list_product_traces(request: HttpRequest, product: Product) -> list[Trace]:
    """Return stock counts, stock receipts, and the status changes made from the list."""
    stock = StockMovement.objects.filter(product=product, kind__in=SHOWN_KINDS).order_by("-at")[
        :NEWEST
    ]
    ledger = list_link(request, StockMovement, product__id__exact=product.pk)
    movement_traces = [
        Trace(
            row.at,
            f"库存{row.get_kind_display()} {row.quantity:+}（{row.reference or '—'}）",
            page=ledger,
        )
        for row in stock
    ]
    return [*movement_traces, *_list_status_traces(product)]


def list_stock_ledger(request: HttpRequest, product_id: int) -> list[tuple[str, str]]:
    """Return the label and URL of the product's stock movements. Empty without the permission."""
    page = list_link(request, StockMovement, product__id__exact=product_id)
    return [("库存流水", page)] if page else []


def _list_status_traces(product: Product) -> list[Trace]:
    """Return the log entries of 上架 and 下架. The list changes many products at once."""
    entries = (
        LogEntry.objects.get_for_object(product).select_related("actor").order_by("-pk")[:NEWEST]
    )
    words = dict(ProductStatus.choices)
    alone = [
        entry
        for entry in entries
        if set(entry.changes_dict) == {"status"} and entry.action == LogEntry.Action.UPDATE
    ]
    return [
        Trace(
            entry.timestamp,
            f"状态：{_describe_change(words, entry.changes_dict['status'])}",
            get_account_name(entry.actor),
        )
        for entry in alone
    ]


def _describe_change(words: dict[str, Any], change: list[str]) -> str:
    return " → ".join(str(words.get(each, each)) for each in change)


def get_account_name(account: Any) -> str:
    """Return the name of the actor of a trace. None means a job."""
    return str(account) if account else "系统"


def page_link(request: HttpRequest, model: type[Model], key: int) -> str:
    """Return the URL of a row's page. Empty without the permission to view it."""
    return reverse(_get_name(model, "change"), args=[key]) if _can_view(request, model) else ""


def list_link(request: HttpRequest, model: type[Model], **query: object) -> str:
    """Return the URL of a filtered list. Empty without the permission to view it."""
    if not _can_view(request, model):
        return ""
    return f"{reverse(_get_name(model, 'changelist'))}?{urlencode(query)}"


def _get_name(model: type[Model], page: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"


def _can_view(request: HttpRequest, model: type[Model]) -> bool:
    app, name = model._meta.app_label, model._meta.model_name
    return bool(
        request.user.has_perm(f"{app}.view_{name}") or request.user.has_perm(f"{app}.change_{name}")
    )
