"""Tests of invoice titles: the check of the tax number, the single default title, and the 专票资质,
which becomes invalid when its approved data changes.
"""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import Forbidden, ValidationFailed, WrongState
from apps.common.models import StoredFile
from apps.invoices.enums import InvoiceKind
from apps.invoices.models import SpecialQualification
from apps.invoices.selectors.plan import get_plan
from apps.invoices.services.titles import (
    qualification_apply,
    qualification_decide,
    title_create,
    title_deactivate,
    title_make_default,
    title_update,
)
from apps.invoices.tests.factories import list_lines, plan_form, received_order
from apps.org.models import Account, InvoiceTitle
from apps.org.tests.factories import build_credit_code

WHOLE = {
    "address": "示例路 1 号",
    "phone": "021-00000000",
    "bank": "示例银行",
    "bank_account": "6200",
}


@pytest.fixture
def title(ga: Account) -> InvoiceTitle:
    return title_create(
        actor=ga,
        enterprise_id=None,
        fields={"title": "云帆开票专用", "tax_number": build_credit_code(7), **WHOLE},
    )


@pytest.mark.parametrize("number", ["91310000MA0000007A", "123", "9131 0000MA0000007"])
def test_a_wrong_tax_number_is_refused(ga: Account, number: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        title_create(actor=ga, enterprise_id=None, fields={"title": "甲", "tax_number": number})
    assert list(refused.value.body["Errors"]) == ["TaxNumber"]


def test_first_title_is_the_default_and_only_one_is(ga: Account, title: InvoiceTitle) -> None:
    second = title_create(
        actor=ga, enterprise_id=None, fields={"title": "乙", "tax_number": build_credit_code(7)}
    )
    title_make_default(actor=ga, pk=str(second.pk))

    assert list(InvoiceTitle.objects.filter(is_default=True)) == [second]
    title_deactivate(actor=ga, pk=str(second.pk))
    assert list(InvoiceTitle.objects.filter(is_default=True)) == [title]


def test_a_purchaser_uses_titles_and_keeps_none(buyer: Account) -> None:
    with pytest.raises(Forbidden):
        title_create(
            actor=buyer,
            enterprise_id=None,
            fields={"title": "丙", "tax_number": build_credit_code(7)},
        )


def test_a_purchaser_hands_in_no_papers_of_the_enterprise(
    buyer: Account, title: InvoiceTitle
) -> None:
    with pytest.raises(Forbidden):
        qualification_apply(actor=buyer, title_pk=str(title.pk), file_ids=[], note="")
    assert not SpecialQualification.objects.exists()


def test_special_invoice_requires_an_approved_qualification(
    shopper: Account, ga: Account, staff: Account, title: InvoiceTitle
) -> None:
    (line,) = list_lines(received_order(shopper, (ProductFactory(), 1)))
    form = plan_form({line.pk: 1}, kind=InvoiceKind.E_SPECIAL, title_id=title.pk)
    with pytest.raises(ValidationFailed, match="专票资质尚未通过审核"):
        get_plan(actor=shopper, form=form)

    path = default_storage.save("files/licence.pdf", ContentFile(b"x"))
    file = StoredFile.objects.create(
        owner=ga,
        path=path,
        name="执照.pdf",
        content_type="application/pdf",
        size=1,
        sha256="0" * 64,
    )
    qualification_apply(actor=ga, title_pk=str(title.pk), file_ids=[file.public_id], note="")
    qualification_decide(
        actor=staff, qualification_id=SpecialQualification.objects.get().pk, is_approved=True
    )
    assert len(get_plan(actor=shopper, form=form).invoices) == 1

    changed = title_update(actor=ga, pk=str(title.pk), changes={"bank": "另一家银行"})
    assert (changed.has_special_qualification, SpecialQualification.objects.get().status) == (
        False,
        "lapsed",
    )


def test_papers_are_refused_with_a_reason_and_decided_once(
    ga: Account, staff: Account, title: InvoiceTitle
) -> None:
    path = default_storage.save("files/licence.pdf", ContentFile(b"x"))
    file = StoredFile.objects.create(
        owner=ga,
        path=path,
        name="执照.pdf",
        content_type="application/pdf",
        size=1,
        sha256="0" * 64,
    )
    qualification_apply(actor=ga, title_pk=str(title.pk), file_ids=[file.public_id], note="")
    pk = SpecialQualification.objects.get().pk

    with pytest.raises(ValidationFailed, match="请填写未通过原因"):
        qualification_decide(actor=staff, qualification_id=pk, is_approved=False, reason=" ")
    qualification_decide(actor=staff, qualification_id=pk, is_approved=False, reason="执照已过期")
    with pytest.raises(WrongState):
        qualification_decide(actor=staff, qualification_id=pk, is_approved=True)

    assert SpecialQualification.objects.get().status == "refused"


def test_an_enterprise_keeps_a_title_once(ga: Account, title: InvoiceTitle) -> None:
    with pytest.raises(ValidationFailed) as refused:
        title_create(
            actor=ga,
            enterprise_id=None,
            fields={"title": title.title, "tax_number": build_credit_code(7)},
        )
    assert list(refused.value.body["Errors"]) == ["Title"]
