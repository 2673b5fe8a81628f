"""What the cart locks: its owner, so that two tabs adding at once neither lose a piece nor pass the limit of lines."""

from __future__ import annotations

from apps.org.locks import lock_account
from apps.org.models import Account


def lock_cart(*, actor: Account) -> None:
    """Lock the actor's cart until the transaction ends; orders that refer to the account are not held up by it."""
    lock_account(actor.pk)
