"""待复核 of the demo: a raised credit that waits for a second person."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.dual_control.models import Proposal
from apps.dual_control.services.proposals import act_submit
from apps.orders.services.controlled_acts import SET_CREDIT, build_credit_parameters
from apps.org.models import Account, Enterprise
from demo.load.clock import clock_at

if TYPE_CHECKING:
    import random

PROPOSED_BEFORE = timedelta(hours=5)


def load_proposals(now: datetime, _chance: random.Random) -> str:
    """Propose a higher credit for an enterprise. Return a summary in Chinese."""
    enterprise = Enterprise.objects.get(code="YFWY")
    parameters = build_credit_parameters(
        enterprise_id=enterprise.pk,
        limit=Decimal(300_000),
        policy=enterprise.credit_policy,
        days=enterprise.credit_days,
        reason="年度采购框架协议续签，按协议调高额度",
    )
    with clock_at(now - PROPOSED_BEFORE):
        act_submit(
            actor=Account.objects.get(username="ops.caiwu"),
            kind=SET_CREDIT,
            parameters=parameters,
        )
    return f"{Proposal.objects.count()} 笔"
