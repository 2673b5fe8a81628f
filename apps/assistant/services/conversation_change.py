"""Rename or delete a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.assistant.models import Conversation
from apps.assistant.selectors.conversations import conversation_of

if TYPE_CHECKING:
    from apps.org.models import Account


def conversation_rename(*, actor: Account, conversation_id: int, title: str | None) -> Conversation:
    """Return the conversation with its new title; None keeps the present one.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
    """
    conversation = conversation_of(actor=actor, conversation_id=conversation_id)
    if title is not None:
        conversation.title = title
        conversation.save(update_fields=["title", "updated_at"])
    return conversation


def conversation_delete(*, actor: Account, conversation_id: int) -> None:
    """Delete the conversation with its messages. The usage rows (用量) stay.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
    """
    conversation_of(actor=actor, conversation_id=conversation_id).delete()
