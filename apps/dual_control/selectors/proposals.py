"""Proposals that a person may see or decide."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Max, Model, Q, QuerySet
from django.utils import timezone

from apps.common.money import ZERO
from apps.dual_control.controlled import list_acts
from apps.dual_control.enums import ProposalState
from apps.dual_control.models import Proposal
from apps.dual_control.selectors.limits import get_limits
from apps.org.models import Account


def list_visible_proposals(*, person: Account) -> QuerySet[Proposal]:
    """Return the proposals whose act the person may do, and his own."""
    kinds = [act.kind for act in list_acts() if person.has_perm(act.permission)]
    return Proposal.objects.filter(Q(kind__in=kinds) | Q(proposer=person))


def list_releasable_proposals(*, person: Account) -> QuerySet[Proposal] | None:
    """Return the open proposals of other people that the person's limits allow him to release.
    None if he may release nothing at all.
    """
    limits = get_limits(person=person)
    is_releasable = Q(pk__in=())
    may_release_some = False
    for act in list_acts():
        release = limits[act.kind].release
        if release == ZERO or not person.has_perm(act.permission):
            continue
        may_release_some = True
        is_releasable |= (
            Q(kind=act.kind) if release is None else Q(kind=act.kind, amount__lte=release)
        )
    if not may_release_some:
        return None
    waiting_proposals = Proposal.objects.filter(
        is_releasable, state=ProposalState.PROPOSED, expires_at__gt=timezone.now()
    )
    return waiting_proposals.exclude(proposer=person)


def get_last_release(*, kind: str, subject: Model) -> datetime | None:
    """Return when a second person last released an act of this kind on the subject. None if no
    one has.
    """
    return get_last_releases(kind=kind, subjects=[subject]).get(subject.pk)


def get_last_releases(*, kind: str, subjects: Collection[Model]) -> dict[int, datetime]:
    """Return {pk of a subject: when a second person last released an act of this kind on it}.
    Subjects without a release are left out. The subjects are rows of one table.
    """
    labels = {subject._meta.label_lower for subject in subjects}
    released_proposals: Any = Proposal.objects.filter(
        kind=kind,
        subject_type__in=labels,
        subject_id__in=[subject.pk for subject in subjects],
        state=ProposalState.RELEASED,
    ).order_by()
    return dict(released_proposals.values_list("subject_id").annotate(last=Max("decided_at")))
