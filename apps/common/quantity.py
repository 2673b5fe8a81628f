"""Which quantities a line may have, in the cart, in orders and in what follows them: 起订量, then by 增量."""

from __future__ import annotations

# The greatest quantity of a line.
MAX_QUANTITY = 999_999


def is_legal(quantity: int, *, minimum: int, step: int) -> bool:
    """Whether the quantity is the minimum plus whole steps, and not beyond the greatest a line may have."""
    return minimum <= quantity <= MAX_QUANTITY and (quantity - minimum) % step == 0


def next_legal(quantity: int, *, minimum: int, step: int) -> int:
    """Return the smallest legal quantity that is not below the wish; the greatest legal one where the wish is beyond it."""
    if quantity <= minimum:
        return minimum
    wished = minimum + -(-(quantity - minimum) // step) * step
    return wished if wished <= MAX_QUANTITY else last_legal(MAX_QUANTITY, minimum=minimum, step=step)


def last_legal(quantity: int, *, minimum: int, step: int) -> int:
    """Return the greatest legal quantity that is not above the figure, 0 where there is none: what can be had of a short stock."""
    return 0 if quantity < minimum else quantity - (quantity - minimum) % step
