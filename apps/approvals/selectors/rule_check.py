"""The check of a rule before it is saved: steps without approvers, conditions that match no
order, and rules that overlap.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import combinations
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.approvals import texts
from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, RuleStatus, StepMode
from apps.approvals.models import MAX_RULE_COPIES, ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.approvers import filter_able_approvers
from apps.approvals.selectors.bands import (
    covers,
    format_range,
    get_band_range,
    get_overlap,
    has_same_branch,
    is_floor_missed,
    list_gaps,
)
from apps.approvals.selectors.conditions import CONDITIONS, Shape
from apps.approvals.selectors.delegations import list_open_delegations
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.selectors.rules import filter_rules_by_status
from apps.common.money import ZERO
from apps.org.models import Account, Department
from apps.org.selectors.accounts import list_group_admins
from apps.org.selectors.departments import list_path


class Level(StrEnum):
    """How bad a problem is, the worst first. `stop`: no named approver could decide, or the
    rule never matches.
    """

    STOP = "stop"
    WARN = "warn"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in words. `step` is the number of the step; None: the rule as a whole."""

    level: str
    code: str
    message: str
    step: int | None = None


MAX_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A department in which the rule applies. `path` is the department and all departments
    above it; `heads` are their heads.
    """

    pk: int
    name: str
    head_id: int | None
    path: tuple[int, ...]
    heads: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class RuleCheckContext:
    """The rule and the data it is checked against: the departments it applies to, and which of
    the accounts it names can approve.
    """

    spec: RuleSpec
    steps: list[StepSpec]
    places: list[Place]
    able_ids: set[int]
    of_role: dict[int, list[int]]
    admins: list[int]

    def format_names(self, places: list[Place]) -> str:
        """Return the number of departments and the first of their names."""
        some = "、".join(place.name for place in places[:MAX_SHOWN])
        return f"{len(places)} 个部门（{some}{'等' if len(places) > MAX_SHOWN else ''}）"


def find_rule_problems(
    *, group_id: int, spec: RuleSpec, steps: list[StepSpec], rule: ApprovalRule | None = None
) -> list[Problem]:
    """Return the problems of a rule, the worst first. `rule` is the stored rule if it is
    changed.
    """
    context = _build_context(group_id, spec, steps)
    problems = [*_check_days(spec), *_check_reach(context)]
    for number, step in enumerate(steps, start=1):
        problems += _check_step(number, step, context)
    problems += [*_check_repeats(steps), *_check_admins(context, bool(problems))]
    problems += [*_check_one_person(context), *_check_copies(spec), *_check_bands(context)]
    problems += _check_joint_stand_ins(context, rule)
    others = ApprovalRule.objects.filter(
        filter_rules_by_status(RuleStatus.ACTIVE, timezone.localdate()),
        group_id=group_id,
        deleted_at=None,
    )
    others = others.exclude(pk=rule.pk if rule else None).select_related("department", "enterprise")
    rows = others.prefetch_related("steps__accounts").order_by("position", "pk")
    places = {place.pk: place.path for place in context.places}
    problems += find_overlaps(
        spec=spec,
        steps=steps,
        others=list(rows),
        path=places.get(spec.department.pk, ()) if spec.department else (),
    )
    return sorted(problems, key=lambda problem: list(Level).index(Level(problem.level)))


def _build_context(group_id: int, spec: RuleSpec, steps: list[StepSpec]) -> RuleCheckContext:
    """Return all that the checks of the rule need. Everything is read once."""
    places = _list_places(group_id, spec)
    roles = {step.role.pk for step in steps if step.role}
    of_role: dict[int, list[int]] = {pk: [] for pk in roles}
    if roles:
        through = Account.roles.through.objects.filter(role_id__in=roles).order_by("account_id")
        for role_id, account_id in through.values_list("role_id", "account_id"):
            of_role[role_id].append(account_id)
    heads = (
        {head for place in places for head in place.heads if head}
        if any(_asks_heads(step) for step in steps)
        else set()
    )
    account_ids = {account.pk for step in steps for account in step.accounts} | {
        pk for ids in of_role.values() for pk in ids
    }
    admins = list(list_group_admins(group=group_id).values_list("pk", flat=True))
    return RuleCheckContext(
        spec, steps, places, filter_able_approvers(heads | account_ids), of_role, admins
    )


def _asks_heads(step: StepSpec) -> bool:
    return step.approver_kind in (ApproverKind.HEAD, ApproverKind.HEAD_UP)


def _list_places(group_id: int, spec: RuleSpec) -> list[Place]:
    """Return the enabled departments whose orders can match the rule."""
    rows = Department.objects.filter(group_id=group_id, is_active=True).order_by("position", "pk")
    all_rows = {row.pk: row for row in rows}
    required_departments = _collect_required_departments(spec)
    parents = {pk: row.parent_id for pk, row in all_rows.items()}
    places: list[Place] = []
    for row in all_rows.values():
        path = list_path(parents, row.pk)
        if spec.enterprise is not None and row.enterprise_id != spec.enterprise.pk:
            continue
        if (spec.department is None or spec.department.pk in path) and (
            not required_departments or required_departments & set(path)
        ):
            places.append(
                Place(
                    row.pk,
                    row.name,
                    row.head_id,
                    tuple(path),
                    tuple(all_rows[pk].head_id for pk in path),
                )
            )
    return places


def _get_required_ids(spec: RuleSpec, kind: str) -> set[int]:
    """Return the ids of a condition that every matching order must meet; empty if the condition
    is missing or only one of several alternatives.
    """
    if spec.condition_mode == ConditionMode.ANY and len(spec.conditions) > 1:
        return set()
    return {
        int(pk) for row in spec.conditions if row["kind"] == kind for pk in row.get("value") or ()
    }


def _collect_required_departments(spec: RuleSpec) -> set[int]:
    return _get_required_ids(spec, ConditionKind.DEPARTMENT)


def _check_days(spec: RuleSpec) -> Iterator[Problem]:
    """Yield a problem if the rule has ended, and a hint if it has not begun."""
    today = timezone.localdate()
    if spec.valid_until is not None and spec.valid_until < today:
        yield Problem(Level.STOP, "ended", texts.rule_has_ended(spec.valid_until))
    elif spec.valid_from is not None and spec.valid_from > today:
        yield Problem(Level.INFO, "coming", texts.rule_begins_later(spec.valid_from))


def _check_reach(context: RuleCheckContext) -> Iterator[Problem]:
    """Yield problems if the rule's departments or requesters have no orders in its place."""
    if _collect_required_departments(context.spec) and not context.places:
        yield Problem(Level.STOP, "no_department", texts.DEPARTMENTS_OUT_OF_SCOPE)
    requesters = _get_required_ids(context.spec, ConditionKind.REQUESTER)
    if requesters:
        place_ids = {place.pk for place in context.places}
        rows = Account.objects.filter(pk__in=requesters).values_list(
            "nickname", "is_active", "department_id"
        )
        excluded_names = [
            name
            for name, is_active, department_id in rows
            if not is_active or (department_id is not None and department_id not in place_ids)
        ]
        if len(excluded_names) == len(requesters):
            yield Problem(
                Level.STOP,
                "no_requester",
                texts.REQUESTERS_OUT_OF_SCOPE,
            )
        elif excluded_names:
            yield Problem(
                Level.WARN,
                "some_requesters",
                texts.requesters_out_of_scope("、".join(excluded_names[:MAX_SHOWN])),
            )


