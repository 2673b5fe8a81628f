"""Delegate one's approvals between two days, change it, take it back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.approvals.errors import DelegationNotFound
from apps.approvals.models import ApprovalDelegation
from apps.approvals.selectors.people import able_ids
from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed, WrongState
from apps.common.stale import refuse_stale
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.models import Account
from apps.org.services.changes import change_record

SUBJECT = "delegation"
TOPIC = "approval.delegated"
LABELS = {"delegate": "代理人", "valid_from": "开始日", "valid_until": "结束日", "reason": "原因", "state": "状态"}
LONGEST = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class DelegationForm:
    """Who stands in, from the first day to the end of the last."""

    delegate_id: int
    valid_from: date
    valid_until: date
    reason: str = ""


@transaction.atomic
def delegation_create(*, actor: Account, form: DelegationForm) -> ApprovalDelegation:
    """Return the delegation of the actor's approvals: what waits for him in those days, the delegate may decide too.

    Raises:
        ValidationFailed: the days are none, the delegate could not decide, or the two would stand in for each other.
    """
    delegation = _write(ApprovalDelegation(group_id=actor.group_id or 0, delegator=actor), actor, form)
    _record(delegation, actor, ChangeAction.CREATE, before={})
    _tell(delegation, actor, to=delegation.delegate_id, what="委托您代为审批")
    return delegation


@transaction.atomic
def delegation_update(*, actor: Account, pk: str, form: DelegationForm, seen_at: datetime | None = None) -> ApprovalDelegation:
    """Return the actor's delegation as the form says; what was decided under it stays decided. `seen_at` is the `updated_at` he saw.

    Raises:
        DelegationNotFound: it is not his.
        WrongState: it has ended.
        Stale: he has changed it elsewhere since.
        ValidationFailed: as for a new one.
    """
    delegation = _open(actor, pk)
    refuse_stale(delegation, seen_at=seen_at)
    before, former = _told(delegation), delegation.delegate_id
    _write(delegation, actor, form)
    if _told(delegation) == before:
        return delegation
    _record(delegation, actor, ChangeAction.UPDATE, before=before)
    if former != delegation.delegate_id:
        _tell(delegation, actor, to=former, what="不再委托您代为审批")
        _tell(delegation, actor, to=delegation.delegate_id, what="委托您代为审批")
    else:
        _tell(delegation, actor, to=former, what="调整了委托您的代理审批")
    return delegation


@transaction.atomic
def delegation_cancel(*, actor: Account, pk: str) -> None:
    """Take the delegation back at once.

    Raises:
        DelegationNotFound: it is not his.
        WrongState: it has ended.
    """
    delegation = _open(actor, pk)
    before = _told(delegation)
    delegation.cancelled_at = timezone.now()
    delegation.save(update_fields=["cancelled_at", "updated_at"])
    _record(delegation, actor, ChangeAction.UPDATE, before=before)
    _tell(delegation, actor, to=delegation.delegate_id, what="取消了委托您的代理审批")


def delegations_end(*, actor: Account, leaver: Account) -> None:
    """End what stands with who leaves, in the caller's transaction; whom it concerns is told."""
    of_leaver = Q(delegate=leaver) | Q(delegator=leaver)
    standing = ApprovalDelegation.objects.filter(of_leaver, cancelled_at=None, valid_until__gte=timezone.localdate())
    for delegation in standing.select_for_update(of=("self",)).select_related("delegate", "delegator").order_by("pk"):
        before = _told(delegation)
        delegation.cancelled_at = timezone.now()
        delegation.save(update_fields=["cancelled_at", "updated_at"])
        _record(delegation, actor, ChangeAction.UPDATE, before=before)
        if delegation.delegate_id == leaver.pk:
            _tell(delegation, actor, to=delegation.delegator_id, what=f"停用了您的代理人{leaver.nickname}，请另选代理人")
        else:
            _tell(delegation, actor, to=delegation.delegate_id, what=f"停用了委托您的{leaver.nickname}，代理审批已结束")


def _told(delegation: ApprovalDelegation) -> dict[str, Any]:
    """Return the values as the history shows them."""
    return {
        "delegate": delegation.delegate.nickname,
        "valid_from": delegation.valid_from,
        "valid_until": delegation.valid_until,
        "reason": delegation.reason,
        "state": "有效" if delegation.cancelled_at is None else "已取消",
    }


