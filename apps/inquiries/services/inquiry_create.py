"""Request a quote for products that the catalogue does not show."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.models import Category
from apps.common.errors import ValidationFailed
from apps.common.numbers import document_number
from apps.common.services.own_pictures import own_pictures
from apps.inquiries.enums import InquiryEventKind
from apps.inquiries.models import ProductInquiry, ProductInquiryLine, ProductInquiryPicture
from apps.inquiries.services.inquiry_flow import inquiry_record

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class WantedLine:
    """A requested product. `target_price` is in 元 含税 for one unit."""

    name: str
    quantity: int
    unit: str
    spec: str = ""
    target_price: Decimal | None = None


@dataclass(frozen=True, slots=True)
class InquiryForm:
    """The customer's input. `file_ids` are pictures that the customer has uploaded."""

    lines: tuple[WantedLine, ...]
    category_id: int | None = None
    need_by: date | None = None
    remark: str = ""
    file_ids: tuple[uuid.UUID, ...] = ()


@transaction.atomic
def inquiry_create(*, actor: Account, form: InquiryForm) -> ProductInquiry:
    """Create an inquiry in state 待报价 and return it.

    Raises:
        ValidationFailed: the day is in the past, the category does not exist, or the actor has not
            uploaded one of the pictures.
    """
    _check(form)
    files = own_pictures(actor=actor, file_ids=form.file_ids)
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
    ProductInquiryLine.objects.bulk_create(
        [_line(inquiry, number, line) for number, line in enumerate(form.lines, start=1)]
    )
    ProductInquiryPicture.objects.bulk_create(
        [
            ProductInquiryPicture(inquiry=inquiry, no=number, file=file)
            for number, file in enumerate(files, start=1)
        ]
    )
    inquiry_record(inquiry, actor=actor, kind=InquiryEventKind.ASKED, before="")
    return inquiry


def _check(form: InquiryForm) -> None:
    if form.need_by is not None and form.need_by < timezone.localdate():
        raise ValidationFailed({"NeedBy": ["期望到货日不能早于今天"]})
    if form.category_id is not None and not Category.objects.filter(pk=form.category_id).exists():
        raise ValidationFailed({"CategoryId": ["所选分类不存在，请重新选择"]})


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
