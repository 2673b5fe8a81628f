"""定期采购 of the demo: one that runs, and one that waits for its owner because it costs more than
its ceiling.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.tenancy import tenant_scope
from apps.orders.models import Order
from apps.org.models import Account
from apps.recurring.enums import Rhythm
from apps.recurring.selectors.drafts import get_draft
from apps.recurring.services.recurring_manage import recurring_order_create
from apps.recurring.services.recurring_run import recurring_order_run
from demo.load.clock import clock_at

if TYPE_CHECKING:
    import random

OWNER = "buyer"
# Before the longest holiday, so that the stopped one was due.
SET_UP_BEFORE = timedelta(days=12)
KINDS = 3


def load_recurring(now: datetime, _chance: random.Random) -> str:
    """Set up two recurring orders from the owner's last order with goods that are on sale. Return
    a summary in Chinese.
    """
    owner = Account.objects.get(username=OWNER)
    with tenant_scope(group_id=owner.group_id or 0):
        for order in Order.objects.filter(requester=owner).order_by("-pk")[:20]:
            draft = get_draft(actor=owner, order_no=order.order_no)
            lines = [line for line in draft.checkout.lines if line.problem is None][:KINDS]
            if len(lines) > 1:
                break
        else:
            return "0 个"
        form = replace(
            draft.form,
            quantities={line.offer.product.code: line.quantity for line in lines},
            address_id=draft.form.address_id or draft.addresses[0].pk,
            invoice_title_id=draft.form.invoice_title_id or draft.checkout.titles[0].pk,
            rise_percent=Decimal(10),
        )
        goods = sum((line.amount or Decimal(0) for line in lines), Decimal(0))
        half = replace(
            form,
            name="会议室用品补货",
            rhythm=Rhythm.WORKING_DAYS,
            number=5,
            amount_ceiling=(goods / 2).quantize(Decimal("0.01")),
        )
        with clock_at(now - SET_UP_BEFORE):
            recurring_order_create(actor=owner, form=replace(form, name="月初办公用品"))
            stopped = recurring_order_create(actor=owner, form=half)
        recurring_order_run(pk=stopped.pk, today=timezone.localdate(now))
    return "2 个"
