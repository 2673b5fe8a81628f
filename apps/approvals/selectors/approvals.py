"""Which approvals are whose, and one approval whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from apps.approvals.enums import ApprovalStatus, Box, StepStatus, TaskStatus
from apps.approvals.errors import ApprovalNotFound
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.delegations import delegations_to, delegators_of
from apps.org.enums import DataScope
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

DECIDED = (TaskStatus.APPROVED, TaskStatus.REJECTED, TaskStatus.TRANSFERRED)


def with_chain(queryset: QuerySet[Approval]) -> QuerySet[Approval]:
    """Add the steps and tasks with their people: two further queries whatever the number of rows."""
    tasks = ApprovalTask.objects.select_related("approver", "acting_for").order_by("id")
    steps = ApprovalStep.objects.order_by("no").prefetch_related(Prefetch("tasks", queryset=tasks))
    return queryset.select_related("requester", "requester__department").prefetch_related(Prefetch("steps", queryset=steps))


def _has_task(actor: Account, *statuses: str) -> Exists:
    return Exists(ApprovalTask.objects.filter(step__approval=OuterRef("pk"), approver=actor, status__in=statuses))


def _stands_in(actor: Account) -> Q:
    """What waits for somebody in whose place the actor decides today; never his own orders."""
    waiting = ApprovalTask.objects.filter(
        step__approval=OuterRef("pk"), status=TaskStatus.PENDING, approver__in=delegations_to(actor=actor).values("delegator")
    )
    return Q(Exists(waiting)) & ~Q(requester=actor)


def _was_acted_for(actor: Account) -> Exists:
    return Exists(ApprovalTask.objects.filter(step__approval=OuterRef("pk"), acting_for=actor))


def approvals_in_box(*, actor: Account, box: str) -> QuerySet[Approval]:
    """Return the actor's box, newest first: `todo` waits for him, `done` he has decided, `mine` he asked for."""
    queryset: QuerySet[Approval] = Approval.objects.order_by("-created_at", "-id")
    if box == Box.TODO:
        return queryset.filter(Q(_has_task(actor, TaskStatus.PENDING)) | _stands_in(actor), status=ApprovalStatus.PENDING)
    return queryset.filter(_has_task(actor, *DECIDED)) if box == Box.DONE else queryset.filter(requester=actor)


def subject_ids_of_approver(subject_type: str, actor: Account) -> QuerySet[Approval]:
    """Return the ids of the subjects the actor has, or had, to decide on; for the subject's own data scope."""
    ids: QuerySet[Approval] = Approval.objects.filter(
        Q(_has_task(actor, TaskStatus.PENDING, TaskStatus.WAITING, TaskStatus.CLOSED, *DECIDED))
        | Q(_was_acted_for(actor))
        | _stands_in(actor),
        subject_type=subject_type,
    ).values("subject_id")
    return ids


def approval_detail(*, actor: Account, approval_id: int) -> Approval:
    """Return one approval with its chain.

    Raises:
        ApprovalNotFound: there is none, or the actor is neither its requester nor in its chain nor sees the whole group.
    """
    own = Q(requester=actor) | Q(_has_task(actor, *TaskStatus.values)) | Q(_was_acted_for(actor)) | _stands_in(actor)
    visible = Q() if actor.data_scope_of(MenuCode.ORDER_APPROVAL) == DataScope.GROUP else own
    approval = with_chain(Approval.objects.filter(visible, pk=approval_id)).first()
    if approval is None:
        raise ApprovalNotFound
    return approval


def approval_of(*, subject_type: str, subject_id: int) -> Approval | None:
    """Return the latest approval of a subject with its chain, or None."""
    return with_chain(Approval.objects.filter(subject_type=subject_type, subject_id=subject_id)).order_by("-id").first()


def allowed_actions(*, actor: Account, approval: Approval) -> list[str]:
    """Return what the actor may do now with an approval that carries its chain: approve, reject, transfer, withdraw."""
    if approval.status != ApprovalStatus.PENDING:
        return []
    active = [step for step in approval.steps.all() if step.status == StepStatus.ACTIVE]
    waiting = {task.approver_id for step in active for task in step.tasks.all() if task.status == TaskStatus.PENDING}
    mine = actor.pk in waiting or (waiting and approval.requester_id != actor.pk and bool(waiting & delegators_of(actor=actor)))
    actions = ["approve", "reject", "transfer"] if mine else []
    return actions + (["withdraw"] if approval.requester_id == actor.pk else [])


def approvals_for_staff() -> QuerySet[Approval]:
    """Return what waits for the supplier's 客服, in the platform's scope: pending, the active step asking staff."""
    active = ApprovalStep.objects.filter(approval=OuterRef("pk"), status=StepStatus.ACTIVE, is_for_staff=True)
    queryset: QuerySet[Approval] = Approval.objects.filter(Exists(active), status=ApprovalStatus.PENDING)
    return queryset
