"""Change the pictures of products with the follow-up work, and store their documents."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import IO

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.catalog.models import Product, ProductImage
from apps.catalog.services.product_hooks import main_picture_hooks_run
from apps.common.files import IMAGES, CheckedFile, file_take
from apps.common.files.images import request_picture_variants
from apps.common.files.intake import Upload
from apps.common.files.kinds import DOCX, PDF

MAIN = 1
Place = tuple[int, int]
FOLDER = "documents"
MAX_MB = 20
MAX_PICTURE_MB = 5
KINDS_TEXT = "请上传 JPG、PNG、WebP 或 GIF 图片"
KINDS = (PDF, *IMAGES, DOCX)


def pictures_put(pictures: Mapping[Place, str], *, products: Mapping[int, Product]) -> None:
    """Set the picture of each place (product id, position). An empty path removes the picture.
    Needs a transaction.

    `products` holds the locked products by id. If several additional pictures share a position, the
    first one shown is replaced.
    """
    _set_main_pictures(
        {pk: path for (pk, position), path in pictures.items() if position == MAIN}, products
    )
    _set_further_pictures({place: path for place, path in pictures.items() if place[1] != MAIN})


def _set_main_pictures(paths: Mapping[int, str], products: Mapping[int, Product]) -> None:
    """Set the main picture of each product: {product id: path}."""
    changed_products = [products[pk] for pk in paths]
    for product in changed_products:
        product.image, product.updated_at = paths[product.pk], timezone.now()
    Product.objects.bulk_update(changed_products, ("image", "updated_at"), batch_size=200)
    main_pictures_follow_up(products=changed_products)


def _set_further_pictures(paths: Mapping[Place, str]) -> None:
    """Replace, add or delete further pictures: {(product id, position): path}. An empty path
    deletes.
    """
    existing: dict[Place, ProductImage] = {}
    for image in ProductImage.objects.filter(product__in={pk for pk, _position in paths}).order_by(
        "position", "pk"
    ):
        existing.setdefault((image.product_id, image.position), image)
    replaced = [image for place, image in existing.items() if paths.get(place)]
    for image in replaced:
        image.path = paths[image.product_id, image.position]
    new_images = [
        ProductImage(product_id=pk, position=position, path=path)
        for (pk, position), path in paths.items()
        if path and (pk, position) not in existing
    ]
    removed_ids = [image.pk for place, image in existing.items() if paths.get(place) == ""]
    ProductImage.objects.bulk_update(replaced, ("path",), batch_size=200)
    ProductImage.objects.bulk_create(new_images)
    ProductImage.objects.filter(pk__in=removed_ids).delete()
    request_picture_variants(paths=[path for path in paths.values() if path])


def main_pictures_follow_up(*, products: Iterable[Product]) -> None:
    """Create the scaled pictures for pages, and update the image search, after the commit."""
    product_ids = list(products)
    request_picture_variants(paths=[product.image for product in product_ids])
    main_picture_hooks_run(product.pk for product in product_ids)


def get_final_path(code: str, digest: str, extension: str) -> str:
    """Return the storage path of a product's picture. It contains a hash of the content, so a
    new picture has a new URL and no cache shows the old one.
    """
    return f"products/{code}-{digest[:20]}.{extension}"


def picture_take(*, upload: Upload | IO[bytes]) -> CheckedFile:
    """Return the checked picture of a product. Nothing is stored.

    Raises:
        FileRefused: the file is not a picture, has too many pixels, or is larger than 5 MB.
    """
    return file_take(upload, kinds=IMAGES, max_mb=MAX_PICTURE_MB, message=KINDS_TEXT)


def picture_store(*, code: str, picture: CheckedFile) -> str:
    """Store a picture of the product with this code and return its path. The same picture is
    stored once.
    """
    return picture_file_put(
        path=get_final_path(code, picture.sha256, picture.extension),
        file=ContentFile(picture.content),
    )


def picture_file_put(*, path: str, file: File[bytes]) -> str:
    """Store the file at `path`, a path made of its content's hash, and return where it is stored.

    A complete file at `path` is the same file and is used. An incomplete one belongs to a process
    that is writing it or died; it stays, and this file gets another name beside it.
    """
    if default_storage.exists(path) and default_storage.size(path) == file.size:
        return path
    return default_storage.save(path, file)


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """The storage path and type of a stored document. `size` is in bytes."""

    path: str
    content_type: str
    size: int


def document_store(*, upload: Upload | IO[bytes]) -> StoredDocument:
    """Store the file outside the public folders and return its path, type and size.

    Raises:
        FileRefused: the file is not a PDF, picture or Word document of at most 20 MB.
    """
    file = file_take(upload, kinds=KINDS, max_mb=MAX_MB, message="请上传 PDF、图片或 Word 文件")
    path = default_storage.save(
        f"{FOLDER}/{secrets.token_hex(12)}.{file.extension}", ContentFile(file.content)
    )
    return StoredDocument(path, file.content_type, file.size)
