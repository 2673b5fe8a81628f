"""The discussion beside an approval: questions, answers and comments, and the colleagues a
comment may mention.
"""

from __future__ import annotations

from django.db.models import Case, Q, QuerySet, Value, When

from apps.approvals.enums import ApprovalStatus, StepStatus
from apps.approvals.models import Approval, ApprovalRemark, ApprovalTask
from apps.approvals.selectors.approvers import filter_able_approvers
from apps.org.models import Account

MOST_REMARKS = 300
MOST_NAMED = 20


def remarks_of(*, approval: Approval) -> QuerySet[ApprovalRemark]:
    """Return the remarks with their people, oldest first. `waits`: the question waits for an
    answer. Two queries.
    """
    waits = Q(is_open=True, step__status=StepStatus.ACTIVE, approval__status=ApprovalStatus.PENDING)
    rows: QuerySet[ApprovalRemark] = ApprovalRemark.objects.filter(approval=approval).annotate(
        waits=Case(When(waits, then=True), default=False)
    )
    return rows.select_related("author", "acting_for").prefetch_related("mentions").order_by("id")


def list_mentionable_colleagues(
    *, actor: Account, approval: Approval, keyword: str
) -> list[Account]:
    """Return at most twenty colleagues of the group that match the keyword, people of the chain
    first.

    Everybody with approval rights and the requester can be mentioned. At most four queries.
    """
    fitting = (
        Q(nickname__icontains=keyword)
        | Q(full_name__icontains=keyword)
        | Q(username__icontains=keyword)
    )
    asked = ApprovalTask.objects.filter(step__approval=approval).values("approver")
    near = Case(
        When(Q(pk=approval.requester_id) | Q(pk__in=asked), then=Value(0)), default=Value(1)
    )
    rows = (
        Account.objects.filter(fitting, is_active=True, is_staff=False)
        .exclude(pk=actor.pk)
        .select_related("department")
    )
    found = list(rows.order_by(near, "nickname", "pk")[: MOST_NAMED * 5])
    able = filter_able_approvers(account.pk for account in found) | {approval.requester_id}
    return [account for account in found if account.pk in able][:MOST_NAMED]
