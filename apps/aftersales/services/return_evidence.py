"""Attach uploaded pictures to a return or to one of its messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.aftersales.models import ReturnMessage, ReturnOrder, ReturnPicture
from apps.common.errors import ValidationFailed
from apps.common.models import StoredFile

if TYPE_CHECKING:
    pass

MOST_PICTURES = 60


def pictures_attach(
    return_order: ReturnOrder, files: Sequence[StoredFile], *, message: ReturnMessage | None = None
) -> None:
    """Attach the pictures to a locked return.

    Raises:
        ValidationFailed: the return would have too many pictures.
    """
    if not files:
        return
    there = return_order.pictures.count()
    if there + len(files) > MOST_PICTURES:
        raise ValidationFailed({"FileIds": [f"一张售后单最多 {MOST_PICTURES} 张图片"]})
    ReturnPicture.objects.bulk_create(
        ReturnPicture(
            group_id=return_order.group_id,
            return_order=return_order,
            message=message,
            no=number,
            file=file,
        )
        for number, file in enumerate(files, start=there + 1)
    )
