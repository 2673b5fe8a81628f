"""耗材查找: devices of a brand, the products that fit a device, and the devices of a product. A
customer sees only devices with products of the own catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from apps.catalog.errors import ProductNotFound
from apps.catalog.indexing.text import build_model_key
from apps.common.sql import Fragment, all_of, fetch_prepared
from apps.finders.enums import CompatibilityKind, DeviceKind
from apps.finders.models import DeviceBrand
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers, get_offers_by_code
from apps.pricing.sql.products import build_for_sale_conditions
from apps.search.errors import DeviceUnavailable
from apps.search.sql.conditions import build_prefix_condition, fetch_rows

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_DEVICES = 50
MAX_FITTING = 100
MAX_OF_PRODUCT = 300
DEVICES = """
SELECT d.id, d.model, d.aliases, d.kind, b.id, b.name, b.english_name FROM finders_device d
JOIN finders_devicebrand b ON b.id = d.brand_id
WHERE {where} ORDER BY d.model_key, d.id LIMIT {limit}
"""
FITTING = """
SELECT f.product_id, f.kind, f.note, c.id, c.name FROM finders_devicecompatibility f
JOIN catalog_product p ON p.id = f.product_id JOIN catalog_category c ON c.id = p.l3_id
WHERE f.device_id = %s AND {where}
ORDER BY c.position, c.id, CASE WHEN p.stock > p.reserved THEN 0 ELSE 1 END,
    p.sales_count DESC, p.id LIMIT {limit}
"""
HAS_PRODUCTS = """EXISTS (
    SELECT 1 FROM finders_devicecompatibility f JOIN catalog_product p ON p.id = f.product_id
    WHERE f.device_id = d.id AND {sale}
)"""
OF_PRODUCT = """
SELECT d.id, d.model, d.aliases, d.kind, b.id, b.name, b.english_name, f.kind, f.note
FROM finders_devicecompatibility f JOIN finders_device d ON d.id = f.device_id
JOIN finders_devicebrand b ON b.id = d.brand_id
WHERE f.product_id = %s ORDER BY b.position, b.id, d.model_key, d.id LIMIT {limit}
"""


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A device with its brand."""

    pk: int
    model: str
    aliases: str
    kind: str
    brand_id: int
    brand: str
    english_name: str

    @property
    def kind_text(self) -> str:
        """The label of the kind: 一体机."""
        return str(DeviceKind(self.kind).label)


@dataclass(frozen=True, slots=True)
class DeviceOfProduct:
    """A device that a product fits."""

    device: DeviceRow
    kind: str
    note: str

    @property
    def kind_text(self) -> str:
        """原装 or 兼容."""
        return str(CompatibilityKind(self.kind).label)


@dataclass(frozen=True, slots=True)
class FittingProduct(Offer):
    """A product that fits the device, with its third-level category."""

    kind: str
    note: str
    category_id: int
    category_name: str

    @property
    def kind_text(self) -> str:
        """原装 or 兼容."""
        return str(CompatibilityKind(self.kind).label)


@dataclass(frozen=True, slots=True)
class DeviceProducts:
    """A device and the products of the customer's catalogue that fit it."""

    context: CatalogueContext
    device: DeviceRow
    products: tuple[FittingProduct, ...]


def list_device_brands() -> list[DeviceBrand]:
    """Return the brands of devices in order. One query."""
    return list(DeviceBrand.objects.all())


def list_devices(
    *, actor: Account | None, brand_id: int | None, key: str
) -> tuple[CatalogueContext, list[DeviceRow]]:
    """Return the actor's catalogue, and at most 50 devices of the brand whose model or alias starts
    with the key, if products of that catalogue fit them.
    """
    context = get_catalogue_context(actor=actor)
    where = [_build_product_condition(context)]
    if brand_id is not None:
        where.append(Fragment("d.brand_id = %s", [brand_id]))
    if prefix := build_model_key(key):
        where.append(
            build_prefix_condition(
                "d.id IN (SELECT n.device_id FROM finders_devicename n WHERE {})", "n.key", prefix
            )
        )
    condition = all_of(where)
    sql = DEVICES.format(where=condition.sql, limit=MAX_DEVICES)
    return context, [DeviceRow(*row) for row in fetch_rows(sql, condition.parameters)]


def _build_product_condition(context: CatalogueContext) -> Fragment:
    sale = all_of(build_for_sale_conditions(context, "p"))
    return Fragment(
        HAS_PRODUCTS.format(sale=sale.sql),
        sale.parameters,
    )


def get_device_products(*, actor: Account | None, device_id: int) -> DeviceProducts:
    """Return the device with the products that fit it, by category, products in stock first. At
    most 100 products. Four queries.

    Raises:
        DeviceUnavailable: there is no such device.
    """
    context = get_catalogue_context(actor=actor)
    rows = fetch_prepared(DEVICES.format(where="d.id = %s", limit=1), [device_id])
    if not rows:
        raise DeviceUnavailable
    where = all_of(build_for_sale_conditions(context, "p"))
    fitting = fetch_rows(
        FITTING.format(where=where.sql, limit=MAX_FITTING), [device_id, *where.parameters]
    )
    offers = get_offers(context=context, product_ids=[row[0] for row in fitting])
    return DeviceProducts(
        context,
        DeviceRow(*rows[0]),
        tuple(
            FittingProduct(
                **{field.name: getattr(offers[product_id], field.name) for field in fields(Offer)},
                kind=kind,
                note=note,
                category_id=category_id,
                category_name=category_name,
            )
            for product_id, kind, note, category_id, category_name in fitting
            if product_id in offers
        ),
    )


def list_devices_of_product(
    *, actor: Account | None, product_code: str
) -> tuple[CatalogueContext, Sequence[DeviceOfProduct]]:
    """Return the actor's catalogue, and the devices that the product fits, by brand, at most 300.
    Three queries.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
    """
    context = get_catalogue_context(actor=actor)
    offer = get_offers_by_code(context=context, codes=[product_code]).get(product_code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    rows = fetch_prepared(OF_PRODUCT.format(limit=MAX_OF_PRODUCT), [offer.product.pk])
    return context, [DeviceOfProduct(DeviceRow(*row[:7]), row[7], row[8]) for row in rows]
