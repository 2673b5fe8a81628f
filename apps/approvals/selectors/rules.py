"""Rules for an administrator: which are visible, which may be changed, and which a department
inherits.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Prefetch, Q, QuerySet, Subquery
from django.db.models.expressions import OuterRef
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, RuleOrigin, RuleStatus
from apps.approvals.errors import RuleForbidden, RuleNotFound
from apps.approvals.models import ApprovalRule, ApprovalRuleStep, ApprovalStep
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department
from apps.org.selectors.departments import list_path, read_parents

MENU = MenuCode.MANAGEMENT_APPROVAL


@dataclass(frozen=True, slots=True)
class Reach:
    """The departments an administrator manages (`managed`), and the own department with all
    departments above it (`above`).
    """

    scope: str
    enterprise_id: int | None
    managed: frozenset[int]
    above: frozenset[int]

    def may_manage(
        self,
        *,
        enterprise_id: int | None,
        department_id: int | None,
        department_enterprise_id: int | None = None,
    ) -> bool:
        """Return whether the administrator may write rules of this department, enterprise or
        (both None) the whole group.
        """
        if self.scope == DataScope.GROUP:
            return True
        if self.scope == DataScope.ENTERPRISE:
            return self.enterprise_id is not None and self.enterprise_id == (
                department_enterprise_id or enterprise_id
            )
        return department_id is not None and department_id in self.managed

    def manages(self, rule: ApprovalRule) -> bool:
        """Return whether the administrator may change the rule. The rule's department must be
        loaded.
        """
        owner = rule.department.enterprise_id if rule.department else None
        return self.may_manage(
            enterprise_id=rule.enterprise_id,
            department_id=rule.department_id,
            department_enterprise_id=owner,
        )

    def get_departments(self) -> QuerySet[Department]:
        """Return the enabled departments the administrator manages."""
        rows: QuerySet[Department] = Department.objects.filter(is_active=True).select_related(
            "enterprise"
        )
        if self.scope == DataScope.GROUP:
            return rows
        return (
            rows.filter(enterprise=self.enterprise_id)
            if self.scope == DataScope.ENTERPRISE
            else rows.filter(pk__in=self.managed)
        )


def list_rules_with_shared_sums() -> QuerySet[ApprovalRule]:
    """Return the enabled rules of the group that sum up the orders of several people."""
    rows: QuerySet[ApprovalRule] = ApprovalRule.objects.filter(is_active=True, has_shared_sums=True)
    return rows


def get_rule_reach(*, actor: Account) -> Reach:
    """Return which departments' rules the actor may change and which rules apply to the actor.

    Both sets are empty in the scope of an enterprise or the group, where the scope decides, and
    for an actor without a department.
    """
    scope = actor.get_data_scope(MENU)
    if scope in (DataScope.GROUP, DataScope.ENTERPRISE) or actor.department_id is None:
        return Reach(scope, actor.enterprise_id, frozenset(), frozenset())
    parents = read_parents(actor.enterprise_id)
    paths = {pk: list_path(parents, pk) for pk in parents}
    managed = (
        [pk for pk, path in paths.items() if actor.department_id in path]
        if scope == DataScope.DEPARTMENT
        else []
    )
    return Reach(
        scope=scope,
        enterprise_id=actor.enterprise_id,
        managed=frozenset(managed),
        above=frozenset(paths.get(actor.department_id, ())),
    )


def _build_visible_condition(reach: Reach) -> Q:
    """Return the condition on rules that a person with this reach may see."""
    if reach.scope == DataScope.GROUP:
        return Q()
    shared = Q(department__isnull=True) & (
        Q(enterprise__isnull=True) | Q(enterprise_id=reach.enterprise_id)
    )
    if reach.scope == DataScope.ENTERPRISE:
        return shared | Q(department__enterprise_id=reach.enterprise_id)
    return shared | Q(department_id__in=reach.managed | reach.above)


def _applies_to_department(path: list[int], enterprise_id: int) -> Q:
    """Return the condition on rules that apply to the department: its own, those above it, and
    those of all.
    """
    shared = Q(department__isnull=True) & (
        Q(enterprise__isnull=True) | Q(enterprise_id=enterprise_id)
    )
    return shared | Q(department_id__in=path)


def filter_rules_by_status(status: str, day: date) -> Q:
    """Return the condition on rules that have the RuleStatus on that day."""
    has_begun = Q(valid_from__isnull=True) | Q(valid_from__lte=day)
    unended = Q(valid_until__isnull=True) | Q(valid_until__gte=day)
    match status:
        case RuleStatus.DISABLED:
            return Q(is_active=False)
        case RuleStatus.COMING:
            return Q(is_active=True) & ~has_begun
        case RuleStatus.ENDED:
            return Q(is_active=True, valid_until__lt=day) & has_begun
    return Q(is_active=True) & has_begun & unended


def list_whole_rules() -> QuerySet[ApprovalRule]:
    """Return the rules that are not deleted, in their order, with place, steps and people.
    `in_flight` is the number of running approvals they started.
    """
    running = (
        ApprovalStep.objects.filter(rule=OuterRef("pk"), approval__status=ApprovalStatus.PENDING)
        .order_by()
        .values("rule")
    )
    count = Subquery(running.annotate(number=Count("approval", distinct=True)).values("number"))
    steps = (
        ApprovalRuleStep.objects.select_related("role").prefetch_related("accounts").order_by("no")
    )
    rows: QuerySet[ApprovalRule] = ApprovalRule.objects.filter(deleted_at=None).annotate(
        in_flight=count
    )
    rows = rows.select_related("enterprise", "department").prefetch_related(
        Prefetch("steps", queryset=steps)
    )
    return rows.order_by("position", "pk")


def list_visible_rules(*, actor: Account, reach: Reach | None = None) -> QuerySet[ApprovalRule]:
    """Return the rules the actor may see: those the actor manages and those inherited from
    above.
    """
    return list_whole_rules().filter(_build_visible_condition(reach or get_rule_reach(actor=actor)))


def list_rules_with_history(actor: Account) -> QuerySet[ApprovalRule]:
    """Return the rules whose change history the actor may read, deleted ones included."""
    rows: QuerySet[ApprovalRule] = ApprovalRule.objects.filter(
        _build_visible_condition(get_rule_reach(actor=actor))
    )
    return rows


def rule_get(*, actor: Account, pk: str, is_change: bool = False) -> ApprovalRule:
    """Return one visible rule.

    Raises:
        RuleNotFound: the actor cannot see such a rule.
        RuleForbidden: `is_change` is set and the rule is managed from above.
    """
    reach = get_rule_reach(actor=actor)
    rule = list_visible_rules(actor=actor, reach=reach).filter(pk=int(pk)).first()
    if rule is None:
        raise RuleNotFound
    if is_change and not reach.manages(rule):
        raise RuleForbidden
    return rule


@dataclass(frozen=True, slots=True)
class RuleFilter:
    """The filter of a list. `department` leaves the rules that apply there, own and inherited."""

    keyword: str = ""
    status: str = ""
    department: Department | None = None


@dataclass(frozen=True, slots=True)
class Inheritance:
    """A department and all departments above it, itself first. Tells where a rule that applies
    there comes from.
    """

    path: tuple[int, ...]

    def get_origin(self, rule: ApprovalRule) -> str:
        """Return the RuleOrigin of a rule that holds in the department."""
        if rule.department_id is not None:
            return RuleOrigin.OWN if rule.department_id == self.path[0] else RuleOrigin.ABOVE
        return RuleOrigin.ENTERPRISE if rule.enterprise_id is not None else RuleOrigin.GROUP


def get_inheritance(*, reach: Reach, department_id: int) -> tuple[Department, Inheritance] | None:
    """Return (department, its path upwards) if the department is in the actor's reach, or None."""
    department = Department.objects.with_tree_fields().filter(pk=department_id).first()
    if department is None:
        return None
    is_near = department.pk in reach.managed | reach.above
    if (
        reach.scope != DataScope.GROUP
        and not is_near
        and not (
            reach.scope == DataScope.ENTERPRISE and department.enterprise_id == reach.enterprise_id
        )
    ):
        return None
    return department, Inheritance(tuple(reversed(department.tree_path)))


def list_rules(
    *, actor: Account, filters: RuleFilter, reach: Reach, inherited: Inheritance | None
) -> QuerySet[ApprovalRule]:
    """Return the filtered rules in their order."""
    rows = list_visible_rules(actor=actor, reach=reach)
    if filters.keyword:
        rows = rows.filter(name__icontains=filters.keyword)
    if filters.status:
        rows = rows.filter(filter_rules_by_status(filters.status, timezone.localdate()))
    if filters.department is not None and inherited is not None:
        rows = rows.filter(
            _applies_to_department(list(inherited.path), filters.department.enterprise_id)
        )
    return rows
