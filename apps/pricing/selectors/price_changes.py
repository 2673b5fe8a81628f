"""By how much prices change: one change, and what a person has changed alone today."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Self

from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import F, Model, Sum
from django.db.models.functions import Abs
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.selectors.low_prices import is_low_price
from apps.common.audit import RELEASED_BY
from apps.common.models import ImportRun
from apps.common.models.import_run import OPEN, ImportState
from apps.common.money import ZERO, MoneyField, format_yuan
from apps.org.models import Account
from apps.pricing.errors import PriceRowGone, PriceRowMoved
from apps.pricing.models import PriceBatch, PriceBatchRow, PriceList, PriceListItem, PriceMove
from apps.pricing.models.tiers import (
    FLAT_TIER_FIELDS,
    TIER_FIELDS,
    TIER_PRICE_FIELDS,
    PriceTier,
    format_tiers,
    get_price_at,
    get_tiers,
    read_tiers,
)

LOW_PRICE_TEXT = "有价格低于现价七成或市场价五成"
# A market price is compared with that of this time ago: a series of changes ends at its half.
MARKET_PRICE_WINDOW = timedelta(days=30)
# The sheets that change prices: agreed prices, and products with their market prices.
PRICE_SHEETS = ("price_items", "products")
PRICE_FIELDS = ("price", *TIER_PRICE_FIELDS)
LOGGED_FIELDS = ("price", *FLAT_TIER_FIELDS)
# The fields of a row that do not change the amount.
OTHER_FIELDS = {
    "valid_to": "有效期至",
    "customer_name": "客户品名",
    "customer_code": "客户物料编码",
}


@dataclass(frozen=True, slots=True)
class Prices:
    """A price with its tiers, in 元. Customers pay the market price where the price is None."""

    price: Decimal | None = None
    tiers: tuple[PriceTier, ...] = ()

    @classmethod
    def from_row(cls, row: Any) -> Self:
        """Return the prices of a row with the fields of a PriceListItem."""
        return cls(row.price, get_tiers(row))

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Return the prices of the values of a row by field."""
        pairs = ((values[quantity], values[price]) for quantity, price in TIER_FIELDS)
        return cls(values["price"], read_tiers(pairs))

    def __str__(self) -> str:
        price = "市场价" if self.price is None else format_yuan(self.price)
        return f"{price}（{format_tiers(self.tiers)}）" if self.tiers else price


def compute_price_move_cents(before: Prices, after: Prices, market_price: Decimal) -> int:
    """Return the difference of two prices, up or down, in cents. Each tier counts as a price: the
    differences at one unit and at the first quantity of each tier are added.
    """
    quantities = {1, *(tier.quantity for tier in (*before.tiers, *after.tiers))}
    return sum(
        int(abs(_get_price(after, quantity, market_price) - old) * 100)
        for quantity, old in ((one, _get_price(before, one, market_price)) for one in quantities)
    )


def has_low_price(before: Prices, after: Prices, market_price: Decimal) -> bool:
    """Return whether the price or a tier after the change is low."""
    quantities = {1, *(tier.quantity for tier in (*before.tiers, *after.tiers))}
    return any(
        is_low_price(
            _get_price(after, quantity, market_price),
            present_price=_get_price(before, quantity, market_price),
            market_price=market_price,
        )
        for quantity in quantities
    )


def get_former_market_prices(*, codes: Collection[str] | None = None) -> dict[str, Decimal]:
    """Return {product code: market price in 元} before the first move of the last 30 days, of all
    products or those with these codes. A product without a move is left out.
    """
    moves = PriceMove.objects.filter(
        item=None, at__gt=timezone.now() - MARKET_PRICE_WINDOW
    ).order_by("-pk")
    if codes is not None:
        moves = moves.filter(product__code__in=codes)
    prices: dict[str, Any] = dict(moves.values_list("product__code", "before"))
    return prices


def _get_price(prices: Prices, quantity: int, market_price: Decimal) -> Decimal:
    price = get_price_at(quantity, price=prices.price, tiers=prices.tiers)
    return market_price if price is None else price


