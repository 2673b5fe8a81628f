"""The messages between the customer and the staff about a return, and the pictures of both."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from django.db import transaction

from apps.aftersales.errors import ReturnPicturesFull, TalkFull
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ReturnMessage, ReturnOrder, ReturnPicture
from apps.aftersales.services.return_flow import RETURNS
from apps.common.document_kit.flow import MessageThread, is_requester_in_person
from apps.common.models import StoredFile
from apps.common.services.files import get_own_pictures

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_PICTURES = 60
THREAD = MessageThread(
    flow=RETURNS, document_field="return_order", max_messages=200, full_error=TalkFull
)


@transaction.atomic
def return_message(
    *, actor: Account, return_no: str, text: str, file_ids: Sequence[uuid.UUID] = ()
) -> ReturnMessage:
    """Save and return a customer's message with its pictures.

    Raises:
        ReturnNotFound, NotYourReturn: the actor may not change this return.
        TalkFull: the return has 200 messages.
        ValidationFailed: a picture was not uploaded by the actor.
    """
    return_order = lock_own_return(actor=actor, return_no=return_no)
    files = get_own_pictures(actor=actor, file_ids=file_ids)
    if is_requester_in_person(return_order, actor):
        return_order.customer_unread = 0
    message = THREAD.write(return_order, author=actor, text=text, is_ours=False)
    pictures_attach(return_order, files, message=message)
    return cast("ReturnMessage", message)


def return_reply(*, actor: Account, return_id: int, text: str) -> ReturnMessage:
    """Save and return a message of the staff.

    Raises:
        TalkFull: the return has 200 messages.
    """
    with locked_return(return_id=return_id) as return_order:
        message = THREAD.write(return_order, author=actor, text=text, is_ours=True)
        return cast("ReturnMessage", message)


@transaction.atomic
def return_read(*, actor: Account, return_no: str) -> None:
    """Mark the messages as read if the actor is the requester in person.

    Raises:
        ReturnNotFound, NotYourReturn: the actor may not change this return.
    """
    THREAD.mark_read(lock_own_return(actor=actor, return_no=return_no), actor=actor)


if TYPE_CHECKING:
    pass


def pictures_attach(
    return_order: ReturnOrder, files: Sequence[StoredFile], *, message: ReturnMessage | None = None
) -> None:
    """Attach the pictures to a locked return.

    Raises:
        ValidationFailed: the return would have too many pictures.
    """
    if not files:
        return
    count = return_order.pictures.count()
    if count + len(files) > MAX_PICTURES:
        raise ReturnPicturesFull(MAX_PICTURES)
    ReturnPicture.objects.bulk_create(
        ReturnPicture(
            group_id=return_order.group_id,
            return_order=return_order,
            message=message,
            no=number,
            file=file,
        )
        for number, file in enumerate(files, start=count + 1)
    )
