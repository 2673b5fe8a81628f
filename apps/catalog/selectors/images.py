"""Where the browser finds a product's pictures; the only place that knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from apps.catalog.models import Product


def media_url(path: str) -> str:
    """Return the address of a stored picture; empty for none."""
    return f"{settings.MEDIA_URL}{path}" if path else ""


def image_url(product: Product) -> str:
    """Return the address of the product's main picture; empty where it has none."""
    return media_url(product.image)
