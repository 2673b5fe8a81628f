"""By how much prices change: one change, and what a person has changed alone today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, Self

from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils import timezone

from apps.catalog.models import Product
from apps.common.audit import RELEASED_BY
from apps.common.models import ImportRun
from apps.common.models.import_run import OPEN, ImportState
from apps.common.money import ZERO, yuan_text
from apps.org.models import Account
from apps.pricing.errors import PriceRowGone, PriceRowMoved
from apps.pricing.models import PriceList, PriceListItem

# The sheets that change prices: agreed prices, and products with their market prices.
PRICE_SHEETS = ("price_items", "products")
# The fields of a row that do not change the amount.
OTHER_FIELDS = {
    "valid_to": "有效期至",
    "customer_name": "客户品名",
    "customer_code": "客户物料编码",
}


def price_move_cents(before: Decimal | None, after: Decimal | None, market_price: Decimal) -> int:
    """Return the difference of two prices, up or down, in cents. Customers pay the market price
    where there is no price.
    """
    old = market_price if before is None else before
    new = market_price if after is None else after
    return int(abs(new - old) * 100)


@dataclass(frozen=True, slots=True)
class PriceRow:
    """One row of a price list as it was typed. `item_id` None is a new row; the price is in 元."""

    item_id: int | None
    price_list_id: int
    product_id: int
    price: Decimal | None
    valid_to: date | None
    customer_name: str
    customer_code: str

    @classmethod
    def of_item(cls, item: PriceListItem) -> Self:
        """Return the values of an item, which may be unsaved."""
        values = {one.name: getattr(item, one.name) for one in fields(cls) if one.name != "item_id"}
        return cls(item_id=item.pk, **values)

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON data."""
        values = asdict(self)
        values["price"] = None if self.price is None else str(self.price)
        values["valid_to"] = self.valid_to.isoformat() if self.valid_to else None
        return values

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return the row from the data of `as_json`."""
        price, valid_to = stored["price"], stored["valid_to"]
        return cls(
            **{
                **stored,
                "price": None if price is None else Decimal(price),
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
    before: Decimal | None
    after: Decimal | None
    moved: Decimal
    others: tuple[tuple[Any, ...], tuple[Any, ...]]

    def __str__(self) -> str:
        texts = ["市场价" if one is None else yuan_text(one) for one in (self.before, self.after)]
        return f"{self.product.code} {' → '.join(texts)}"

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
    stored = PriceListItem.objects.filter(price_list__in=lists, product__in=products)
    of_place = {(item.price_list_id, item.product_id): item for item in stored}
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
        before: Any = item.price
        cents = price_move_cents(before, row.price, product.market_price)
        others = _other_values(item), _other_values(row)
        changes.append(
            RowChange(price_list, product, before, row.price, Decimal(cents) / 100, others)
        )
    return changes


def _other_values(row: PriceRow | PriceListItem) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in OTHER_FIELDS)


def get_changed_today(*, person: Account) -> Decimal:
    """Return the sum of all price changes (元) that the person has made alone today: agreed and
    market prices, typed, deleted and by sheets. The limits judge it together with the next change,
    so that many small changes are no way around them. Batches and released acts do not count.
    """
    since = timezone.make_aware(datetime.combine(timezone.localdate(), time.min))
    cents = _agreed_since(person, since) + _market_since(person, since)
    return Decimal(cents) / 100 + _imported_since(person, since)


def _list_own_changes(
    person: Account, since: datetime, *, model: type[Model], field: str
) -> list[tuple[LogEntry, Decimal | None, Decimal | None]]:
    """Return the log entries in which the person alone changed the field, with both values."""
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(model), actor=person, timestamp__gte=since
    )
    return [
        (entry, *map(_parse_price, entry.changes[field]))
        for entry in entries
        if entry.changes and field in entry.changes and RELEASED_BY not in entry.changes
    ]


def _agreed_since(person: Account, since: datetime) -> int:
    changes = _list_own_changes(person, since, model=PriceListItem, field="price")
    items = PriceListItem.objects.filter(pk__in={entry.object_id for entry, *_ in changes})
    product_of: dict[int | None, int] = dict(items.values_list("pk", "product"))
    for entry, *_ in changes:
        # The entry of a deleted row names its product.
        if entry.action == LogEntry.Action.DELETE:
            product_of[entry.object_id] = int(entry.changes["product"][0])
    market: dict[int, Any] = dict(
        Product.objects.filter(pk__in=product_of.values()).values_list("pk", "market_price")
    )
    return sum(
        price_move_cents(before, after, market[product])
        for entry, before, after in changes
        if (product := product_of.get(entry.object_id)) in market
    )


def _market_since(person: Account, since: datetime) -> int:
    """A new product has no market price before, so it changes none."""
    changes = _list_own_changes(person, since, model=Product, field="market_price")
    return sum(
        price_move_cents(before, after, after)
        for _entry, before, after in changes
        if before is not None and after is not None
    )


def _parse_price(text: Any) -> Decimal | None:
    """Return the price of a log entry; None for the text of an empty one."""
    try:
        return Decimal(str(text))
    except InvalidOperation:
        return None


def _imported_since(person: Account, since: datetime) -> Decimal:
    runs = ImportRun.objects.filter(
        actor=person,
        kind__in=PRICE_SHEETS,
        made_at__gte=since,
        state__in=(*OPEN, ImportState.DONE),
    ).values_list("options", flat=True)
    cents = sum(options.get("moved_cents", 0) for options in runs if RELEASED_BY not in options)
    return Decimal(cents) / 100 if cents else ZERO
