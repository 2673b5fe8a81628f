"""一键选品 in the back office."""

from apps.selection.admin import (
    scenarios,
)

__all__ = [
    "scenarios",
]
