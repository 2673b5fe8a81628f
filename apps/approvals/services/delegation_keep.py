"""Delegate one's approvals between two days, change it, take it back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.approvals.errors import DelegationNotFound
from apps.approvals.models import ApprovalDelegation
from apps.approvals.selectors.people import able_ids
from apps.common.errors import ValidationFailed, WrongState
from apps.org.locks import lock_group
from apps.org.models import Account

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
    return _write(ApprovalDelegation(group_id=actor.group_id or 0, delegator=actor), actor, form)


@transaction.atomic
def delegation_update(*, actor: Account, pk: str, form: DelegationForm) -> ApprovalDelegation:
    """Return the actor's delegation as the form says; what was decided under it stays decided.

    Raises:
        DelegationNotFound: it is not his.
        WrongState: it has ended.
        ValidationFailed: as for a new one.
    """
    return _write(_open(actor, pk), actor, form)


@transaction.atomic
def delegation_cancel(*, actor: Account, pk: str) -> None:
    """Take the delegation back at once.

    Raises:
        DelegationNotFound: it is not his.
        WrongState: it has ended.
    """
    delegation = _open(actor, pk)
    delegation.cancelled_at = timezone.now()
    delegation.save(update_fields=["cancelled_at", "updated_at"])


def _open(actor: Account, pk: str) -> ApprovalDelegation:
    delegation: ApprovalDelegation | None = ApprovalDelegation.objects.select_for_update().filter(pk=int(pk), delegator=actor).first()
    if delegation is None:
        raise DelegationNotFound
    if delegation.cancelled_at is not None or delegation.valid_until < timezone.localdate():
        raise WrongState("该代理审批已结束或已取消，请新建一条")
    return delegation


def _write(delegation: ApprovalDelegation, actor: Account, form: DelegationForm) -> ApprovalDelegation:
    # One at a time in a group: two who delegate to each other at once would both pass the check.
    lock_group(actor.group_id)
    _check_days(form)
    _check_delegate(actor, form)
    _check_others(actor, form, delegation.pk)
    delegation.delegate_id, delegation.reason = form.delegate_id, form.reason
    delegation.valid_from, delegation.valid_until = form.valid_from, form.valid_until
    delegation.save()
    return delegation


def _check_days(form: DelegationForm) -> None:
    if form.valid_until < form.valid_from:
        raise ValidationFailed({"ValidUntil": ["结束日不能早于开始日"]})
    if form.valid_until < timezone.localdate():
        raise ValidationFailed({"ValidUntil": ["结束日不能早于今天"]})
    if form.valid_until - form.valid_from > LONGEST:
        raise ValidationFailed({"ValidUntil": ["一次最多委托一年"]})


def _check_delegate(actor: Account, form: DelegationForm) -> None:
    if form.delegate_id == actor.pk:
        raise ValidationFailed({"DelegateId": ["不能委托给自己，请选择其他同事"]})
    delegate = Account.objects.filter(pk=form.delegate_id, is_active=True).first()
    if delegate is None:
        raise ValidationFailed({"DelegateId": ["该同事不存在或已停用，请重新选择"]})
    if not able_ids([delegate.pk]):
        raise ValidationFailed({"DelegateId": [f"{delegate.nickname}没有审批权限，请选择其他同事，或联系管理员为其开通"]})


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
