"""The four levels of an address, 省 市 区县 街道, from a packaged data set (docs/dependencies.md,
Data).

For the four municipalities, province and city have the same name. A city without districts has one
district with the city's name.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path

Regions = dict[str, dict[str, dict[str, list[str]]]]
DATA = Path(__file__).parent / "data" / "china.json.xz"
PROVINCE_ENDS = ("特别行政区", "维吾尔自治区", "壮族自治区", "回族自治区", "自治区", "省", "市")
CITY_ENDS = ("市", "地区", "盟")
DISTRICT_ENDS = ("新区", "区", "县", "市", "旗")


@cache
def regions() -> Regions:
    """Return {province: {city: {district: [street]}}}. The file is read once per process."""
    found: Regions = json.loads(lzma.decompress(DATA.read_bytes()))
    return found


def list_regions(*, province: str = "", city: str = "", district: str = "") -> list[str]:
    """Return the names one level below the given names (provinces, cities, districts, streets).
    Empty for an unknown name.
    """
    if not province:
        return list(regions())
    cities = regions().get(province, {})
    if not city:
        return list(cities)
    districts = cities.get(city, {})
    return list(districts.get(district, [])) if district else list(districts)


def short(name: str, ends: tuple[str, ...]) -> str:
    """Return a place name without its suffix, as people write it: 上海, 内蒙古. Returns the full
    name if only one character would be left.
    """
    for end in ends:
        if name.endswith(end) and len(name) - len(end) >= 2:
            return name[: -len(end)]
    return name


def find_region_problem(*, province: str, city: str, district: str) -> tuple[str, str] | None:
    """Return (level, message) for the first level that does not belong to the level above, or
    None. A missing district is allowed.
    """
    if province not in regions():
        return "province", f"没有名为“{province}”的省份，请填写全称"
    if city not in regions()[province]:
        return "city", f"“{province}”没有名为“{city}”的城市，请填写全称"
    if district and district not in regions()[province][city]:
        return "district", f"“{city}”没有名为“{district}”的区县，请填写全称"
    return None