def _check_step(number: int, step: StepSpec, context: RuleCheckContext) -> Iterator[Problem]:
    """Yield the problems of a step: nobody can approve, or somebody approves the own order."""
    match step.approver_kind:
        case ApproverKind.ACCOUNTS:
            yield from _check_accounts(number, step, context)
        case ApproverKind.ROLE if step.role is not None:
            able_ids = [pk for pk in context.of_role[step.role.pk] if pk in context.able_ids]
            if not able_ids:
                yield Problem(
                    Level.STOP,
                    "empty_role",
                    texts.role_without_approvers(step.role.name),
                    number,
                )
            else:
                yield from _check_self_approval(number, set(able_ids), context)
        case _:
            yield from _check_heads(number, step, context)


def _check_accounts(number: int, step: StepSpec, context: RuleCheckContext) -> Iterator[Problem]:
    """Yield a problem for each named approver who cannot approve, and for a step that nobody can
    decide.
    """
    able_ids = {account.pk for account in step.accounts if account.pk in context.able_ids}
    for account in step.accounts:
        if account.pk not in able_ids:
            why = texts.WITHOUT_RIGHT if account.is_active else texts.DISABLED
            yield Problem(
                Level.WARN if able_ids else Level.STOP,
                "unable_approver",
                texts.approver_gets_nothing(name=account.nickname, reason=why),
                number,
            )
    if not able_ids:
        yield Problem(Level.STOP, "nobody", texts.NOBODY_CAN_APPROVE, number)
    else:
        yield from _check_self_approval(number, able_ids, context)


