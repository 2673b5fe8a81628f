"""Chinese addresses: the four levels 省 市 区县 街道 from a packaged data set
(docs/dependencies.md, Data), and the parser of pasted text, such as 上海市浦东新区张江路88号 张三
13800138000.

For the four municipalities, province and city have the same name. A city without districts has one
district with the city's name.
"""

from __future__ import annotations

import json
import lzma
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

Regions = dict[str, dict[str, dict[str, list[str]]]]
DATA = Path(__file__).parent / "data" / "china.json.xz"
PROVINCE_ENDS = ("特别行政区", "维吾尔自治区", "壮族自治区", "回族自治区", "自治区", "省", "市")
CITY_ENDS = ("市", "地区", "盟")
DISTRICT_ENDS = ("新区", "区", "县", "市", "旗")


@cache
def get_regions() -> Regions:
    """Return {province: {city: {district: [street]}}}. The file is read once per process."""
    loaded_regions: Regions = json.loads(lzma.decompress(DATA.read_bytes()))
    return loaded_regions


def list_regions(*, province: str = "", city: str = "", district: str = "") -> list[str]:
    """Return the names one level below the given names (provinces, cities, districts, streets).
    Empty for an unknown name.
    """
    if not province:
        return list(get_regions())
    cities = get_regions().get(province, {})
    if not city:
        return list(cities)
    districts = cities.get(city, {})
    return list(districts.get(district, [])) if district else list(districts)


def shorten_place_name(name: str, ends: tuple[str, ...]) -> str:
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
    if province not in get_regions():
        return "province", f"没有名为“{province}”的省份，请填写全称"
    if city not in get_regions()[province]:
        return "city", f"“{province}”没有名为“{city}”的城市，请填写全称"
    if district and district not in get_regions()[province][city]:
        return "district", f"“{city}”没有名为“{district}”的区县，请填写全称"
    return None


MOBILE = re.compile(r"(?<![0-9])(?:\+?86[- ]?)?(1[3-9][0-9][- ]?[0-9]{4}[- ]?[0-9]{4})(?![0-9])")
LANDLINE = re.compile(r"(?<![0-9-])(0[0-9]{2,3}-?[0-9]{7,8}(?:-[0-9]{1,6})?)(?![0-9])")
POSTAL_CODE = re.compile(r"(?<![0-9])([0-9]{6})(?![0-9])")
LABEL = (
    r"(?:收货人|收件人|联系人|姓名|手机号码|手机号|手机|联系电话|电话|所在地区|收货地址|详细地址|"
    r"地址|邮政编码|邮编)"
)
LABELS = re.compile(rf"{LABEL}\s*[:：]\s*")
# A label without a colon before the number: 邮编830000.
LONE_LABEL = re.compile(LABEL)
NAME_LABEL = re.compile(r"(?:收货人|收件人|联系人|姓名)\s*[:：]\s*([^\s,，;；:：0-9]{2,20})")
BREAKS = re.compile(r"[\s,，;；、|。]+")
NAME = re.compile(
    r"[㐀-鿿𠀀-\U0003ffff·]{2,4}(?:先生|女士|小姐|老师|经理)?|[A-Za-z][A-Za-z .]{1,30}"
)
PLACE_WORDS = re.compile(r"[省市区县镇乡路街道巷号楼室层栋座村园厦]")
# A name directly after the number of the house or the room, without a space.
TAIL_NAME = re.compile(r"(?<=[号室楼层座栋])([一-鿿]{2,4})$")


@dataclass(frozen=True, slots=True)
class ParsedAddress:
    """The parts of a parsed address. A missing part is ""."""

    receiver: str = ""
    mobile: str = ""
    province: str = ""
    city: str = ""
    district: str = ""
    town: str = ""
    street: str = ""
    postal_code: str = ""


