"""Generate an answer event by event, and store it however it ends. Each running answer holds a
lease, which limits the number of parallel answers.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from django.db import transaction

from apps.assistant.answers import Delta, Event, Notice, Proposal, TokenUsage, Turn
from apps.assistant.embedded.answer import embedded_answer, iterate_picture_cards, picture_answer
from apps.assistant.enums import MessageStatus, Provider, Role
from apps.assistant.models import AssistantUsage, CartProposal, Message
from apps.assistant.providers import (
    ModelUnavailable,
    connection_release,
    get_model_name,
    is_model_paused,
    model_answer,
    pause_model,
)
from apps.assistant.selectors import list_turns_before
from apps.common.background.leases import lease_release, lease_take
from apps.common.tenancy import tenant_scope

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_PARALLEL_ANSWERS = 2
# No answer takes longer. After this time a place is free again if its process has died.
MAX_DURATION = timedelta(minutes=4)


def answer_place_take(*, answer: Message) -> bool:
    """Take a place for the answer. Return whether one was free."""
    return any(
        lease_take(name=name, holder=str(answer.pk), duration=MAX_DURATION)
        for name in _list_slot_names(answer)
    )


def answer_place_release(*, answer: Message) -> None:
    """Release the answer's place. Does nothing if it was already released."""
    for name in _list_slot_names(answer):
        lease_release(name=name, holder=str(answer.pk))


def _list_slot_names(answer: Message) -> list[str]:
    return [
        f"assistant:answer:{answer.account_id}:{number}" for number in range(MAX_PARALLEL_ANSWERS)
    ]


log = structlog.get_logger(__name__)
# Interval for checking whether another question has stopped the answer. With a silent model the
# check runs every ten seconds.
CHECK_SECONDS = 2.0
FAILED = "回答没有完成，请重试；多次失败请联系在线客服"
BROKEN_OFF = "回答中断了，请重试"
FALLBACK = "智能模型暂时不可用，以下由内置助手回答"


@dataclass(frozen=True, slots=True)
class StoredProposal:
    """A proposal that was stored and has its one-time id."""

    proposal: CartProposal
    lines: Proposal


@dataclass(frozen=True, slots=True)
class Ended:
    """The last event: the final status and the usage of the answer."""

    status: MessageStatus
    usage: AssistantUsage | None
    message: str = ""


AnswerEvent = Event | StoredProposal | Ended


@dataclass(slots=True)
class Writing:
    """An answer in progress: the events so far, the provider and the start time."""

    actor: Account
    answer: Message
    turn: Turn
    provider: Provider = Provider.EMBEDDED
    model: str = ""
    spent: TokenUsage = field(default_factory=lambda: TokenUsage(0, 0))
    began: float = field(default_factory=time.monotonic)
    checked: float = field(default_factory=time.monotonic)
    first: float | None = None
    proposal: str = ""

    def record(self, event: Event) -> AnswerEvent:
        """Record an event, and return the event for the client. A proposal is stored and gets its
        id.
        """
        self.turn.take(event)
        if isinstance(event, Delta) and self.first is None:
            self.first = time.monotonic()
        if isinstance(event, TokenUsage):
            self.spent = TokenUsage(
                self.spent.prompt_tokens + event.prompt_tokens,
                self.spent.completion_tokens + event.completion_tokens,
            )
        if not isinstance(event, Proposal):
            return event
        lines = [
            {"code": line.offer.product.code, "quantity": line.quantity} for line in event.lines
        ]
        proposal = CartProposal.objects.create(
            group_id=self.actor.group_id, message=self.answer, account=self.actor, lines=lines
        )
        self.proposal = str(proposal.public_id)
        return StoredProposal(proposal, event)

    def is_stopped(self) -> bool:
        """Whether the answer must end: its maximum time has passed, another question has stopped
        it, or the conversation was deleted.

        The last two are checked in the database every two seconds.
        """
        now = time.monotonic()
        if now - self.began >= MAX_DURATION.total_seconds():
            return True
        if now - self.checked < CHECK_SECONDS:
            return False
        self.checked = now
        with tenant_scope(group_id=self.actor.group_id or 0):
            is_writing = Message.objects.filter(
                pk=self.answer.pk, status=MessageStatus.WRITING
            ).exists()
        connection_release()
        return not is_writing

    def end(self, status: MessageStatus, message: str = "") -> Ended:
        """Store the answer and its usage, and release its place. Never raises. Opens its own tenant
        scope.
        """
        with tenant_scope(group_id=self.actor.group_id or 0):
            if not self._store_answer(status):
                status, message = MessageStatus.FAILED, message or FAILED
            usage = self._record_usage_if_possible(status)
            _release_answer(self.answer, status)
        return Ended(status, usage, message)

    def _store_answer(self, status: MessageStatus) -> bool:
        """Store the text and the state of the answer. Return False after a failure, which is only
        logged.
        """
        # An answer that another question has stopped is stored too.
        row = Message.objects.filter(
            pk=self.answer.pk, status__in=(MessageStatus.WRITING, MessageStatus.STOPPED)
        )
        try:
            with transaction.atomic():
                row.update(
                    text=self.turn.text,
                    parts=self.turn.build_stored_parts(),
                    status=status,
                    provider=self.provider,
                )
        except Exception:
            log.exception("assistant_not_kept", message=self.answer.pk)
            return False
        return True

    def _record_usage_if_possible(self, status: MessageStatus) -> AssistantUsage | None:
        """Store the usage of the answer and return it. A failure is only logged, because the answer
        has been given already; None then.
        """
        try:
            with transaction.atomic():
                return self._record_usage(status)
        except Exception:
            log.exception("assistant_not_counted", message=self.answer.pk)
            return None

    def _record_usage(self, status: MessageStatus) -> AssistantUsage:
        """Store the tokens and the time of the answer, and write one log line. Times are
        milliseconds.
        """
        now = time.monotonic()
        usage: AssistantUsage = AssistantUsage.objects.create(
            group_id=self.actor.group_id,
            account=self.actor,
            provider=self.provider,
            model=self.model[:80],
            tools=",".join(dict.fromkeys(self.turn.tools))[:200],
            prompt_tokens=self.spent.prompt_tokens,
            completion_tokens=self.spent.completion_tokens,
            first_ms=int(((self.first or now) - self.began) * 1000),
            total_ms=int((now - self.began) * 1000),
            outcome=status,
        )
        log.info(
            "assistant_answer",
            provider=self.provider.value,
            model=self.model,
            outcome=status.value,
            ms=usage.total_ms,
            prompt_tokens=self.spent.prompt_tokens,
            completion_tokens=self.spent.completion_tokens,
        )
        return usage


