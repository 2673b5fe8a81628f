"""Bring a former version of a rule back, as its next version."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.approvals.enums import RuleAction
from apps.approvals.errors import VersionNotFound
from apps.approvals.models import ApprovalRule
from apps.approvals.selectors.rule_content import form_of
from apps.approvals.selectors.rule_form import rule_read
from apps.approvals.services.rule_manage import refuse_dead_ends, rule_locked
from apps.approvals.services.rule_save import rule_save
from apps.common.errors import WrongState
from apps.org.locks import lock_group

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def rule_restore(*, actor: Account, pk: str, number: int, seen_at: datetime, is_anyway: bool = False) -> ApprovalRule:
    """Return the rule as it read in that version; whether it is switched on and its place in the order stay as they are.

    `is_anyway`: also where orders would lie with nobody whom it names, as an editor may save it so.

    Raises:
        RuleNotFound, RuleForbidden, RuleStale: as for a change.
        VersionNotFound: the rule has no such version.
        WrongState: it is the present one, or was kept before versions could be restored.
        ValidationFailed: what it names is gone or beyond the actor's reach, or nobody could decide.
    """
    lock_group(actor.group_id)
    rule = rule_locked(actor, pk, seen_at)
    version = rule.versions.filter(number=number).first()
    if version is None:
        raise VersionNotFound
    if version.number == rule.version:
        raise WrongState("这已是当前版本，无需恢复")
    if version.content is None:
        raise WrongState("该版本较早，只保存了文字记录，无法直接恢复，请对照内容修改规则")
    spec, steps = rule_read(actor=actor, form=form_of(version.content), present=rule)
    if not is_anyway:
        refuse_dead_ends(group_id=rule.group_id, spec=spec, steps=steps, rule=rule)
    return rule_save(group_id=rule.group_id, spec=spec, steps=steps, rule=rule, actor=actor, action=RuleAction.RESTORED)
