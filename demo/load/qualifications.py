"""专票资质 of the demo: applications for the invoice titles that the sheet marks, approved,
refused or waiting.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.core.files.base import ContentFile

from apps.common.files import ANY_KIND, file_take
from apps.common.services.files import file_store
from apps.common.tenancy import tenant_scope
from apps.invoices.models import SpecialQualification
from apps.invoices.services.titles import qualification_apply, qualification_decide
from apps.org.enums import AccountType
from apps.org.models import Account, InvoiceTitle
from demo.documents import pdf_page
from demo.load.clock import clock_at
from demo.load.history import DAYS
from demo.load.sheets import get_sheet

if TYPE_CHECKING:
    import random
    import uuid

APPROVED, PENDING, REFUSED = "已通过", "待审核", "未通过"
# Days since the application. Approved ones are older than the first order, because orders use them.
ASKED = {APPROVED: DAYS + 20, REFUSED: 12.2, PENDING: 1.3}
DECIDED = timedelta(hours=19)
REASON = "证明文件中的纳税人名称与抬头不一致，请上传与抬头一致的一般纳税人证明，或改用公司抬头申请"


def load_qualifications(now: datetime, _chance: random.Random) -> str:
    """Submit the documents of each title and decide on them. Return a summary in Chinese."""
    staff = Account.objects.get(username="ops.caiwu")
    for row in get_sheet("enterprise/invoice_titles"):
        if row["专票资质"] in ASKED:
            title = InvoiceTitle.objects.select_related("enterprise").get(title=row["抬头"])
            person = Account.objects.get(group=title.group_id, kind=AccountType.GROUP_ADMIN)
            with tenant_scope(group_id=title.group_id):
                _play_story(row["专票资质"], title, person, staff, now)
    return f"{SpecialQualification.objects.count()} 份"


def _play_story(
    fate: str, title: InvoiceTitle, person: Account, staff: Account, now: datetime
) -> None:
    at = now - timedelta(days=ASKED[fate])
    # The loader of titles has already set the flag for the order history, so reset it first.
    InvoiceTitle.objects.filter(pk=title.pk).update(has_special_qualification=False)
    with clock_at(at):
        files = [
            _upload_paper(person, title, "营业执照"),
            _upload_paper(person, title, "一般纳税人资格证明"),
        ]
        qualification_apply(actor=person, title_pk=str(title.pk), file_ids=files, note="")
    if fate != PENDING:
        row = SpecialQualification.objects.get(title=title)
        with clock_at(at + DECIDED):
            is_approved = fate == APPROVED
            qualification_decide(
                actor=staff,
                qualification_id=row.pk,
                is_approved=is_approved,
                reason="" if is_approved else REASON,
            )


def _upload_paper(person: Account, title: InvoiceTitle, name: str) -> uuid.UUID:
    lines = [
        f"纳税人名称：{title.enterprise.name}",
        f"统一社会信用代码：{title.tax_number}",
        "演示资料，不作为凭证",
    ]
    upload = ContentFile(pdf_page(title=name, lines=lines), name=f"{name}.pdf")
    return file_store(actor=person, file=file_take(upload, kinds=ANY_KIND, max_mb=20)).public_id
