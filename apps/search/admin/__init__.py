"""Search pages of the back office."""

from apps.search.admin import (
    customer_view,
    hot_keywords,
    synonyms,
)

__all__ = [
    "customer_view",
    "hot_keywords",
    "synonyms",
]
