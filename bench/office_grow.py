"""Fill the tables behind the back office's lists with copies of the demo's rows, up to
BENCH_ROWS each. PostgreSQL only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bench.copies import without_triggers
from bench.scale import size

if TYPE_CHECKING:
    from django.db.models import Model

ROWS = size(200_000, 10, "BENCH_ROWS")
# What no list shows by itself, and others search in.
BESIDE = ("notices.Notice", "orders.OrderLine", "aftersales.ReturnLine")
# Whose copies others refer to, in this order; every other model comes after them.
FIRST = (
    "org.Group",
    "org.Enterprise",
    "org.Account",
    "org.InvoiceTitle",
    "catalog.Product",
    "pricing.PriceList",
    "orders.Order",
    "aftersales.ReturnOrder",
)


def one_each(table: str) -> str:
    """Return the SQL of a reference to a different row of a just filled table for each copy."""
    return f'(SELECT max(id) FROM "{table}") + 1 - row_number() OVER ()'


# What makes a row of these another one, beside the columns that are unique by themselves.
APART = {
    "aftersales.ReturnLine": {"return_order_id": one_each("aftersales_returnorder")},
    "approvals.Approval": {"subject_id": "b.subject_id + n * 1000000"},
    "pricing.CustomerAgreement": {"priority": "b.priority + n * 1000"},
    "pricing.OwnName": {"product_id": one_each("catalog_product"), "code": "b.code || '-' || n"},
    "pricing.PriceAlarm": {"price": "b.price + n"},
    "pricing.PriceListItem": {"price_list_id": one_each("pricing_pricelist")},
    "identity.WeChatWorkAccount": {"corp_id": "left(b.corp_id, 20) || '-' || n"},
    "invoices.Invoice": {"invoice_no": "lpad((b.id * 1000000 + n)::text, 20, '7')"},
    "invoices.RedLetter": {"red_invoice_id": "NULL"},
    "invoices.SpecialQualification": {"title_id": one_each("org_invoicetitle")},
    "invoices.Statement": {"enterprise_id": one_each("org_enterprise")},
    "notices.Notice": {"once": "left(b.once, 40) || '-' || b.id || '-' || n"},
    "notices.NoticeDelivery": {"notice_id": one_each("notices_notice")},
    "orders.OrderLine": {"order_id": one_each("orders_order")},
    "reviews.OrderReview": {"order_line_id": one_each("orders_orderline")},
    "orders.Payment": {
        "gateway_reference": "CASE b.gateway_reference WHEN '' THEN '' ELSE b.id || '-' || n END"
    },
    "org.Department": {"code": "left(b.code, 8) || '-' || b.id || '-' || n"},
    "org.Enterprise": {
        "code": "left(b.code, 8) || '-' || b.id || '-' || n",
        "credit_code": "lpad((b.id * 1000000 + n)::text, 18, '9')",
    },
    "org.InvoiceTitle": {"title": "left(b.title, 60) || b.id || '-' || n"},
    "org.Role": {"code": "left(b.code, 8) || '-' || b.id || '-' || n"},
    "webhooks.WebhookDelivery": {"event_id": "gen_random_uuid()::text"},
}


def grow_all(pages: Iterable[type[Model]]) -> dict[type[Model], int]:
    """Fill the table of each model and return its number of rows."""
    from django.apps import apps
    from django.db import connection

    pages = list(pages)
    _begun()
    first = [apps.get_model(label) for label in (*FIRST, *BESIDE)]
    with without_triggers():
        for model in first:
            _grow_table(model)
        for model in pages:
            if model not in first and not model._meta.proxy:
                _grow_table(model)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return {model: model._base_manager.count() for model in pages}


def _grow_table(model: type[Model]) -> None:
    """Copy the model's rows up to the target. A model whose rows cannot be duplicated is
    reported and stays as it is.
    """
    from django.db import Error, connection, transaction

    rows = model._base_manager.count()
    if not rows:
        print(f"{model._meta.label}: no rows", file=sys.stderr)
        return
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    answer = APART.get(model._meta.label, {})
    values = ", ".join(answer.get(str(field.column)) or _again(field) for field in fields)
    names = ", ".join(f'"{field.column}"' for field in fields)
    table, times = model._meta.db_table, max(0, ROWS // rows)
    statement = (
        f'INSERT INTO "{table}" ({names}) SELECT {values} FROM "{table}" b, generate_series(1, '
        f"{times}) n"
    )
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except Error as problem:
        print(f"{model._meta.label}: {str(problem).splitlines()[0]}", file=sys.stderr)


def _again(field: Any) -> str:
    """Return the SQL of the column's value in copy `n` of the row `b`."""
    if not field.unique:
        return f'b."{field.column}"'
    match field.get_internal_type():
        case "UUIDField":
            return "gen_random_uuid()"
        case "CharField" | "SlugField" | "EmailField":
            stored = max(0, min(8, (field.max_length or 60) - 12))
            return (
                f'left(b."{field.column}", {stored}) || lpad((b.id % 1000 * 1000000 + n)::text, '
                "10, '0')"
            )
    return f'b."{field.column}"'


def _begun() -> None:
    """Insert a row into each table that the demo leaves empty, such as sign-ins and sent
    messages.
    """
    from django.utils import timezone

    from apps.assistant.models import AssistantUsage
    from apps.identity.models import SessionKey, TokenFamily
    from apps.notices.models import Notice, NoticeDelivery
    from apps.org.models import Account
    from apps.pricing.models import OwnName, PriceAlarm, PriceBatch, PriceListItem
    from apps.webhooks.models import Webhook, WebhookDelivery

    now, later = timezone.now(), timezone.now() + timedelta(days=1)
    account = Account.objects.filter(group__isnull=False).earliest("pk")
    item = PriceListItem.objects.earliest("pk")
    ours: dict[str, Any] = {"group_id": account.group_id}
    TokenFamily.objects.create(
        account=account,
        token_hash="0" * 64,
        client_address="10.0.0.1",
        used_at=now,
        expires_at=later,
    )
    SessionKey.objects.create(account=account, key_hash="0" * 64, expires_at=later, issuer="office")
    AssistantUsage.objects.create(**ours, account=account, provider="embedded", outcome="done")
    OwnName.objects.create(**ours, product=item.product, name="办公用纸", code="OWN-1")
    PriceAlarm.objects.create(item=item, price=item.price, market_price=item.price)
    PriceBatch.objects.create(
        price_list=item.price_list, kind="percent", figure=5, step=0, rows_changed=1
    )
    webhook = Webhook.objects.create(
        **ours,
        owner=account,
        name="ERP",
        url="https://example.com/hook",
        events=["order.submitted"],
    )
    WebhookDelivery.objects.create(
        **ours,
        webhook=webhook,
        event_id="1",
        event="order.submitted",
        subject="SO26",
        payload={},
        due_at=now,
        ended_at=now,
        tries_left=0,
    )
    NoticeDelivery.objects.create(
        **ours,
        notice=Notice.objects.filter(**ours).earliest("pk"),
        channel="mail",
        state="sent",
        sent_at=now,
    )
