"""代理审批: create, change and cancel delegations, and notify the delegate when one begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, TaskStatus
from apps.approvals.errors import (
    DelegatedToYourself,
    DelegateUnavailable,
    DelegateWithoutRight,
    DelegationCircle,
    DelegationDaysSwapped,
    DelegationEnded,
    DelegationInPast,
    DelegationLimitTooLow,
    DelegationNotFound,
    DelegationRulesTooMany,
    DelegationRulesUnknown,
    DelegationTaken,
    DelegationTooLong,
)
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalTask
from apps.approvals.selectors.approvers import build_own_condition, filter_able_approvers
from apps.approvals.selectors.delegations import (
    build_delegation_condition,
    get_limits_text,
    get_rule_names,
    rules_to_delegate,
)
from apps.approvals.services.approval_events import opened_publish
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.errors import refuse_stale
from apps.common.tenancy import tenant_scope
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.models import Account
from apps.org.services.changes import change_record

SUBJECT = "delegation"
TOPIC = "approval.delegated"
LABELS = {
    "delegate": "代理人",
    "valid_from": "开始日",
    "valid_until": "结束日",
    "reason": "原因",
    "rules": "审批规则",
    "amount_limit": "金额上限",
    "state": "状态",
}
MAX_DURATION = timedelta(days=366)
MAX_RULES = 50


@dataclass(frozen=True, slots=True)
class DelegationForm:
    """The delegate, the first and last day (inclusive), and the limits. `rule_ids` empty: all
    steps. `amount_limit` in 元 including tax; None: any amount.
    """

    delegate_id: int
    valid_from: date
    valid_until: date
    reason: str = ""
    rule_ids: tuple[int, ...] = ()
    amount_limit: Decimal | None = None


@transaction.atomic
def delegation_create(*, actor: Account, form: DelegationForm) -> ApprovalDelegation:
    """Create a delegation of the actor's approvals. During its days the delegate may also
    decide what waits for the actor.

    Raises:
        ValidationFailed: the days or the limits are invalid, the delegate has no approval rights,
            the actor has another delegation for the same rules on these days, or the delegation
            would form a circle.
    """
    delegation = _save_delegation(
        ApprovalDelegation(group_id=actor.group_id or 0, delegator=actor), actor, form
    )
    _record_change(delegation, actor, ChangeAction.CREATE, before={})
    _notify_about(delegation, actor, to=delegation.delegate_id, topic="委托您代为审批")
    return delegation


@transaction.atomic
def delegation_update(
    *, actor: Account, pk: str, changes: Mapping[str, Any], seen_at: datetime | None = None
) -> ApprovalDelegation:
    """Change the actor's delegation and return it. Earlier decisions stay valid. `seen_at` is
    the `updated_at` the actor saw.

    `changes` holds fields of `DelegationForm`; the other fields stay. If nothing changes, nothing
    is written and nobody is notified.

    Raises:
        DelegationNotFound: it is not a delegation of the actor.
        WrongState: it has ended.
        Stale: it was changed since `seen_at`.
        ValidationFailed: see delegation_create.
    """
    delegation = _lock_open(actor, pk)
    refuse_stale(delegation, seen_at=seen_at)
    if not changes:
        return delegation
    present = DelegationForm(
        delegation.delegate_id,
        delegation.valid_from,
        delegation.valid_until,
        delegation.reason,
        tuple(delegation.rules),
        delegation.amount_limit,
    )
    before, former_delegate = _get_history_values(delegation), delegation.delegate_id
    _save_delegation(delegation, actor, replace(present, **changes))
    if _get_history_values(delegation) == before:
        return delegation
    _record_change(delegation, actor, ChangeAction.UPDATE, before=before)
    if former_delegate != delegation.delegate_id:
        _notify_about(delegation, actor, to=former_delegate, topic="不再委托您代为审批")
        _notify_about(delegation, actor, to=delegation.delegate_id, topic="委托您代为审批")
    else:
        _notify_about(delegation, actor, to=former_delegate, topic="调整了委托您的代理审批")
    return delegation


@transaction.atomic
def delegation_cancel(*, actor: Account, pk: str) -> None:
    """Cancel the actor's delegation at once.

    Raises:
        DelegationNotFound: it is not a delegation of the actor.
        WrongState: it has ended.
    """
    delegation = _lock_open(actor, pk)
    before = _get_history_values(delegation)
    delegation.cancelled_at = timezone.now()
    delegation.save(update_fields=["cancelled_at", "updated_at"])
    _record_change(delegation, actor, ChangeAction.UPDATE, before=before)
    _notify_about(delegation, actor, to=delegation.delegate_id, topic="取消了委托您的代理审批")


def delegations_end(*, actor: Account, leaver: Account) -> None:
    """Cancel all open delegations from and to a disabled account, and notify the other party.
    Runs in the caller's transaction.
    """
    of_leaver = Q(delegate=leaver) | Q(delegator=leaver)
    rows = ApprovalDelegation.objects.filter(
        of_leaver, cancelled_at=None, valid_until__gte=timezone.localdate()
    )
    for delegation in (
        rows.select_for_update(of=("self",)).select_related("delegate", "delegator").order_by("pk")
    ):
        before = _get_history_values(delegation)
        delegation.cancelled_at = timezone.now()
        delegation.save(update_fields=["cancelled_at", "updated_at"])
        _record_change(delegation, actor, ChangeAction.UPDATE, before=before)
        if delegation.delegate_id == leaver.pk:
            _notify_about(
                delegation,
                actor,
                to=delegation.delegator_id,
                topic=f"停用了您的代理人{leaver.nickname}，请另选代理人",
            )
        else:
            _notify_about(
                delegation,
                actor,
                to=delegation.delegate_id,
                topic=f"停用了委托您的{leaver.nickname}，代理审批已结束",
            )


def _get_history_values(delegation: ApprovalDelegation) -> dict[str, Any]:
    """Return the field values for the change history."""
    return {
        "delegate": delegation.delegate.nickname,
        "valid_from": delegation.valid_from,
        "valid_until": delegation.valid_until,
        "reason": delegation.reason,
        "rules": "、".join(get_rule_names([delegation]).values()),
        "amount_limit": delegation.amount_limit,
        "state": "有效" if delegation.cancelled_at is None else "已取消",
    }


def _record_change(
    delegation: ApprovalDelegation, actor: Account, action: str, *, before: dict[str, Any]
) -> None:
    change_record(
        actor=actor,
        subject_type=SUBJECT,
        subject_id=delegation.pk,
        subject_name=f"{delegation.delegator.nickname}的代理审批",
        action=action,
        before=before,
        after=_get_history_values(delegation),
        labels=LABELS,
    )


def _notify_about(delegation: ApprovalDelegation, actor: Account, *, to: int, topic: str) -> None:
    """Notify account `to` of what `actor` did with the delegation. `topic`: the verb in Chinese."""
    why = f"，原因：{delegation.reason}" if delegation.reason else ""
    limits = get_limits_text(delegation)
    text = (
        f"{actor.nickname}{topic}：{delegation.valid_from:%Y-%m-%d} 至 "
        f"{delegation.valid_until:%Y-%m-%d}{f'，{limits}' if limits else ''}{why}"
    )
    payload = {"DelegationId": delegation.pk, "ActorId": actor.pk, "To": [to], "Text": text}
    outbox_publish(topic=TOPIC, key=str(delegation.pk), payload=payload)


def _lock_open(actor: Account, pk: str) -> ApprovalDelegation:
    """Lock and return the actor's own delegation, if it has not ended.

    Raises:
        DelegationNotFound: the actor has none with this key.
        DelegationEnded: it is cancelled or past.
    """
    own_delegations = (
        ApprovalDelegation.objects.select_for_update(of=("self",))
        .select_related("delegate", "delegator")
        .filter(delegator=actor)
    )
    delegation: ApprovalDelegation | None = own_delegations.filter(pk=int(pk)).first()
    if delegation is None:
        raise DelegationNotFound
    if delegation.cancelled_at is not None or delegation.valid_until < timezone.localdate():
        raise DelegationEnded
    return delegation


def _save_delegation(
    delegation: ApprovalDelegation, actor: Account, form: DelegationForm
) -> ApprovalDelegation:
    # Serialise per group: two accounts that delegate to each other at the same time would
    # both pass the check.
    """Check and save the form. The delegation begins again, so the delegate is notified again."""
    lock_group(actor.group_id)
    _check_days(form)
    delegate = _get_delegate(actor, form)
    rule_ids = _check_limits(form, chosen_before=delegation.rules)
    _check_overlap(actor, form, delegation.pk)
    delegation.delegate, delegation.reason = delegate, form.reason
    delegation.rules, delegation.amount_limit = rule_ids, form.amount_limit
    delegation.valid_from, delegation.valid_until, delegation.begun_at = (
        form.valid_from,
        form.valid_until,
        None,
    )
    delegation.save()
    return delegation


def _check_days(form: DelegationForm) -> None:
    if form.valid_until < form.valid_from:
        raise DelegationDaysSwapped
    if form.valid_until < timezone.localdate():
        raise DelegationInPast
    if form.valid_until - form.valid_from > MAX_DURATION:
        raise DelegationTooLong


def _check_limits(form: DelegationForm, *, chosen_before: list[int]) -> list[int]:
    """Return the ids of the rules, sorted. A rule that was switched off since it was chosen may
    stay.

    Raises:
        DelegationLimitTooLow, DelegationRulesTooMany, DelegationRulesUnknown: a limit is wrong.
    """
    if form.amount_limit is not None and form.amount_limit <= 0:
        raise DelegationLimitTooLow
    rule_ids = set(form.rule_ids)
    if len(rule_ids) > MAX_RULES:
        raise DelegationRulesTooMany(MAX_RULES)
    usable = set(rules_to_delegate().filter(pk__in=rule_ids).values_list("pk", flat=True))
    if rule_ids - usable - set(chosen_before):
        raise DelegationRulesUnknown
    return sorted(rule_ids)


def _get_delegate(actor: Account, form: DelegationForm) -> Account:
    """Return the chosen delegate.

    Raises:
        DelegatedToYourself: it is the actor.
        DelegateUnavailable: the account is missing or disabled.
        DelegateWithoutRight: the account may not approve.
    """
    if form.delegate_id == actor.pk:
        raise DelegatedToYourself
    delegate: Account | None = Account.objects.filter(pk=form.delegate_id, is_active=True).first()
    if delegate is None:
        raise DelegateUnavailable
    if not filter_able_approvers([delegate.pk]):
        raise DelegateWithoutRight(delegate.nickname)
    return delegate


def _check_overlap(actor: Account, form: DelegationForm, own_pk: int | None) -> None:
    """Refuse a second delegate on the same day, and a chain of delegations that leads back to
    the actor. Delegations that share no rule with the new one are not concerned.
    """
    same_days = Q(
        cancelled_at=None, valid_from__lte=form.valid_until, valid_until__gte=form.valid_from
    )
    rows = ApprovalDelegation.objects.filter(same_days).exclude(pk=own_pk)
    targets_by_person: dict[int, set[int]] = {}
    for row in rows:
        if row.has_common_rule(form.rule_ids):
            targets_by_person.setdefault(row.delegator_id, set()).add(row.delegate_id)
    if actor.pk in targets_by_person:
        raise DelegationTaken(is_limited=bool(form.rule_ids))
    reached_ids, unvisited_ids = {form.delegate_id}, [form.delegate_id]
    while unvisited_ids:
        further = targets_by_person.get(unvisited_ids.pop(), set()) - reached_ids
        reached_ids |= further
        unvisited_ids += further
    if actor.pk in reached_ids:
        raise DelegationCircle


# If more approvals wait, one notice covers them all.
MAX_SINGLE_NOTICES = 10


def delegations_begin() -> int:
    """Notify the delegates whose delegation begins today about the approvals that already wait.
    Each delegation has its own transaction; return how many. The caller must open the platform
    scope.
    """
    today = timezone.localdate()
    rows = ApprovalDelegation.objects.filter(
        begun_at=None, cancelled_at=None, valid_from__lte=today, valid_until__gte=today
    )
    return run_for_each(list(rows.order_by("pk").values_list("pk", "group")), _begin_delegation)


def _begin_delegation(delegation_id: int, group_id: int) -> bool:
    """Mark the delegation as begun and notify the delegate of the waiting approvals. Return
    False if it was begun or cancelled in the meantime.
    """
    with tenant_scope(group_id=group_id), transaction.atomic():
        delegation = (
            ApprovalDelegation.objects.select_for_update()
            .filter(pk=delegation_id, begun_at=None, cancelled_at=None)
            .first()
        )
        if delegation is None:
            return False
        # Do not change `updated_at`: the delegator's open form stays valid.
        ApprovalDelegation.objects.filter(pk=delegation_id).update(begun_at=timezone.now())
        pending_tasks = ApprovalTask.objects.filter(
            build_delegation_condition(delegation), status=TaskStatus.PENDING
        ).values("step__approval")
        approvals = Approval.objects.filter(
            pk__in=pending_tasks, status=ApprovalStatus.PENDING
        ).exclude(build_own_condition(delegation.delegate_id))
        _notify_delegate(delegation, list(approvals.order_by("pk")))
    return True


def _notify_delegate(delegation: ApprovalDelegation, approvals: list[Approval]) -> None:
    """Send one notice for each waiting approval, or a single notice if there are more than
    MAX_SINGLE_NOTICES.
    """
    if len(approvals) <= MAX_SINGLE_NOTICES:
        for approval in approvals:
            # Accounts that were notified of a task are not notified again.
            opened_publish(approval)
        return
    oldest = timezone.localtime(approvals[0].created_at)
    text = (
        f"今天起由您代为审批，已有 {len(approvals)} 张单据等待处理，最早一张提交于 "
        f"{oldest:%Y-%m-%d}"
    )
    payload = {
        "ActorId": delegation.delegator_id,
        "To": [delegation.delegate_id],
        "Text": text,
        "Once": f"begins{delegation.pk}",
    }
    outbox_publish(topic=TOPIC, key=str(delegation.pk), payload=payload)
