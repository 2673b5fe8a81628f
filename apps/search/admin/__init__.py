"""Search pages of the back office."""

from apps.search.admin import customer_view, keywords

__all__ = [
    "customer_view",
    "keywords",
]
