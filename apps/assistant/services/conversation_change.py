"""Rename or delete a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.assistant.models import Conversation
from apps.assistant.selectors.conversations import conversation_of

if TYPE_CHECKING:
    from apps.org.models import Account


def conversation_rename(*, actor: Account, conversation_id: int, title: str) -> Conversation:
    """Return the conversation with its new title.

    Raises:
        ConversationNotFound: there is none, or it is somebody else's.
    """
    conversation = conversation_of(actor=actor, conversation_id=conversation_id)
    conversation.title = title
    conversation.save(update_fields=["title", "updated_at"])
    return conversation


def conversation_delete(*, actor: Account, conversation_id: int) -> None:
    """Delete the conversation with all that was said in it; what it took (用量) stays.

    Raises:
        ConversationNotFound: there is none, or it is somebody else's.
    """
    conversation_of(actor=actor, conversation_id=conversation_id).delete()
