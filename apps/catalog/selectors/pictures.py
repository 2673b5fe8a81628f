"""URLs of product pictures, the place that the file name of a picture means, and the current
picture at a place. No other module builds URLs of pictures.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings

from apps.catalog.models import Product, ProductImage

MAX_POSITION = 20
FILE_NAME = re.compile(r"(?P<code>[0-9]{1,18})(?:[-_](?P<position>[0-9]{1,3}))?")
BAD_FILE_NAME = "文件名应为“商品编码”或“商品编码-序号”，例如 110001.jpg、110001-2.jpg"


def build_media_url(path: str) -> str:
    """Return the URL of a stored picture. Empty for an empty path."""
    return f"{settings.MEDIA_URL}{path}" if path else ""


def get_image_url(product: Product) -> str:
    """Return the URL of the product's main picture. Empty if it has none."""
    return build_media_url(product.image)


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """The parsed file name. `refusal` is the error if the name cannot be parsed."""

    code: str
    position: int
    refusal: str = ""


def parse_file_name(file_name: str) -> PicturePlace:
    """Parse a file name into product code and position. `编码` and `编码-1` are the main picture,
    `编码-2` is the second.
    """
    stem = unicodedata.normalize("NFKC", file_name.rpartition(".")[0]).strip()
    match = FILE_NAME.fullmatch(stem)
    if match is None:
        return PicturePlace("", 0, BAD_FILE_NAME)
    position = int(match["position"] or 1)
    if not 1 <= position <= MAX_POSITION:
        return PicturePlace(match["code"], 0, f"图片序号应为 1 到 {MAX_POSITION}")
    return PicturePlace(match["code"], position)


def get_pictures_at(*, product_ids: Iterable[int]) -> dict[tuple[int, int], str]:
    """Return the paths of the products' pictures by (product id, position). If several pictures
    share a position, return the first one shown. Two queries.
    """
    ids = list(product_ids)
    paths = {
        (pk, 1): image
        for pk, image in Product.objects.filter(pk__in=ids, image__gt="").values_list("pk", "image")
    }
    # The product's form allows additional pictures at position 0 or 1. They do not count as
    # the main picture and are ignored here.
    further = ProductImage.objects.filter(product__in=ids, position__gt=1).order_by(
        "position", "pk"
    )
    for product_id, position, path in further.values_list("product_id", "position", "path"):
        paths.setdefault((product_id, position), path)
    return paths
