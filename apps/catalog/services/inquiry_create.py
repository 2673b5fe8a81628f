"""Ask for a quote of products that the catalogue does not show."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import InquiryEventKind
from apps.catalog.models import Category, ProductInquiry, ProductInquiryLine, ProductInquiryPicture
from apps.catalog.services.inquiry_moves import inquiry_record
from apps.common.errors import ValidationFailed
from apps.common.files import IMAGES
from apps.common.models import StoredFile
from apps.common.numbers import document_number

if TYPE_CHECKING:
    from apps.org.models import Account

PICTURE_TYPES = frozenset(kind.content_type for kind in IMAGES)


@dataclass(frozen=True, slots=True)
class WantedLine:
    """One thing wanted; `target_price` in 元, 含税, for one unit."""

    name: str
    quantity: int
    unit: str
    spec: str = ""
    target_price: Decimal | None = None


@dataclass(frozen=True, slots=True)
class InquiryForm:
    """What a customer fills in; `file_ids` name pictures that he has uploaded."""

    lines: tuple[WantedLine, ...]
    category_id: int | None = None
    need_by: date | None = None
    remark: str = ""
    file_ids: tuple[uuid.UUID, ...] = ()


@transaction.atomic
def inquiry_create(*, actor: Account, form: InquiryForm) -> ProductInquiry:
    """Return the new inquiry, 待报价.

    Raises:
        ValidationFailed: the day is over, there is no such category, or a picture is not one that the actor has uploaded.
    """
    _check(form)
    files = _pictures(actor, form.file_ids)
    now = timezone.now()
    inquiry: ProductInquiry = ProductInquiry.objects.create(
        inquiry_no=f"?{secrets.token_hex(10)}",
        requester=actor,
        enterprise_id=actor.enterprise_id,
        department_id=actor.department_id,
        category_id=form.category_id,
        need_by=form.need_by,
        remark=form.remark,
        submitted_at=now,
        waiting_since=now,
    )
    inquiry.inquiry_no = document_number("XJ", pk=inquiry.pk, at=now)
    inquiry.save(update_fields=["inquiry_no"])
    ProductInquiryLine.objects.bulk_create([_line(inquiry, number, line) for number, line in enumerate(form.lines, start=1)])
    ProductInquiryPicture.objects.bulk_create(
        [ProductInquiryPicture(inquiry=inquiry, no=number, file=file) for number, file in enumerate(files, start=1)]
    )
    inquiry_record(inquiry, actor=actor, kind=InquiryEventKind.ASKED, before="")
    return inquiry


def _check(form: InquiryForm) -> None:
    if form.need_by is not None and form.need_by < timezone.localdate():
        raise ValidationFailed({"NeedBy": ["期望到货日不能早于今天"]})
    if form.category_id is not None and not Category.objects.filter(pk=form.category_id).exists():
        raise ValidationFailed({"CategoryId": ["所选分类不存在，请重新选择"]})


def _pictures(actor: Account, file_ids: tuple[uuid.UUID, ...]) -> list[StoredFile]:
    """Return the files in the order named; another's file is refused as a missing one."""
    own = {file.public_id: file for file in StoredFile.objects.filter(owner=actor, public_id__in=file_ids)} if file_ids else {}
    if any(file_id not in own for file_id in file_ids):
        raise ValidationFailed({"FileIds": ["图片不存在或已失效，请重新上传"]})
    if any(file.content_type not in PICTURE_TYPES for file in own.values()):
        raise ValidationFailed({"FileIds": ["请上传图片文件"]})
    return [own[file_id] for file_id in file_ids]


def _line(inquiry: ProductInquiry, number: int, wanted: WantedLine) -> ProductInquiryLine:
    return ProductInquiryLine(
        inquiry=inquiry,
        no=number,
        name=wanted.name,
        spec=wanted.spec,
        quantity=wanted.quantity,
        unit=wanted.unit,
        target_price=wanted.target_price,  # type: ignore[misc]
    )
