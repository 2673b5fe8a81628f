"""Back office: products, categories and brands. Every save goes through a service, so the next
request of a customer shows it.
"""

from apps.catalog.admin import (
    families,
    picture_batches,
    products,
    taxonomy,
)

__all__ = [
    "families",
    "picture_batches",
    "products",
    "taxonomy",
]
