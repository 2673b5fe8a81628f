"""The approvals that an account may see, and the discussion beside each of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Case, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from apps.approvals.enums import ApprovalStatus, Box, StepStatus, TaskStatus
from apps.approvals.errors import ApprovalNotFound
from apps.approvals.models import (
    Approval,
    ApprovalAmendment,
    ApprovalCopy,
    ApprovalMention,
    ApprovalRemark,
    ApprovalStep,
    ApprovalTask,
)
from apps.approvals.selectors.approvers import (
    PRESENT,
    build_own_condition,
    filter_able_approvers,
    get_barred_stand_ins_now,
)
from apps.approvals.selectors.delegations import (
    build_delegated_tasks_condition,
    explain_not_covered,
    list_covered_delegator_ids,
    list_stand_ins,
)
from apps.org.enums import AccountType, DataScope
from apps.org.menus import MenuCode, with_groups
from apps.org.models import Account
from apps.org.selectors.accounts import build_person_condition

DECIDED = (TaskStatus.APPROVED, TaskStatus.REJECTED, TaskStatus.TRANSFERRED)


def with_chain(queryset: QuerySet[Approval]) -> QuerySet[Approval]:
    """Return the queryset with steps, tasks and their people prefetched."""
    tasks = ApprovalTask.objects.select_related("approver", "acting_for", "added_by")
    tasks = tasks.order_by("id")
    steps = (
        ApprovalStep.objects.select_related("added_by")
        .order_by("no")
        .prefetch_related(Prefetch("tasks", queryset=tasks))
    )
    return queryset.select_related("requester", "requester__department").prefetch_related(
        Prefetch("steps", queryset=steps)
    )


def _build_task_condition(actor: Account, *statuses: str) -> Exists:
    """Return the condition on approvals that the actor has a task in one of these states."""
    return Exists(
        ApprovalTask.objects.filter(
            step__approval=OuterRef("pk"), approver=actor, status__in=statuses
        )
    )


def _list_decided_ids(actor: Account) -> QuerySet[ApprovalTask, Any]:
    """Return the ids of approvals the actor, or a stand-in of the actor, has decided."""
    his = Q(approver=actor) | Q(acting_for=actor)
    tasks: QuerySet[ApprovalTask, Any] = ApprovalTask.objects.filter(
        his, status__in=DECIDED
    ).values("step__approval")
    return tasks


def tasks_to_do(*, actor: Account) -> QuerySet[ApprovalTask]:
    """Return the tasks that wait for the actor or for somebody the actor stands in for today.
    As a stand-in, the actor gets no tasks of own orders or of goods that the actor asked for.
    """
    delegated = build_delegated_tasks_condition(actor=actor)
    rows: QuerySet[ApprovalTask] = ApprovalTask.objects.filter(status=TaskStatus.PENDING)
    if delegated is None:
        return rows.filter(approver=actor)
    rows = rows.filter(Q(approver=actor) | delegated)
    is_own = build_own_condition(actor.pk, prefix="step__approval__")
    rows = rows.exclude(~Q(approver=actor), is_own)
    # Nobody signs twice in a chain as a stand-in (`chain_people.get_barred_stand_ins`).
    own_tasks = ApprovalTask.objects.filter(
        Q(approver=actor) | Q(acting_for=actor),
        step__approval=OuterRef("step__approval"),
        status__in=PRESENT,
    ).exclude(step__status=StepStatus.SKIPPED)
    return rows.exclude(~Q(approver=actor), Exists(own_tasks), step__allows_same_person=False)


def _build_stand_in_condition(actor: Account) -> Q:
    """Return the condition that the approval waits for somebody the actor stands in for today.
    Own requests and requests for goods that the actor asked for are excluded.
    """
    delegated = build_delegated_tasks_condition(actor=actor)
    if delegated is None:
        return Q(pk__in=[])
    pending_tasks = ApprovalTask.objects.filter(
        delegated, step__approval=OuterRef("pk"), status=TaskStatus.PENDING
    )
    return Q(Exists(pending_tasks)) & ~build_own_condition(actor.pk)


def _build_acted_for_condition(actor: Account) -> Exists:
    return Exists(ApprovalTask.objects.filter(step__approval=OuterRef("pk"), acting_for=actor))


def _build_mention_condition(actor: Account) -> Exists:
    return Exists(ApprovalMention.objects.filter(approval=OuterRef("pk"), account=actor))


def _build_copy_condition(actor: Account) -> Exists:
    return Exists(ApprovalCopy.objects.filter(approval=OuterRef("pk"), account=actor))


def list_approvals_in_box(*, actor: Account, box: str) -> QuerySet[Approval]:
    """Return the approvals of a box, newest first: `todo` waits for the actor, `done` was
    decided by the actor or a stand-in, `mine` was requested by the actor, `copied` was copied to
    the actor.
    """
    queryset: QuerySet[Approval] = Approval.objects.order_by("-created_at", "-id")
    # Start from the actor's few tasks, not from all approvals of the group.
    if box == Box.TODO:
        return queryset.filter(
            pk__in=tasks_to_do(actor=actor).values("step__approval"), status=ApprovalStatus.PENDING
        )
    if box == Box.COPIED:
        copies = ApprovalCopy.objects.filter(account=actor).values("approval")
        return queryset.filter(pk__in=copies)
    return (
        queryset.filter(pk__in=_list_decided_ids(actor))
        if box == Box.DONE
        else queryset.filter(requester=actor)
    )


def list_subject_ids_of_approver(subject_type: str, actor: Account) -> QuerySet[Approval]:
    """Return the ids of the subjects the actor has to decide, has decided, or is mentioned at.
    The subject's app uses it for its data scope.
    """
    ids: QuerySet[Approval] = Approval.objects.filter(
        Q(
            _build_task_condition(
                actor, TaskStatus.PENDING, TaskStatus.WAITING, TaskStatus.CLOSED, *DECIDED
            )
        )
        | Q(_build_acted_for_condition(actor))
        | Q(_build_mention_condition(actor))
        | Q(_build_copy_condition(actor))
        | _build_stand_in_condition(actor),
        subject_type=subject_type,
    ).values("subject_id")
    return ids


def list_visible_approvals(*, actor: Account) -> QuerySet[Approval]:
    """Return the approvals the actor may see: own requests, approvals with a task or a mention,
    and in the group's data scope all.
    """
    rows: QuerySet[Approval] = Approval.objects.all()
    if actor.get_data_scope(MenuCode.ORDER_APPROVAL) == DataScope.GROUP:
        return rows
    is_participant = (
        Q(_build_task_condition(actor, *TaskStatus.values))
        | Q(_build_acted_for_condition(actor))
        | Q(_build_mention_condition(actor))
        | Q(_build_copy_condition(actor))
    )
    return rows.filter(Q(requester=actor) | is_participant | _build_stand_in_condition(actor))


def filter_viewers(*, approval: Approval, account_ids: Iterable[int]) -> set[int]:
    """Return the accounts that may see the approval, by the rules of `list_visible_approvals`."""
    unchecked_ids, viewer_ids = set(account_ids), set[int]()
    if approval.requester_id in unchecked_ids:
        unchecked_ids, viewer_ids = unchecked_ids - {approval.requester_id}, {approval.requester_id}
    if not unchecked_ids:
        return viewer_ids
    tasks = ApprovalTask.objects.filter(step__approval=approval)
    has_task = Exists(tasks.filter(Q(approver=OuterRef("pk")) | Q(acting_for=OuterRef("pk"))))
    mentioned = Exists(ApprovalMention.objects.filter(approval=approval, account=OuterRef("pk")))
    copied = Exists(ApprovalCopy.objects.filter(approval=approval, account=OuterRef("pk")))
    rows = Account.objects.filter(
        Q(kind=AccountType.GROUP_ADMIN) | has_task | mentioned | copied, pk__in=unchecked_ids
    )
    viewer_ids |= set(rows.values_list("pk", flat=True))
    if unchecked_ids - viewer_ids:
        viewer_ids |= _filter_stand_ins(approval, unchecked_ids - viewer_ids)
    return viewer_ids | _filter_group_viewers(unchecked_ids - viewer_ids)


def _filter_stand_ins(approval: Approval, account_ids: set[int]) -> set[int]:
    """Return the accounts that stand in today for somebody whom the approval waits for."""
    pending_tasks = ApprovalTask.objects.filter(step__approval=approval, status=TaskStatus.PENDING)
    approvers = pending_tasks.values("approver")
    rows = list(
        list_stand_ins(approvers).filter(delegate__in=account_ids - approval.own_ids).order_by()
    )
    if not rows:
        return set()
    steps = {task.approver_id: task.step for task in pending_tasks.select_related("step")}
    return {
        row.delegate_id
        for row in rows
        if row.delegator_id in steps
        and not explain_not_covered(row, approval=approval, step=steps[row.delegator_id])
    }


def _filter_group_viewers(account_ids: set[int]) -> set[int]:
    """Return the accounts whose role shows them the approvals of the whole group."""
    if not account_ids:
        return account_ids
    wide = Account.roles.through.objects.filter(
        account_id__in=account_ids, role__data_scope=DataScope.GROUP
    )
    rows = wide.values_list("account_id", "role__menu_codes")
    return {
        account_id
        for account_id, codes in rows
        if MenuCode.ORDER_APPROVAL in with_groups(set(codes))
    }


def get_approval_detail(*, actor: Account, approval_id: int) -> Approval:
    """Return one approval with its chain, annotated with `has_copies`: somebody got a copy (抄送).

    Raises:
        ApprovalNotFound: the actor cannot see such an approval.
    """
    rows = list_visible_approvals(actor=actor).filter(pk=approval_id)
    copies = ApprovalCopy.objects.filter(approval=OuterRef("pk"))
    approval = with_chain(rows.annotate(has_copies=Exists(copies))).first()
    if approval is None:
        raise ApprovalNotFound
    return approval


def find_latest_approval(*, subject_type: str, subject_id: int) -> Approval | None:
    """Return the latest approval of a subject with its chain, amendments and `open_questions`,
    or None.
    """
    rows = with_chain(
        Approval.objects.filter(subject_type=subject_type, subject_id=subject_id)
    ).order_by("-id")
    questions = ApprovalRemark.objects.filter(
        is_open=True, step__status=StepStatus.ACTIVE
    ).select_related("author", "acting_for")
    with_talk = (
        Prefetch("amendments", queryset=list_amendments()),
        Prefetch("remarks", queryset=questions, to_attr="open_questions"),
    )
    return rows.prefetch_related(*with_talk).first()


def list_copies(*, approval: Approval) -> QuerySet[ApprovalCopy]:
    """Return the copies (抄送) of an approval with their people, oldest first."""
    rows: QuerySet[ApprovalCopy] = ApprovalCopy.objects.filter(approval=approval)
    return rows.select_related("account", "sent_by").order_by("id")


def list_amendments() -> QuerySet[ApprovalAmendment]:
    """Return amendments with their people, oldest first."""
    rows: QuerySet[ApprovalAmendment] = ApprovalAmendment.objects.select_related(
        "actor", "acting_for"
    )
    return rows.order_by("version")


def list_allowed_actions(*, actor: Account, approval: Approval) -> list[str]:
    """Return the actions the actor may take now: approvers decide, the requester withdraws or
    answers. The chain must be prefetched.
    """
    if approval.status != ApprovalStatus.PENDING:
        return []
    active = [step for step in approval.steps.all() if step.status == StepStatus.ACTIVE]
    may_decide = any(_may_decide(actor, approval, step) for step in active)
    actions = ["approve", "reject", "transfer", "amend", "add"] if may_decide else []
    if approval.requester_id != actor.pk:
        return [*actions, "ask"] if may_decide else []
    return [*actions, "withdraw", *(["answer"] if any(step.asked_at for step in active) else [])]


def _may_decide(actor: Account, approval: Approval, step: ApprovalStep) -> bool:
    """Return whether the active step waits for the actor, or for somebody the actor stands in
    for.
    """
    pending_approvers = {
        task.approver_id for task in step.tasks.all() if task.status == TaskStatus.PENDING
    }
    if actor.pk in pending_approvers:
        return True
    if not pending_approvers or actor.pk in approval.own_ids:
        return False
    covered_ids = list_covered_delegator_ids(actor=actor, approval=approval, step=step)
    return bool(pending_approvers & covered_ids) and actor.pk not in get_barred_stand_ins_now(
        approval
    )


def list_approvals_for_staff() -> QuerySet[Any]:
    """Return the pending approvals whose active step asks the supplier's staff. The caller must
    open the platform scope.

    `waits_since` is the last decision before, or the creation: a staff step has no task with an
    arrival time.
    """
    active = ApprovalStep.objects.filter(
        approval=OuterRef("pk"), status=StepStatus.ACTIVE, is_for_staff=True
    )
    decided_tasks = ApprovalTask.objects.filter(
        step__approval=OuterRef("pk"), decided_at__isnull=False
    ).order_by("-decided_at")
    queryset: QuerySet[Approval] = Approval.objects.filter(
        Exists(active), status=ApprovalStatus.PENDING
    )
    since = Coalesce(Subquery(decided_tasks.values("decided_at")[:1]), "created_at")
    rows: QuerySet[Any] = queryset.annotate(waits_since=since)
    return rows


MAX_REMARKS = 300
MAX_CANDIDATES = 20


def list_remarks(*, approval: Approval) -> QuerySet[ApprovalRemark]:
    """Return the remarks with their people, oldest first. `waits`: the question waits for an
    answer.
    """
    is_waiting = Q(
        is_open=True, step__status=StepStatus.ACTIVE, approval__status=ApprovalStatus.PENDING
    )
    rows: QuerySet[ApprovalRemark] = ApprovalRemark.objects.filter(approval=approval).annotate(
        waits=Case(When(is_waiting, then=True), default=False)
    )
    return rows.select_related("author", "acting_for").prefetch_related("mentions").order_by("id")


def list_mentionable_colleagues(
    *, actor: Account, approval: Approval, keyword: str
) -> list[Account]:
    """Return at most twenty colleagues of the group that match the keyword, people of the chain
    first.

    Everybody with approval rights and the requester can be mentioned.
    """
    fitting = build_person_condition(keyword)
    approver_ids = ApprovalTask.objects.filter(step__approval=approval).values("approver")
    department_rank = Case(
        When(Q(pk=approval.requester_id) | Q(pk__in=approver_ids), then=Value(0)), default=Value(1)
    )
    rows = (
        Account.objects.filter(fitting, is_active=True, is_staff=False)
        .exclude(pk=actor.pk)
        .select_related("department")
    )
    colleagues = list(rows.order_by(department_rank, "nickname", "pk")[: MAX_CANDIDATES * 5])
    able_ids = filter_able_approvers(account.pk for account in colleagues) | {approval.requester_id}
    return [account for account in colleagues if account.pk in able_ids][:MAX_CANDIDATES]
