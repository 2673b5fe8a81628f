"""回放: start the replay of a draft rule, and run it in a worker with its progress."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import ReplayState, RuleStatus
from apps.approvals.errors import ReplayNotFound, ReplayUnderWay
from apps.approvals.models import ApprovalRule, RuleReplay
from apps.approvals.selectors.conditions import PAST_DAYS_KINDS
from apps.approvals.selectors.rule_form import (
    RuleForm,
    build_draft_form,
    read_rule_form,
    serialize_form,
)
from apps.approvals.selectors.rule_replay import replay_orders
from apps.approvals.selectors.rules import filter_rules_by_status, rule_get
from apps.approvals.subjects import get_past_subjects
from apps.common.background.delivery import message_lock
from apps.common.background.outbox import outbox_publish
from apps.common.errors import DomainError
from apps.org.locks import lock_account

if TYPE_CHECKING:
    from apps.org.models import Account

REPLAY_TOPIC = "approval.replay"
REPLAY_DAYS = 90
PROGRESS_SECONDS = 1.0
# An unfinished replay without progress for this long is given up, so that a new one can start.
PATIENCE = timedelta(minutes=5)
BROKEN = "回放时发生错误，请重新回放；仍未成功请联系客服"
S = ReplayState


@transaction.atomic
def replay_start(*, actor: Account, form: RuleForm, rule_id: str | None = None) -> RuleReplay:
    """Return a new replay of the last 90 days. A worker runs it after the commit.

    Raises:
        ValidationFailed: see `read_rule_form`.
        RuleNotFound, RuleForbidden: the actor cannot change the rule `rule_id`.
        WrongState: an earlier replay of the actor still runs.
    """
    # Two clicks at once would start two replays.
    lock_account(actor.pk)
    rule = rule_get(actor=actor, pk=rule_id, is_change=True) if rule_id else None
    read_rule_form(actor=actor, form=form, present=rule)
    unfinished = RuleReplay.objects.filter(
        owner=actor,
        state__in=[S.QUEUED, S.RUNNING],
        updated_at__gt=timezone.now() - PATIENCE,
    )
    if unfinished.exists():
        raise ReplayUnderWay
    RuleReplay.objects.filter(owner=actor).delete()
    replay: RuleReplay = RuleReplay.objects.create(
        group_id=actor.group_id, owner=actor, rule=rule, content=serialize_form(form)
    )
    outbox_publish(topic=REPLAY_TOPIC, key=str(replay.pk), payload={"ReplayId": replay.pk})
    return replay


def replay_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox handler of REPLAY_TOPIC. A second delivery starts from the beginning."""
    replay = RuleReplay.objects.select_related("owner", "rule").filter(pk=payload["ReplayId"])
    open_replay = replay.exclude(state__in=[S.DONE, S.FAILED]).first()
    if open_replay is None:
        return
    try:
        result = _run(open_replay)
    except DomainError as refusal:
        _save(open_replay, state=S.FAILED, error=refusal.text[:200])
    except Exception:
        _save(open_replay, state=S.FAILED, error=BROKEN)
        raise
    else:
        _save(
            open_replay, state=S.DONE, result=result, done=result["Orders"], total=result["Orders"]
        )


def _save(replay: RuleReplay, **values: Any) -> None:
    RuleReplay.objects.filter(pk=replay.pk).update(updated_at=timezone.now(), **values)


def _run(replay: RuleReplay) -> dict[str, Any]:
    """Replay with the owner's present reach.

    Raises:
        ValidationFailed: the draft names something outside the owner's reach by now.
    """
    spec, steps = read_rule_form(
        actor=replay.owner, form=build_draft_form(replay.content), present=replay.rule
    )
    active = ApprovalRule.objects.filter(
        filter_rules_by_status(RuleStatus.ACTIVE, timezone.localdate()), deleted_at=None
    )
    present = list(
        active.prefetch_related("steps__role", "steps__accounts").order_by("position", "pk")
    )
    conditions = [row for rule in present for row in rule.conditions] + spec.conditions
    days = [int(row["value"]["days"]) for row in conditions if row["kind"] in PAST_DAYS_KINDS]
    total, subjects = get_past_subjects(
        since=timezone.now() - timedelta(days=REPLAY_DAYS),
        before=timedelta(days=max(days, default=0)),
        enterprise_id=spec.enterprise.pk if spec.enterprise else None,
        department_id=spec.department.pk if spec.department else None,
    )
    _save(replay, state=S.RUNNING, total=total, done=0)
    last = time.monotonic()

    def save_progress(number: int) -> None:
        nonlocal last
        if time.monotonic() - last >= PROGRESS_SECONDS:
            last = time.monotonic()
            _save(replay, done=min(number, total))
            message_lock()

    return replay_orders(
        spec=spec,
        steps=steps,
        replaced_id=replay.rule_id,
        present=present,
        subjects=subjects,
        on_order=save_progress,
    )


def replay_get(*, actor: Account, pk: int) -> RuleReplay:
    """Return the actor's replay.

    Raises:
        ReplayNotFound: the actor has no such replay.
    """
    own_replay: RuleReplay | None = RuleReplay.objects.filter(owner=actor, pk=pk).first()
    if own_replay is None:
        raise ReplayNotFound
    return own_replay
