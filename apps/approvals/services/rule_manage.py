"""An administrator keeps the rules of his reach: new, changed, copied, switched, put in order, deleted."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.approvals.enums import RuleAction
from apps.approvals.errors import RuleStale
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_check import rule_problems
from apps.approvals.selectors.rule_form import RuleForm, rule_read
from apps.approvals.selectors.rule_problem import Level
from apps.approvals.selectors.rule_spec import RuleSpec, StepSpec
from apps.approvals.selectors.rule_words import differences, rule_words
from apps.approvals.selectors.rules import reach_of, rule_get, rules_visible
from apps.approvals.services.rule_save import rule_save, rule_version_record
from apps.common.errors import ValidationFailed
from apps.org.locks import lock_group

if TYPE_CHECKING:
    from apps.org.models import Account

COPY = "（副本）"
NAME_LENGTH = 80


def _last_position() -> int:
    return (ApprovalRule.objects.filter(deleted_at=None).aggregate(last=Max("position"))["last"] or 0) + 1


def refuse_dead_ends(*, group_id: int, spec: RuleSpec, steps: list[StepSpec], rule: ApprovalRule | None = None) -> None:
    """Raise ValidationFailed, its `Problems` in words, where the check says stop: nobody could decide, or it meets no order."""
    problems = [row for row in rule_problems(group_id=group_id, spec=spec, steps=steps, rule=rule) if row.level == Level.STOP]
    if problems:
        texts = [f"第 {row.step} 步：{row.message}" if row.step else row.message for row in problems]
        raise ValidationFailed({"Problems": texts})


@transaction.atomic
def rule_create(*, actor: Account, form: RuleForm, is_anyway: bool = False) -> ApprovalRule:
    """Return the new rule, asked after all others; `is_anyway` also with what the check says stop to.

    Raises:
        ValidationFailed: as `rule_read` and `refuse_dead_ends`.
    """
    lock_group(actor.group_id)  # a department it names is not merged away meanwhile
    spec, steps = rule_read(actor=actor, form=form)
    if not is_anyway:
        refuse_dead_ends(group_id=actor.group_id or 0, spec=spec, steps=steps)
    return rule_save(group_id=actor.group_id or 0, spec=replace(spec, position=_last_position()), steps=steps, actor=actor)


def rule_locked(actor: Account, pk: str, seen_at: datetime | None) -> ApprovalRule:
    """Return the rule, locked and as the actor saw it; None asks for no check.

    Raises:
        RuleNotFound, RuleForbidden: it is not there, or not his.
        RuleStale: somebody changed it since; the body has the differences.
    """
    ApprovalRule.objects.select_for_update().filter(pk=int(pk)).values_list("pk").first()
    rule = rule_get(actor=actor, pk=pk, is_change=True)
    if seen_at is not None and rule.updated_at != seen_at:
        seen = rule.versions.filter(at=seen_at).first()
        found = differences(before=seen.words, after=rule_words(rule)) if seen else []
        by = rule.versions.select_related("actor").order_by("-number").first()
        raise RuleStale(body={"rule": rule, "changes": found, "by": by.actor if by else None})
    return rule


@transaction.atomic
def rule_update(*, actor: Account, pk: str, form: RuleForm, seen_at: datetime, is_anyway: bool = False) -> ApprovalRule:
    """Return the rule as the form says, its next version; approvals under way keep the version they started with.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: see `rule_locked`.
        ValidationFailed: as for a new one.
    """
    lock_group(actor.group_id)
    rule = rule_locked(actor, pk, seen_at)
    spec, steps = rule_read(actor=actor, form=form, present=rule)
    if not is_anyway:
        refuse_dead_ends(group_id=rule.group_id, spec=spec, steps=steps, rule=rule)
    return rule_save(group_id=rule.group_id, spec=spec, steps=steps, rule=rule, actor=actor)


def _spec_of(rule: ApprovalRule) -> tuple[RuleSpec, list[StepSpec]]:
    spec = RuleSpec(**{name: getattr(rule, name) for name in RuleSpec.__dataclass_fields__})
    steps = [StepSpec(step.approver_kind, step.mode, tuple(step.accounts.all()), step.role, step.levels_up) for step in rule.steps.all()]
    return spec, steps


@transaction.atomic
def rule_copy(*, actor: Account, pk: str) -> ApprovalRule:
    """Return a copy that is switched off, asked after all others: it is changed first, then switched on.

    Raises:
        RuleNotFound, RuleForbidden: it is not there, or laid down above the actor.
    """
    lock_group(actor.group_id)
    rule = rule_get(actor=actor, pk=pk, is_change=True)
    spec, steps = _spec_of(rule)
    name = rule.name[: NAME_LENGTH - len(COPY)] + COPY
    copy = replace(spec, name=name, position=_last_position(), is_active=False)
    return rule_save(group_id=rule.group_id, spec=copy, steps=steps, actor=actor, action=RuleAction.COPIED)


@transaction.atomic
def rule_switch(*, actor: Account, pk: str, is_active: bool, seen_at: datetime | None = None, is_anyway: bool = False) -> ApprovalRule:
    """Return the rule, switched on or off from the next order on; what it is already, it stays.

    `seen_at` None asks for no check; `is_anyway`: on also where nobody whom it names could decide.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: see `rule_locked`.
        ValidationFailed: as `refuse_dead_ends`, switched on.
    """
    lock_group(actor.group_id)
    rule = rule_locked(actor, pk, seen_at)
    if rule.is_active == is_active:
        return rule
    spec, steps = _spec_of(rule)
    spec = replace(spec, is_active=is_active)
    if is_active and not is_anyway:
        refuse_dead_ends(group_id=rule.group_id, spec=spec, steps=steps, rule=rule)
    action = RuleAction.ENABLED if is_active else RuleAction.DISABLED
    return rule_save(group_id=rule.group_id, spec=spec, steps=steps, rule=rule, actor=actor, action=action)


@transaction.atomic
def rule_delete(*, actor: Account, pk: str, seen_at: datetime | None = None) -> None:
    """Take the rule away: it matches nothing and is shown to nobody; approvals under way and its versions stay.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: see `rule_locked`; `seen_at` None asks for no check.
    """
    rule = rule_locked(actor, pk, seen_at)
    rule.is_active, rule.deleted_at, rule.version = False, timezone.now(), rule.version + 1
    rule.save(update_fields=["is_active", "deleted_at", "version", "updated_at"])
    rule_version_record(rule=rule, action=RuleAction.DELETED, actor=actor)


@transaction.atomic
def rules_sort(*, actor: Account, ids: list[int]) -> None:
    """Ask the named rules in this order; they share out the places they had, so that no other rule moves.

    No version of a rule: it decides the same, and whoever edits one meanwhile is not told that it changed.

    Raises:
        ValidationFailed: a rule is named twice, is not there, or is laid down above the actor.
    """
    lock_group(actor.group_id)  # two who sort the same rules in different orders would lock each other out
    reach = reach_of(actor=actor)
    found = {rule.pk: rule for rule in rules_visible(actor=actor, reach=reach).filter(pk__in=ids)}
    if len(set(ids)) != len(ids) or set(ids) != set(found) or not all(reach.manages(rule) for rule in found.values()):
        raise ValidationFailed({"Ids": ["部分规则已不存在或由上级管理，请刷新后重新排序"]})
    places = sorted(rule.position for rule in found.values())
    for index, pk in enumerate(ids):
        # Places that were shared drift apart, upwards only.
        places[index] = max(places[index], places[index - 1] + 1) if index else places[0]
        ApprovalRule.objects.filter(pk=pk).update(position=places[index])
