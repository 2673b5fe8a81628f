"""The dimensions of a group: the list of 核算项, the choices of a buyer, and the right to manage
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.common.numbers import parse_key
from apps.dimensions.enums import DimensionKind, DimensionState
from apps.dimensions.errors import DimensionNotFound
from apps.dimensions.models import Dimension, DimensionDefault, DimensionDepartment
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.departments import list_department_ids_above

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_CHOICES = 50


@dataclass(frozen=True, slots=True)
class DimensionFilter:
    """The filter of the list."""

    keyword: str = ""
    kind: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class KindChoices:
    """What a buyer chooses from for one kind.

    `is_kept`: the group keeps this kind, so that free text is refused. `default` applies without
    a choice. `rows` are the first 50 matches.
    """

    kind: str
    is_kept: bool
    default: Dimension | None
    rows: list[Dimension]


def may_manage_dimensions(actor: Account) -> bool:
    """Return whether the actor may create and change dimensions. They belong to the whole group,
    so the data scope of 核算项 must be the group.
    """
    return actor.get_data_scope(MenuCode.ASSET_DIMENSION) == DataScope.GROUP


def list_dimensions(*, filters: DimensionFilter) -> QuerySet[Dimension]:
    """Return the dimensions that match the filter, by kind and code, with owner, departments and
    defaults.
    """
    rows: QuerySet[Dimension] = Dimension.objects.filter(matches(filters.keyword))
    if filters.kind:
        rows = rows.filter(kind=filters.kind)
    if filters.state:
        rows = rows.filter(_build_state_condition(filters.state))
    return (
        rows.select_related("owner")
        .prefetch_related("departments__department__enterprise", "defaults__department__enterprise")
        .order_by("kind", "code")
    )


@dataclass(frozen=True, slots=True)
class KindCount:
    """The dimensions of a kind: all, and those that are usable today."""

    kind: str
    text: str
    total: int
    usable: int


def count_dimensions() -> list[KindCount]:
    """Return the number of dimensions of each kind. One query."""
    usable = Count("pk", filter=_build_state_condition(DimensionState.USABLE))
    rows = Dimension.objects.order_by().values("kind").annotate(total=Count("pk"), usable=usable)
    counts_by_kind = {row["kind"]: (row["total"], row["usable"]) for row in rows}
    return [
        KindCount(kind, str(DimensionKind(kind).label), *counts_by_kind.get(kind, (0, 0)))
        for kind in DimensionKind.values
    ]


def list_dimensions_with_history(_actor: Account) -> QuerySet[Dimension]:
    """Return the dimensions whose change history the actor may read: all of the group."""
    rows: QuerySet[Dimension] = Dimension.objects.all()
    return rows


def get_dimension(*, pk: str | int) -> Dimension:
    """Return one dimension of the group.

    Raises:
        DimensionNotFound: the group has no dimension with this id.
    """
    row = list_dimensions(filters=DimensionFilter()).filter(pk=parse_key(pk)).first()
    if row is None:
        raise DimensionNotFound
    return row


def list_kind_choices(
    *, actor: Account, department_id: int | None = None, kind: str = "", keyword: str = ""
) -> list[KindChoices]:
    """Return the usable dimensions of the actor's department, or of `department_id`, by kind.
    Two queries, and one more for each kind.
    """
    above = list_department_ids_above(account=actor, department_id=department_id)
    usable = Dimension.objects.filter(
        build_usable_condition(above), _build_state_condition(DimensionState.USABLE)
    )
    active = Dimension.objects.filter(is_active=True).order_by()
    kinds_in_use = set(active.values_list("kind", flat=True).distinct())
    defaults = _get_defaults(above, usable)
    return [
        KindChoices(
            kind=each,
            is_kept=each in kinds_in_use,
            default=defaults.get(each),
            rows=list(usable.filter(matches(keyword), kind=each).order_by("code")[:MAX_CHOICES])
            if each in kinds_in_use
            else [],
        )
        for each in ([kind] if kind else DimensionKind.values)
    ]


def _get_defaults(
    department_path: Sequence[int], usable: QuerySet[Dimension]
) -> dict[str, Dimension]:
    """Return the default of each kind: that of the nearest department which has one."""
    rows = DimensionDefault.objects.filter(
        department__in=department_path, dimension__in=usable.values("pk")
    ).select_related("dimension")
    nearest = sorted(rows, key=lambda row: -department_path.index(row.department_id))
    return {row.kind: row.dimension for row in nearest}


def matches(keyword: str) -> Q:
    """Return the condition that code or name contains each of the first three words."""
    condition = Q()
    for word in keyword.split()[:3]:
        condition &= Q(code__icontains=word) | Q(name__icontains=word)
    return condition


def build_usable_condition(department_ids: Sequence[int]) -> Q:
    """Return the condition that one of the departments, or every department, may use the row."""
    links = DimensionDepartment.objects.filter(dimension=OuterRef("pk"))
    return Q(~Exists(links)) | Q(Exists(links.filter(department__in=department_ids)))


def _build_state_condition(state: str) -> Q:
    """Return the condition on dimensions in this state today."""
    today = timezone.localdate()
    has_begun = Q(valid_from__isnull=True) | Q(valid_from__lte=today)
    has_not_ended = Q(valid_to__isnull=True) | Q(valid_to__gte=today)
    match state:
        case DimensionState.DISABLED:
            return Q(is_active=False)
        case DimensionState.UPCOMING:
            return Q(is_active=True, valid_from__gt=today)
        case DimensionState.EXPIRED:
            return Q(is_active=True, valid_to__lt=today)
    return Q(is_active=True) & has_begun & has_not_ended
