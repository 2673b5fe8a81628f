"""Create a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.assistant.models import Conversation

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def conversation_begin(*, actor: Account) -> Conversation:
    """Return an empty conversation of the actor. An existing empty one is reused, so that empty
    conversations do not accumulate.
    """
    empty: Conversation | None = Conversation.objects.filter(account=actor, asked=0).first()
    return empty or Conversation.objects.create(
        group_id=actor.group_id, account=actor, last_at=timezone.now()
    )
