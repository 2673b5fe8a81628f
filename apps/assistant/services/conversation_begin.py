"""Begin a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.assistant.models import Conversation

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def conversation_begin(*, actor: Account) -> Conversation:
    """Return a conversation in which nothing has been asked yet: the actor's last such one where there is one, so that none pile up."""
    empty: Conversation | None = Conversation.objects.filter(account=actor, asked=0).first()
    return empty or Conversation.objects.create(group_id=actor.group_id, account=actor, last_at=timezone.now())
