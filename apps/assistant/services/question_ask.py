"""Ask, or have the last answer given anew: both leave an answer that is to be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.assistant.enums import MessageStatus, Role
from apps.assistant.errors import ConversationFull, ConversationNotFound, NothingToRetry, StillAnswering
from apps.assistant.models import Conversation, Message
from apps.assistant.models.conversation import NEW_TITLE
from apps.assistant.services.answer_places import answer_place_take
from apps.common.errors import NotFound
from apps.common.models import StoredFile
from apps.org.locks import lock_account
from apps.org.models import Account

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

MOST_QUESTIONS = 100
TITLE = 24


@transaction.atomic
def question_ask(*, actor: Account, conversation_id: int, text: str, file_ids: Sequence[UUID] = ()) -> Message:
    """Keep the question and return its answer, which `answer_give` writes; an answer still being written in the conversation ends.

    Raises:
        ConversationNotFound: there is no such conversation of the actor's.
        ConversationFull: 100 questions have been asked in it.
        StillAnswering: two answers are being given to the actor; one that was ended a moment ago counts until its stream is gone.
        NotFound: a file is not his.
    """
    conversation = _locked(actor, conversation_id)
    if conversation.asked >= MOST_QUESTIONS:
        raise ConversationFull
    files = list(StoredFile.objects.filter(owner=actor, public_id__in=file_ids)) if file_ids else []
    if len(files) != len(set(file_ids)):
        raise NotFound("图片不存在或已删除，请重新上传")
    question = Message.objects.create(
        group_id=actor.group_id,
        conversation=conversation,
        account=actor,
        role=Role.PERSON,
        text=text,
        parts={"Files": [str(file.public_id) for file in files]} if files else {},
    )
    conversation.asked += 1
    conversation.last_at = question.created_at
    if conversation.title == NEW_TITLE:
        conversation.title = _title(text)
    conversation.save(update_fields=["asked", "last_at", "title", "updated_at"])
    return _to_write(actor, conversation)


@transaction.atomic
def answer_retry(*, actor: Account, conversation_id: int) -> Message:
    """Drop the last answer and return a new one to be written to the same question.

    Raises:
        ConversationNotFound: there is no such conversation of the actor's.
        NothingToRetry: nothing has been asked in it.
        StillAnswering: two answers are being given to the actor; one that was ended a moment ago counts until its stream is gone.
    """
    conversation = _locked(actor, conversation_id)
    last_question = conversation.messages.filter(role=Role.PERSON).order_by("-id").first()
    if last_question is None:
        raise NothingToRetry
    conversation.messages.filter(role=Role.ASSISTANT, pk__gt=last_question.pk).delete()
    return _to_write(actor, conversation)


def _locked(actor: Account, conversation_id: int) -> Conversation:
    """Lock the account, so that two tabs do not both pass the limit, and return the conversation."""
    lock_account(actor.pk)
    found: Conversation | None = Conversation.objects.filter(account=actor, pk=conversation_id).first()
    if found is None:
        raise ConversationNotFound
    found.messages.filter(status=MessageStatus.WRITING).update(status=MessageStatus.STOPPED)
    return found


def _to_write(actor: Account, conversation: Conversation) -> Message:
    answer: Message = Message.objects.create(
        group_id=actor.group_id, conversation=conversation, account=actor, role=Role.ASSISTANT, status=MessageStatus.WRITING
    )
    if not answer_place_take(answer=answer):
        raise StillAnswering(body={"RetryAfter": 10})
    return answer


def _title(text: str) -> str:
    line = " ".join(text.split())
    return f"{line[:TITLE]}…" if len(line) > TITLE else line or "图片咨询"
