"""A subject for the tests: it writes down what the engine tells it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.approvals.models import Approval
from apps.approvals.selectors.plan import approval_plan
from apps.approvals.services.approval_start import approval_start
from apps.approvals.subjects import ApprovalSubject, LineNow, SubjectAmendment, register_subject
from apps.org.models import Account

SUBJECT_TYPE = "test.request"


class Recorder:
    """Registered under SUBJECT_TYPE; `told` holds (what, subject id) in order, `amendments` what its amendments come to."""

    def __init__(self) -> None:
        self.amendments: list[SubjectAmendment] = []
        self.told: list[tuple[str, int]] = []

    def lock(self, *subject_ids: int) -> None:
        """There is no row to lock."""

    def lock_held(self, *subject_ids: int) -> None:
        """It holds nothing."""

    def approved(self, subject_id: int, *, actor: Account | None) -> None:
        self.told.append(("approved", subject_id))

    def rejected(self, subject_id: int, *, actor: Account, reason: str, acting_for: Account | None = None) -> None:
        self.told.append((f"rejected:{reason}", subject_id))

    def noted(self, subject_id: int, *, actor: Account | None, kind: str, note: str, acting_for: Account | None = None) -> None:
        said_for = f"（代 {acting_for.nickname}）" if acting_for else ""
        self.told.append((f"{kind}:{note}{said_for}", subject_id))

    def lines(self, subject_id: int) -> list[LineNow]:
        return [LineNow(1, "中性笔", "支", 10), LineNow(2, "复印纸", "箱", 4)]

    def amendment(self, subject_id: int, *, quantities: Mapping[int, int]) -> SubjectAmendment:
        return self.amendments.pop(0)

    def amend(
        self, subject_id: int, *, quantities: Mapping[int, int], actor: Account, reason: str, acting_for: Account | None = None
    ) -> SubjectAmendment:
        self.told.append((f"amended:{dict(quantities)}:{reason}", subject_id))
        return self.amendments.pop(0)


def recorder() -> Recorder:
    """Return a new recorder, registered."""
    handler = Recorder()
    register_subject(SUBJECT_TYPE, handler)
    return handler


def subject_of(requester: Account, amount: str = "800.00", **fields: Any) -> ApprovalSubject:
    """Return what is to be approved: an amount in 元, on account."""
    return ApprovalSubject(requester=requester, amount=Decimal(amount), payment_kind="credit", **fields)


def start(requester: Account, *, subject_id: int = 7, amount: str = "800.00") -> Approval:
    """Return the approval of a subject that needs one."""
    subject = subject_of(requester, amount)
    approval = approval_start(
        subject_type=SUBJECT_TYPE, subject_id=subject_id, subject_no=f"SO{subject_id}", subject=subject, plan=approval_plan(subject=subject)
    )
    assert approval is not None
    return approval
