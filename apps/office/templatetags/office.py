"""Template filters and tags that several pages of the back office use."""

from __future__ import annotations

from decimal import Decimal

from django import template

from apps.common.money import yuan_text

register = template.Library()


@register.filter
def yuan(amount: Decimal) -> str:
    """Return an amount as the lists write it: ¥1,285.78."""
    return yuan_text(amount)
