"""The commercial sheets: price lists with the customers' own names and material codes,
assortments, agreements.
"""

import random
import zlib
from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_UP, Decimal

from demo.generate.sheets import ENTERPRISE, Row, write_sheet
from demo.generate.terms import AGREEMENTS, ASSORTMENTS, CUSTOMER_AGREEMENTS, PRICE_LISTS, PriceList
from demo.generate.vocabulary import list_thirds

LIST_COLUMNS = ("编码", "名称", "类型", "生效日", "失效日")
ITEM_COLUMNS = ("编码", "商品编码", "协议价", "客户品名", "客户物料编码")
TIER_COLUMNS = (
    "编码", "商品编码", "协议价",
    *(f"阶梯{number}{what}" for number in (1, 2, 3) for what in ("数量", "单价")),
)  # fmt: skip
ASSORTMENT_COLUMNS = ("编码", "名称", "说明")
RULE_COLUMNS = ("编码", "模式", "类型", "目标")
AGREEMENT_COLUMNS = ("编码", "名称", "价目表", "商品范围", "生效日", "失效日")
CUSTOMER_COLUMNS = ("集团", "企业", "协议", "优先级")
UNNAMED_SHARE = 0.35
# The list whose products have tiers (阶梯价): one in TIERED_EVERY, if its price is in TIERED_PRICES.
TIERED_LIST, TIERED_EVERY = "PL-XL-01", 10
TIERED_PRICES = (Decimal(2), Decimal(120))
# From this many minimum quantities on, a unit costs this share of the price.
TIERS = ((10, Decimal("0.96")), (50, Decimal("0.91")), (200, Decimal("0.87")))
CENT = Decimal("0.01")


def _list_values(product: Row) -> list[str]:
    return [part.partition(":")[2] for part in product["属性"].split(";") if part]


def build_customer_name(*, naming: str, product: Row, third: str) -> str:
    """Return the name that the customer uses for the product. Each customer has its own style."""
    values = _list_values(product)
    if naming == "spec":
        return f"{third}（{'/'.join([*values, product['包装规格']])}）"
    if naming == "bid":
        return f"【集采】{product['关键词'].split(';')[1]} {' '.join(values)}".strip()
    if naming == "short":
        return f"{third}-{product['型号']}{'-' + values[-1] if values else ''}"
    return ""


def _iterate_items(
    price_list: PriceList, products: Iterable[Row], names: dict[str, str]
) -> Iterator[Row]:
    rng = random.Random(zlib.crc32(price_list.code.encode()))
    number = rng.randrange(100, 900)
    for product in products:
        if (
            not product["三级分类编码"].startswith(price_list.scope)
            or rng.random() > price_list.share
        ):
            continue
        number += rng.randrange(1, 7)
        rate = Decimal(str(round(rng.uniform(price_list.low, price_list.high), 3)))
        has_own_name = price_list.naming != "none" and rng.random() > UNNAMED_SHARE
        third = names[product["三级分类编码"]]
        yield {
            "编码": price_list.code, "商品编码": product["商品编码"],
            "协议价": str((Decimal(product["市场价"]) * rate).quantize(Decimal("0.01"), ROUND_HALF_UP)),
            "客户品名": build_customer_name(naming=price_list.naming, product=product, third=third) if has_own_name else "",
            "客户物料编码": price_list.code_format.format(number) if price_list.code_format else "",
        }  # fmt: skip


def _iterate_tiers(items: Iterable[Row], minimums: dict[str, int]) -> Iterator[Row]:
    """Yield the rows of the products with tiers. Which products they are, and whether they have two
    or three, depends on their codes alone.
    """
    for item in items:
        number = zlib.crc32(f"tier {item['商品编码']}".encode())
        price, minimum = Decimal(item["协议价"]), minimums[item["商品编码"]]
        is_tiered = number % TIERED_EVERY == 0 and item["编码"] == TIERED_LIST
        if not is_tiered or not TIERED_PRICES[0] <= price <= TIERED_PRICES[1]:
            continue
        row = dict.fromkeys(TIER_COLUMNS, "") | {name: item[name] for name in TIER_COLUMNS[:3]}
        for place, (quantity, rate) in enumerate(TIERS[: 2 + number // TIERED_EVERY % 2], start=1):
            row[f"阶梯{place}数量"] = str(quantity * minimum)
            row[f"阶梯{place}单价"] = str((price * rate).quantize(CENT, ROUND_HALF_UP))
        yield row


def _iterate_rules() -> Iterator[tuple[str, str, str, str]]:
    for code, _, _, rules in ASSORTMENTS:
        for mode, kind, targets in rules:
            for target in targets.split():
                yield code, mode, kind, target


def _iterate_table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[Row]:
    for row in rows:
        yield dict(zip(columns, row, strict=True))


def write_commercial(products: list[Row]) -> dict[str, int]:
    """Write the commercial sheets for these products and return the number of rows in each."""
    names = {third.code: third.name for third in list_thirds()}
    lists = ((each.code, each.name, each.kind, *each.valid) for each in PRICE_LISTS)
    items = [item for each in PRICE_LISTS for item in _iterate_items(each, products, names)]
    minimums = {product["商品编码"]: int(product["起订量"]) for product in products}
    assortments = ((code, name, text) for code, name, text, _ in ASSORTMENTS)
    sheets: dict[str, tuple[tuple[str, ...], Iterable[Row]]] = {
        "price_lists.csv": (LIST_COLUMNS, _iterate_table(LIST_COLUMNS, lists)),
        "price_list_items.csv": (ITEM_COLUMNS, items),
        "price_tiers.csv": (TIER_COLUMNS, _iterate_tiers(items, minimums)),
        "assortments.csv": (ASSORTMENT_COLUMNS, _iterate_table(ASSORTMENT_COLUMNS, assortments)),
        "assortment_rules.csv": (RULE_COLUMNS, _iterate_table(RULE_COLUMNS, _iterate_rules())),
        "agreements.csv": (AGREEMENT_COLUMNS, _iterate_table(AGREEMENT_COLUMNS, AGREEMENTS)),
        "customer_agreements.csv": (
            CUSTOMER_COLUMNS,
            _iterate_table(CUSTOMER_COLUMNS, CUSTOMER_AGREEMENTS),
        ),
    }
    return {
        name: write_sheet(ENTERPRISE / name, columns, rows)
        for name, (columns, rows) in sheets.items()
    }
