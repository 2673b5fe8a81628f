"""One object of our group for each kind that an address can name; the other group must find none of them.

A new kind: write a function that makes it for `buyer` and returns its key in the address, and name it in `OBJECTS`.
"""

from __future__ import annotations

from collections.abc import Callable

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.budgets.tests.factories import make_budget
from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.common.models import StoredFile
from apps.orders.models import Order
from apps.org.models import Account
from apps.org.tests.factories import AddressFactory


def address(buyer: Account) -> str:
    """A shared address of his enterprise."""
    return str(AddressFactory(enterprise=buyer.enterprise).pk)


def budget(buyer: Account) -> str:
    assert buyer.enterprise
    return str(make_budget(enterprise=buyer.enterprise).pk)


def cart_item(buyer: Account) -> str:
    return str(CartItem.objects.create(account=buyer, product=ProductFactory(), quantity=1).pk)


def file(buyer: Account) -> str:
    path = default_storage.save("files/quote.pdf", ContentFile(b"x"))
    row = StoredFile.objects.create(owner=buyer, path=path, name="报价.pdf", content_type="application/pdf", size=1, sha256="0" * 64)
    return str(row.public_id)


def order(buyer: Account) -> str:
    return _order(buyer).order_no


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


def approval(buyer: Account) -> str:
    """One that waits for `buyer` himself."""
    subject = _order(buyer)
    row = Approval.objects.create(subject_type="order", subject_id=subject.pk, subject_no=subject.order_no, requester=buyer, amount=0)
    step = ApprovalStep.objects.create(approval=row, no=1, rule_name="规则", mode="any", status="active")
    ApprovalTask.objects.create(step=step, approver=buyer, status="pending")
    return str(row.pk)


OBJECTS: dict[str, Callable[[Account], str]] = {
    "address": address,
    "approval": approval,
    "budget": budget,
    "cart_item": cart_item,
    "file": file,
    "order": order,
}
MISSING: dict[str, str] = {"file": "00000000-0000-4000-8000-000000000000", "order": "SO-NONE-9999"}

# What must be in a body before the object is looked for; the route as in the table. CALLER stands for the key of the calling account.
CALLER = "{caller}"
BODIES: dict[str, dict[str, object]] = {
    "POST /api/Approval/{approval_id}/Reject": {"Reason": "重复采购"},
    "POST /api/Approval/{approval_id}/Transfer": {"To": CALLER, "Reason": "出差"},
    "POST /api/Order/{order_no}/Cancel": {"Reason": "买错了"},
    "PATCH /api/ShoppingCart/{item_id}": {"Quantity": 2},
}


def missing_key(kind: str) -> str:
    """Return a key of that kind that nothing has."""
    return MISSING.get(kind, "999999999")
