"""A subject for tests that records the calls of the approval engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from apps.approvals.models import Approval
from apps.approvals.selectors.plan import approval_plan
from apps.approvals.services.approval_flow import approval_start
from apps.approvals.subjects import (
    ApprovalSubject,
    CurrentLine,
    SubjectAmendment,
    register_approval_subject,
)
from apps.org.models import Account

SUBJECT_TYPE = "test.request"


class Recorder:
    """A handler for SUBJECT_TYPE. `events` holds (event, subject id) in order; `amendments` are
    the results of `amend`.
    """

    def __init__(self) -> None:
        self.amendments: list[SubjectAmendment] = []
        self.events: list[tuple[str, int]] = []

    def lock(self, *subject_ids: int) -> None:
        """Do nothing: there is no row to lock."""

    def lock_held(self, *subject_ids: int) -> None:
        """Do nothing: the subject holds nothing."""

    def on_approved(self, subject_id: int, *, actor: Account | None) -> None:
        self.events.append(("approved", subject_id))

    def on_rejected(
        self, subject_id: int, *, actor: Account, reason: str, acting_for: Account | None = None
    ) -> None:
        self.events.append((f"rejected:{reason}", subject_id))

    def add_note(
        self,
        subject_id: int,
        *,
        actor: Account | None,
        kind: str,
        note: str,
        acting_for: Account | None = None,
    ) -> None:
        said_for = f"（代 {acting_for.nickname}）" if acting_for else ""
        self.events.append((f"{kind}:{note}{said_for}", subject_id))

    def list_lines(self, subject_id: int) -> list[CurrentLine]:
        return [CurrentLine(1, "中性笔", "支", 10), CurrentLine(2, "复印纸", "箱", 4)]

    def preview_amendment(
        self, subject_id: int, *, quantities: Mapping[int, int]
    ) -> SubjectAmendment:
        return self.amendments.pop(0)

    def amend(
        self,
        subject_id: int,
        *,
        quantities: Mapping[int, int],
        actor: Account,
        reason: str,
        acting_for: Account | None = None,
    ) -> SubjectAmendment:
        self.events.append((f"amended:{dict(quantities)}:{reason}", subject_id))
        return self.amendments.pop(0)


def register_recorder() -> Recorder:
    """Return a new, registered recorder."""
    handler = Recorder()
    register_approval_subject(SUBJECT_TYPE, handler)
    return handler


def build_subject(requester: Account, amount: str = "800.00", **fields: Any) -> ApprovalSubject:
    """Return a subject with an amount in 元, paid on account."""
    return ApprovalSubject(
        requester=requester, amount=Decimal(amount), payment_kind="credit", **fields
    )


def start(
    requester: Account,
    *,
    subject_id: int = 7,
    amount: str = "800.00",
    askers: Iterable[Account] = (),
) -> Approval:
    """Start an approval for a subject that needs one and return it. `askers` asked for its goods in
    requisitions.
    """
    asker_ids = frozenset(account.pk for account in askers)
    subject = build_subject(requester, amount, asker_ids=asker_ids)
    approval = approval_start(
        subject_type=SUBJECT_TYPE,
        subject_id=subject_id,
        subject_no=f"SO{subject_id}",
        subject=subject,
        plan=approval_plan(subject=subject),
    )
    assert approval is not None
    return approval
