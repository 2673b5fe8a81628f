"""Template filters and tags that several pages of the back office use."""

from __future__ import annotations

from decimal import Decimal

from django import template

from apps.common.money import format_yuan

register = template.Library()


@register.filter
def yuan(amount: Decimal) -> str:
    """Return an amount as the lists write it: ¥1,285.78."""
    return format_yuan(amount)
