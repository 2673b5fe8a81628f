"""Acts under dual control: do them at once within the limit of one person, otherwise propose
them; release, reject, withdraw and expire proposals.

Lock order: the proposal, or the actor's account; then the document and the other locks of the act.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.common.audit import NOTE, STATE, act_log, two_people_scope
from apps.common.errors import DomainError
from apps.common.money import ZERO, format_yuan
from apps.dual_control.controlled import ActPreview, ControlledAct, Parameters, get_act
from apps.dual_control.enums import ProposalEventKind, ProposalState
from apps.dual_control.errors import (
    AmountBeyondRelease,
    NotYourProposal,
    OwnProposal,
    ProposalEnded,
    ProposalExpired,
    ProposalNotFound,
    ProposalWaits,
    ProposedAmountMoved,
    ProposedFactMoved,
    ProposerLostRight,
    RejectionReasonMissing,
)
from apps.dual_control.models import Proposal
from apps.dual_control.selectors.limits import get_limits, is_within, may_release
from apps.org.locks import lock_account
from apps.org.models import Account

if TYPE_CHECKING:
    from collections.abc import Sequence

VALID_FOR = timedelta(days=7)
WAITS_TEXT = "已提交复核、尚未生效；另一位同事在“待复核”放行后生效"
S, K = ProposalState, ProposalEventKind


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an act: the return value of its service, or the proposal that now waits.
    `earlier` and `reason`: as in `ActPreview`.
    """

    result: Any = None
    proposal: Proposal | None = None
    earlier: Decimal = ZERO
    reason: str = ""

    @property
    def proposal_text(self) -> str:
        """Return the message after a proposal; empty if the act is done."""
        if self.proposal is None:
            return ""
        if self.reason:
            return f"{self.reason}，须两人完成：{WAITS_TEXT}"
        earlier = f"（含此前单人变动 {format_amount(self.earlier)}）" if self.earlier else " "
        return f"金额 {format_amount(self.proposal.amount)}{earlier}超过您的单人上限，{WAITS_TEXT}"


def act_submit(*, actor: Account, kind: str, parameters: Parameters) -> Outcome:
    """Do the act if its amount is within the actor's limit, otherwise propose it. Its preview may
    say that it is an act of another kind.

    Raises:
        DomainError: the service refuses the act.
        WrongState: the same act on the same subject already waits for a second person.
    """
    act = get_act(kind)
    with transaction.atomic():
        # Two acts of one person at once would otherwise both read the same earlier amount.
        # `preview` locks the document, for acts of several people.
        lock_account(actor.pk)
        preview = act.preview(parameters)
        act = get_act(preview.kind or kind)
        alone = get_limits(person=actor)[act.kind].alone
        if is_within(preview.amount, alone):
            return Outcome(result=act.run(actor, parameters))
    if act.is_tried:
        _try(act, actor, parameters)
    return Outcome(
        proposal=_create_proposal(act, actor, parameters, preview),
        earlier=preview.earlier,
        reason=preview.reason,
    )


def _try(act: ControlledAct, actor: Account, parameters: Parameters) -> None:
    """Run the act and roll it back, so that its service can refuse it."""
    with transaction.atomic():
        act.run(actor, parameters)
        transaction.set_rollback(True)


def _create_proposal(
    act: ControlledAct, actor: Account, parameters: Parameters, preview: ActPreview
) -> Proposal:
    """Store the act as a proposal that another person must release.

    Raises:
        ProposalWaits: the same act on the same subject waits already.
    """
    now = timezone.now()
    label = preview.subject._meta.label_lower
    amount: dict[str, Any] = {"amount": preview.amount}
    # An expired proposal of the same subject does not block a new one.
    proposals_expire()
    try:
        with transaction.atomic():
            proposal: Proposal = Proposal.objects.create(
                kind=act.kind,
                subject_type=label,
                subject_id=preview.subject.pk,
                subject_text=preview.subject_text[:200],
                parameters=dict(parameters),
                facts=[list(fact) for fact in preview.facts],
                proposer=actor,
                proposed_at=now,
                expires_at=now + VALID_FOR,
                **amount,
            )
            _log(proposal, actor, kind=K.PROPOSED, before="", note=_format_facts(preview.facts))
    except IntegrityError as error:
        same_proposals = Proposal.objects.select_related("proposer").filter(
            kind=act.kind,
            subject_type=label,
            subject_id=preview.subject.pk,
            state=S.PROPOSED,
        )
        waiting_proposal = same_proposals.first()
        proposer = str(waiting_proposal.proposer) if waiting_proposal else ""
        raise ProposalWaits(proposer=proposer, title=act.title) from error
    return proposal


@transaction.atomic
def proposal_release(*, actor: Account, proposal_id: int) -> Outcome:
    """Do the proposed act in the proposer's name. The log names both people.

    Raises:
        ProposalNotFound: no proposal has this id.
        WrongState: it is decided already, or has expired.
        ReleaseRefused: the actor proposed it, or his limit or rights do not allow it; or the
            proposer has lost the right.
        Stale: facts have changed since the proposal.
        DomainError: the service refuses the act. The proposal stays open.
    """
    proposal = _lock_open(proposal_id)
    act = get_act(proposal.kind)
    _require_second_person(actor, proposal, act)
    _require_proposer(proposal, act)
    _refuse_changed(proposal, act.preview(proposal.parameters))
    with two_people_scope(proposer=proposal.proposer, second_person_name=str(actor)):
        result = act.run(proposal.proposer, proposal.parameters)
    note = f"{proposal.proposer} 提出，{actor} 复核；{_format_facts(proposal.facts)}"
    _decide(proposal, actor, state=S.RELEASED, kind=K.RELEASED, note=note)
    return Outcome(result=result, proposal=proposal)


