"""The measurements of bench_finder. Runs in its own process on its own database; prints JSON.
BENCH_FINDER_ROWS=100000 for fewer rows.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.copies import multiply_row
from bench.in_process import print_measure
from bench.orders_measure import measure_p50
from bench.scale import size

# Rows of 适用机型, and as many of 型号对照.
ROWS = size(1_000_000, 500, "BENCH_FINDER_ROWS")
PRODUCTS = size(20_000, 100)
BRANDS, EACH = 20, 50  # EACH: products of a device
DEVICES = max(ROWS // EACH, BRANDS)
# Written set-wise: each statement writes a whole table.
FILL = (
    "INSERT INTO finders_devicebrand (name, english_name, position) "
    "SELECT '品牌' || n, 'MAKER' || n, n FROM generate_series(1, {brands}) n",
    "INSERT INTO finders_device (brand_id, model, model_key, aliases, kind) "
    "SELECT b.id, 'BX-' || n, 'bx' || n, '', 'printer' FROM generate_series(1, {devices}) n "
    "JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM finders_devicebrand "
    "WHERE english_name LIKE 'MAKER%') b ON b.place = n % {brands}",
    "INSERT INTO finders_devicename (device_id, key) "
    "SELECT id, model_key FROM finders_device WHERE model_key LIKE 'bx%'",
    "INSERT INTO finders_devicecompatibility (device_id, product_id, kind, note) "
    "SELECT d.id, p.id, 'compatible', '' FROM (SELECT id, row_number() OVER (ORDER BY id) AS n "
    "FROM finders_device WHERE model_key LIKE 'bx%') d "
    "CROSS JOIN generate_series(0, {each} - 1) step "
    "JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM catalog_product) p "
    "ON p.place = (d.n * 7 + step * 31) % {products} ON CONFLICT DO NOTHING",
    "INSERT INTO finders_crossreference "
    "(brand, part_number, part_key, name, name_key, product_id, kind, note) "
    "SELECT '品牌' || n % {brands}, 'XR-' || n, 'xr' || n, '', '', p.id, 'equal', '' "
    "FROM generate_series(1, {references}) n "
    "JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM catalog_product) p "
    "ON p.place = n % {products}",
)
TABLES = ("device", "devicename", "devicecompatibility", "crossreference", "devicebrand")


def fill() -> None:
    """Write the products, devices, compatibilities and cross references."""
    from django.db import connection

    from apps.catalog.models import Product
    from apps.catalog.tests.factories import ProductFactory

    first = ProductFactory(name="易加粉硒鼓 黑色")
    multiply_row(
        Product, first.pk, PRODUCTS - 1, code="'7' || lpad(n::text, 8, '0')", sales_count="n"
    )
    numbers = {
        "brands": BRANDS,
        "devices": DEVICES,
        "each": EACH,
        "products": PRODUCTS,
        "references": ROWS,
    }
    with connection.cursor() as cursor:
        for sql in FILL:
            cursor.execute(sql.format(**numbers))
        cursor.execute("ANALYZE")


def measure() -> dict[str, float]:
    """Return the medians in milliseconds, and the number of rows."""
    from apps.catalog.models import Product
    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from apps.finders.models import Device, DeviceCompatibility

    with platform_scope(reason="bench"):
        fill()
        rows = DeviceCompatibility.objects.count()
        device = Device.objects.order_by("-pk")[0]
        fitting = DeviceCompatibility.objects.filter(device=device)[0]
        product = Product.objects.get(pk=fitting.product_id)
    client = ApiClient()

    def get(path: str, **query: str) -> Callable[[], object]:
        return lambda: client.get(path, query)

    calls: dict[str, Callable[[], object]] = {
        "empty view": lambda: client.post("/api/Empty"),
        "brands of devices": get("/api/Device/Brands"),
        "devices of a brand": get("/api/Device", BrandId=str(device.brand_id)),
        "devices by a typed model": get("/api/Device", Key=device.model[:6]),
        "products of a device": get(f"/api/Device/{device.pk}/Products"),
        "devices of a product": get(f"/api/Product/{product.code}/Devices"),
        "search by part number": get("/api/Product", Keyword=f"XR-{ROWS}", Facets="0"),
        "search by device": get("/api/Product", Keyword=device.model, Facets="0"),
    }
    return {"rows": rows, **{name: measure_p50(ask) for name, ask in calls.items()}}


if __name__ == "__main__":
    print_measure(measure)
