"""One object of our group for each kind that an address can name. The other group must not find
any of them.

To add a kind, write a function that creates it for `buyer` and returns its key in the address, and
add it to `OBJECTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.aftersales.models import CancelOrder, ReturnOrder
from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalStep, ApprovalTask
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.assistant.models import CartProposal, Conversation, Message
from apps.budgets.tests.factories import make_budget, make_transfer
from apps.cart.models import CartItem, QuickList
from apps.catalog.tests.factories import ProductFactory
from apps.common.models import ImportChunk, ImportRun, StoredFile
from apps.common.models.import_run import ImportState
from apps.common.services.import_run import LEFT_OUT
from apps.common.services.wrong_rows import WRONG_SHEET, wrong_rows_add
from apps.dimensions.tests.factories import DimensionFactory
from apps.inquiries.services.inquiries import InquiryForm, InquiryFormLine, inquiry_create
from apps.invoices.enums import StatementStatus
from apps.invoices.models import Statement
from apps.invoices.tests.factories import create_application, create_invoice
from apps.orders.models import Order
from apps.orders.tests.factories import InvoiceTitleFactory
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, AddressFactory, RoleFactory
from apps.questions.models import ProductQuestion
from apps.quotations.models import Quotation, QuotationLine
from apps.recurring.models import RecurringLine, RecurringOrder
from apps.reports.models import ExportJob, ReportRecipient, ReportSubscription, SavedView
from apps.requisitions.models import Requisition, RequisitionLine
from apps.webhooks.models import Webhook


def get_account(buyer: Account) -> str:
    """The buyer himself; he sees no other account."""
    return str(buyer.pk)


def get_role(buyer: Account) -> str:
    """A role without members."""
    return str(RoleFactory(group=buyer.group, code="free").pk)


def get_address(buyer: Account) -> str:
    """A shared address of his enterprise."""
    return str(AddressFactory(enterprise=buyer.enterprise).pk)


def get_budget(buyer: Account) -> str:
    assert buyer.enterprise
    return str(make_budget(enterprise=buyer.enterprise).pk)


def budget_transfer(buyer: Account) -> str:
    """A pending transfer that he requested."""
    assert buyer.enterprise
    return str(make_transfer(requester=buyer, enterprise=buyer.enterprise).pk)


def get_dimension(buyer: Account) -> str:
    return str(DimensionFactory(group=buyer.group).pk)


def cart_item(buyer: Account) -> str:
    return str(CartItem.objects.create(account=buyer, product=ProductFactory(), quantity=1).pk)


def get_group(buyer: Account) -> str:
    return str(buyer.group_id)


def get_department(buyer: Account) -> str:
    return str(buyer.department_id)


def get_enterprise(buyer: Account) -> str:
    return str(buyer.enterprise_id)


def file(buyer: Account) -> str:
    path = default_storage.save("files/quote.pdf", ContentFile(b"x"))
    row = StoredFile.objects.create(
        owner=buyer,
        path=path,
        name="报价.pdf",
        content_type="application/pdf",
        size=1,
        sha256="0" * 64,
    )
    return str(row.public_id)


def get_question(buyer: Account) -> str:
    """A question that waits for an answer."""
    row = ProductQuestion.objects.create(
        asker=buyer, product=ProductFactory(), text="一盒有几支？", asked_at=timezone.now()
    )
    return str(row.pk)


def quick_list(buyer: Account) -> str:
    """His own list, not shared."""
    return str(
        QuickList.objects.create(
            account=buyer, name="每月常购", lines=[{"code": "110001", "quantity": 2}], line_count=1
        ).pk
    )


def order(buyer: Account) -> str:
    return _order(buyer).order_no


def get_requisition(buyer: Account) -> str:
    row = Requisition.objects.create(
        requisition_no=f"PR{buyer.pk}",
        requester=buyer,
        enterprise=buyer.enterprise,
        department=buyer.department,
        submitted_at=timezone.now(),
    )
    RequisitionLine.objects.create(
        requisition=row,
        no=1,
        product=ProductFactory(),
        product_code="1",
        name="签字笔",
        unit="支",
        price=1,
        quantity=1,
    )
    return str(row.requisition_no)


def get_quotation(buyer: Account) -> str:
    """A valid quotation of his cart."""
    row = Quotation.objects.create(
        quotation_no=f"BJ{buyer.pk}",
        requester=buyer,
        enterprise=buyer.enterprise,
        quoted_at=timezone.now(),
        valid_to=timezone.localdate(),
        goods_amount=1,
        line_count=1,
    )
    QuotationLine.objects.create(
        quotation=row,
        no=1,
        product=ProductFactory(),
        product_code="1",
        name="签字笔",
        unit="支",
        quantity=1,
        price=1,
        tax_rate="0.13",
    )
    return str(row.quotation_no)


def recurring_order(buyer: Account) -> str:
    """An active recurring order that is due today."""
    row = RecurringOrder.objects.create(
        recurring_no=f"RO{buyer.pk}",
        name="茶水间补货",
        requester=buyer,
        enterprise=buyer.enterprise,
        department=buyer.department,
        rhythm="weekly",
        number=4,
        next_due=timezone.localdate(),
        invoice_kind="e_normal",
        payment_kind="credit",
    )
    RecurringLine.objects.create(
        recurring_order=row, no=1, product=ProductFactory(), quantity=1, agreed_price=1
    )
    return str(row.recurring_no)


def cancel_order(buyer: Account) -> str:
    """A cancellation that waits for staff."""
    return str(
        CancelOrder.objects.create(
            cancel_no="QX-OURS-0001",
            order=_order(buyer),
            requester=buyer,
            reason_kind="unwanted",
            submitted_at=timezone.now(),
            decide_by=timezone.now(),
        ).pk
    )


def get_inquiry(buyer: Account) -> str:
    """An inquiry that waits for a quotation."""
    wanted = InquiryFormLine("定制钢笔", 10, "支")
    return inquiry_create(actor=buyer, form=InquiryForm((wanted,))).inquiry_no


def return_order(buyer: Account) -> str:
    """A return that waits for review."""
    subject = _order(buyer)
    row: ReturnOrder = ReturnOrder.objects.create(
        return_no="TH-OURS-0001",
        order=subject,
        requester=buyer,
        enterprise=buyer.enterprise,
        kind="return",
        reason="quality",
        way="send",
        submitted_at=subject.submitted_at,
        waiting_since=subject.submitted_at,
    )
    return row.return_no


def _order(buyer: Account) -> Order:
    return Order.objects.create(
        order_no="SO-OURS-0001",
        requester=buyer,
        enterprise=buyer.enterprise,
        department=buyer.department,
        payment_kind="credit",
        invoice_kind="none",
        submitted_at=timezone.now(),
    )


def get_approval(buyer: Account) -> str:
    """An approval that waits for `buyer` himself."""
    subject = _order(buyer)
    row = Approval.objects.create(
        subject_type="order",
        subject_id=subject.pk,
        subject_no=subject.order_no,
        requester=buyer,
        amount=0,
    )
    step = ApprovalStep.objects.create(
        approval=row, no=1, rule_name="规则", mode="any", status="active"
    )
    ApprovalTask.objects.create(step=step, approver=buyer, status="pending")
    return str(row.pk)


def get_delegation(buyer: Account) -> str:
    """A delegation of his own approvals to a colleague, for today."""
    today = timezone.localdate()
    colleague = AccountFactory(department=buyer.department)
    row = ApprovalDelegation.objects.create(
        delegator=buyer, delegate=colleague, valid_from=today, valid_until=today
    )
    return str(row.pk)


def build_rule(buyer: Account) -> str:
    """A rule of the whole group, which he cannot change."""
    return str(
        create_rule(group_id=buyer.group_id, name="全部", steps=[StepSpec(ApproverKind.HEAD)]).pk
    )


def get_conversation(buyer: Account) -> str:
    return str(_conversation(buyer).pk)


def _conversation(buyer: Account) -> Conversation:
    row: Conversation = Conversation.objects.create(account=buyer, last_at=timezone.now())
    return row


def get_proposal(buyer: Account) -> str:
    message = Message.objects.create(
        conversation=_conversation(buyer), account=buyer, role="assistant"
    )
    lines = [{"code": ProductFactory().code, "quantity": 1}]
    return str(CartProposal.objects.create(message=message, account=buyer, lines=lines).public_id)


def get_invoice_title(buyer: Account) -> str:
    """A title of his enterprise."""
    return str(InvoiceTitleFactory(enterprise=buyer.enterprise).pk)


def get_invoice_application(buyer: Account) -> str:
    return create_application(buyer).application_no


def get_invoice(buyer: Account) -> str:
    """An invoice that was issued for his application."""
    return str(create_invoice(buyer).pk)


def get_statement(buyer: Account) -> str:
    """The statement of a past month without movements."""
    statements = Statement.objects.create(
        group_id=buyer.group_id,
        enterprise=buyer.enterprise,
        month=date(2026, 5, 1),
        statement_no="DZ1",
        status=StatementStatus.PENDING,
    )
    return str(statements.pk)


def get_import_run(buyer: Account) -> str:
    """An import that has not written any row yet and leaves one out. Only the person who confirmed
    it sees it.
    """
    run = ImportRun.objects.create(
        writer="dimensions",
        kind="dimensions",
        actor=buyer,
        group_id=buyer.group_id,
        state=ImportState.WRITING,
        rows=1,
        options={LEFT_OUT: 1, WRONG_SHEET: {"name": "核算项", "header": ["编码", "错误原因"]}},
    )
    wrong_rows_add(run=run, rows=[["", "请填写编码"]])
    ImportChunk.objects.create(run=run, number=1, rows=[[2, ["成本中心", "CC-1", "行政"]]])
    return str(run.pk)


def export_job(buyer: Account) -> str:
    """An export job. Only its owner sees it, even if others see the same orders."""
    created = ExportJob.objects.create(
        group_id=buyer.group_id, owner=buyer, report="Order", title="订单报表"
    )
    return str(created.pk)


def get_webhook(buyer: Account) -> str:
    """A webhook of the group with a reserved address to which nothing is sent."""
    webhook = Webhook.objects.create(
        group_id=buyer.group_id,
        name="ERP",
        url="https://erp.invalid/hook",
        events=["order"],
        owner=buyer,
        secret_seed="0" * 64,
    )
    return str(webhook.pk)


def get_report_subscription(buyer: Account) -> str:
    """His paused daily subscription to himself."""
    report_subscriptions = ReportSubscription.objects.create(
        owner=buyer,
        view=SavedView.objects.get(pk=create_saved_view(buyer)),
        frequency="daily",
        at_time=time(8, 30),
        is_active=False,
    )
    ReportRecipient.objects.create(subscription=report_subscriptions, account=buyer)
    return str(report_subscriptions.pk)


def create_saved_view(buyer: Account) -> str:
    """His shared view: others of his group can open it; only he can change it."""
    saved_view = SavedView.objects.create(
        group_id=buyer.group_id,
        owner=buyer,
        report="Order",
        name="本月",
        filters={"Period": "month"},
        shared=True,
    )
    return str(saved_view.pk)


OBJECTS: dict[str, Callable[[Account], str]] = {
    "account": get_account,
    "address": get_address,
    "approval": get_approval,
    "budget": get_budget,
    "cancel_order": cancel_order,
    "budget_transfer": budget_transfer,
    "dimension": get_dimension,
    "cart_item": cart_item,
    "conversation": get_conversation,
    "department": get_department,
    "enterprise": get_enterprise,
    "delegation": get_delegation,
    "file": file,
    "group": get_group,
    "inquiry": get_inquiry,
    "invoice": get_invoice,
    "invoice_application": get_invoice_application,
    "invoice_title": get_invoice_title,
    "order": order,
    "proposal": get_proposal,
    "question": get_question,
    "quick_list": quick_list,
    "quotation": get_quotation,
    "recurring_order": recurring_order,
    "requisition": get_requisition,
    "return": return_order,
    "role": get_role,
    "rule": build_rule,
    "saved_view": create_saved_view,
    "report_subscription": get_report_subscription,
    "statement": get_statement,
    "export_job": export_job,
    "import_run": get_import_run,
    "webhook": get_webhook,
}
MISSING: dict[str, str] = {
    "file": "00000000-0000-4000-8000-000000000000",
    "inquiry": "XJ-NONE-9999",
    "invoice_application": "KP-NONE-9999",
    "order": "SO-NONE-9999",
    "quotation": "BJ-NONE-9999",
    "recurring_order": "RO-NONE-9999",
    "requisition": "PR-NONE-9999",
    "proposal": "00000000-0000-4000-8000-000000000000",
    "return": "TH-NONE-9999",
}


def build_missing_key(kind: str) -> str:
    """Return a key of that kind that no object has."""
    return MISSING.get(kind, "999999999")
