"""发票 of the demo: applications in every state over what the demo's people have received."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from apps.common.tenancy import tenant_scope
from apps.invoices.enums import InvoiceKind
from apps.invoices.gateways.demo import demo_number
from apps.invoices.models import Invoice, InvoiceApplication
from apps.invoices.selectors.available import AvailableFilter, lines_available
from apps.invoices.selectors.plan import PlanForm, Selection, plan_of
from apps.invoices.services.application_decide import application_accept, application_reject
from apps.invoices.services.application_submit import ApplicationForm, application_submit
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_open import RedForm, red_apply
from apps.org.models import Account, InvoiceTitle

if TYPE_CHECKING:
    import random
    from datetime import datetime

ISSUED, REJECTED, ACCEPTED, PENDING = "issued", "rejected", "accepted", "pending"
# What becomes of each application, and how many lines it takes.
STORY = ((ISSUED, 6), (ISSUED, 4), (REJECTED, 3), (ACCEPTED, 4), (PENDING, 5))


def invoices_load(now: datetime, _chance: random.Random) -> str:
    """Apply, reject, issue and ask for a red invoice as the finance people of the demo would."""
    staff = Account.objects.filter(is_staff=True, is_active=True).order_by("pk").first()
    finance = Account.objects.filter(username="finance").first()
    if staff is None or finance is None or finance.group_id is None:
        return "没有财务账号，未生成发票"
    with tenant_scope(group_id=finance.group_id):
        made = [application for fate, size in STORY if (application := _applied(finance, staff, fate, size)) is not None]
        _spread(now, made)
        issued = Invoice.objects.filter(application__in=made).exclude(invoice_no="").order_by("pk")
        first = issued.first()
        if first is not None:
            red_apply(actor=finance, invoice_id=first.pk, form=RedForm("01", "抬头有误，需要红冲重开"))
        return f"开票申请 {len(made)} 张，已开具发票 {issued.count()} 张"


def _applied(finance: Account, staff: Account, fate: str, size: int) -> InvoiceApplication | None:
    title = InvoiceTitle.objects.filter(enterprise_id=finance.enterprise_id, is_active=True).order_by("-is_default", "pk").first()
    if title is None or finance.enterprise_id is None:
        return None
    open_lines = lines_available(actor=finance, enterprise_id=finance.enterprise_id, wanted=AvailableFilter())[:size]
    quantities = {line.pk: line.open_quantity for line in open_lines}  # type: ignore[attr-defined]
    if not quantities:
        return None
    form = PlanForm(Selection(quantities), InvoiceKind.E_NORMAL, title_id=title.pk)
    total = plan_of(actor=finance, form=form).total
    application = application_submit(actor=finance, form=ApplicationForm(form, total, email=finance.email or "finance@example.com"))
    if fate == REJECTED:
        application_reject(actor=staff, application_id=application.pk, reason="抬头与合同主体不一致，请核对后重新申请")
    elif fate == ISSUED:
        application_accept(actor=staff, application_id=application.pk)
        for pk, request_no in application.invoices.order_by("pk").values_list("pk", "request_no"):
            invoice_issue_by_hand(actor=staff, invoice_id=pk, invoice_no=demo_number(request_no))
    elif fate == ACCEPTED:
        application_accept(actor=staff, application_id=application.pk)
    return application


def _spread(now: datetime, made: list[InvoiceApplication]) -> None:
    """Yesterday's and last week's, not all of the same minute."""
    for nth, application in enumerate(made):
        days = 3 * (len(made) - nth) - 2
        InvoiceApplication.objects.filter(pk=application.pk).update(submitted_at=now - timedelta(days=days, hours=nth))
