"""Write to the other side of a return, with pictures, and mark what it wrote as seen."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.errors import TalkFull
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ReturnMessage, ReturnOrder
from apps.aftersales.services.return_evidence import pictures_attach
from apps.aftersales.services.return_moves import return_news
from apps.common.background.outbox import outbox_publish
from apps.common.events import doer_id, doer_of
from apps.common.models import StoredFile
from apps.common.services.own_pictures import own_pictures

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_MESSAGES = 200
UNREAD = ["customer_unread", "staff_unread", "updated_at"]


@transaction.atomic
def return_message(*, actor: Account, return_no: str, text: str, file_ids: Sequence[uuid.UUID] = ()) -> ReturnMessage:
    """Return what the customer has written to us; staff who act for him write in their own name.

    Raises:
        ReturnNotFound, NotYourReturn: it is not the actor's.
        TalkFull: too much was written already.
        ValidationFailed: a picture is not one that he has uploaded.
    """
    return_order = lock_own_return(actor=actor, return_no=return_no)
    return _write(return_order, author=actor, text=text, is_ours=False, files=own_pictures(actor=actor, file_ids=file_ids))


def return_reply(*, actor: Account, return_id: int, text: str) -> ReturnMessage:
    """Return what staff have written to the customer.

    Raises:
        TalkFull: too much was written already.
    """
    with locked_return(return_id=return_id) as return_order:
        return _write(return_order, author=actor, text=text, is_ours=True)


@transaction.atomic
def return_read(*, actor: Account, return_no: str) -> None:
    """The person who asked has seen the news; another who looks changes nothing, nor do staff who act for him.

    Raises:
        ReturnNotFound, NotYourReturn: it is not the actor's.
    """
    return_order = lock_own_return(actor=actor, return_no=return_no)
    if return_order.customer_unread and return_order.requester_id == actor.pk and actor.impersonator is None:
        return_order.customer_unread = 0
        return_order.save(update_fields=UNREAD)


def _write(return_order: ReturnOrder, *, author: Account, text: str, is_ours: bool, files: Sequence[StoredFile] = ()) -> ReturnMessage:
    if return_order.messages.count() >= MOST_MESSAGES:
        raise TalkFull
    really, acting_for = doer_of(author)
    message: ReturnMessage = ReturnMessage.objects.create(
        group_id=return_order.group_id,
        return_order=return_order,
        author=really,
        acting_for=acting_for,
        is_ours=is_ours,
        text=text,
        sent_at=timezone.now(),
    )
    pictures_attach(return_order, files, message=message)
    return_news(return_order, actor=author)
    return_order.save(update_fields=UNREAD)
    payload = {
        "return_id": return_order.pk,
        "requester_id": return_order.requester_id,
        "actor_id": doer_id(author),
        "is_ours": is_ours,
        "reason": text[:200],
    }
    outbox_publish(topic="return.message", key=return_order.return_no, payload=payload)
    return message
