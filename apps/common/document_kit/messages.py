"""The message thread of a document: write a message, count unread ones, mark them as read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.common.document_kit.flow import DocumentFlow
from apps.common.errors import DomainError
from apps.common.events import event_actors

if TYPE_CHECKING:
    from apps.org.models import Account

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
        real_author, acting_for = event_actors(author)
        message = document.messages.model.objects.create(
            **{self.document_field: document},
            group_id=document.group_id,
            author=real_author,
            acting_for=acting_for,
            is_ours=is_ours,
            text=text,
            sent_at=timezone.now(),
        )
        count_unread(document, is_ours=is_ours)
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


def count_unread(document: Any, *, is_ours: bool) -> None:
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