def answer_give(*, actor: Account, answer: Message) -> Generator[AnswerEvent]:
    """Yield the events of an answer that `question_ask` created; `Ended` comes last. Closing the
    generator stores the answer so far.

    Runs in the actor's tenant scope, which the streamed response reopens for each event.
    """
    writing = Writing(actor, answer, Turn(""))
    status, message = MessageStatus.COMPLETE, ""
    try:
        with closing(_stream_answer_events(writing)) as events:
            for event in events:
                yield writing.record(event)
                if writing.is_stopped():
                    status = MessageStatus.STOPPED
                    break
    except GeneratorExit:
        writing.end(MessageStatus.STOPPED)
        raise
    except ModelUnavailable:
        status, message = MessageStatus.FAILED, BROKEN_OFF
    except Exception:
        log.exception("assistant_failed", conversation=answer.conversation_id)
        status, message = MessageStatus.FAILED, FAILED
    yield writing.end(status, message)


def answer_abandon(*, actor: Account, answer: Message) -> None:
    """Stop an answer whose stream was closed before its first event. Opens its own tenant scope."""
    with tenant_scope(group_id=actor.group_id or 0):
        _release_answer(answer, MessageStatus.STOPPED)


def _release_answer(answer: Message, status: MessageStatus) -> None:
    """Set the final state and release the account's place. A failure is only logged."""
    try:
        Message.objects.filter(pk=answer.pk, status=MessageStatus.WRITING).update(status=status)
        answer_place_release(answer=answer)
    except Exception:
        log.exception("assistant_not_let_go", message=answer.pk)


def _stream_answer_events(writing: Writing) -> Generator[Event]:
    """Yield the model's answer, or the embedded assistant's if no model is configured or the model
    is unavailable.
    """
    question = (
        Message.objects.filter(conversation=writing.answer.conversation_id, role=Role.PERSON)
        .order_by("-pk")
        .first()
    )
    text, files = (question.text, list(question.parts.get("Files", ()))) if question else ("", [])
    writing.turn.question, turns = text, list_turns_before(answer=writing.answer)
    if files:
        yield from iterate_picture_cards(actor=writing.actor, file_ids=files)
    if get_model_name():
        if not is_model_paused():
            try:
                yield from _stream_model_events(writing, turns, text)
            except ModelUnavailable:
                pause_model()
                if writing.turn.text or writing.turn.proposed:
                    raise
            else:
                return
        writing.provider = Provider.FALLBACK
        yield Notice(FALLBACK)
    if not files:
        yield from embedded_answer(actor=writing.actor, turns=turns, text=text)
    else:
        yield from picture_answer(
            actor=writing.actor, turns=turns, text=text, pictures_turn=writing.turn
        )


def _stream_model_events(writing: Writing, turns: list[Turn], text: str) -> Generator[Event]:
    """Yield the model's answer. The model gets the description of sent pictures with the text."""
    writing.provider, writing.model = Provider.MODEL, get_model_name()
    picture_text = writing.turn.facts.get("pictures", "")
    yield from model_answer(
        actor=writing.actor,
        turns=turns,
        text=f"{text}\n（用户发来图片。{picture_text}）" if picture_text else text,
    )