def address_parse(text: str) -> ParsedAddress:
    """Return the parts of a pasted address. The parts may be in any order. Text that matches no
    other part goes into the street.
    """
    text = unicodedata.normalize("NFKC", text)
    name_label = NAME_LABEL.search(text)
    receiver = name_label[1] if name_label else ""
    if name_label:
        text = text[: name_label.start()] + " " + text[name_label.end() :]
    mobile, text = _cut_match(MOBILE, text)
    if not mobile:
        mobile, text = _cut_match(LANDLINE, text)
    postal_code, text = _cut_match(POSTAL_CODE, text)
    pieces = [
        piece
        for piece in BREAKS.split(LABELS.sub(" ", text))
        if piece and not LONE_LABEL.fullmatch(piece)
    ]
    if not receiver:
        receiver, pieces = _find_receiver(pieces)
    place = _parse_place("".join(pieces))
    if not receiver and (tail := TAIL_NAME.search(place.street)):
        receiver, place = tail[1], replace(place, street=place.street[: tail.start()])
    return replace(
        place,
        receiver=receiver,
        mobile=re.sub(r"[- ]", "", mobile) if mobile[:1] == "1" else mobile,
        postal_code=postal_code,
    )


def _cut_match(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    match = pattern.search(text)
    return (match[1], text[: match.start()] + " " + text[match.end() :]) if match else ("", text)


def _find_receiver(pieces: list[str]) -> tuple[str, list[str]]:
    """Return (receiver name, other pieces). The receiver is the last piece that looks like a
    name and does not begin with a place name.
    """
    for index in reversed(range(len(pieces))):
        piece = pieces[index]
        if (
            len(pieces) > 1
            and NAME.fullmatch(piece)
            and not PLACE_WORDS.search(piece[1:])
            and not _parse_place(piece).province
        ):
            return piece, pieces[:index] + pieces[index + 1 :]
    return "", pieces


def _match_length(text: str, name: str, ends: tuple[str, ...]) -> int:
    """Return how many characters at the start of the text match this place name, in its full or
    short form. 0 if it does not match.
    """
    if text.startswith(name):
        return len(name)
    brief = shorten_place_name(name, ends)
    # 上海路 is a street, 上海 a city; 朝阳区 is a district, 朝阳 a city.
    return (
        len(brief)
        if text.startswith(brief) and text[len(brief) : len(brief) + 1] not in tuple("路街道区县")
        else 0
    )


def _find_longest_name(text: str, names: list[str], ends: tuple[str, ...]) -> tuple[str, int]:
    """Return (longest of the names that the text begins with, number of matching characters)."""
    longest = max(((_match_length(text, name, ends), name) for name in names), default=(0, ""))
    return (longest[1], longest[0]) if longest[0] else ("", 0)


def _parse_place(text: str) -> ParsedAddress:
    """Return province, city, district and the remaining text. A part that is not named is derived
    from the others if they determine it, otherwise it is empty.
    """
    all_regions = get_regions()
    province, size = _find_longest_name(text, list(all_regions), PROVINCE_ENDS)
    text_after = text[size:]
    cities = (
        all_regions[province]
        if province
        else {city: areas for all_of in all_regions.values() for city, areas in all_of.items()}
    )
    city, size = _find_longest_name(text_after, list(cities), CITY_ENDS)
    text_after = text_after[size:]
    if city and not province:
        province = next(name for name, all_of in all_regions.items() if city in all_of)
    if not city and province:
        city = province if province in all_regions[province] else ""
    district, city, province, size = _find_district(text_after, province, city)
    text_after = text_after[size:]
    town = next(
        (name for name in _list_towns(province, city, district) if text_after.startswith(name)), ""
    )
    return ParsedAddress(
        province=province, city=city, district=district, town=town, street=text_after[len(town) :]
    )


def _find_district(text: str, province: str, city: str) -> tuple[str, str, str, int]:
    """Return (district, city, province, length). Search below the city if it is known.
    Otherwise the name must be unique below the province or in the country.
    """
    all_regions = get_regions()
    if city:
        areas = all_regions[province][city]
        district, size = _find_longest_name(text, list(areas), DISTRICT_ENDS)
        # A city without districts has one district with the city's name.
        return (
            (next(iter(areas)) if not district and list(areas) == [city] else district),
            city,
            province,
            size,
        )
    within = {province: all_regions[province]} if province else all_regions
    places = [
        (len(area), area, town, name)
        for name, all_of in within.items()
        for town, areas in all_of.items()
        for area in areas
        if text.startswith(area)
    ]
    longest = [place for place in places if place[0] == max(places)[0]]
    if len(longest) != 1:
        return "", city, province, 0
    size, district, city, province = longest[0]
    return district, city, province, size


def _list_towns(province: str, city: str, district: str) -> list[str]:
    return (
        sorted(get_regions()[province][city][district], key=len, reverse=True) if district else []
    )
