"""Other pictures of products, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils import timezone

from apps.catalog.models import Product, ProductImage
from apps.catalog.services.picture_index import pictures_moved
from apps.common.files.variants import pictures_stored

MAIN = 1
Place = tuple[int, int]


def pictures_put(pictures: Mapping[Place, str], *, products: Mapping[int, Product]) -> None:
    """Let each place, (product, position), show the picture of this path, and none where it is empty; in a transaction.

    `products` are those of the places by key, locked. Of several further pictures at one position the first shown is replaced.
    """
    _main_put({pk: path for (pk, position), path in pictures.items() if position == MAIN}, products)
    _further_put({place: path for place, path in pictures.items() if place[1] != MAIN})


def _main_put(paths: Mapping[int, str], products: Mapping[int, Product]) -> None:
    changed = [products[pk] for pk in paths]
    for product in changed:
        product.image, product.updated_at = paths[product.pk], timezone.now()
    Product.objects.bulk_update(changed, ("image", "updated_at"), batch_size=200)
    main_pictures_changed(products=changed)


def _further_put(paths: Mapping[Place, str]) -> None:
    there: dict[Place, ProductImage] = {}
    for image in ProductImage.objects.filter(product__in={pk for pk, _position in paths}).order_by("position", "pk"):
        there.setdefault((image.product_id, image.position), image)
    replaced = [image for place, image in there.items() if paths.get(place)]
    for image in replaced:
        image.path = paths[image.product_id, image.position]
    added = [
        ProductImage(product_id=pk, position=position, path=path)
        for (pk, position), path in paths.items()
        if path and (pk, position) not in there
    ]
    gone = [image.pk for place, image in there.items() if paths.get(place) == ""]
    ProductImage.objects.bulk_update(replaced, ("path",), batch_size=200)
    ProductImage.objects.bulk_create(added)
    ProductImage.objects.filter(pk__in=gone).delete()
    pictures_stored(paths=[path for path in paths.values() if path])


def main_pictures_changed(*, products: Iterable[Product]) -> None:
    """Have the widths made that pages ask for, and the pictures described anew for the image search, after the commit."""
    changed = list(products)
    pictures_stored(paths=[product.image for product in changed])
    pictures_moved(product_ids=[product.pk for product in changed])