def _check_self_approval(
    number: int, able_ids: set[int], context: RuleCheckContext
) -> Iterator[Problem]:
    """Yield a problem if the requester can be the only approver of the step."""
    if context.spec.allows_self_approval or len(able_ids) > 1:
        return
    requesters = _get_required_ids(context.spec, ConditionKind.REQUESTER)
    if requesters and requesters <= able_ids:
        yield Problem(
            Level.STOP,
            "requester_alone",
            texts.REQUESTER_IS_ONLY_APPROVER,
            number,
        )
    elif able_ids == set(context.admins):
        yield Problem(
            Level.INFO,
            "admin_alone",
            texts.ADMIN_IS_ONLY_APPROVER,
            number,
        )
    else:
        yield Problem(Level.INFO, "own_order", texts.ONE_APPROVER_ONLY, number)


def _check_heads(number: int, step: StepSpec, context: RuleCheckContext) -> Iterator[Problem]:
    """Yield the problems of a step that asks heads of departments: no level above, no head, or a
    head who cannot approve.
    """
    level = step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
    too_high = [place for place in context.places if level >= len(place.path)]
    without_head = [
        place for place in context.places if level < len(place.path) and place.heads[level] is None
    ]
    unable = [
        place
        for place in context.places
        if level < len(place.path)
        and place.heads[level] not in context.able_ids
        and place.heads[level]
    ]
    bad_count = len(too_high) + len(without_head) + len(unable)
    level_of_problem = (
        Level.STOP if context.places and bad_count == len(context.places) else Level.WARN
    )
    consequence = texts.HEADS_FALL_BACK
    if too_high:
        yield Problem(
            level_of_problem,
            "no_level",
            texts.departments_without_level(
                departments=context.format_names(too_high), level=level, consequence=consequence
            ),
            number,
        )
    if without_head:
        yield Problem(
            level_of_problem,
            "head_missing",
            texts.departments_without_head(
                departments=context.format_names(without_head),
                above="上级" if level else "",
                consequence=consequence,
            ),
            number,
        )
    if unable:
        yield Problem(
            level_of_problem,
            "head_unable",
            texts.heads_unable(departments=context.format_names(unable), consequence=consequence),
            number,
        )
    if bad_count < len(context.places) and not context.spec.allows_self_approval:
        yield Problem(Level.INFO, "head_orders", texts.HEADS_OWN_ORDERS, number)


def _check_repeats(steps: list[StepSpec]) -> Iterator[Problem]:
    """Yield a hint for each step that asks a person whom an earlier step asks too."""
    steps_by_person: dict[int, list[tuple[int, StepSpec]]] = {}
    for number, step in enumerate(steps, start=1):
        for account in step.accounts:
            earlier = steps_by_person.setdefault(account.pk, [])
            first = next((no for no, other in earlier if _can_share_chain(step, other)), None)
            if first is not None:
                yield Problem(
                    Level.INFO,
                    "repeated",
                    texts.approver_repeated(name=account.nickname, first=first),
                    number,
                )
            earlier.append((number, step))
    for kind, text in ((ApproverKind.HEAD, "部门负责人"), (ApproverKind.HEAD_UP, "上级部门负责人")):
        heads = [
            (number, step)
            for number, step in enumerate(steps, start=1)
            if step.approver_kind == kind
        ]
        for index, (number, step) in enumerate(heads):
            if any(
                other.levels_up == step.levels_up and _can_share_chain(step, other)
                for _, other in heads[:index]
            ):
                yield Problem(Level.INFO, "repeated", texts.head_repeated(text), number)


