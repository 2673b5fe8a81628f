"""抄送: inform people of an approval. Rules do it when the approval starts, people at any time."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import Case, Value, When
from django.utils import timezone

from apps.approvals.errors import ApprovalNotFound, CopyWithoutRight, NobodyToCopy, TooManyCopies
from apps.approvals.models import MAX_RULE_COPIES, Approval, ApprovalCopy, ApprovalRule
from apps.approvals.selectors.approvals import list_visible_approvals
from apps.approvals.selectors.approvers import filter_able_approvers
from apps.approvals.services.approval_events import copied_publish
from apps.approvals.subjects import get_subject_handler
from apps.org.models import Account

MAX_COPIES = 50
# A role has so many people that only the first are read.
MAX_MEMBERS = 1000


def rule_copies_create(approval: Approval, *, rules: Iterable[ApprovalRule]) -> None:
    """Send the copies that the rules require, at most 200. The people whom rules name come first,
    then the people of roles in the requester's enterprise, then those of other enterprises. People
    who cannot open an approval get none. No query if no rule requires any.
    """
    accounts = {pk for rule in rules for pk in rule.copy_accounts}
    roles = {pk for rule in rules for pk in rule.copy_roles}
    if not accounts and not roles:
        return
    enterprise_id = approval.requester.enterprise_id
    members = _get_role_members(roles, enterprise_id=enterprise_id)
    able_ids = filter_able_approvers(accounts | set(members)) - {approval.requester_id}
    sorted_ids = sorted(
        able_ids, key=lambda pk: (pk not in accounts, members.get(pk) != enterprise_id, pk)
    )
    _create_copies(approval, account_ids=sorted_ids[:MAX_RULE_COPIES], sent_by=None)


def _get_role_members(
    role_ids: Collection[int], *, enterprise_id: int | None
) -> dict[int, int | None]:
    """Return {account id: enterprise id} of the enabled people of roles, at most 1,000. Those of
    the enterprise come first.
    """
    if not role_ids:
        return {}
    rows = Account.objects.filter(roles__in=role_ids, is_active=True).distinct()
    enterprise_rank = Case(When(enterprise=enterprise_id, then=Value(0)), default=Value(1))
    members = (
        rows.annotate(rank=enterprise_rank)
        .order_by("rank", "pk")
        .values_list("pk", "enterprise_id")
    )
    return dict(members[:MAX_MEMBERS])


@transaction.atomic
def approval_copy(
    *, actor: Account, approval_id: int, account_ids: Iterable[int], role_ids: Iterable[int] = ()
) -> Approval:
    """Send copies of an approval that the actor sees to accounts and to the people of roles, and
    return it. The approval may have ended. People who have a copy already get no second one.

    Raises:
        ValidationFailed: nobody is named, everybody has a copy already, more than 50 people are
            named, or a named account cannot open approvals.
        ApprovalNotFound: the actor cannot see such an approval.
    """
    approval = list_visible_approvals(actor=actor).filter(pk=approval_id).first()
    if approval is None:
        raise ApprovalNotFound
    recipient_ids = set(account_ids)
    able_ids = filter_able_approvers(
        recipient_ids | set(_get_role_members(set(role_ids), enterprise_id=actor.enterprise_id))
    )
    if recipient_ids - able_ids:
        raise CopyWithoutRight
    present_ids = ApprovalCopy.objects.filter(approval=approval).values_list(
        "account_id", flat=True
    )
    new_ids = able_ids - set(present_ids) - {actor.pk}
    if not new_ids:
        raise NobodyToCopy
    if len(new_ids) > MAX_COPIES:
        raise TooManyCopies(MAX_COPIES)
    names = _create_copies(approval, account_ids=new_ids, sent_by=actor)
    get_subject_handler(approval.subject_type).add_note(
        approval.subject_id, actor=actor, kind="approval.copied", note=f"抄送给 {names}"
    )
    return approval


def _create_copies(
    approval: Approval, *, account_ids: Collection[int], sent_by: Account | None
) -> str:
    """Create the copies, notify the people, and return their names."""
    now = timezone.now()
    rows = [
        ApprovalCopy(
            group_id=approval.group_id,
            approval=approval,
            account_id=pk,
            sent_by=sent_by,
            at=now,
        )
        for pk in sorted(account_ids)
    ]
    # Two people may send a copy to the same person at once.
    ApprovalCopy.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        copied_publish(approval, actor=sent_by, to=sorted(account_ids))
    if sent_by is None:
        return ""
    people = (
        Account.objects.filter(pk__in=account_ids).order_by("pk").values_list("nickname", flat=True)
    )
    return "、".join(people)


def copy_read(*, actor: Account, approval_id: int) -> None:
    """Record that the actor has read the copy. Does nothing the second time.

    Raises:
        ApprovalNotFound: the actor has no copy of such an approval.
    """
    copies = ApprovalCopy.objects.filter(approval_id=approval_id, account=actor)
    if not copies.filter(read_at=None).update(read_at=timezone.now()) and not copies.exists():
        raise ApprovalNotFound
