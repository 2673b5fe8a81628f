"""Change pictures of products and start the follow-up work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils import timezone

from apps.catalog.models import Product, ProductImage
from apps.catalog.services.product_hooks import main_pictures_saved
from apps.common.files.variants import pictures_stored

MAIN = 1
Place = tuple[int, int]


def pictures_put(pictures: Mapping[Place, str], *, products: Mapping[int, Product]) -> None:
    """Set the picture of each place (product id, position). An empty path removes the picture.
    Needs a transaction.

    `products` holds the locked products by id. If several additional pictures share a position, the
    first one shown is replaced.
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
    for image in ProductImage.objects.filter(product__in={pk for pk, _position in paths}).order_by(
        "position", "pk"
    ):
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
    """Create the scaled pictures for pages, and update the image search, after the commit."""
    changed = list(products)
    pictures_stored(paths=[product.image for product in changed])
    main_pictures_saved(product.pk for product in changed)