def _can_share_chain(first: StepSpec, second: StepSpec) -> bool:
    """Return whether one order can need both steps. Steps of different bands exclude each other."""
    return first.band is None or second.band is None or first.band == second.band


def _check_one_person(context: RuleCheckContext) -> Iterator[Problem]:
    """Yield a problem for each chain in which the same person is the only approver of all steps. A
    rule has one chain for each band (分档), or one without bands.
    """
    for band in range(1, len(context.spec.bands) + 1) if context.spec.bands else [None]:
        steps = [step for step in context.steps if step.band in (None, band)]
        sole = {_find_sole_approver(step, context) for step in steps}
        if len(steps) > 1 and len(sole) == 1 and None not in sole:
            yield Problem(
                Level.STOP,
                "one_person",
                f"{f'第 {band} 档的 ' if band else ''}{len(steps)} 个步骤都只有同一人审批，"
                "第一步以后会自动跳过，请为后面的步骤另选审批人，或只保留一步",
            )


def _check_bands(context: RuleCheckContext) -> Iterator[Problem]:
    """Yield the contradictions, overlaps and gaps of the bands (分档)."""
    bands = context.spec.bands
    if not bands:
        return
    has_common = any(step.band is None for step in context.steps)
    floor = _get_required_amount(context.spec)
    for number, row in enumerate(bands, start=1):
        yield from _check_band(number, row, context, floor=floor, has_common=has_common)
    for (first, row), (second, other) in combinations(enumerate(bands, start=1), 2):
        amounts = get_overlap(row, other)
        if covers(row, other):
            yield Problem(
                Level.STOP,
                "band_never",
                texts.band_never_used(second=second, first=first),
            )
        elif amounts and has_same_branch(row, other):
            yield Problem(
                Level.WARN,
                "band_overlap",
                texts.bands_overlap(amounts=format_range(amounts), first=first, second=second),
            )
    consequence = texts.ONLY_COMMON_STEPS if has_common else texts.NO_APPROVAL_NEEDED
    if is_floor_missed(bands, floor=floor):
        yield Problem(
            Level.WARN, "band_gap", texts.amount_in_no_band(amount=floor, consequence=consequence)
        )
    for gap in list_gaps(bands, floor=floor):
        yield Problem(
            Level.WARN,
            "band_gap",
            texts.orders_in_no_band(amounts=format_range(gap), consequence=consequence),
        )


def _check_band(
    number: int, row: dict[str, Any], context: RuleCheckContext, *, floor: Decimal, has_common: bool
) -> Iterator[Problem]:
    """Yield the problems of one amount band: no step, or no order that reaches it. `floor`: the
    元 that every matching order has. `has_common`: a step applies to all bands.
    """
    _, up_to = get_band_range(row)
    if not has_common and all(step.band != number for step in context.steps):
        yield Problem(Level.WARN, "band_empty", texts.band_without_steps(number))
    if up_to is not None and up_to < floor:
        yield Problem(
            Level.STOP,
            "band_never",
            texts.band_below_condition(amount=floor, number=number),
        )
    departments = set(row["departments"])
    if departments and not any(departments.intersection(each.path) for each in context.places):
        yield Problem(
            Level.STOP,
            "band_never",
            texts.band_out_of_scope(number),
        )


def _get_required_amount(spec: RuleSpec) -> Decimal:
    """Return the amount in 元 that every matching order reaches; 0 if there is none."""
    if spec.condition_mode == ConditionMode.ANY and len(spec.conditions) > 1:
        return ZERO
    amounts = (row["value"] for row in spec.conditions if row["kind"] == ConditionKind.AMOUNT)
    return max((Decimal(str(value)) for value in amounts), default=ZERO)


def _check_copies(spec: RuleSpec) -> Iterator[Problem]:
    """Yield a problem if the rule names more people than it sends copies to."""
    if not spec.copy_roles:
        return
    is_copied = Q(pk__in=spec.copy_accounts) | Q(roles__in=spec.copy_roles)
    number = Account.objects.filter(is_copied, is_active=True).values("pk").distinct().count()
    if number > MAX_RULE_COPIES:
        yield Problem(
            Level.WARN,
            "many_copies",
            texts.many_copies(most=MAX_RULE_COPIES, number=number),
        )


