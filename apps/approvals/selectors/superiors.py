"""Who stands above an approver: the head of his department or of one above it, else the group's admins."""

from __future__ import annotations

from apps.approvals.selectors.people import able_ids
from apps.org.models import Account
from apps.org.selectors.accounts import group_admins
from apps.org.selectors.department_chain import department_chain


def superiors_of(*, approver: Account, without: set[int]) -> list[Account]:
    """Return the nearest head above the approver who may decide, else the group's admins, none of `without`; empty where nobody is left."""
    heads = [link.head_id for link in department_chain(account=approver) if link.head_id]
    if approver.pk in heads:
        # Above all that he heads himself.
        heads = heads[len(heads) - heads[::-1].index(approver.pk) :]
    barred = without | {approver.pk}
    able = able_ids(head for head in heads if head not in barred)
    nearest = next((head for head in heads if head in able), None)
    if nearest is not None:
        return [Account.objects.get(pk=nearest)]
    return list(group_admins(group=approver.group_id or 0).exclude(pk__in=barred))
