"""Cells of lists that hold two facts which belong together, so that a row is two lines high and fits 1280."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString


def two_lines(first: object, second: object) -> SafeString:
    """Return the first over the second, which is small; neither is broken."""
    return format_html('<span class="office-two">{}<small>{}</small></span>', first, second)