def _check_joint_stand_ins(
    context: RuleCheckContext, rule: ApprovalRule | None
) -> Iterator[Problem]:
    """Yield a problem for each 会签 step in which an approver's stand-in has to sign too: while
    the approver is away, nobody can sign for him.
    """
    joint = {
        number: _get_able_approvers(step, context)
        for number, step in enumerate(context.steps, start=1)
        if step.mode == StepMode.ALL
    }
    people = {pk for ids in joint.values() for pk in ids}
    if context.spec.allows_same_person or not people:
        return
    rows = list_open_delegations().filter(delegator__in=people, delegate__in=people)
    delegations = [
        row
        for row in rows.select_related("delegator", "delegate")
        if not row.rules or (rule is not None and rule.pk in row.rules)
    ]
    for number, ids in joint.items():
        inside = [row for row in delegations if {row.delegator_id, row.delegate_id} <= ids]
        pairs = {(row.delegator_id, row.delegate_id) for row in inside}
        for row in inside:
            names = row.delegator.nickname, row.delegate.nickname
            if (row.delegate_id, row.delegator_id) in pairs:
                if row.delegator_id < row.delegate_id:
                    text = texts.mutual_stand_ins(first=names[0], second=names[1])
                    yield Problem(Level.WARN, "joint_stand_in", f"{text}，{ABSENT}", number)
            else:
                text = texts.stand_in_signs_too(stand_in=names[1], delegator=names[0])
                yield Problem(Level.WARN, "joint_stand_in", f"{text}，{ABSENT}", number)


ABSENT = "一方外出时这一步会一直等待，请另选代理人，或改为或签"


def _find_sole_approver(step: StepSpec, context: RuleCheckContext) -> int | None:
    """Return the only account that can decide the step, if it is the same for all departments."""
    if not _asks_heads(step):
        able_ids = _get_able_approvers(step, context)
    else:
        level = step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0
        heads = {
            place.heads[level] if level < len(place.heads) else None for place in context.places
        }
        able_ids = {head for head in heads if head} if None not in heads else set()
    return able_ids.pop() if len(able_ids) == 1 else None


def _check_admins(context: RuleCheckContext, has_problems: bool) -> Iterator[Problem]:
    """If no approver can be found, a step falls back to the group's admins. Yield a problem if
    there is none.
    """
    if has_problems and not context.admins:
        yield Problem(Level.STOP, "no_admin", texts.NO_ADMIN)


def _get_able_approvers(step: StepSpec, context: RuleCheckContext) -> set[int]:
    """Return the accounts or the people of the role that the step names and that can decide; empty
    for a step of heads.
    """
    if step.approver_kind == ApproverKind.ACCOUNTS:
        return {account.pk for account in step.accounts if account.pk in context.able_ids}
    if step.approver_kind == ApproverKind.ROLE:
        role_id = step.role.pk if step.role else 0
        return {pk for pk in context.of_role[role_id] if pk in context.able_ids}
    return set()


# The last part is the band and all bands of the rule, as text; "" without a band.
StepKey = tuple[str, str, frozenset[int], int, str]


def find_overlaps(
    *, spec: RuleSpec, steps: list[StepSpec], others: list[ApprovalRule], path: tuple[int, ...]
) -> Iterator[Problem]:
    """Yield a problem for each other rule of the group that covers this rule, or is covered by
    it, with the same approvers.

    `path` is the rule's department and all departments above it.
    """
    step_keys = [_build_spec_step_key(step, spec) for step in steps]
    for other in others:
        other_step_keys = [_build_rule_step_key(step, other) for step in other.steps.all()]
        is_covered_by_other = _place_covers(other, spec, path) and _do_conditions_cover(other, spec)
        covers_other = _place_covers(spec, other, _get_own_path(other)) and _do_conditions_cover(
            spec, other
        )
        if is_covered_by_other and covers_other and step_keys == other_step_keys:
            yield Problem(Level.WARN, "duplicate", texts.same_as_rule(other.name))
        elif is_covered_by_other and set(step_keys) <= set(other_step_keys):
            yield Problem(
                Level.WARN,
                "shadowed",
                texts.covered_by_rule(other.name),
            )
        elif covers_other and set(other_step_keys) <= set(step_keys):
            yield Problem(
                Level.INFO,
                "shadows",
                texts.covers_rule(other.name),
            )


