"""Create, rename and delete conversations. Ask a question, or request a new answer to the last
one: both create an answer for `answer_give`, and both use the person's allowance. Add a proposal to
the person's cart after his click, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.assistant.enums import MessageStatus, ProposalStatus, Role
from apps.assistant.errors import (
    ConversationFull,
    ConversationNotFound,
    DailyLimitReached,
    NothingToRetry,
    NotProposed,
    PictureNotFound,
    ProposalNotFound,
    ProposalUsed,
    StillAnswering,
    TooManyQuestions,
)
from apps.assistant.models import NEW_TITLE, CartProposal, Conversation, Message
from apps.assistant.selectors import get_conversation
from apps.assistant.services.answer_give import answer_place_take
from apps.cart.services.cart_add import cart_add
from apps.common.limits.counters import add_hits
from apps.common.models import StoredFile
from apps.org.locks import lock_account
from apps.org.models import Account

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID


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


MAX_QUESTIONS = 100
MAX_TITLE_CHARACTERS = 24


@transaction.atomic
def question_ask(
    *, actor: Account, conversation_id: int, text: str, file_ids: Sequence[UUID] = ()
) -> Message:
    """Store the question and return its empty answer, which `answer_give` fills. An answer in
    progress in this conversation is stopped.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
        ConversationFull: the conversation already has 100 questions.
        StillAnswering: the actor has two answers in progress. A stopped answer counts until its
            stream has ended.
        NotFound: a file does not belong to the actor.
    """
    conversation = _lock_conversation(actor, conversation_id)
    if conversation.asked >= MAX_QUESTIONS:
        raise ConversationFull
    files = list(StoredFile.objects.filter(owner=actor, public_id__in=file_ids)) if file_ids else []
    if len(files) != len(set(file_ids)):
        raise PictureNotFound
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
        conversation.title = _make_conversation_title(text)
    conversation.save(update_fields=["asked", "last_at", "title", "updated_at"])
    return _create_answer(actor, conversation)


@transaction.atomic
def answer_retry(*, actor: Account, conversation_id: int) -> Message:
    """Delete the last answer and return a new empty answer to the same question.

    Raises:
        ConversationNotFound: the actor has no conversation with this id.
        NothingToRetry: the conversation has no question.
        StillAnswering: the actor has two answers in progress. A stopped answer counts until its
            stream has ended.
    """
    conversation = _lock_conversation(actor, conversation_id)
    last_question = conversation.messages.filter(role=Role.PERSON).order_by("-id").first()
    if last_question is None:
        raise NothingToRetry
    conversation.messages.filter(role=Role.ASSISTANT, pk__gt=last_question.pk).delete()
    return _create_answer(actor, conversation)


def _lock_conversation(actor: Account, conversation_id: int) -> Conversation:
    """Lock the account, so that two tabs cannot both pass the limit. Stop answers in progress and
    return the conversation.
    """
    lock_account(actor.pk)
    conversation: Conversation | None = Conversation.objects.filter(
        account=actor, pk=conversation_id
    ).first()
    if conversation is None:
        raise ConversationNotFound
    conversation.messages.filter(status=MessageStatus.WRITING).update(status=MessageStatus.STOPPED)
    return conversation


def _create_answer(actor: Account, conversation: Conversation) -> Message:
    """Create the empty answer and take one of the account's places for running answers, or
    refuse.
    """
    answer: Message = Message.objects.create(
        group_id=actor.group_id,
        conversation=conversation,
        account=actor,
        role=Role.ASSISTANT,
        status=MessageStatus.WRITING,
    )
    if not answer_place_take(answer=answer):
        raise StillAnswering(body={"RetryAfter": 10})
    return answer


def _make_conversation_title(text: str) -> str:
    line = " ".join(text.split())
    return (
        f"{line[:MAX_TITLE_CHARACTERS]}…"
        if len(line) > MAX_TITLE_CHARACTERS
        else line or "图片咨询"
    )


MINUTE, DAY = 60, 24 * 60 * 60


def allowance_take(*, actor: Account) -> None:
    """Count one question of the account, over all processes. Call it before a transaction is
    opened.

    Raises:
        TooManyQuestions: the limit of this minute is reached.
        DailyLimitReached: the limit of this day is reached.
    """
    minute, day = settings.ASSISTANT_PER_MINUTE, settings.ASSISTANT_PER_DAY
    if (
        minute
        and add_hits(name=f"assistant:minute:{actor.pk}", limit=minute, window_seconds=MINUTE)
        > minute
    ):
        raise TooManyQuestions(body={"RetryAfter": MINUTE})
    if day and add_hits(name=f"assistant:day:{actor.pk}", limit=day, window_seconds=DAY) > day:
        raise DailyLimitReached(body={"RetryAfter": DAY})


@transaction.atomic
def proposal_accept(
    *, actor: Account, public_id: UUID, quantities: Mapping[str, int] | None = None
) -> int:
    """Add the proposed products, or those named in `quantities`, to the cart. Return the number of
    products in the cart.

    Raises:
        ProposalNotFound: the actor has no such proposal.
        ProposalUsed: the proposal was already accepted.
        ValidationFailed: a product is not part of the proposal.
        NotInCatalogue, OffSale, QuantityIllegal, StockShort, CartFull: the cart refuses a product;
            the proposal stays open.
    """
    proposal: CartProposal | None = CartProposal.objects.filter(
        account=actor, public_id=public_id
    ).first()
    if proposal is None:
        raise ProposalNotFound
    accepted_quantities = proposal.quantities if quantities is None else dict(quantities)
    if not accepted_quantities.keys() <= proposal.quantities.keys():
        raise NotProposed
    open_proposals = CartProposal.objects.filter(pk=proposal.pk, status=ProposalStatus.OPEN)
    if not open_proposals.update(status=ProposalStatus.ACCEPTED, accepted_at=timezone.now()):
        raise ProposalUsed
    return cart_add(actor=actor, quantities=accepted_quantities)