@transaction.atomic
def proposal_reject(*, actor: Account, proposal_id: int, reason: str) -> Proposal:
    """Reject the proposal. Nothing changes but the proposal.

    Raises:
        ProposalNotFound, WrongState, ReleaseRefused: as proposal_release.
        ValidationFailed: the reason is missing.
    """
    if not reason.strip():
        raise RejectionReasonMissing
    proposal = _lock_open(proposal_id)
    _require_second_person(actor, proposal, get_act(proposal.kind))
    note = f"{proposal.proposer} 提出，{actor} 驳回：{reason.strip()}"
    return _decide(
        proposal, actor, state=S.REJECTED, kind=K.REJECTED, note=note, reason=reason.strip()
    )


@transaction.atomic
def proposal_withdraw(*, actor: Account, proposal_id: int) -> Proposal:
    """Withdraw one's own proposal.

    Raises:
        ProposalNotFound, WrongState: as proposal_release.
        Forbidden: another person proposed it.
    """
    proposal = _lock_open(proposal_id)
    _require_own(actor, proposal)
    return _decide(proposal, actor, state=S.WITHDRAWN, kind=K.WITHDRAWN, note="提出人撤回")


def explain_refused_decision(*, actor: Account, proposal: Proposal, decision: str) -> str:
    """Return why the actor cannot `release`, `reject` or `withdraw` the proposal; "" if he can.
    Whether its facts have changed is only checked by the release.
    """
    try:
        _require_open(proposal)
        if decision == "withdraw":
            _require_own(actor, proposal)
        else:
            act = get_act(proposal.kind)
            _require_second_person(actor, proposal, act)
            if decision == "release":
                _require_proposer(proposal, act)
    except DomainError as error:
        return error.text
    return ""


def proposals_expire() -> int:
    """Close the proposals after their last moment. Return their number. Periodic job."""
    late = Proposal.objects.filter(state=S.PROPOSED, expires_at__lte=timezone.now())
    expired_count = 0
    for proposal in late.order_by("pk")[:500]:
        with transaction.atomic():
            # Another process may have decided it meanwhile.
            rows = Proposal.objects.filter(pk=proposal.pk, state=S.PROPOSED)
            if rows.update(state=S.EXPIRED, decided_at=timezone.now()):
                proposal.state = S.EXPIRED
                _log(proposal, None, kind=K.EXPIRED, before=S.PROPOSED, note="超过 7 天未复核")
                expired_count += 1
    return expired_count


def _lock_open(proposal_id: int) -> Proposal:
    """Lock and return an open proposal. A second person who comes later gets WrongState.

    Raises:
        ProposalNotFound: there is none with this id.
        ProposalEnded: it was decided.
        ProposalExpired: its time is over.
    """
    rows = Proposal.objects.select_for_update(of=("self",)).select_related("proposer", "decider")
    proposal = rows.filter(pk=proposal_id).first()
    if proposal is None:
        raise ProposalNotFound
    _require_open(proposal)
    return proposal


def _require_open(proposal: Proposal) -> None:
    if proposal.state != S.PROPOSED:
        decider = str(proposal.decider) if proposal.decider else ""
        raise ProposalEnded(state=proposal.get_state_display(), decider=decider)
    if proposal.expires_at <= timezone.now():
        raise ProposalExpired


def _require_second_person(actor: Account, proposal: Proposal, act: ControlledAct) -> None:
    if proposal.proposer_id == actor.pk:
        raise OwnProposal
    if not may_release(person=actor, kind=act.kind, amount=proposal.amount):
        raise AmountBeyondRelease(format_amount(proposal.amount))


def _require_own(actor: Account, proposal: Proposal) -> None:
    if proposal.proposer_id != actor.pk:
        raise NotYourProposal


def _require_proposer(proposal: Proposal, act: ControlledAct) -> None:
    """Refuse the act of a person who may not do it any more."""
    proposer = proposal.proposer
    if not (proposer.is_active and proposer.is_staff and proposer.has_perm(act.permission)):
        raise ProposerLostRight(str(proposer))


def _refuse_changed(proposal: Proposal, preview: ActPreview) -> None:
    """Raise an error if a fact or the amount (元) has changed since the proposal."""
    before, now = dict(map(tuple, proposal.facts)), dict(preview.facts)
    for name in {**before, **now}:
        if before.get(name) != now.get(name):
            raise ProposedFactMoved(name=name, before=before.get(name), now=now.get(name))
    if preview.amount != proposal.amount:
        raise ProposedAmountMoved(
            before=format_amount(proposal.amount), now=format_amount(preview.amount)
        )


def _decide(
    proposal: Proposal, actor: Account, *, state: str, kind: str, note: str, reason: str = ""
) -> Proposal:
    before, proposal.state = proposal.state, state
    proposal.decider, proposal.decided_at, proposal.reason = actor, timezone.now(), reason
    proposal.save(update_fields=["state", "decider", "decided_at", "reason"])
    _log(proposal, actor, kind=kind, before=before, note=note)
    return proposal


def _log(proposal: Proposal, actor: Account | None, *, kind: str, before: str, note: str) -> None:
    act_log(
        subject=proposal,
        staff=actor,
        changes={STATE: (before, proposal.state), NOTE: ("", note)},
        kind=kind,
    )


def format_amount(amount: Decimal | None) -> str:
    """Return the amount as text, as in ¥5,424.60."""
    return "不限" if amount is None else format_yuan(amount)


def _format_facts(facts: Sequence[Sequence[str]]) -> str:
    return "，".join(f"{name} {value}" for name, value in facts)
