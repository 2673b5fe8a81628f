"""The boxes of approvals (todo, done, mine): filtered, counted, with their filter choices."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, IntegerField, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from apps.approvals.enums import ApprovalStatus, Box
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.approvals import list_approvals_in_box, tasks_to_do
from apps.approvals.selectors.waiting import build_late_tasks_condition
from apps.calendar.selectors import WorkingCalendar
from apps.common.days import start_of_day
from apps.org.models import Account

MAX_CHOICES = 200


@dataclass(frozen=True, slots=True)
class BoxFilter:
    """The filter of a box. Days are days of submission in Shanghai, amounts are in 元; both ends
    are included.
    """

    keyword: str = ""
    requester_id: int | None = None
    department_id: int | None = None
    amount_from: Decimal | None = None
    amount_to: Decimal | None = None
    since: date | None = None
    until: date | None = None
    over_budget: bool = False
    # A condition on tasks (`build_late_tasks_condition`); None: no filter.
    late: Q | None = None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ids of the approvals above and below an approval in a box; None at the ends."""

    above: int | None
    below: int | None


@dataclass(frozen=True, slots=True)
class BoxChoice:
    """A person or a department."""

    key: int
    name: str


@dataclass(frozen=True, slots=True)
class BoxChoices:
    """The requesters and departments a box can be filtered by, at most 200 each."""

    requesters: list[BoxChoice]
    departments: list[BoxChoice]


def list_approvals(*, actor: Account, box: str, filters: BoxFilter) -> QuerySet[Approval]:
    """Return the filtered approvals of the actor's box, newest first."""
    rows = list_approvals_in_box(actor=actor, box=box).filter(_build_condition(filters))
    if filters.late is None:
        return rows
    tasks = tasks_to_do(actor=actor) if box == Box.TODO else ApprovalTask.objects.all()
    late: QuerySet[ApprovalTask, Any] = tasks.filter(filters.late).values("step__approval")
    return rows.filter(pk__in=late, status=ApprovalStatus.PENDING)


def _build_condition(filters: BoxFilter) -> Q:
    """Return the filters as a condition on approvals."""
    exact = {
        "requester": filters.requester_id,
        "requester__department": filters.department_id,
        "amount__gte": filters.amount_from,
        "amount__lte": filters.amount_to,
        "created_at__gte": start_of_day(filters.since) if filters.since else None,
        "created_at__lt": start_of_day(filters.until) + timedelta(days=1)
        if filters.until
        else None,
        "is_over_budget": filters.over_budget or None,
    }
    condition = Q(**{name: value for name, value in exact.items() if value is not None})
    text = filters.keyword
    if not text:
        return condition
    people = Account.objects.filter(
        Q(nickname__icontains=text) | Q(full_name__icontains=text)
    ).order_by()
    return condition & (Q(subject_no__icontains=text) | Q(requester__in=people.values("pk")))


def count_boxes(*, actor: Account, filters: BoxFilter) -> dict[str, int]:
    """Return {box: number of filtered approvals}."""
    counts = {
        f"in_{box}": Coalesce(
            Subquery(
                _build_count_subquery(list_approvals(actor=actor, box=box, filters=filters)),
                output_field=IntegerField(),
            ),
            0,
        )
        for box in Box.values
    }
    row = Account.objects.filter(pk=actor.pk).values(**counts).get()
    return {box: row[f"in_{box}"] for box in Box.values}


def _build_count_subquery(rows: QuerySet[Approval]) -> QuerySet[Any, Any]:
    """Return the subquery of the number of rows. It has one row, or none instead of 0."""
    return (
        rows.order_by()
        .annotate(all=Value(1))
        .values("all")
        .annotate(number=Count("pk"))
        .values("number")
    )


def find_neighbours(
    *, actor: Account, approval: Approval, box: str, filters: BoxFilter
) -> Neighbours:
    """Return the neighbours of an approval in the actor's filtered box, even if the approval
    has left the box.
    """
    rows = list_approvals(actor=actor, box=box, filters=filters)
    newer = Q(created_at__gt=approval.created_at) | Q(
        created_at=approval.created_at, pk__gt=approval.pk
    )
    older = Q(created_at__lt=approval.created_at) | Q(
        created_at=approval.created_at, pk__lt=approval.pk
    )
    above = rows.filter(newer).order_by("created_at", "id").values("pk")[:1]
    below = rows.filter(older).values("pk")[:1]
    neighbour = (
        Approval.objects.filter(pk=approval.pk).values_list(Subquery(above), Subquery(below)).get()
    )
    return Neighbours(*neighbour)


def count_todo(*, actor: Account, calendar: WorkingCalendar) -> tuple[int, int]:
    """Return (approvals that wait for the actor, how many of them are overdue by the group's
    settings).
    """
    late = (
        tasks_to_do(actor=actor)
        .filter(build_late_tasks_condition(actor=actor, calendar=calendar))
        .values("step__approval")
    )
    rows = (
        list_approvals_in_box(actor=actor, box=Box.TODO).order_by().annotate(is_late=Q(pk__in=late))
    )
    counts = rows.aggregate(number=Count("pk"), late=Count("pk", filter=Q(is_late=True)))
    return counts["number"], counts["late"]


def get_box_choices(*, actor: Account, box: str) -> BoxChoices:
    """Return the requesters and departments of the approvals in the actor's box, by name."""
    rows = list_approvals_in_box(actor=actor, box=box).order_by()
    people = (
        rows.values_list("requester", "requester__nickname")
        .distinct()
        .order_by("requester__nickname", "requester")
    )
    places = rows.exclude(requester__department=None).values_list(
        "requester__department", "requester__department__name"
    )
    department_names = places.distinct().order_by(
        "requester__department__name", "requester__department"
    )
    return BoxChoices(
        [BoxChoice(*row) for row in people[:MAX_CHOICES]],
        [BoxChoice(*row) for row in department_names[:MAX_CHOICES]],
    )
