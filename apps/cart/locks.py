"""What the cart locks: its owner, so that two tabs adding at once neither lose a piece nor pass the limit of lines."""

from __future__ import annotations

from apps.org.models import Account


def lock_cart(*, actor: Account) -> None:
    """Lock the actor's cart until the transaction ends; orders that refer to the account are not held up by it."""
    Account.objects.select_for_update(no_key=True).filter(pk=actor.pk).values_list("pk").first()
