"""What would go wrong with a rule, told before it is saved: steps that ask nobody, orders it never meets, rules that say the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import timezone

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, RuleStatus
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.people import able_ids
from apps.approvals.selectors.rule_overlap import overlaps
from apps.approvals.selectors.rule_problem import Level, Problem
from apps.approvals.selectors.rule_spec import RuleSpec, StepSpec
from apps.approvals.selectors.rules import standing
from apps.org.models import Account, Department
from apps.org.selectors.accounts import group_admins

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A department that the rule holds in; `path` is itself and all above it."""

    pk: int
    name: str
    head_id: int | None
    path: tuple[int, ...]
    heads: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Ground:
    """What the rule is judged against: its departments, and who of all it names can be asked."""

    spec: RuleSpec
    steps: list[StepSpec]
    places: list[Place]
    able: set[int]
    of_role: dict[int, list[int]]
    admins: list[int]

    def names(self, places: list[Place]) -> str:
        """Return some of the departments by name, and how many there are."""
        some = "、".join(place.name for place in places[:SHOWN])
        return f"{len(places)} 个部门（{some}{'等' if len(places) > SHOWN else ''}）"


def rule_problems(*, group_id: int, spec: RuleSpec, steps: list[StepSpec], rule: ApprovalRule | None = None) -> list[Problem]:
    """Return what would go wrong, the worst first; `rule` is the present one where it is a change. Eight queries whatever the steps."""
    ground = _ground(group_id, spec, steps)
    found = [*_days(spec), *_reach(ground)]
    for number, step in enumerate(steps, start=1):
        found += _step(number, step, ground)
    found += [*_repeats(steps), *_admins(ground, bool(found))]
    others = ApprovalRule.objects.filter(standing(RuleStatus.ACTIVE, timezone.localdate()), group_id=group_id, deleted_at=None)
    others = others.exclude(pk=rule.pk if rule else None).select_related("department", "enterprise")
    rows = others.prefetch_related("steps__accounts").order_by("position", "pk")
    places = {place.pk: place.path for place in ground.places}
    found += overlaps(spec=spec, steps=steps, others=list(rows), path=places.get(spec.department.pk, ()) if spec.department else ())
    return sorted(found, key=lambda problem: list(Level).index(Level(problem.level)))


def _ground(group_id: int, spec: RuleSpec, steps: list[StepSpec]) -> Ground:
    places = _places(group_id, spec)
    roles = {step.role.pk for step in steps if step.role}
    of_role: dict[int, list[int]] = {pk: [] for pk in roles}
    if roles:
        through = Account.roles.through.objects.filter(role_id__in=roles).order_by("account_id")
        for role_id, account_id in through.values_list("role_id", "account_id"):
            of_role[role_id].append(account_id)
    heads = {head for place in places for head in place.heads if head} if any(_asks_heads(step) for step in steps) else set()
    named = {account.pk for step in steps for account in step.accounts} | {pk for ids in of_role.values() for pk in ids}
    admins = list(group_admins(group=group_id).values_list("pk", flat=True))
    return Ground(spec, steps, places, able_ids(heads | named), of_role, admins)


def _asks_heads(step: StepSpec) -> bool:
    return step.approver_kind in (ApproverKind.HEAD, ApproverKind.HEAD_UP)


def _places(group_id: int, spec: RuleSpec) -> list[Place]:
    """Return the enabled departments whose orders the rule may meet."""
    rows = Department.objects.filter(group_id=group_id, is_active=True).order_by("position", "pk")
    all_rows = {row.pk: row for row in rows}
    wanted = _asked_departments(spec)
    found: list[Place] = []
    for row in all_rows.values():
        path: list[int] = []
        current: int | None = row.pk
        while current is not None and current in all_rows and current not in path:
            path.append(current)
            current = all_rows[current].parent_id
        if spec.enterprise is not None and row.enterprise_id != spec.enterprise.pk:
            continue
        if (spec.department is None or spec.department.pk in path) and (not wanted or wanted & set(path)):
            found.append(Place(row.pk, row.name, row.head_id, tuple(path), tuple(all_rows[pk].head_id for pk in path)))
    return found


def _values(spec: RuleSpec, kind: str) -> set[int]:
    """Return the ids of a condition that every order of the rule meets; empty where there is none."""
    if spec.condition_mode == ConditionMode.ANY and len(spec.conditions) > 1:
        return set()
    return {int(pk) for row in spec.conditions if row["kind"] == kind for pk in row.get("value") or ()}


def _asked_departments(spec: RuleSpec) -> set[int]:
    return _values(spec, ConditionKind.DEPARTMENT)


def _days(spec: RuleSpec) -> Iterator[Problem]:
    today = timezone.localdate()
    if spec.valid_until is not None and spec.valid_until < today:
        yield Problem(Level.STOP, "ended", f"失效日 {spec.valid_until:%Y-%m-%d} 已过，保存后这条规则不会触发")
    elif spec.valid_from is not None and spec.valid_from > today:
        yield Problem(Level.INFO, "coming", f"{spec.valid_from:%Y-%m-%d} 起才会触发，此前的订单不受影响")