@dataclass(frozen=True, slots=True)
class PriceRow:
    """One row of a price list as it was typed, with prices in 元. `item_id` None is a new row."""

    item_id: int | None
    price_list_id: int
    product_id: int
    price: Decimal | None
    valid_to: date | None
    customer_name: str
    customer_code: str
    tier1_quantity: int | None = None
    tier1_price: Decimal | None = None
    tier2_quantity: int | None = None
    tier2_price: Decimal | None = None
    tier3_quantity: int | None = None
    tier3_price: Decimal | None = None

    @classmethod
    def from_item(cls, item: PriceListItem) -> Self:
        """Return the values of an item, which may be unsaved."""
        values = {
            field.name: getattr(item, field.name)
            for field in fields(cls)
            if field.name != "item_id"
        }
        return cls(item_id=item.pk, **values)

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON data. Prices are 元 as text."""
        values = asdict(self)
        for name in PRICE_FIELDS:
            values[name] = None if values[name] is None else str(values[name])
        values["valid_to"] = self.valid_to.isoformat() if self.valid_to else None
        return values

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return the row from the data of `as_json`."""
        valid_to = stored["valid_to"]
        # A proposal from before the tiers has none of their fields.
        prices = {name: stored.get(name) for name in PRICE_FIELDS}
        return cls(
            **{
                **stored,
                **{name: None if text is None else Decimal(text) for name, text in prices.items()},
                "valid_to": None if valid_to is None else date.fromisoformat(valid_to),
            }
        )


@dataclass(frozen=True, slots=True)
class RowChange:
    """The change of one row: the prices before and after, the difference (元), and its other
    fields before and after, as `OTHER_FIELDS`.
    """

    price_list: PriceList
    product: Product
    before: Prices
    after: Prices
    moved: Decimal
    others: tuple[tuple[Any, ...], tuple[Any, ...]]

    def __str__(self) -> str:
        return f"{self.product.code} {self.before} → {self.after}"

    @property
    def is_low(self) -> bool:
        """Whether the row gets a low price."""
        return has_low_price(self.before, self.after, self.product.market_price)

    @property
    def others_text(self) -> str:
        """Return the changes of the other fields in words; "" without any."""
        changes = [
            f"{label} {old or '空'} → {new or '空'}"
            for label, old, new in zip(OTHER_FIELDS.values(), *self.others, strict=True)
            if old != new
        ]
        return f"{self.product.code} {'，'.join(changes)}" if changes else ""


def list_row_changes(rows: Sequence[PriceRow]) -> list[RowChange]:
    """Return what the rows would change now. A new row is compared with the stored row of its list
    and product, if somebody has added one.

    Raises:
        PriceRowGone: somebody has deleted a list or a product.
        PriceRowMoved: a stored row would belong to another list or product. Its price there would
            be compared with the price of the old one.
    """
    lists = PriceList.objects.in_bulk([row.price_list_id for row in rows])
    products = Product.objects.in_bulk([row.product_id for row in rows])
    stored_items = PriceListItem.objects.filter(price_list__in=lists, product__in=products)
    of_place = {(item.price_list_id, item.product_id): item for item in stored_items}
    of_key = PriceListItem.objects.in_bulk([row.item_id for row in rows if row.item_id])
    changes = []
    for row in rows:
        price_list, product = lists.get(row.price_list_id), products.get(row.product_id)
        if price_list is None or product is None:
            raise PriceRowGone
        place = row.price_list_id, row.product_id
        item = of_key.get(row.item_id or 0, of_place.get(place))
        if item is not None and (item.price_list_id, item.product_id) != place:
            raise PriceRowMoved
        item = item or PriceListItem()
        before, after = Prices.from_row(item), Prices.from_row(row)
        cents = compute_price_move_cents(before, after, product.market_price)
        others = _get_other_values(item), _get_other_values(row)
        changes.append(RowChange(price_list, product, before, after, Decimal(cents) / 100, others))
    return changes


def _get_other_values(row: PriceRow | PriceListItem) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in OTHER_FIELDS)


def get_changed_today(*, person: Account) -> Decimal:
    """Return the sum of all price changes (元) that the person has made alone today: agreed and
    market prices, typed, deleted, by sheets and by batches. The limits judge it together with the
    next change of any kind, so that nobody avoids them by many small changes. Released acts do not
    count.
    """
    since = timezone.make_aware(datetime.combine(timezone.localdate(), time.min))
    cents = _sum_agreement_moves(person, since) + _sum_market_moves(person, since)
    return (
        Decimal(cents) / 100
        + _sum_imported_since(person, since)
        + _sum_batched_since(person, since)
    )


def _sum_batched_since(person: Account, since: datetime) -> Decimal:
    """Return by how many 元 the batches of this person have moved prices since then, also batches
    that were undone.
    """
    entries = _list_own_changes(person, since, model=PriceBatch, names=("rows_changed",))
    tiers = ((f"{name}_before", f"{name}_after") for name in TIER_PRICE_FIELDS)
    rows = PriceBatchRow.objects.filter(batch__in=[entry.object_id for entry in entries])
    moved_amounts = rows.aggregate(
        **{
            f"sum_{after}": Sum(Abs(F(after) - F(before), output_field=MoneyField()), default=ZERO)
            for before, after in (("before", "after"), *tiers)
        }
    )
    return sum(moved_amounts.values(), ZERO)


