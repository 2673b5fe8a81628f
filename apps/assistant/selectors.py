"""Read a person's conversations and their messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.assistant.answers import Turn
from apps.assistant.enums import Role
from apps.assistant.errors import ConversationNotFound
from apps.assistant.models import CartProposal, Conversation, Message
from apps.common.models import StoredFile
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account

TURNS_REMEMBERED = 8


@dataclass(frozen=True, slots=True)
class ConversationDetail:
    """The messages with current data: products at today's price, proposals in their present state,
    files by FileId.
    """

    conversation: Conversation
    messages: list[Message]
    offers: dict[str, Offer]
    proposals: dict[int, CartProposal]
    files: dict[str, StoredFile]


def list_conversations(*, actor: Account) -> QuerySet[Conversation]:
    """Return the actor's conversations with at least one question, latest first."""
    queryset: QuerySet[Conversation] = Conversation.objects.filter(account=actor, asked__gt=0)
    return queryset


def get_conversation(*, actor: Account, conversation_id: int) -> Conversation:
    """Return a conversation of the actor.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
    """
    conversation: Conversation | None = Conversation.objects.filter(
        account=actor, pk=conversation_id
    ).first()
    if conversation is None:
        raise ConversationNotFound
    return conversation


def get_conversation_detail(*, actor: Account, conversation_id: int) -> ConversationDetail:
    """Return a conversation of the actor with its messages, without products that he can no longer
    see. At most six queries.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
    """
    conversation = get_conversation(actor=actor, conversation_id=conversation_id)
    messages = list(conversation.messages.order_by("id"))
    proposals = (
        {
            row.message_id: row
            for row in CartProposal.objects.filter(message__conversation=conversation)
        }
        if messages
        else {}
    )
    codes = {code for message in messages for code in message.parts.get("Codes", ())}
    codes |= {code for proposal in proposals.values() for code in proposal.quantities}
    file_ids = [file_id for message in messages for file_id in message.parts.get("Files", ())]
    offers = (
        get_offers_by_code(context=get_catalogue_context(actor=actor), codes=sorted(codes))
        if codes
        else {}
    )
    files = StoredFile.objects.filter(owner=actor, public_id__in=file_ids) if file_ids else []
    return ConversationDetail(
        conversation=conversation,
        messages=messages,
        offers={code: offer for code, offer in offers.items() if offer.visible},
        proposals=proposals,
        files={str(file.public_id): file for file in files},
    )


def list_turns_before(*, answer: Message) -> list[Turn]:
    """Return the last turns before an answer, oldest first. One query."""
    rows = list(
        Message.objects.filter(conversation=answer.conversation_id, pk__lt=answer.pk).order_by(
            "-pk"
        )[: 2 * TURNS_REMEMBERED + 1]
    )
    turns: list[Turn] = []
    question = ""
    for row in reversed(rows):
        if row.role == Role.PERSON:
            question = row.text
        else:
            turns.append(Turn.from_message(question=question, text=row.text, parts=row.parts))
    return turns
