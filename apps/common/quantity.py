"""The legal quantities of a line, in carts, orders and later documents: the minimum (起订量) plus
whole steps (增量).
"""

from __future__ import annotations

# The maximum quantity of a line.
MAX_QUANTITY = 999_999


def is_legal(quantity: int, *, minimum: int, step: int) -> bool:
    """Return whether the quantity is the minimum plus whole steps, and not more than
    MAX_QUANTITY.
    """
    return minimum <= quantity <= MAX_QUANTITY and (quantity - minimum) % step == 0


def next_legal(quantity: int, *, minimum: int, step: int) -> int:
    """Return the smallest legal quantity that is at least `quantity`, or the largest legal
    quantity if there is none.
    """
    if quantity <= minimum:
        return minimum
    wished = minimum + -(-(quantity - minimum) // step) * step
    return (
        wished if wished <= MAX_QUANTITY else last_legal(MAX_QUANTITY, minimum=minimum, step=step)
    )


def last_legal(quantity: int, *, minimum: int, step: int) -> int:
    """Return the largest legal quantity that is at most `quantity`; 0 if there is none. Used if
    stock is short.
    """
    return 0 if quantity < minimum else quantity - (quantity - minimum) % step