def _list_own_changes(
    person: Account, since: datetime, *, model: type[Model], names: Sequence[str]
) -> list[LogEntry]:
    """Return the log entries in which the person alone changed one of the fields."""
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(model), actor=person, timestamp__gte=since
    )
    return [
        entry
        for entry in entries
        if entry.changes
        and RELEASED_BY not in entry.changes
        and any(name in entry.changes for name in names)
    ]


def _sum_agreement_moves(person: Account, since: datetime) -> int:
    """Return how much the person moved agreement prices since `since`, in 分."""
    entries = _list_own_changes(person, since, model=PriceListItem, names=LOGGED_FIELDS)
    rows_by_item = _read_rows([entry.object_id for entry in entries])
    market_price_by_product: dict[int, Any] = dict(
        Product.objects.filter(
            pk__in={product_id for product_id, _ in rows_by_item.values()}
        ).values_list("pk", "market_price")
    )
    cents = 0
    for entry in entries:
        product_id, values = rows_by_item.get(entry.object_id, (0, {}))
        if product_id in market_price_by_product:
            cents += compute_price_move_cents(
                *_read_logged_prices(values, entry), market_price_by_product[product_id]
            )
    return cents


def _read_rows(keys: Sequence[int | None]) -> dict[int | None, tuple[int, dict[str, Any]]]:
    """Return {row: (product, present prices)} of changed rows. A deleted row has the values of the
    log entry that deleted it, whoever did that.
    """
    rows: dict[int | None, tuple[int, dict[str, Any]]] = {
        item.pk: (item.product_id, {name: getattr(item, name) for name in LOGGED_FIELDS})
        for item in PriceListItem.objects.in_bulk(keys).values()
    }
    missing_keys = set(keys) - rows.keys()
    if not missing_keys:
        return rows
    deleted = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(PriceListItem),
        action=LogEntry.Action.DELETE,
        object_id__in=missing_keys,
    )
    for entry in deleted:
        values = {
            name: _parse_number(name, entry.changes[name][0])
            for name in LOGGED_FIELDS
            if name in entry.changes
        }
        rows[entry.object_id] = (
            int(entry.changes["product"][0]),
            {**dict.fromkeys(LOGGED_FIELDS), **values},
        )
    return rows


def _sum_market_moves(person: Account, since: datetime) -> int:
    """Return how much the person moved market prices since `since`, in 分. A new product has no
    market price before, so it does not count.
    """
    entries = _list_own_changes(person, since, model=Product, names=("market_price",))
    changes = [
        [_parse_number("price", text) for text in entry.changes["market_price"]]
        for entry in entries
    ]
    return sum(
        int(abs(Decimal(after) - Decimal(before)) * 100)
        for before, after in changes
        if before is not None and after is not None
    )


def _read_logged_prices(
    current_values: Mapping[str, Any], entry: LogEntry
) -> tuple[Prices, Prices]:
    """Return the prices of the row before and after a log entry. Fields that the entry did not
    change count with their values in `current_values`.
    """
    before, after = (
        {
            name: _parse_number(name, entry.changes[name][side])
            for name in LOGGED_FIELDS
            if name in entry.changes
        }
        for side in (0, 1)
    )
    return Prices.from_values({**current_values, **before}), Prices.from_values(
        {**current_values, **after}
    )


def _parse_number(name: str, text: Any) -> Decimal | int | None:
    """Return the price or quantity of a log entry; None for the text of an empty one."""
    try:
        number = Decimal(str(text))
    except InvalidOperation:
        return None
    return number if name in PRICE_FIELDS else int(number)


def _sum_imported_since(person: Account, since: datetime) -> Decimal:
    """Return by how many 元 the price sheets of this person have moved prices since then, without
    sheets that a second person released. A sheet that was taken back counts as a whole if rows of
    it stay: it restores no price that somebody has changed after it.
    """
    runs = ImportRun.objects.filter(
        actor=person,
        kind__in=PRICE_SHEETS,
        made_at__gte=since,
        state__in=(*OPEN, ImportState.DONE, ImportState.TAKEN_BACK),
    ).values_list("state", "options", "report")
    cents = sum(
        options.get("moved_cents", 0)
        for state, options, report in runs
        if RELEASED_BY not in options
        and (state != ImportState.TAKEN_BACK or report.get("rows_left"))
    )
    return Decimal(cents) / 100 if cents else ZERO
