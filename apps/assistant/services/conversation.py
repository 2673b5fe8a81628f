"""Create, rename and delete conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.assistant.models import Conversation
from apps.assistant.selectors import get_conversation

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


def conversation_rename(*, actor: Account, conversation_id: int, title: str | None) -> Conversation:
    """Return the conversation with its new title; None keeps the present one.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
    """
    conversation = get_conversation(actor=actor, conversation_id=conversation_id)
    if title is not None:
        conversation.title = title
        conversation.save(update_fields=["title", "updated_at"])
    return conversation


def conversation_delete(*, actor: Account, conversation_id: int) -> None:
    """Delete the conversation with its messages. The usage rows (用量) stay.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
    """
    get_conversation(actor=actor, conversation_id=conversation_id).delete()
