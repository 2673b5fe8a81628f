"""A transition of a document: check the state, save, write the event, publish to the outbox. Its
message thread: write a message, count unread ones, mark them as read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django_fsm import TransitionNotAllowed

from apps.common.background.outbox import outbox_publish
from apps.common.errors import DomainError, WrongState
from apps.common.events import event_record, get_event_actor_id, get_event_actors

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_NOTE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFlow:
    """The transitions of one type of document. Each method expects a locked document.

    `name` is the first part of the outbox topic and of the payload's key (`return.applied`,
    `return_id`). `number` is the attribute with the document's number. `state_texts` maps a state
    to the two texts of a refusal: the current state, and the advice; `{document}` is the document.
    `columns` are saved with each transition.
    """

    name: str
    number: str
    state_texts: Mapping[str, tuple[str, str]]
    columns: Sequence[str]

    def build_wrong_state(self, document: Any, verb: str) -> WrongState:
        """Return the error that refuses `verb` in the document's current state."""
        state_text, advice = self.state_texts[document.status]
        body = {"Status": document.status, "StatusText": document.get_status_display()}
        return WrongState.in_state(state_text.format(document=document), verb, advice, body=body)

    def transition(self, document: Any, method: str, verb: str, **arguments: Any) -> str:
        """Call the @transition method and return the previous state. Nothing is saved.

        Raises:
            WrongState: the current state does not allow it; the message names `verb`.
        """
        before: str = document.status
        try:
            getattr(document, method)(**arguments)
        except TransitionNotAllowed as error:
            raise self.build_wrong_state(document, verb) from error
        return before

    def save(self, document: Any, *, columns: Sequence[str] | None = None) -> None:
        """Save the columns of the flow, or `columns` if this transition changes others."""
        saved = self.columns if columns is None else columns
        document.save(update_fields=[*saved, "updated_at"])

    def write_event(
        self,
        document: Any,
        *,
        actor: Account | None,
        kind: str,
        before: str,
        reason: str = "",
        data: dict[str, Any] | None = None,
        acting_for: Account | None = None,
    ) -> None:
        """Write the event from the state `before` to the current one. If `actor` is None, the
        system is the actor.
        """
        event_record(
            document,
            actor=actor,
            kind=kind,
            from_state=before,
            to_state=document.status,
            reason=reason[:MAX_NOTE],
            data=data,
            acting_for=acting_for,
        )

    def record(
        self,
        document: Any,
        *,
        actor: Account | None,
        kind: str,
        before: str,
        reason: str = "",
        data: dict[str, Any] | None = None,
        acting_for: Account | None = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        """Save the document, then write the event. See `save` and `write_event`."""
        self.save(document, columns=columns)
        self.write_event(
            document,
            actor=actor,
            kind=kind,
            before=before,
            reason=reason,
            data=data,
            acting_for=acting_for,
        )

    def publish(
        self,
        document: Any,
        *,
        actor: Account | None,
        kind: str,
        reason: str = "",
        payload: Mapping[str, Any] | None = None,
    ) -> None:
        """Publish `<name>.<kind>` with the document, the requester, the actor and `payload`."""
        common = {
            f"{self.name}_id": document.pk,
            "requester_id": document.requester_id,
            "actor_id": get_event_actor_id(actor),
            "reason": reason,
        }
        key: str = getattr(document, self.number)
        outbox_publish(topic=f"{self.name}.{kind}", key=key, payload={**common, **(payload or {})})


def mention_step(
    parent: Any, *, actor: Account | None, kind: str, document_text: str, reason: str = ""
) -> None:
    """Write a transition of a document into the timeline of its parent. The parent's state does
    not change.
    """
    note = f"{document_text}，{reason}" if reason else document_text
    event_record(
        parent,
        actor=actor,
        kind=kind,
        from_state=parent.status,
        to_state=parent.status,
        reason=note[:MAX_NOTE],
    )


MAX_UNREAD = 999
UNREAD_COLUMNS = ("customer_unread", "staff_unread")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageThread:
    """The messages of one type of document. Each method expects a locked document.

    `document_field` is the message's foreign key to its document. `write` raises `full_error` when
    the document has `max_messages`. The outbox message contains the first `published_characters` of
    the text as its reason.
    """

    flow: DocumentFlow
    document_field: str
    max_messages: int
    full_error: type[DomainError]
    published_characters: int = 200

    def write(self, document: Any, *, author: Account, text: str, is_ours: bool) -> Any:
        """Save and return a message, count it as unread, and publish `<name>.message`.

        A member of staff who is signed in as the customer writes under their own name.
        """
        if document.messages.count() >= self.max_messages:
            raise self.full_error
        real_author, acting_for = get_event_actors(author)
        message = document.messages.model.objects.create(
            **{self.document_field: document},
            group_id=document.group_id,
            author=real_author,
            acting_for=acting_for,
            is_ours=is_ours,
            text=text,
            sent_at=timezone.now(),
        )
        add_unread(document, is_ours=is_ours)
        document.save(update_fields=[*UNREAD_COLUMNS, "updated_at"])
        self.flow.publish(
            document,
            actor=author,
            kind="message",
            reason=text[: self.published_characters],
            payload={"is_ours": is_ours},
        )
        return message

    @staticmethod
    def mark_read(document: Any, *, actor: Account) -> None:
        """Reset the customer's unread count if `actor` is the requester in person."""
        if document.customer_unread and is_requester_in_person(document, actor):
            document.customer_unread = 0
            document.save(update_fields=[*UNREAD_COLUMNS, "updated_at"])


def add_unread(document: Any, *, is_ours: bool) -> None:
    """Add one unread message for the other side. If staff wrote it (`is_ours`), the customer's
    messages count as read.

    Nothing is saved.
    """
    if is_ours:
        document.customer_unread = min(document.customer_unread + 1, MAX_UNREAD)
        document.staff_unread = 0
    else:
        document.staff_unread = min(document.staff_unread + 1, MAX_UNREAD)


def is_requester_in_person(document: Any, actor: Account) -> bool:
    """Return whether the actor is the requester, and not a member of staff acting for them."""
    return document.requester_id == actor.pk and actor.impersonator is None
