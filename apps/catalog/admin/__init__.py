"""Back office: products, categories and brands. Every save goes through a service, so the next
request of a customer shows it.
"""

from apps.catalog.admin import (
    picture_batches,
    products,
    taxonomy,
)

__all__ = [
    "picture_batches",
    "products",
    "taxonomy",
]
