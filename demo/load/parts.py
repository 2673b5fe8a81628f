"""The parts of the demo's history that follow the orders: reviews, returns, invoices and so on."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from apps.reports.services.facts import facts_rebuild
from demo.load.bank import load_bank
from demo.load.cancellations import load_cancellations
from demo.load.controls import load_controls
from demo.load.invoices import load_invoices
from demo.load.proposals import load_proposals
from demo.load.qualifications import load_qualifications
from demo.load.questions import load_questions
from demo.load.quick_lists import load_quick_lists
from demo.load.quotations import load_quotations
from demo.load.recurring import load_recurring
from demo.load.returns import load_returns
from demo.load.reviews import load_reviews
from demo.load.statements import load_statements

# Takes the current time and the part's own random generator; returns a Chinese summary. Runs in
# the platform's scope, inside the loader's transaction.
Load = Callable[[datetime, random.Random], str]
SEED = 20240301


@dataclass(frozen=True, slots=True)
class DemoPart:
    """One part of the demo's history and its title."""

    title: str
    load: Load

    def run(self, *, now: datetime) -> str:
        """Load the part and return its summary.

        The seed depends on the title alone, so that a change in one part leaves the random data of
        the others as it is.
        """
        return self.load(now, random.Random(SEED + zlib.crc32(self.title.encode())))


def load_facts(_now: datetime, _chance: random.Random) -> str:
    """Build the reports' read models from the rows. The outbox messages of the demo's history are
    deleted undelivered, so the handlers never see them.
    """
    return f"{facts_rebuild()} 条事实"


DEMO_PARTS = (
    DemoPart("商品评价", load_reviews),
    DemoPart("商品问答", load_questions),
    DemoPart("取消申请", load_cancellations),
    DemoPart("退换货", load_returns),
    DemoPart("专票资质", load_qualifications),
    DemoPart("发票", load_invoices),
    DemoPart("对账单", load_statements),
    DemoPart("银行到账", load_bank),
    DemoPart("定期采购", load_recurring),
    DemoPart("报价单", load_quotations),
    DemoPart("采购清单", load_quick_lists),
    DemoPart("防拆单", load_controls),
    DemoPart("双人复核", load_proposals),
    DemoPart("报表", load_facts),
)
