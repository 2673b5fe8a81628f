"""The vocabulary tables as objects: groups, categories, brands, and the ingredients of the
products of each third-level category.

A line of `vocab/NN_*.txt` is a third-level category:

    name|picture kind|number of products|price range|packs|nouns|axes|selling points

An axis is `name=value,value*price factor`. The product's name contains its value if the axis has
several values (`!name` keeps it out).

A pack is a unit (`支`), a multiple (`12支/盒`), or `=500张/包*factor` if the price range applies to the
pack itself.
"""

import re
from dataclasses import dataclass, field
from functools import cache

from demo.generate.sheets import VOCAB, read_text_lines

PACK = re.compile(r"^(?P<count>[\d.]+)(?P<inner>[^/\d]+)/(?P<unit>.+)$")


@dataclass(frozen=True)
class Choice:
    """One value of an axis and its price factor."""

    text: str
    factor: float


@dataclass(frozen=True)
class Axis:
    """One attribute in which the products of a category differ."""

    name: str
    choices: tuple[Choice, ...]
    is_named: bool


@dataclass(frozen=True)
class Pack:
    """The packaging of an article; `text` is empty for a single piece."""

    text: str
    unit: str
    factor: float


@dataclass(frozen=True)
class Brand:
    """An invented brand; `tier` multiplies prices."""

    code: str
    name: str
    english: str
    prefix: str
    tier: float
    profile: str


@dataclass(frozen=True)
class Third:
    """A third-level category and the ingredients of its products."""

    code: str
    name: str
    second: str
    group: str
    kind: str
    count: int
    low: float
    high: float
    packs: tuple[Pack, ...]
    nouns: tuple[str, ...]
    axes: tuple[Axis, ...]
    points: tuple[str, ...]
    brands: tuple[str, ...]
    tax_code: str
    tax_rate: str
    synonyms: tuple[str, ...]


@dataclass
class Node:
    """A group or a category of any level, in menu order."""

    code: str
    name: str
    level: int
    children: list["Node"] = field(default_factory=list)
    third: Third | None = None


def parse_pack(text: str) -> Pack:
    """Return a pack. `12支/盒` multiplies the price of a piece by almost 12, because a pack is a
    little cheaper than its pieces. `=500张/包` keeps the price; `=500张/包*3` multiplies it by 3.
    """
    is_own_price = text.startswith("=")
    body, _, factor = text.lstrip("=").partition("*")
    match = PACK.match(body)
    if match is None:
        return Pack(text="", unit=body, factor=1.0)
    if is_own_price:
        return Pack(text=body, unit=match["unit"], factor=float(factor or 1))
    return Pack(text=body, unit=match["unit"], factor=float(match["count"]) ** 0.97)


def parse_axes(text: str) -> tuple[Axis, ...]:
    """Return the axes of `名=值,值*1.2;!名=值`."""
    axes = []
    for part in filter(None, text.split(";")):
        name, _, values = part.partition("=")
        choices = []
        for value in values.split(","):
            result, _, factor = value.partition("*")
            choices.append(Choice(text=result, factor=float(factor or 1)))
        axes.append(
            Axis(
                name=name.lstrip("!"),
                choices=tuple(choices),
                is_named=not name.startswith("!") and len(choices) > 1,
            )
        )
    return tuple(axes)


@cache
def get_brands() -> dict[str, Brand]:
    """Return the brands by code."""
    result = {}
    for line in read_text_lines(VOCAB / "brands.txt"):
        if not line.startswith("#"):
            code, name, english, prefix, tier, profile = line.split("|")
            result[code] = Brand(
                code=code,
                name=name,
                english=english,
                prefix=prefix,
                tier=float(tier),
                profile=profile,
            )
    return result


@cache
def get_synonyms() -> dict[str, tuple[str, ...]]:
    """Return the customers' other words for each third-level category, by its name."""
    lines = [line for line in read_text_lines(VOCAB / "synonyms.txt") if not line.startswith("#")]
    return {
        name: tuple(words.split(",")) for name, _, words in (line.partition("=") for line in lines)
    }


def _build_third(
    *,
    line: str,
    code: str,
    second: str,
    group: str,
    brand_codes: tuple[str, ...],
    tax: tuple[str, str],
) -> Third:
    name, kind, count, price, packs, nouns, axes, points = line.split("|")
    low, _, high = price.partition("-")
    return Third(
        code=code, name=name, second=second, group=group, kind=kind, count=int(count), low=float(low), high=float(high),
        packs=tuple(parse_pack(pack) for pack in packs.split(",")), nouns=tuple(nouns.split(",")), axes=parse_axes(axes),
        points=tuple(points.split(",")), brands=brand_codes, tax_code=tax[0].ljust(19, "0"), tax_rate=tax[1],
        synonyms=get_synonyms().get(name, ()),
    )  # fmt: skip


def _read_group(*, group_code: str, lines: list[str]) -> Node:
    """Return the tree of a group. `@` begins the group, `#` a first-level category with its tax code
    and rate, `##` a second-level category with its own brands. Other lines are third-level
    categories.
    """
    name, _, brand_text = lines[0].lstrip("@ ").partition(" | ")
    brand_codes = tuple(code.strip() for code in brand_text.split(","))
    group = Node(code=group_code, name=name, level=0)
    tax = ("", "")
    second_level_brands = brand_codes
    for line in lines[1:]:
        if line.startswith("## "):
            first = group.children[-1]
            title, _, own_brands = line[3:].partition(" | ")
            second_level_brands = tuple(own_brands.split(",")) if own_brands else brand_codes
            first.children.append(
                Node(code=f"{first.code}{len(first.children) + 1:02d}", name=title, level=2)
            )
        elif line.startswith("# "):
            title, tax_code, rate = (part.strip() for part in line[2:].split("|"))
            tax = (tax_code, rate)
            group.children.append(
                Node(code=f"{group_code}{len(group.children) + 1:02d}", name=title, level=1)
            )
        else:
            second = group.children[-1].children[-1]
            code = f"{second.code}{len(second.children) + 1:02d}"
            third = _build_third(
                line=line,
                code=code,
                second=second.name,
                group=group_code,
                brand_codes=second_level_brands,
                tax=tax,
            )
            second.children.append(Node(code=code, name=third.name, level=3, third=third))
    return group


@cache
def list_groups() -> tuple[Node, ...]:
    """Return the menu groups in order, each with three levels of categories."""
    paths = sorted(VOCAB.glob("[0-9][0-9]_*.txt"))
    return tuple(
        _read_group(group_code=path.name[:2], lines=read_text_lines(path)) for path in paths
    )


def list_thirds() -> list[Third]:
    """Return all third-level categories in menu order."""
    seconds = [
        second for group in list_groups() for first in group.children for second in first.children
    ]
    return [leaf.third for second in seconds for leaf in second.children if leaf.third]
