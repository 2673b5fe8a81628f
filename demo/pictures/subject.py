"""The product that a template draws."""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from demo.pictures.colour import BRAND_COLOURS, NAMED, OWN_COLOURS, RAINBOW

COUNT = re.compile(r"^(\d+)")


@dataclass(frozen=True)
class Subject:
    """One product: its row, the brand's names, and its picture kind."""

    row: Mapping[str, str]
    brand: str
    english: str
    kind: str

    @property
    def code(self) -> str:
        """The product code."""
        return self.row["商品编码"]

    @property
    def model(self) -> str:
        """The model code, e.g. `ML-1103`."""
        return self.row["型号"]

    @cached_property
    def seed(self) -> int:
        """A number that is equal for all colours of one article."""
        return zlib.crc32(self.model.encode())

    @cached_property
    def attributes(self) -> dict[str, str]:
        """The attributes by name."""
        return dict(pair.split(":", 1) for pair in self.row["属性"].split(";") if pair)

    @cached_property
    def noun(self) -> str:
        """The product's name without brand, model and size."""
        words = self.row["关键词"].split(";")
        return words[1] if len(words) > 1 and words[1] in self.row["名称"] else words[0]

    @property
    def colour_word(self) -> str:
        """The colour as the catalogue writes it, or ""."""
        return self.attributes.get("颜色", "")

    @property
    def is_rainbow(self) -> bool:
        """Whether the product has several colours at once."""
        return self.colour_word == "彩色"

    def tint(self, default: str) -> str:
        """Return the product's own colour, or `default` if the catalogue names none."""
        if self.is_rainbow:
            return RAINBOW[self.seed % len(RAINBOW)]
        return NAMED.get(self.colour_word, default)

    def tints(self, default: str, count: int) -> list[str]:
        """Return `count` colours: all equal, or the rainbow's."""
        if self.is_rainbow:
            return [RAINBOW[place % len(RAINBOW)] for place in range(count)]
        return [self.tint(default)] * count

    @cached_property
    def accent(self) -> str:
        """The brand's colour."""
        return (
            OWN_COLOURS.get(self.english)
            or BRAND_COLOURS[zlib.crc32(self.english.encode()) % len(BRAND_COLOURS)]
        )

    @cached_property
    def pack_count(self) -> int:
        """The number of pieces in a pack; 1 for a single piece."""
        result = COUNT.match(self.row["包装规格"])
        return int(result.group(1)) if result else 1

    @property
    def pack(self) -> str:
        """The pack in the catalogue's notation, e.g. `12支/盒`."""
        return self.row["包装规格"]

    @cached_property
    def spec(self) -> str:
        """All attributes except the colour in one line, e.g. `A4 80g`."""
        return " ".join(
            value for name, value in self.attributes.items() if name != "颜色" and len(value) < 16
        )

    def says(self, *words: str) -> bool:
        """Whether the product's name contains one of the words."""
        return any(word in self.row["名称"] for word in words)
