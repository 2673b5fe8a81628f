"""Create the product rows of a third-level category. A family is one article in several
colours, sizes and packs.
"""

import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count

from apps.catalog.barcodes import compute_check_digit
from demo.generate.sheets import Row
from demo.generate.vocabulary import (
    PACK,
    Axis,
    Brand,
    Choice,
    Pack,
    Third,
    get_brands,
    list_groups,
    list_thirds,
)

COLUMNS = (
    "商品编码", "名称", "品牌编码", "三级分类编码", "型号", "条码", "单位", "包装规格", "基本单位", "内含数量", "起订量", "增量", "市场价", "税率", "税收分类编码",
    "库存", "交货天数", "销量", "状态", "是否公开", "上架日期", "属性", "图片", "关键词", "卖点", "详情",
)  # fmt: skip
WEIGHT = {"g": 1, "kg": 1000}
PAPER_SIZE = re.compile(r"[AB]\d")
FIRST_DAY, SHELF_DAYS = date(2022, 3, 1), 1200
LEAD_DAYS = {"14": (5, 12), "16": (2, 6), "13": (2, 6), "20": (3, 10), "24": (2, 5)}
SERVICE = (
    "正品保障，支持对公转账与月结。",
    "可开具增值税发票，支持集采议价。",
    "全国仓配直发，售后无忧。",
    "常备库存，急单可加急配送。",
)


SCENES = {
    "11": "适用于日常书写、文件归档与前台行政等场景。", "12": "适用于日常打印、票据与档案制作等场景。",
    "13": "适用于企业文印室、财务与会议室。", "14": "适用于写字楼、会议室与员工休息区，板材与五金均可提供检测报告。",
    "15": "适用于企业办公、远程会议与机房布线，支持批量部署。", "16": "适用于办公区、茶水间与员工宿舍，能效标识随机附带。",
    "17": "适用于会议接待、员工下午茶与食堂采购，保质期过半不发货。", "18": "适用于写字楼、酒店与公共卫生间的日常保洁。",
    "19": "适用于工厂、工地与仓库，可提供合格证与检测报告。", "20": "适用于商务馈赠、年会与员工福利，支持企业定制。",
    "21": "适用于培训教学、团建活动与会务布置。", "22": "适用于设备维修、安装与车间作业。",
    "23": "适用于写字楼、厂房与门店的照明和配电。", "24": "适用于仓库收发、电商打包与物流周转。",
    "25": "适用于企业医务室、前台与员工健康关怀。",
}  # fmt: skip


@dataclass(frozen=True)
class Variant:
    """One product of a family."""

    picks: tuple[tuple[Axis, Choice], ...]
    pack: Pack


@dataclass
class ModelNumbers:
    """Assign each article of a brand its own model number, e.g. `ML-1203`."""

    used: dict[str, "count[int]"] = field(default_factory=dict)

    def take(self, *, brand: Brand, third: Third) -> str:
        """Return the brand's next number. The first two digits identify the group and the
        shelf.
        """
        series = f"{brand.prefix}-{int(third.group) % 10}{int(third.code[4:6]) % 10}"
        return f"{series}{next(self.used.setdefault(series, count(3))):02d}"


def _create_rng(*parts: str) -> random.Random:
    return random.Random(zlib.crc32("/".join(parts).encode()))


def format_price(value: float) -> str:
    """Return a price as shops write it: 2.60, 18.50, 129.00, 1299.00 (元, tax included)."""
    if value < 10:
        return f"{max(round(value, 1), 0.3):.2f}"
    if value < 100:
        return f"{round(value * 2) / 2 - (0.1 if value > 30 else 0):.2f}"
    if value < 1000:
        return f"{round(value):.2f}"
    return f"{round(value / 10) * 10 - 1:.2f}"


def compute_unit_price(*, third: Third, noun: str, brand: Brand, variant: Variant) -> float:
    """Return the market price of one variant. Articles with the same noun cost about the same
    from every brand.
    """
    span: float = _create_rng(third.name, noun).random() * 0.7 + 0.1
    base: float = third.low * (third.high / third.low) ** span
    for _, choice in variant.picks:
        base *= choice.factor
    return base * brand.tier * variant.pack.factor


def choose_family(*, third: Third, rng: random.Random, size: int) -> list[Variant]:
    """Return up to `size` variants of one article: its colours, or else the values of its last
    axis, or else its packs. If there is room, the last variant is another pack of the first.
    """
    picks = {axis: rng.choice(axis.choices) for axis in third.axes}
    pack = rng.choice(third.packs)
    colours = next(
        (axis for axis in third.axes if axis.name == "颜色" and len(axis.choices) > 1), None
    )
    varied = colours or next((axis for axis in reversed(third.axes) if axis.is_named), None)
    if varied is None:
        packs = list({each.text: each for each in third.packs}.values())
        return [Variant(tuple(picks.items()), each) for each in packs[:size]]
    start = rng.randrange(len(varied.choices))
    values = [
        varied.choices[(start + step) % len(varied.choices)]
        for step in range(min(size, len(varied.choices)))
    ]
    rows = [Variant(tuple((picks | {varied: value}).items()), pack) for value in values]
    others = [each for each in third.packs if each.text != pack.text]
    if others and len(rows) < size:
        rows.append(Variant(rows[0].picks, rng.choice(others)))
    return rows


def _build_name(*, brand: Brand, model: str, noun: str, variant: Variant) -> str:
    colours = [choice.text for axis, choice in variant.picks if axis.name == "颜色"]
    others = [
        choice.text for axis, choice in variant.picks if axis.is_named and axis.name != "颜色"
    ]
    return " ".join(filter(None, [brand.name, model, noun, *others, *colours, variant.pack.text]))