def _reach(ground: Ground) -> Iterator[Problem]:
    """Orders that there are not."""
    if _asked_departments(ground.spec) and not ground.places:
        yield Problem(Level.STOP, "no_department", "条件中的申请部门都不在适用范围内，这条规则永远不会触发")
    requesters = _values(ground.spec, ConditionKind.REQUESTER)
    if requesters:
        here = {place.pk for place in ground.places}
        rows = Account.objects.filter(pk__in=requesters).values_list("nickname", "is_active", "department_id")
        lost = [
            name for name, is_active, department_id in rows if not is_active or (department_id is not None and department_id not in here)
        ]
        if len(lost) == len(requesters):
            yield Problem(Level.STOP, "no_requester", "条件中的申请人都已停用或不在适用范围内，这条规则永远不会触发")
        elif lost:
            yield Problem(Level.WARN, "some_requesters", f"申请人{'、'.join(lost[:SHOWN])}已停用或不在适用范围内")


def _step(number: int, step: StepSpec, ground: Ground) -> Iterator[Problem]:
    match step.approver_kind:
        case ApproverKind.ACCOUNTS:
            yield from _accounts(number, step, ground)
        case ApproverKind.ROLE if step.role is not None:
            able = [pk for pk in ground.of_role[step.role.pk] if pk in ground.able]
            if not able:
                yield Problem(Level.STOP, "empty_role", f"角色「{step.role.name}」下没有可审批的人，订单将转由集团管理员审批", number)
            else:
                yield from _alone(number, set(able), ground)
        case _:
            yield from _heads(number, step, ground)


def _accounts(number: int, step: StepSpec, ground: Ground) -> Iterator[Problem]:
    able = {account.pk for account in step.accounts if account.pk in ground.able}
    for account in step.accounts:
        if account.pk not in able:
            why = "没有订单审批权限" if account.is_active else "账号已停用"
            yield Problem(Level.WARN if able else Level.STOP, "unable_approver", f"{account.nickname}{why}，不会收到审批", number)
    if not able:
        yield Problem(Level.STOP, "nobody", "没有可用的审批人，订单将转由集团管理员审批", number)
    else:
        yield from _alone(number, able, ground)


def _alone(number: int, able: set[int], ground: Ground) -> Iterator[Problem]:
    """The requester would be asked alone."""
    if ground.spec.allows_self_approval or len(able) > 1:
        return
    requesters = _values(ground.spec, ConditionKind.REQUESTER)
    if requesters and requesters <= able:
        yield Problem(Level.STOP, "requester_alone", "申请人就是唯一的审批人，本人不能审批自己的订单，将转由集团管理员审批", number)
    elif able == set(ground.admins):
        yield Problem(Level.INFO, "admin_alone", "唯一的审批人是集团管理员，其本人的订单将转由平台客服审批", number)
    else:
        yield Problem(Level.INFO, "own_order", "只有一位审批人，其本人下单时将转由集团管理员审批", number)


def _heads(number: int, step: StepSpec, ground: Ground) -> Iterator[Problem]:
    level = step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
    too_high = [place for place in ground.places if level >= len(place.path)]
    missing = [place for place in ground.places if level < len(place.path) and place.heads[level] is None]
    unable = [place for place in ground.places if level < len(place.path) and place.heads[level] not in ground.able and place.heads[level]]
    bad = len(too_high) + len(missing) + len(unable)
    worst = Level.STOP if ground.places and bad == len(ground.places) else Level.WARN
    ends = "这些部门的订单将转由集团管理员审批"
    if too_high:
        yield Problem(worst, "no_level", f"{ground.names(too_high)}没有上 {level} 级部门，{ends}", number)
    if missing:
        yield Problem(worst, "head_missing", f"{ground.names(missing)}的{'上级' if level else ''}部门未设负责人，{ends}", number)
    if unable:
        yield Problem(worst, "head_unable", f"{ground.names(unable)}的负责人已停用或没有审批权限，{ends}", number)
    if bad < len(ground.places) and not ground.spec.allows_self_approval:
        yield Problem(Level.INFO, "head_orders", "负责人本人下单时不由本人审批，将转由集团管理员审批", number)


def _repeats(steps: list[StepSpec]) -> Iterator[Problem]:
    seen: dict[int, int] = {}
    for number, step in enumerate(steps, start=1):
        for account in step.accounts:
            if account.pk in seen:
                yield Problem(Level.INFO, "repeated", f"{account.nickname}在第 {seen[account.pk]} 步已审批，本步自动跳过", number)
            seen.setdefault(account.pk, number)
    for kind, text in ((ApproverKind.HEAD, "部门负责人"), (ApproverKind.HEAD_UP, "上级部门负责人")):
        levels = [(step.levels_up, number) for number, step in enumerate(steps, start=1) if step.approver_kind == kind]
        doubled = {level for level, _ in levels if [row[0] for row in levels].count(level) > 1}
        for level, number in levels:
            if level in doubled and number != next(no for each, no in levels if each == level):
                yield Problem(Level.INFO, "repeated", f"{text}在前面的步骤已审批，本步自动跳过", number)


def _admins(ground: Ground, has_problems: bool) -> Iterator[Problem]:
    """Behind every dead end stands the group's admin; where there is none, staff."""
    if has_problems and not ground.admins:
        yield Problem(Level.STOP, "no_admin", "集团目前没有可用的管理员，上述无人审批的订单将转由平台客服处理")
