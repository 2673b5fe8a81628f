"""The lock of a cart. It locks the owner's account row, so that two concurrent requests neither
lose a quantity nor exceed the limit of lines.
"""

from __future__ import annotations

from apps.org.locks import lock_account
from apps.org.models import Account


def lock_cart(*, actor: Account) -> None:
    """Lock the actor's cart until the transaction ends. FOR NO KEY UPDATE does not block
    inserts of orders that refer to the account.
    """
    lock_account(actor.pk)