def _get_own_path(rule: ApprovalRule) -> tuple[int, ...]:
    return (rule.department_id,) if rule.department_id else ()


def _build_band_key(step: StepSpec | ApprovalRuleStep, rule: RuleSpec | ApprovalRule) -> str:
    # PostgreSQL returns the keys of a stored band in another order.
    return f"{step.band} {json.dumps(rule.bands, sort_keys=True)}" if step.band else ""


def _build_spec_step_key(step: StepSpec, spec: RuleSpec) -> StepKey:
    """Return the key of a step of the form. Two steps with equal keys ask the same people in the
    same way.
    """
    return (
        step.approver_kind,
        step.mode,
        frozenset(account.pk for account in step.accounts),
        _get_role_or_levels(step.role.pk if step.role else None, step),
        _build_band_key(step, spec),
    )


def _build_rule_step_key(step: ApprovalRuleStep, rule: ApprovalRule) -> StepKey:
    """Return the key of a stored step, comparable with `_build_spec_step_key`."""
    accounts = frozenset(account.pk for account in step.accounts.all())
    return (
        step.approver_kind,
        step.mode,
        accounts if step.approver_kind == ApproverKind.ACCOUNTS else frozenset(),
        _get_role_or_levels(step.role_id, step),
        _build_band_key(step, rule),
    )


def _get_role_or_levels(role_id: int | None, step: StepSpec | ApprovalRuleStep) -> int:
    """Return the role of a step that asks a role, or the levels up of a step that asks heads."""
    if step.approver_kind == ApproverKind.ROLE:
        return role_id or 0
    return step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0


def _place_covers(
    wide: RuleSpec | ApprovalRule, narrow: RuleSpec | ApprovalRule, path: tuple[int, ...]
) -> bool:
    """Return whether every requester of the narrow rule is a requester of the wide rule. `path`
    is the narrow rule's department and all departments above it.
    """
    if wide.department is not None:
        return wide.department.pk in path
    if wide.enterprise is None:
        return True
    return narrow.enterprise is not None and narrow.enterprise.pk == wide.enterprise.pk


def _do_conditions_cover(wide: RuleSpec | ApprovalRule, narrow: RuleSpec | ApprovalRule) -> bool:
    """Return whether every order that matches the narrow rule's conditions matches the wide
    rule's.
    """
    if not wide.conditions:
        return True
    if not narrow.conditions:
        return False
    narrow_parts = _list_alternatives(narrow)
    wide_parts = _list_alternatives(wide)
    # Each alternative of the narrow rule must be covered by one of the wide rule.
    return all(any(_is_implied(have, want) for want in wide_parts) for have in narrow_parts)


def _list_alternatives(rule: RuleSpec | ApprovalRule) -> list[list[dict[str, Any]]]:
    """Return the alternatives of a rule, each a list of conditions that must all hold."""
    if rule.condition_mode == ConditionMode.ANY:
        return [[row] for row in rule.conditions]
    return [list(rule.conditions)]


def _is_implied(have: list[dict[str, Any]], want: list[dict[str, Any]]) -> bool:
    return all(any(_is_stricter(row, condition) for row in have) for condition in want)


def _is_stricter(row: dict[str, Any], condition: dict[str, Any]) -> bool:
    """Return whether everything that meets `row` also meets `condition`."""
    if row["kind"] != condition["kind"]:
        return False
    match CONDITIONS[row["kind"]].shape:
        case Shape.NONE:
            return True
        case Shape.AMOUNT | Shape.QUANTITY | Shape.PERCENT:
            return Decimal(str(row["value"])) >= Decimal(str(condition["value"]))
        case Shape.SUM:
            # A longer time sums up more orders.
            narrow, wide = row["value"], condition["value"]
            return int(narrow["days"]) <= int(wide["days"]) and Decimal(
                str(narrow["amount"])
            ) >= Decimal(str(wide["amount"]))
    return set(row["value"]) <= set(condition["value"])
