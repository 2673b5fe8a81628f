"""Change agreed prices: one row of a price list, or many rows as a batch that can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import structlog
from auditlog.context import disable_auditlog
from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.errors import BatchOvertaken, BatchUndone
from apps.catalog.models import Product
from apps.catalog.services.changes import (
    catalogue_row_delete,
    catalogue_row_save,
    changes_record,
)
from apps.catalog.services.products import product_save
from apps.common.audit import acts_log
from apps.common.sql import rows_insert
from apps.pricing.errors import (
    PricePlanRefused,
    PricePlanStale,
    PriceRowGone,
    ProductGone,
    ProductsNotRepriced,
)
from apps.pricing.models import PriceBatch, PriceBatchRow, PriceList, PriceListItem
from apps.pricing.models.tiers import FLAT_TIER_FIELDS, TIER_PRICE_FIELDS
from apps.pricing.selectors.price_changes import PriceRow
from apps.pricing.selectors.price_plan import (
    PlannedPrice,
    PriceChoice,
    PricePlan,
    PriceRule,
    get_price_plan,
)
from apps.pricing.services.price_moves import PriceChange, price_moves_record

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
ROW_FIELDS = (
    "price_list_id",
    "product_id",
    "price",
    "valid_to",
    "customer_name",
    "customer_code",
    *FLAT_TIER_FIELDS,
)
# An empty field in the log.
EMPTY = str(None)
BATCH_ROW_COLUMNS = (
    *("batch_id", "item_id", "product_id", "before", "after", "is_left"),
    *(f"{field}_{side}" for side in ("before", "after") for field in TIER_PRICE_FIELDS),
)


@transaction.atomic
def price_item_save(*, actor: Account | None, item: PriceListItem) -> None:
    """Save the row and record its CatalogChange and its price move."""
    price_before = _lock_stored_price(item)
    catalogue_row_save(actor=actor, row=item)
    price_moves_record([PriceChange(item.pk, item.product_id, price_before, item.price)])


@transaction.atomic
def price_rows_save(*, actor: Account, rows: Sequence[PriceRow]) -> list[PriceListItem]:
    """Save typed rows of price lists and return them. The log names the actor, and the second
    person if there is one, whoever sends the request.

    Raises:
        PriceRowGone: somebody has deleted a row, or has added the same one.
    """
    items = [_build_item(row) for row in rows]
    before = [_get_logged_values(item) for item in items]
    with disable_auditlog():
        for item in items:
            price_item_save(actor=actor, item=item)
    changes = [
        {
            name: (old.get(name, ""), new)
            for name, new in _list_field_values(item)
            if old.get(name, EMPTY) != new
        }
        for item, old in zip(items, before, strict=True)
    ]
    acts_log(staff=actor, acts=zip(items, changes, strict=True))
    return items


@transaction.atomic
def price_rows_delete(*, actor: Account, rows: Sequence[PriceRow]) -> int:
    """Delete rows of price lists and return their number. The log is as in `price_rows_save`.

    Raises:
        PriceRowGone: somebody has deleted a row.
    """
    items = PriceListItem.objects.select_related("price_list", "product").in_bulk(
        [row.item_id for row in rows]
    )
    if len(items) < len(rows):
        raise PriceRowGone
    changes = [
        (item, {name: (old, "") for name, old in _list_field_values(item)})
        for item in items.values()
    ]
    acts_log(staff=actor, acts=changes, is_deleted=True)
    with disable_auditlog():
        for item in items.values():
            catalogue_row_delete(actor=actor, row=item)
    return len(items)


def price_rows_lock(*, rows: Sequence[PriceRow]) -> None:
    """Lock the price lists of the rows, then their stored rows, so that nobody changes a price
    between the comparison with a limit and the write.
    """
    lists = sorted({row.price_list_id for row in rows})
    list(
        PriceList.objects.filter(pk__in=lists)
        .select_for_update(no_key=True)
        .order_by("pk")
        .values_list("pk")
    )
    _lock_items([row.item_id for row in rows if row.item_id])


@transaction.atomic
def market_price_set(*, actor: Account, product_id: int, price: Decimal) -> Product:
    """Set the market price (元, 含税) of a product and return the product. The log names the
    actor, and the second person if there is one.

    Raises:
        ProductGone: somebody has deleted the product.
    """
    product = Product.objects.select_for_update(no_key=True).filter(pk=product_id).first()
    if product is None:
        raise ProductGone
    before, product.market_price = product.market_price, price
    with disable_auditlog():
        product_save(actor=actor, product=product)
    acts_log(staff=actor, acts=[(product, {"market_price": (before, price)})])
    return product


def _build_item(row: PriceRow) -> PriceListItem:
    """Return the stored or a new item with the values of the row, unsaved.

    Raises:
        PriceRowGone: the item was deleted, or another item has the same list and product.
    """
    same_key_items = PriceListItem.objects.filter(
        price_list=row.price_list_id, product=row.product_id
    )
    if row.item_id is None:
        if same_key_items.exists():
            raise PriceRowGone
        item = PriceListItem()
    else:
        stored_item = PriceListItem.objects.filter(pk=row.item_id).first()
        if stored_item is None or same_key_items.exclude(pk=row.item_id).exists():
            raise PriceRowGone
        item = stored_item
    for name in ROW_FIELDS:
        setattr(item, name, getattr(row, name))
    return item


def _get_logged_values(item: PriceListItem) -> dict[str, str]:
    """Return the stored values of the row; empty for a new one."""
    stored_item = PriceListItem.objects.filter(pk=item.pk).first()
    return dict(_list_field_values(stored_item)) if stored_item else {}


def _list_field_values(item: PriceListItem) -> list[tuple[str, str]]:
    """Return the values of the row as the log stores them, by field."""
    return [(name.removesuffix("_id"), str(getattr(item, name))) for name in ROW_FIELDS]


def _lock_stored_price(item: PriceListItem) -> Decimal | None:
    """Lock the stored row and return its price. None for a new row."""
    stored_prices = PriceListItem.objects.filter(
        pk=item.pk, product=item.product_id, price_list=item.price_list_id
    )
    price: Any = (
        stored_prices.select_for_update(no_key=True).values_list("price", flat=True).first()
    )
    return price if price is None else Decimal(price)


@transaction.atomic
def price_batch_apply(
    *,
    actor: Account,
    choice: PriceChoice,
    rule: PriceRule,
    digest: str,
    skips_refused: bool = False,
) -> PriceBatch:
    """Apply the plan that was previewed under `digest` and return the batch. With
    `skips_refused` the refused rows are skipped.

    Raises:
        PricePlanStale: rows or prices have changed since the preview.
        PricePlanRefused: a new price is not above 0 or rises above the market price, or nothing
            changes.
    """
    prices = _lock_price_list(choice.price_list.pk)
    _lock_items(choice.list_items().values("pk"))
    plan = get_price_plan(choice=choice, rule=rule)
    require_plan(plan, digest=digest, skips_refused=skips_refused)
    batch = PriceBatch.objects.create(
        price_list=prices,
        kind=rule.kind,
        figure=rule.figure,
        step=rule.step,
        chosen=str(choice)[:200],
        rows_changed=len(plan.changes),
        made_by=actor,
    )
    _write_rows(batch, plan.changes)
    # The UPDATE of the prices reads the batch rows, so the batch and the prices cannot differ.
    _write_prices(PriceBatchRow.objects.filter(batch=batch, item__isnull=False), side="after")
    price_moves_record(
        PriceChange(row.item_id, row.product_id, row.before, row.after) for row in plan.changes
    )
    changes_record(ChangeKind.PRICE, [f"{prices.code}:{row.code}" for row in plan.changes])
    log.info(
        "price_batch_applied",
        batch=batch.pk,
        price_list=prices.code,
        rows=len(plan.changes),
        actor=actor.pk,
    )
    return batch


def require_plan(plan: PricePlan, *, digest: str, skips_refused: bool) -> None:
    """Check that the plan is the previewed one and can be applied.

    Raises:
        PricePlanStale, PricePlanRefused: as price_batch_apply.
    """
    if plan.digest != digest:
        raise PricePlanStale
    if plan.refused and not skips_refused:
        first = plan.refused[0]
        raise ProductsNotRepriced(count=len(plan.refused), code=first.code, refusal=first.refusal)
    if not plan.changes:
        raise PricePlanRefused


@transaction.atomic
def price_batch_undo(*, actor: Account, batch_id: int) -> PriceBatch:
    """Restore the old price of each row and return the batch. Rows that were changed or deleted
    since are marked and do not change.

    Raises:
        BatchUndone: the batch was already undone.
        BatchOvertaken: later changes replaced all of its prices. The batch does not change, so it
            can be undone after the later batches are undone.
    """
    batch = PriceBatch.objects.get(pk=batch_id)
    prices = _lock_price_list(batch.price_list_id)
    batch.refresh_from_db()
    if batch.undone_at is not None:
        raise BatchUndone
    _lock_items(_select_batch_items(batch))
    rows = PriceBatchRow.objects.filter(batch=batch)
    is_changed = Q(item__isnull=True) | Q(item__price__isnull=True) | ~Q(item__price=F("after"))
    for field in TIER_PRICE_FIELDS:
        is_changed |= _build_differs_condition(f"item__{field}", f"{field}_after")
    batch.rows_left = rows.filter(is_changed).update(is_left=True)
    if batch.rows_left == batch.rows_changed:
        raise BatchOvertaken
    restored = rows.filter(is_left=False)
    codes = list(restored.values_list("product__code", flat=True))
    _write_prices(restored, side="before")
    changes: Any = restored.values_list("item", "product", "after", "before")
    price_moves_record(PriceChange(*row) for row in changes)
    batch.undone_by, batch.undone_at = actor, timezone.now()
    batch.save(update_fields=["undone_by", "undone_at", "rows_left"])
    changes_record(ChangeKind.PRICE, [f"{prices.code}:{code}" for code in codes])
    log.info(
        "price_batch_undone", batch=batch.pk, rows=len(codes), left=batch.rows_left, actor=actor.pk
    )
    return batch


def _write_prices(rows: QuerySet[PriceBatchRow], *, side: str) -> None:
    """Set the prices of the rows' items to those of the batch: `side` is "before" or "after". The
    tiers are written with the price, because a tier is never above its price.
    """
    columns = {"price": side, **{field: f"{field}_{side}" for field in TIER_PRICE_FIELDS}}
    has_tiers = Q(tier1_price_after__isnull=False)
    for part, fields in ((rows.filter(has_tiers), columns), (rows.exclude(has_tiers), ["price"])):
        values = {
            field: Subquery(part.filter(item=OuterRef("pk")).values(columns[field]))
            for field in fields
        }
        PriceListItem.objects.filter(pk__in=part.values("item")).update(**values)


def _build_differs_condition(first: str, second: str) -> Q:
    """Return the condition that two nullable columns differ."""
    is_same = Q(**{first: F(second)}) | Q(**{f"{first}__isnull": True, f"{second}__isnull": True})
    return ~is_same


def _lock_price_list(price_list_id: int) -> PriceList:
    """Lock and return the price list, so that its batches run one after another."""
    return PriceList.objects.select_for_update(no_key=True).get(pk=price_list_id)


def _lock_items(keys: QuerySet[Any, Any] | Sequence[int]) -> None:
    """Lock the rows by primary key, so that no other transaction changes their prices."""
    list(
        PriceListItem.objects.filter(pk__in=keys)
        .select_for_update(no_key=True)
        .order_by("pk")
        .values_list("pk")
    )


def _select_batch_items(batch: PriceBatch) -> QuerySet[Any, Any]:
    return PriceBatchRow.objects.filter(batch=batch, item__isnull=False).values("item")


def _to_cents(price: Decimal | None) -> int | None:
    return None if price is None else int(price * 100)


def _write_rows(batch: PriceBatch, planned: Iterable[PlannedPrice]) -> None:
    """Insert a row with the prices in 分 before and after, for each planned price."""
    rows = (
        (
            batch.pk,
            row.item_id,
            row.product_id,
            int(row.before * 100),
            int(row.after * 100),
            False,
            *(
                _to_cents(price)
                for prices in (row.tiers_before, row.tiers_after)
                for price in prices
            ),
        )
        for row in planned
    )
    rows_insert(table=PriceBatchRow._meta.db_table, columns=BATCH_ROW_COLUMNS, rows=rows)
