"""Staff decide on a 专票资质 from its papers. The page links to the papers."""

from __future__ import annotations

import re

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from apps.common.files import ANY_KIND, file_take
from apps.common.services.files import file_store
from apps.common.tenancy import no_scope
from apps.invoices.models import SpecialQualification
from apps.invoices.services.titles import qualification_apply
from apps.org.models import Account, InvoiceTitle
from apps.org.tests.office import create_staff, open_office

PAPER = b"%PDF-1.4 paper %%EOF"
FIELDS = {
    "address": "示例路 1 号",
    "phone": "021-55550100",
    "bank": "示例银行",
    "bank_account": "6200000000000000001",
}


@pytest.fixture
def waiting(shopper: Account, ga: Account) -> SpecialQualification:
    """A submitted qualification with one paper."""
    InvoiceTitle.objects.update(has_special_qualification=False, **FIELDS)
    title = InvoiceTitle.objects.order_by("pk")[0]
    taken = file_take(ContentFile(PAPER, name="营业执照.pdf"), kinds=ANY_KIND, max_mb=1)
    file = file_store(actor=ga, file=taken)
    qualification_apply(actor=ga, title_pk=str(title.pk), file_ids=[file.public_id], note="")
    return SpecialQualification.objects.get()


def test_the_papers_open_from_the_page(waiting: SpecialQualification) -> None:
    office = open_office(create_staff("财务"))
    with no_scope():
        page = office.get(
            f"/admin/invoices/specialqualification/{waiting.pk}/change/"
        ).content.decode()
    (address,) = set(re.findall(r'href="(/admin/[^"]+/paper/[^"]+)"', page))

    with no_scope():
        answer, refused = office.get(address), Client().get(address)
    assert answer.getvalue() == PAPER
    assert refused.status_code == 302
