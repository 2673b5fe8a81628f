"""The locks of a cart and of a named list. That of a cart locks the owner's account row, so that
two concurrent requests neither lose a quantity nor exceed the limit of lines. Lock order: cart
owners by id, then list.
"""

from __future__ import annotations

from apps.cart.models import QuickList
from apps.org.locks import lock_account
from apps.org.models import Account


def lock_cart(*, actor: Account) -> None:
    """Lock the actor's cart until the transaction ends. FOR NO KEY UPDATE does not block
    inserts of orders that refer to the account.
    """
    lock_account(actor.pk)


def lock_quick_list(pk: int) -> None:
    """Lock the row of a list until the transaction ends. No error if there is none: the caller
    reads the list afterwards.
    """
    QuickList.objects.select_for_update(no_key=True).filter(pk=pk).values_list("pk").first()
