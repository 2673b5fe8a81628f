"""The customers' terms as tables: price lists, assortments, agreements, and their holders.
`commercial.py` writes them as sheets.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class PriceList:
    """A price list. A `share` of the products of `scope` (category prefixes) gets a price
    between `low` and `high` times the market price.
    """

    code: str
    name: str
    kind: str
    valid: tuple[str, str]
    scope: tuple[str, ...]
    share: float
    low: float
    high: float
    naming: str
    code_format: str


PRICE_LISTS = (
    PriceList(
        "PL-XL-01",
        "星澜集团年度框架价",
        "contract",
        ("-540d", "+365d"),
        ("11", "12", "13", "15", "17", "18"),
        0.42,
        0.78,
        0.93,
        "spec",
        "XLM{0:07d}",
    ),
    PriceList(
        "PL-XL-02",
        "星澜精工劳保五金专项价",
        "contract",
        ("-200d", "+180d"),
        ("19", "22"),
        0.55,
        0.72,
        0.86,
        "spec",
        "XLB{0:07d}",
    ),
    PriceList(
        "PL-XL-03",
        "星澜集团自定协议价",
        "customer",
        ("-120d", "+240d"),
        ("11010101", "12010101", "12020101", "18010101"),
        0.3,
        0.68,
        0.76,
        "bid",
        "XLK{0:05d}",
    ),
    PriceList(
        "PL-XL-04",
        "星澜集团下一年度框架价",
        "contract",
        ("+30d", "+395d"),
        ("11", "12"),
        0.12,
        0.75,
        0.9,
        "spec",
        "XLM{0:07d}",
    ),
    PriceList(
        "PL-YF-01",
        "云阜城建集中采购价",
        "contract",
        ("-420d", "+300d"),
        ("11", "12", "19", "22", "23", "24"),
        0.4,
        0.8,
        0.94,
        "bid",
        "WZ-{0:06d}",
    ),
    PriceList(
        "PL-YF-02",
        "云阜物业清洁用品价",
        "contract",
        ("-90d", "+275d"),
        ("18", "16"),
        0.4,
        0.76,
        0.9,
        "short",
        "WY{0:05d}",
    ),
    PriceList(
        "PL-HK-01",
        "禾澄医药集团统一价",
        "group",
        ("-300d", "+420d"),
        ("11", "12", "18", "25"),
        0.3,
        0.85,
        0.95,
        "short",
        "HC{0:08d}",
    ),
    PriceList(
        "PL-QL-01",
        "青麓银行入围价",
        "contract",
        ("-365d", "+365d"),
        ("1101", "1102", "1103", "1201", "1202"),
        0.4,
        0.82,
        0.92,
        "bid",
        "QLB-{0:05d}",
    ),
    PriceList(
        "PL-JT-01",
        "景途物流已到期协议价",
        "contract",
        ("-700d", "-25d"),
        ("24", "19"),
        0.3,
        0.8,
        0.9,
        "short",
        "JT{0:05d}",
    ),
    PriceList(
        "PL-BX-01",
        "博笃教育目录价",
        "contract",
        ("-180d", "+540d"),
        ("11", "12", "21", "14"),
        0.25,
        0.93,
        0.97,
        "none",
        "",
    ),
)

# Columns: code, name, remark, rules. A rule is mode, kind and targets.
ASSORTMENTS: tuple[tuple[str, str, str, tuple[tuple[str, str, str], ...]], ...] = (
    ("AS-XL-01", "星澜集团通用目录", "办公、耗材、设备、家具、数码、小家电、食品、清洁、文体；不含通用耗材品牌彩珀", (
        ("include", "category", "1101 1102 1103 1201 1202 1203 1301 1302 1303 1401 1402 1403 1501 1502 1503"),
        ("include", "category", "1602 1603 1701 1702 1801 1802 1803 1901 2001 2101"),
        ("exclude", "brand", "B010"),
        ("exclude", "category", "160304"),
        ("exclude", "product", "130201 130202 150001"),
    )),
    ("AS-XL-02", "星澜精工生产物资目录", "仅精工可见：劳保、五金、电工", (
        ("include", "category", "1901 1902 1903 2201 2202 2203 2301 2302 2303"),
        ("exclude", "category", "190303"),
    )),
    ("AS-XL-03", "星澜集团自定协议商品", "与自定协议价同一批常购商品", (("include", "category", "11010101 12010101 12020101 18010101"),)),
    ("AS-YF-01", "云阜城建工程物资目录", "办公耗材与工程物资，不含采优选", (
        ("include", "category", "1101 1102 1103 1201 1202 1402 1403 1901 1902 1903 2201 2202 2203 2301 2302 2303 2401 2402 2403"),
        ("exclude", "brand", "B006 B043"),
        ("include", "product", "170001 170002 170003 170004"),
    )),
    ("AS-YF-02", "云阜物业清洁目录", "仅物业可见：清洁日化与家电", (("include", "category", "1801 1802 1803 1601 1602 1603"),)),
    ("AS-HK-01", "禾澄医药目录", "办公、耗材、清洁、医疗、个人防护", (
        ("include", "category", "1101 1102 1103 1201 1202 1203 1801 1802 1803 2501 2502 2503 1901"),
        ("exclude", "category", "250303"),
    )),
    ("AS-QL-01", "青麓银行办公目录", "只有办公用品与耗材，限定入围品牌", (
        ("include", "category", "1101 1102 1103 1201 1202"),
        ("exclude", "brand", "B003 B006 B010 B023"),
    )),
    ("AS-JT-01", "景途物流目录", "协议已到期", (("include", "category", "2401 2402 2403 1901"),)),
    ("AS-BX-01", "博笃教育全目录", "除五金工具与安防外全部商品", (
        ("include", "category", "1101 1102 1103 1201 1202 1203 1301 1302 1303 1401 1402 1403 1501 1502 1503 1601 1602 1603"),
        ("include", "category", "1701 1702 1703 1801 1802 1803 1901 1902 2001 2002 2101 2102 2103 2501 2502 2503"),
        ("exclude", "category", "17030101"),
    )),
)  # fmt: skip

# Columns: code, name, price list, assortment, first day, last day.
AGREEMENTS = (
    ("AG-XL-01", "星澜集团办公集采框架协议", "PL-XL-01", "AS-XL-01", "-540d", "+365d"),
    ("AG-XL-02", "星澜精工劳保五金专项协议", "PL-XL-02", "AS-XL-02", "-200d", "+180d"),
    ("AG-XL-03", "星澜集团常购商品自定价", "PL-XL-03", "AS-XL-03", "-120d", "+240d"),
    ("AG-XL-04", "星澜集团下一年度框架协议", "PL-XL-04", "AS-XL-01", "+30d", "+395d"),
    ("AG-YF-01", "云阜城建集中采购协议", "PL-YF-01", "AS-YF-01", "-420d", "+300d"),
    ("AG-YF-02", "云阜物业清洁用品协议", "PL-YF-02", "AS-YF-02", "-90d", "+275d"),
    ("AG-HK-01", "禾澄医药集团统一采购协议", "PL-HK-01", "AS-HK-01", "-300d", "+420d"),
    ("AG-QL-01", "青麓银行办公用品入围协议", "PL-QL-01", "AS-QL-01", "-365d", "+365d"),
    ("AG-JT-01", "景途物流包装物资协议（已到期）", "PL-JT-01", "AS-JT-01", "-700d", "-25d"),
    ("AG-BX-01", "博笃教育采购协议", "PL-BX-01", "AS-BX-01", "-180d", "+540d"),
)

# Columns: group, enterprise (or empty), agreement, priority.
CUSTOMER_AGREEMENTS = (
    ("XL", "", "AG-XL-03", "1"),
    ("XL", "XLJG", "AG-XL-02", "5"),
    ("XL", "", "AG-XL-01", "10"),
    ("XL", "", "AG-XL-04", "20"),
    ("YF", "YFWY", "AG-YF-02", "5"),
    ("YF", "", "AG-YF-01", "10"),
    ("HK", "", "AG-HK-01", "10"),
    ("QL", "QLYH", "AG-QL-01", "10"),
    ("JT", "", "AG-JT-01", "10"),
    ("BX", "", "AG-BX-01", "10"),
)
