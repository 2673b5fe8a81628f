"""A transition of a document: check the state, save, write the event, publish to the outbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django_fsm import TransitionNotAllowed

from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.common.events import event_actor_id, event_record

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

    def wrong_state(self, document: Any, verb: str) -> WrongState:
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
            raise self.wrong_state(document, verb) from error
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
            "actor_id": event_actor_id(actor),
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
