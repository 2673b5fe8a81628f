"""The boxes of approval: what waits for a person, what he decided, what he asked for; counted and narrowed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, IntegerField, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from apps.approvals.enums import ApprovalStatus, Box
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.approvals import approvals_in_box, tasks_to_do
from apps.approvals.selectors.deadlines import late_tasks
from apps.common.days import day_begins
from apps.content.selectors.working_time import WorkingCalendar
from apps.org.models import Account

MOST_CHOICES = 200


@dataclass(frozen=True, slots=True)
class BoxFilter:
    """What a box is narrowed by; days of submission in Shanghai, both included, and amounts in 元, both included."""

    keyword: str = ""
    requester_id: int | None = None
    department_id: int | None = None
    amount_from: Decimal | None = None
    amount_to: Decimal | None = None
    since: date | None = None
    until: date | None = None
    over_budget: bool = False
    # The condition on tasks that they have waited too long; None leaves those that have not.
    late: Q | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """The keys of what stands above and below an approval in a box; None at its ends."""

    above: int | None
    below: int | None


@dataclass(frozen=True, slots=True)
class BoxChoice:
    """A person or a department."""

    key: int
    name: str


@dataclass(frozen=True, slots=True)
class BoxChoices:
    """Whom and which departments a box can be narrowed to, each at most 200."""

    requesters: list[BoxChoice]
    departments: list[BoxChoice]


def approvals_listed(*, actor: Account, box: str, wanted: BoxFilter) -> QuerySet[Approval]:
    """Return what the filter leaves of the actor's box, newest first."""
    rows = approvals_in_box(actor=actor, box=box).filter(_condition(wanted))
    if wanted.late is None:
        return rows
    asked = tasks_to_do(actor=actor) if box == Box.TODO else ApprovalTask.objects.all()
    late: QuerySet[ApprovalTask, Any] = asked.filter(wanted.late).values("step__approval")
    return rows.filter(pk__in=late, status=ApprovalStatus.PENDING)


def _condition(wanted: BoxFilter) -> Q:
    exact = {
        "requester": wanted.requester_id,
        "requester__department": wanted.department_id,
        "amount__gte": wanted.amount_from,
        "amount__lte": wanted.amount_to,
        "created_at__gte": day_begins(wanted.since) if wanted.since else None,
        "created_at__lt": day_begins(wanted.until) + timedelta(days=1) if wanted.until else None,
        "is_over_budget": wanted.over_budget or None,
    }
    condition = Q(**{name: value for name, value in exact.items() if value is not None})
    text = wanted.keyword
    if not text:
        return condition
    people = Account.objects.filter(Q(nickname__icontains=text) | Q(full_name__icontains=text)).order_by()
    return condition & (Q(subject_no__icontains=text) | Q(requester__in=people.values("pk")))


def box_counts(*, actor: Account, wanted: BoxFilter) -> dict[str, int]:
    """Return how many the filter leaves in each box; one query."""
    counts = {
        f"in_{box}": Coalesce(Subquery(_counted(approvals_listed(actor=actor, box=box, wanted=wanted)), output_field=IntegerField()), 0)
        for box in Box.values
    }
    row = Account.objects.filter(pk=actor.pk).values(**counts).get()
    return {box: row[f"in_{box}"] for box in Box.values}


def _counted(rows: QuerySet[Approval]) -> QuerySet[Any, Any]:
    return rows.order_by().annotate(all=Value(1)).values("all").annotate(number=Count("pk")).values("number")


def approvals_beside(*, actor: Account, approval: Approval, box: str, wanted: BoxFilter) -> Beside:
    """Return what stands beside an approval in the actor's narrowed box, also where it has left the box itself; one query."""
    rows = approvals_listed(actor=actor, box=box, wanted=wanted)
    newer = Q(created_at__gt=approval.created_at) | Q(created_at=approval.created_at, pk__gt=approval.pk)
    older = Q(created_at__lt=approval.created_at) | Q(created_at=approval.created_at, pk__lt=approval.pk)
    above = rows.filter(newer).order_by("created_at", "id").values("pk")[:1]
    below = rows.filter(older).values("pk")[:1]
    found = Approval.objects.filter(pk=approval.pk).values_list(Subquery(above), Subquery(below)).get()
    return Beside(*found)


def todo_figures(*, actor: Account, calendar: WorkingCalendar) -> tuple[int, int]:
    """Return how many approvals wait for the actor, and how many of them too long by his group's settings; one query."""
    late = tasks_to_do(actor=actor).filter(late_tasks(actor=actor, calendar=calendar)).values("step__approval")
    rows = approvals_in_box(actor=actor, box=Box.TODO).order_by().annotate(is_late=Q(pk__in=late))
    found = rows.aggregate(number=Count("pk"), late=Count("pk", filter=Q(is_late=True)))
    return found["number"], found["late"]


def box_choices(*, actor: Account, box: str) -> BoxChoices:
    """Return whose approvals are in the actor's box, and of which departments, by name; two queries."""
    rows = approvals_in_box(actor=actor, box=box).order_by()
    people = rows.values_list("requester", "requester__nickname").distinct().order_by("requester__nickname", "requester")
    places = rows.exclude(requester__department=None).values_list("requester__department", "requester__department__name")
    named = places.distinct().order_by("requester__department__name", "requester__department")
    return BoxChoices([BoxChoice(*row) for row in people[:MOST_CHOICES]], [BoxChoice(*row) for row in named[:MOST_CHOICES]])