def _record(delegation: ApprovalDelegation, actor: Account, action: str, *, before: dict[str, Any]) -> None:
    change_record(
        actor=actor,
        subject_type=SUBJECT,
        subject_id=delegation.pk,
        subject_name=f"{delegation.delegator.nickname}的代理审批",
        action=action,
        before=before,
        after=_told(delegation),
        labels=LABELS,
    )


def _tell(delegation: ApprovalDelegation, actor: Account, *, to: int, what: str) -> None:
    """Publish what the colleague is to know, once the change has committed."""
    why = f"，原因：{delegation.reason}" if delegation.reason else ""
    text = f"{actor.nickname}{what}：{delegation.valid_from:%Y-%m-%d} 至 {delegation.valid_until:%Y-%m-%d}{why}"
    payload = {"DelegationId": delegation.pk, "ActorId": actor.pk, "To": [to], "Text": text}
    outbox_publish(topic=TOPIC, key=str(delegation.pk), payload=payload)


def _open(actor: Account, pk: str) -> ApprovalDelegation:
    own = ApprovalDelegation.objects.select_for_update(of=("self",)).select_related("delegate", "delegator").filter(delegator=actor)
    delegation: ApprovalDelegation | None = own.filter(pk=int(pk)).first()
    if delegation is None:
        raise DelegationNotFound
    if delegation.cancelled_at is not None or delegation.valid_until < timezone.localdate():
        raise WrongState("该代理审批已结束或已取消，请新建一条")
    return delegation


def _write(delegation: ApprovalDelegation, actor: Account, form: DelegationForm) -> ApprovalDelegation:
    # One at a time in a group: two who delegate to each other at once would both pass the check.
    lock_group(actor.group_id)
    _check_days(form)
    delegate = _delegate(actor, form)
    _check_others(actor, form, delegation.pk)
    delegation.delegate, delegation.reason = delegate, form.reason
    delegation.valid_from, delegation.valid_until, delegation.begun_at = form.valid_from, form.valid_until, None
    delegation.save()
    return delegation


def _check_days(form: DelegationForm) -> None:
    if form.valid_until < form.valid_from:
        raise ValidationFailed({"ValidUntil": ["结束日不能早于开始日"]})
    if form.valid_until < timezone.localdate():
        raise ValidationFailed({"ValidUntil": ["结束日不能早于今天"]})
    if form.valid_until - form.valid_from > LONGEST:
        raise ValidationFailed({"ValidUntil": ["一次最多委托一年"]})


def _delegate(actor: Account, form: DelegationForm) -> Account:
    if form.delegate_id == actor.pk:
        raise ValidationFailed({"DelegateId": ["不能委托给自己，请选择其他同事"]})
    delegate: Account | None = Account.objects.filter(pk=form.delegate_id, is_active=True).first()
    if delegate is None:
        raise ValidationFailed({"DelegateId": ["该同事不存在或已停用，请重新选择"]})
    if not able_ids([delegate.pk]):
        raise ValidationFailed({"DelegateId": [f"{delegate.nickname}没有审批权限，请选择其他同事，或联系管理员为其开通"]})
    return delegate


def _check_others(actor: Account, form: DelegationForm, own_pk: int | None) -> None:
    """No second delegate on one day, and nobody to whom it comes back."""
    same_days = Q(cancelled_at=None, valid_from__lte=form.valid_until, valid_until__gte=form.valid_from)
    rows = ApprovalDelegation.objects.filter(same_days).exclude(pk=own_pk)
    passed: dict[int, set[int]] = {}
    for delegator_id, delegate_id in rows.values_list("delegator_id", "delegate_id"):
        passed.setdefault(delegator_id, set()).add(delegate_id)
    if actor.pk in passed:
        raise ValidationFailed({"ValidFrom": ["这段时间内您已委托他人审批，请先取消或调整日期"]})
    reached, new = {form.delegate_id}, [form.delegate_id]
    while new:
        further = passed.get(new.pop(), set()) - reached
        reached |= further
        new += further
    if actor.pk in reached:
        raise ValidationFailed({"DelegateId": ["该同事在此期间的审批已（经他人）委托给您，不能互相委托"]})
