"""Inquiries in the back office."""

from apps.inquiries.admin import (
    inquiries,
)

__all__ = [
    "inquiries",
]
