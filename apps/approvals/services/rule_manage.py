"""The actions of an administrator on rules: create, change, copy, switch on and off, sort, delete,
restore a version. Also moves rules when departments are merged.

The back office and the demo write a rule with its steps and its version by the functions below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.approvals.enums import ConditionKind, RuleAction
from apps.approvals.errors import (
    RulesMoved,
    RuleStale,
    VersionIsPresent,
    VersionNotFound,
    VersionWithoutContent,
)
from apps.approvals.models import ApprovalRule, ApprovalRuleStep, ApprovalRuleVersion
from apps.approvals.selectors.conditions import has_shared_sums
from apps.approvals.selectors.rule_check import Level, find_rule_problems
from apps.approvals.selectors.rule_form import (
    RuleForm,
    RuleSpec,
    StepSpec,
    build_rule_form,
    find_rule_problem,
    find_step_problem,
    read_rule_form,
    serialize_rule,
)
from apps.approvals.selectors.rule_text import describe_rule, find_differences
from apps.approvals.selectors.rules import get_rule_reach, list_visible_rules, rule_get
from apps.common.errors import ValidationFailed
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.models import Account, Department
from apps.org.services.changes import change_record

COPY = "（副本）"
NAME_LENGTH = 80


def _get_last_position() -> int:
    return (
        ApprovalRule.objects.filter(deleted_at=None).aggregate(last=Max("position"))["last"] or 0
    ) + 1


def refuse_dead_ends(
    *, group_id: int, spec: RuleSpec, steps: list[StepSpec], rule: ApprovalRule | None = None
) -> None:
    """Check a rule before it is saved.

    Raises:
        ValidationFailed: the check reports a problem of level `stop`: nobody could decide, or the
            rule matches no order. `Problems` lists them in words.
    """
    problems = [
        row
        for row in find_rule_problems(group_id=group_id, spec=spec, steps=steps, rule=rule)
        if row.level == Level.STOP
    ]
    if problems:
        texts = [
            f"第 {row.step} 步：{row.message}" if row.step else row.message for row in problems
        ]
        raise ValidationFailed({"Problems": texts})


@transaction.atomic
def rule_create(*, actor: Account, form: RuleForm, ignore_warnings: bool = False) -> ApprovalRule:
    """Create a rule behind all other rules and return it. `ignore_warnings`: save although the
    check reports `stop` problems.

    Raises:
        ValidationFailed: see `read_rule_form` and `refuse_dead_ends`.
    """
    # A department it names must not be merged away meanwhile.
    lock_group(actor.group_id)
    spec, steps = read_rule_form(actor=actor, form=form)
    if not ignore_warnings:
        refuse_dead_ends(group_id=actor.group_id or 0, spec=spec, steps=steps)
    return rule_save(
        group_id=actor.group_id or 0,
        spec=replace(spec, position=_get_last_position()),
        steps=steps,
        actor=actor,
    )


def rule_lock(actor: Account, pk: str, seen_at: datetime | None) -> ApprovalRule:
    """Lock the rule and return it. `seen_at` is the `updated_at` the actor saw; None: no check.

    Raises:
        RuleNotFound, RuleForbidden: the actor cannot see or cannot change the rule.
        RuleStale: somebody changed it since `seen_at`; the body holds the differences.
    """
    ApprovalRule.objects.select_for_update().filter(pk=int(pk)).values_list("pk").first()
    rule = rule_get(actor=actor, pk=pk, is_change=True)
    if seen_at is not None and rule.updated_at != seen_at:
        seen_version = rule.versions.filter(at=seen_at).first()
        differences_since = (
            find_differences(before=seen_version.words, after=describe_rule(rule))
            if seen_version
            else []
        )
        by = rule.versions.select_related("actor").order_by("-number").first()
        raise RuleStale(
            body={"rule": rule, "changes": differences_since, "by": by.actor if by else None}
        )
    return rule


@transaction.atomic
def rule_update(
    *,
    actor: Account,
    pk: str,
    changes: Mapping[str, Any],
    seen_at: datetime | None = None,
    ignore_warnings: bool = False,
) -> ApprovalRule:
    """Change a rule and return its next version. Running approvals keep the version they
    started with.

    `changes` holds fields of `RuleForm`; the other fields stay, and the whole rule is checked.
    Without changes no version is written. `seen_at` None: no check.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: see `rule_lock`.
        ValidationFailed: see `rule_create`.
    """
    lock_group(actor.group_id)
    rule = rule_lock(actor, pk, seen_at)
    if not changes:
        return rule
    form = replace(build_rule_form(serialize_rule(rule)), **changes)
    spec, steps = read_rule_form(actor=actor, form=form, present=rule)
    if not ignore_warnings:
        refuse_dead_ends(group_id=rule.group_id, spec=spec, steps=steps, rule=rule)
    return rule_save(group_id=rule.group_id, spec=spec, steps=steps, rule=rule, actor=actor)


def _read_spec(rule: ApprovalRule) -> tuple[RuleSpec, list[StepSpec]]:
    """Return the stored rule as (specification, its steps)."""
    spec = RuleSpec(**{name: getattr(rule, name) for name in RuleSpec.__dataclass_fields__})
    steps = [
        StepSpec(
            step.approver_kind,
            step.mode,
            tuple(step.accounts.all()),
            step.role,
            step.levels_up,
            step.band,
        )
        for step in rule.steps.all()
    ]
    return spec, steps


@transaction.atomic
def rule_copy(*, actor: Account, pk: str) -> ApprovalRule:
    """Copy a rule. The copy is switched off and stands behind all other rules, so that it can
    be edited first.

    Raises:
        RuleNotFound, RuleForbidden: the actor cannot see or cannot change the rule.
    """
    lock_group(actor.group_id)
    rule = rule_get(actor=actor, pk=pk, is_change=True)
    spec, steps = _read_spec(rule)
    name = rule.name[: NAME_LENGTH - len(COPY)] + COPY
    copy = replace(spec, name=name, position=_get_last_position(), is_active=False)
    return rule_save(
        group_id=rule.group_id, spec=copy, steps=steps, actor=actor, action=RuleAction.COPIED
    )


@transaction.atomic
def rule_switch(
    *,
    actor: Account,
    pk: str,
    is_active: bool,
    seen_at: datetime | None = None,
    ignore_warnings: bool = False,
) -> ApprovalRule:
    """Switch a rule on or off for new orders and return it. Does nothing if it already has that
    state.

    `seen_at` None: no check. `ignore_warnings`: switch on although the check reports `stop`
    problems.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: see `rule_lock`.
        ValidationFailed: see `refuse_dead_ends`; only when switching on.
    """
    lock_group(actor.group_id)
    rule = rule_lock(actor, pk, seen_at)
    if rule.is_active == is_active:
        return rule
    spec, steps = _read_spec(rule)
    spec = replace(spec, is_active=is_active)
    if is_active and not ignore_warnings:
        refuse_dead_ends(group_id=rule.group_id, spec=spec, steps=steps, rule=rule)
    action = RuleAction.ENABLED if is_active else RuleAction.DISABLED
    return rule_save(
        group_id=rule.group_id, spec=spec, steps=steps, rule=rule, actor=actor, action=action
    )


@transaction.atomic
def rule_delete(*, actor: Account, pk: str, seen_at: datetime | None = None) -> None:
    """Mark a rule as deleted: it matches nothing and is not listed. Running approvals and the
    versions stay.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: see `rule_lock`; `seen_at` None: no check.
    """
    rule = rule_lock(actor, pk, seen_at)
    rule.is_active, rule.deleted_at, rule.version = False, timezone.now(), rule.version + 1
    rule.save(update_fields=["is_active", "deleted_at", "version", "updated_at"])
    rule_version_record(rule=rule, action=RuleAction.DELETED, actor=actor)


@transaction.atomic
def rules_sort(*, actor: Account, ids: list[int]) -> None:
    """Put the given rules in this order. They share the positions they had, so no other rule
    moves.

    Writes no version: the content of the rules does not change, and an open editor stays valid.

    Raises:
        ValidationFailed: an id is given twice, does not exist, or the actor cannot change the rule.
    """
    # Two administrators who sort the same rules in different orders would deadlock.
    lock_group(actor.group_id)
    reach = get_rule_reach(actor=actor)
    rule_by_id = {
        rule.pk: rule for rule in list_visible_rules(actor=actor, reach=reach).filter(pk__in=ids)
    }
    if (
        len(set(ids)) != len(ids)
        or set(ids) != set(rule_by_id)
        or not all(reach.manages(rule) for rule in rule_by_id.values())
    ):
        raise RulesMoved
    places = sorted(rule.position for rule in rule_by_id.values())
    for index, pk in enumerate(ids):
        # Rules with the same position get different ones; positions only rise.
        places[index] = max(places[index], places[index - 1] + 1) if index else places[0]
        ApprovalRule.objects.filter(pk=pk).update(position=places[index])


@transaction.atomic
def rule_restore(
    *, actor: Account, pk: str, number: int, seen_at: datetime, ignore_warnings: bool = False
) -> ApprovalRule:
    """Restore the content of an earlier version as the next version. The switch and the
    position stay as they are.

    `ignore_warnings`: restore although the check reports `stop` problems.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: see `rule_lock`.
        VersionNotFound: the rule has no such version.
        WrongState: it is the current version, or it has no stored data.
        ValidationFailed: it names something that is gone or outside the actor's reach, or nobody
            could decide.
    """
    lock_group(actor.group_id)
    rule = rule_lock(actor, pk, seen_at)
    version = rule.versions.filter(number=number).first()
    if version is None:
        raise VersionNotFound
    if version.number == rule.version:
        raise VersionIsPresent
    if version.content is None:
        raise VersionWithoutContent
    spec, steps = read_rule_form(actor=actor, form=build_rule_form(version.content), present=rule)
    if not ignore_warnings:
        refuse_dead_ends(group_id=rule.group_id, spec=spec, steps=steps, rule=rule)
    return rule_save(
        group_id=rule.group_id,
        spec=spec,
        steps=steps,
        rule=rule,
        actor=actor,
        action=RuleAction.RESTORED,
    )


def count_rules_of_department(department: Department) -> int:
    """Return how many active rules apply to the department itself."""
    return int(
        ApprovalRule.objects.filter(department=department, is_active=True, deleted_at=None).count()
    )


def rules_move_department(actor: Account, source: Department, target: Department) -> int:
    """Replace department `source` by `target` in all rules and their conditions; return how
    many rules changed.

    Each changed rule gets a new version, so an open editor becomes stale. Running approvals keep
    their steps.
    """
    changed_count = 0
    for rule in (
        ApprovalRule.objects.select_for_update(of=("self",)).filter(deleted_at=None).order_by("pk")
    ):
        conditions = [
            _replace_department(condition, source.pk, target.pk) for condition in rule.conditions
        ]
        bands = [
            {**row, "departments": _replace_id(row["departments"], source.pk, target.pk)}
            for row in rule.bands
        ]
        if rule.department_id == source.pk or conditions != rule.conditions or bands != rule.bands:
            rule_record_unversioned(rule)
            rule.department = target if rule.department_id == source.pk else rule.department
            rule.conditions, rule.bands, rule.version = conditions, bands, rule.version + 1
            rule.save(update_fields=["department", "conditions", "bands", "version", "updated_at"])
            rule_version_record(rule=rule, action=RuleAction.CHANGED, actor=actor)
            changed_count += 1
    return changed_count


def _replace_department(
    condition: dict[str, object], source: int, target: int
) -> dict[str, object]:
    """Return the condition with department `source` replaced by `target`."""
    value = condition.get("value")
    if condition.get("kind") != ConditionKind.DEPARTMENT or not isinstance(value, list):
        return condition
    return {**condition, "value": _replace_id(value, source, target)}


def _replace_id(ids: list[Any], source: int, target: int) -> list[Any]:
    """Return the ids, numbers or texts, with `target` in the place of `source`, each once."""
    new_ids = (type(pk)(target) if str(pk) == str(source) else pk for pk in ids)
    return list(dict.fromkeys(new_ids))


SUBJECT = "rule"
# The action in the change history of the organisation for each action of a version.
CHANGES = {
    RuleAction.CREATED: ChangeAction.CREATE,
    RuleAction.COPIED: ChangeAction.COPY,
    RuleAction.CHANGED: ChangeAction.UPDATE,
    RuleAction.ENABLED: ChangeAction.ENABLE,
    RuleAction.DISABLED: ChangeAction.DISABLE,
    RuleAction.DELETED: ChangeAction.DELETE,
    RuleAction.RESTORED: ChangeAction.RESTORE,
}


def rule_version_record(
    *, rule: ApprovalRule, action: str, actor: Account | None
) -> ApprovalRuleVersion:
    """Write the current state of the rule as a version and return it. If the actor is a
    customer, also write the change history of the organisation.
    """
    words = describe_rule(rule)
    if actor is not None and actor.group_id is not None:
        earlier = rule.versions.order_by("-number").first()
        change_record(
            actor=actor,
            subject_type=SUBJECT,
            subject_id=rule.pk,
            subject_name=rule.name,
            action=CHANGES[RuleAction(action)],
            before={row["field"]: row["text"] for row in earlier.words} if earlier else {},
            after={row["field"]: row["text"] for row in words},
            labels={row["field"]: row["label"] for row in words},
        )
    version: ApprovalRuleVersion = ApprovalRuleVersion.objects.create(
        group_id=rule.group_id,
        rule=rule,
        number=rule.version,
        action=action,
        words=words,
        content=serialize_rule(rule),
        actor=actor,
        at=rule.updated_at,
    )
    return version


def rule_record_unversioned(rule: ApprovalRule) -> None:
    """Write a first version for a rule that has none, so that the next change has something to
    compare with.
    """
    if not rule.versions.exists():
        rule_version_record(
            rule=ApprovalRule.objects.get(pk=rule.pk), action=RuleAction.CREATED, actor=None
        )


def _write_steps(rule: ApprovalRule, steps: list[StepSpec]) -> None:
    """Write the steps that differ from the stored ones, so that the operation log contains only
    what changed.
    """
    step_by_no = {row.no: row for row in ApprovalRuleStep.objects.filter(rule=rule)}
    for number, step in enumerate(steps, start=1):
        row = step_by_no.pop(number, None) or ApprovalRuleStep(
            group_id=rule.group_id, rule=rule, no=number
        )
        values = {
            "mode": step.mode,
            "approver_kind": step.approver_kind,
            "role_id": step.role.pk if step.role else None,
            "levels_up": step.levels_up,
            "band": step.band,
        }
        if row.pk is None or any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            row.save()
        row.accounts.set(step.accounts)
    ApprovalRuleStep.objects.filter(pk__in=[row.pk for row in step_by_no.values()]).delete()


@transaction.atomic
def rule_save(
    *,
    group_id: int,
    spec: RuleSpec,
    steps: list[StepSpec],
    rule: ApprovalRule | None = None,
    actor: Account | None = None,
    action: str = "",
) -> ApprovalRule:
    """Create or replace a rule with its steps, write its next version and return it.

    Running approvals keep the chain they started with. `actor` None is the system; `action`
    defaults to 新建 or 修改.

    Raises:
        ValidationFailed: there is no step, or a named object is invalid or of another group.
    """
    wrong_field, text = find_rule_problem(spec=spec, group_id=group_id)
    if text:
        raise ValidationFailed({wrong_field: [text]})
    problems = [
        f"第 {number} 步：{find_step_problem(spec=step, group_id=group_id)}"
        for number, step in enumerate(steps, start=1)
    ]
    first_error = next(
        (each for each in problems if not each.endswith("：")),
        "" if steps else "请至少添加一个审批步骤",
    )
    if first_error:
        raise ValidationFailed({"Steps": [first_error]})
    is_new = rule is None or rule.pk is None
    rule = rule or ApprovalRule()
    if not is_new:
        rule_record_unversioned(rule)
        rule.version += 1
    rule.group_id = group_id
    for name in RuleSpec.__dataclass_fields__:
        setattr(rule, name, getattr(spec, name))
    rule.has_shared_sums = has_shared_sums(spec.conditions)
    rule.save()
    _write_steps(rule, steps)
    rule_version_record(
        rule=rule,
        action=action or (RuleAction.CREATED if is_new else RuleAction.CHANGED),
        actor=actor,
    )
    return rule
