"""A comment beside an approval; whoever is mentioned in it may look at the approval from then on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import RemarkKind
from apps.approvals.errors import ApprovalNotFound, DiscussionFull
from apps.approvals.models import Approval, ApprovalMention, ApprovalRemark
from apps.approvals.selectors.approvals import approvals_visible, seen_by
from apps.approvals.selectors.discussion import MOST_REMARKS
from apps.approvals.selectors.people import able_ids
from apps.approvals.services.told import told
from apps.common.errors import ValidationFailed

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def approval_comment(*, actor: Account, approval_id: int, text: str, mentions: Iterable[int] = ()) -> ApprovalRemark:
    """Return the comment of somebody who may see the approval, also of one that has ended.

    Told are the mentioned, that they were; the requester, and whoever has said something before and may still look at it.

    Raises:
        ValidationFailed: there is no text, or somebody is mentioned who may not open approvals.
        ApprovalNotFound: there is none that the actor may see.
        DiscussionFull: there is room for no more.
    """
    if not text.strip():
        raise ValidationFailed({"Text": ["请填写评论内容"]})
    approval = approvals_visible(actor=actor).filter(pk=approval_id).first()
    if approval is None:
        raise ApprovalNotFound
    authors: list[int] = list(ApprovalRemark.objects.filter(approval=approval).values_list("author_id", flat=True))
    if len(authors) >= MOST_REMARKS:
        raise DiscussionFull
    named = set(mentions) - {actor.pk}
    able = able_ids({*named, *authors})
    if named - able - {approval.requester_id}:
        raise ValidationFailed({"Mentions": ["提到的同事已停用或没有审批权限，无法查看这张单据，请去掉后再发送"]})
    remark = _written(approval, actor=actor, text=text, named=named)
    # A stand-in who spoke may look no more once his delegation has ended, nor may who lost the menu.
    seeing = seen_by(approval=approval, account_ids=({*named, *authors} & able) - {actor.pk})
    told(topic="approval.mentioned", approval=approval, actor=actor, to=named, text=text)
    told(topic="approval.commented", approval=approval, actor=actor, to={*seeing, approval.requester_id} - named, text=text)
    return remark


def _written(approval: Approval, *, actor: Account, text: str, named: set[int]) -> ApprovalRemark:
    group_id = approval.group_id
    remark: ApprovalRemark = ApprovalRemark.objects.create(
        group_id=group_id, approval=approval, kind=RemarkKind.COMMENT, author=actor, text=text, at=timezone.now()
    )
    rows = [ApprovalMention(group_id=group_id, remark=remark, approval=approval, account_id=pk) for pk in sorted(named)]
    ApprovalMention.objects.bulk_create(rows)
    return remark