def _choose_quantities(price: float, rng: random.Random) -> tuple[int, int]:
    """Return minimum and step of the order quantity. Cheap small articles are not sold singly."""
    if price < 2:
        return 10, 10
    if price < 5:
        return rng.choice(((5, 5), (1, 1), (2, 1)))
    return (2, 2) if price < 12 and rng.random() < 0.15 else (1, 1)


def _choose_stock(price: float, rng: random.Random) -> int:
    luck = rng.random()
    if luck < 0.012:
        return 0
    if luck < 0.04:
        return rng.randint(1, 9)
    return int(rng.randint(40, 400) * max(0.15, min(20.0, 120 / max(price, 1))))


def _called(third: Third, attributes: list[str]) -> list[str]:
    """Return the synonyms that are true for the product. A synonym with a paper size (A4纸)
    needs a product of that size.
    """
    sizes = {word for attribute in attributes for word in PAPER_SIZE.findall(attribute)}
    return [name for name in third.synonyms if set(PAPER_SIZE.findall(name)) <= sizes]


def read_contents(*, third: Third, pack: Pack) -> tuple[str, int]:
    """Return the base unit of a pack and the number of them: 支 and 12 for 12支/盒, 克 and 1000 for
    1kg/箱. A 箱 of 5 包 counts what is in a 包, if the category sells 包 too.
    """
    match = PACK.match(pack.text)
    if match is None:
        return pack.unit, 1
    inner, number = match["inner"], int(match["count"])
    if inner in WEIGHT:
        return "克", number * WEIGHT[inner]
    within = next((each for each in third.packs if each.unit == inner and each.text), None)
    if within is None:
        return inner, number
    base_unit, each = read_contents(third=third, pack=within)
    return base_unit, number * each


def build_barcode(code: str) -> str:
    """Return an invented EAN-13. GS1 keeps the numbers that begin with 20 for internal use."""
    digits = f"20{code:0>10}"
    return digits + compute_check_digit(digits)


def _build_row(
    *, code: str, third: Third, brand: Brand, noun: str, model: str, variant: Variant
) -> Row:
    rng = _create_rng(code, third.name)
    price = format_price(compute_unit_price(third=third, noun=noun, brand=brand, variant=variant))
    minimum, step = _choose_quantities(float(price), rng)
    low, high = LEAD_DAYS.get(third.group, (1, 3))
    attributes = [f"{axis.name}:{choice.text}" for axis, choice in variant.picks]
    sold = int(third.count**1.6 * rng.paretovariate(1.1) * max(0.3, min(6.0, 40 / float(price))))
    service = "送货上门，可预约安装。" if third.group in {"14", "16"} else rng.choice(SERVICE)
    lead = rng.randint(low, high)
    points = "，".join(third.points[:2])
    pack = variant.pack.text or f"1{variant.pack.unit}"
    base_unit, number = read_contents(third=third, pack=variant.pack)
    words = dict.fromkeys((third.name, noun, *_called(third, attributes), third.second))
    return {
        "商品编码": code, "名称": _build_name(brand=brand, model=model, noun=noun, variant=variant), "品牌编码": brand.code,
        "三级分类编码": third.code, "型号": model, "条码": build_barcode(code), "单位": variant.pack.unit, "包装规格": pack,
        "基本单位": base_unit, "内含数量": str(number),
        "起订量": str(minimum), "增量": str(step), "市场价": price, "税率": third.tax_rate, "税收分类编码": third.tax_code,
        "库存": str(_choose_stock(float(price), rng)), "交货天数": str(lead), "销量": str(min(sold, 98000)),
        "状态": "下架" if rng.random() < 0.011 else "在售", "是否公开": "否" if rng.random() < 0.025 else "是",
        "上架日期": (FIRST_DAY + timedelta(days=rng.randrange(SHELF_DAYS))).isoformat(),
        "属性": ";".join(attributes), "图片": f"{code}.svg", "关键词": ";".join(words), "卖点": ";".join(third.points),
        "详情": f"{brand.name}{noun}，{points}。{SCENES[third.group]}包装规格 {pack}，约 {lead} 个工作日发货。{service}",
    }  # fmt: skip


def iterate_third_rows(
    *, third: Third, models: ModelNumbers, codes: Iterator[str]
) -> Iterator[Row]:
    """Yield the rows of one category: families of at most four, with brands and nouns in
    rotation.

    Raises:
        ValueError: two products of the category have the same name.
    """
    rng = _create_rng("family", third.code, third.name)
    left, round_no, names = third.count, 0, set[str]()
    start = rng.randrange(len(third.brands))
    while left:
        brand = get_brands()[third.brands[(start + round_no) % len(third.brands)]]
        noun = third.nouns[round_no % len(third.nouns)]
        variants = choose_family(
            third=third, rng=rng, size=min(left, 1 if third.count < 5 else rng.randint(2, 4))
        )
        model, last = "", None
        for variant in variants:
            sizes = tuple(choice for axis, choice in variant.picks if axis.name != "颜色")
            model = model if sizes == last else models.take(brand=brand, third=third)
            last = sizes
            row = _build_row(
                code=next(codes), third=third, brand=brand, noun=noun, model=model, variant=variant
            )
            if row["名称"] in names:
                raise ValueError(f"{third.name}: {row['名称']}")
            names.add(row["名称"])
            yield row
        left, round_no = left - len(variants), round_no + 1


def iterate_product_rows() -> Iterator[Row]:
    """Yield all product rows. Codes count within a menu group, so a change in one group does
    not change the codes of the others.
    """
    models = ModelNumbers()
    codes = {group.code: count(1) for group in list_groups()}
    for third in list_thirds():
        numbers = codes[third.group]
        yield from iterate_third_rows(
            third=third, models=models, codes=(f"{third.group}{number:04d}" for number in numbers)
        )
