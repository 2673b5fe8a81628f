"""Share a list with colleagues, leave it, hand it over, and take it over from a lost owner."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction
from django.utils import timezone

from apps.cart.enums import ListRight, ListRole
from apps.cart.errors import (
    HeirHasName,
    HeirIsFull,
    NoEnterpriseToShare,
    NotAColleague,
    NotAMember,
    NotAMemberToLeave,
    OwnerIsPresent,
    QuickListNameTaken,
    QuickListReadOnly,
    QuickListsFull,
)
from apps.cart.locks import lock_quick_list
from apps.cart.models import QuickList, QuickListMember
from apps.cart.selectors.quick_lists import get_list_role, get_quick_list, list_active_people
from apps.cart.services.quick_list_save import MAX_LISTS, get_own_names, lock_own_quick_list
from apps.common.background.outbox import outbox_publish
from apps.common.events import get_event_actor_id
from apps.org.locks import lock_account
from apps.org.models import Account

MAX_MEMBERS = 50


@transaction.atomic
def quick_list_share(*, actor: Account, pk: int, rights: Mapping[int, str]) -> QuickList:
    """Set the people with whom the list is shared, with the right of each (`ListRight`) by account
    id. Others lose the list. People who are new to it get a notice, once for each list.

    Raises:
        QuickListNotFound, QuickListNotOwn, NoEnterpriseToShare.
        NotAColleague: a new person is not an active colleague of the actor's enterprise.
    """
    quick_list = lock_own_quick_list(actor=actor, pk=pk)
    before = dict(quick_list.members.values_list("account_id", "right"))
    added = [account_id for account_id in rights if account_id not in before]
    if added:
        _check_colleagues(actor, added)
    if not before:
        quick_list.enterprise_id = actor.enterprise_id
    quick_list.members.exclude(account__in=rights).delete()
    QuickListMember.objects.bulk_create(
        [
            QuickListMember(
                group_id=quick_list.group_id,
                quick_list=quick_list,
                account_id=account_id,
                right=right,
                updated_at=timezone.now(),
            )
            for account_id, right in rights.items()
            if before.get(account_id) != right
        ],
        update_conflicts=True,
        unique_fields=["group", "quick_list", "account"],
        update_fields=["right", "updated_at"],
    )
    _save_members(quick_list)
    for account_id in added:
        word = ListRight(rights[account_id]).label
        _publish_notice(
            quick_list,
            actor=actor,
            to=account_id,
            once=f"quick_list:{quick_list.pk}:shared",
            title=f"{actor.nickname}与您共享了采购清单“{quick_list.name}”",
            text=f"您的权限：{word}。共 {quick_list.line_count} 种商品，价格以您登录后看到的为准",
        )
    return get_quick_list(actor=actor, pk=pk)


def _check_colleagues(actor: Account, account_ids: Collection[int]) -> None:
    """Raise NotAColleague if one of the accounts cannot share a list with the actor."""
    if actor.enterprise_id is None:
        raise NoEnterpriseToShare
    colleagues = list_active_people(actor.enterprise_id).exclude(pk=actor.pk)
    if colleagues.filter(pk__in=account_ids).count() != len(account_ids):
        raise NotAColleague


@transaction.atomic
def quick_list_leave(*, actor: Account, pk: int) -> None:
    """Remove the actor from the members of a list.

    Raises:
        QuickListNotFound.
        NotAMemberToLeave: the list is the actor's own, or is shared with his department only.
    """
    lock_quick_list(pk)
    quick_list = get_quick_list(actor=actor, pk=pk)
    deleted, _ = quick_list.members.filter(account=actor).delete()
    if not deleted:
        raise NotAMemberToLeave
    _save_members(quick_list)


@transaction.atomic
def quick_list_hand_over(*, actor: Account, pk: int, account_id: int) -> QuickList:
    """Make a member the owner of one of the actor's lists. The actor stays as a member with 编辑.
    The new owner gets a notice.

    Raises:
        QuickListNotFound, QuickListNotOwn.
        NotAMember: the account is no active member of the list's enterprise.
        HeirHasName, HeirIsFull: the new owner has a list of this name, or 100 lists.
    """
    for locked_id in sorted({actor.pk, account_id}):
        lock_account(locked_id)
    quick_list = lock_own_quick_list(actor=actor, pk=pk)
    heirs = list_active_people(quick_list.enterprise_id).filter(
        pk__in=quick_list.members.filter(account=account_id).values("account")
    )
    heir = heirs.first()
    if heir is None:
        raise NotAMember
    names = get_own_names(heir)
    if quick_list.name in names:
        raise HeirHasName(quick_list.name)
    if len(names) >= MAX_LISTS:
        raise HeirIsFull
    QuickListMember.objects.create(quick_list=quick_list, account=actor, right=ListRight.EDIT)
    _change_owner(quick_list, heir, actor=actor, text=f"移交给{heir.nickname}")
    _publish_notice(
        quick_list,
        actor=actor,
        to=heir.pk,
        once="",
        title=f"{actor.nickname}把采购清单“{quick_list.name}”移交给您",
        text="您现在是清单的所有人，可以修改、共享或删除",
    )
    return get_quick_list(actor=actor, pk=pk)


@transaction.atomic
def quick_list_take_over(*, actor: Account, pk: int) -> QuickList:
    """Make the actor, a member with 编辑, the owner of a list whose owner is disabled or has left
    the enterprise. The former owner loses the list.

    Raises:
        QuickListNotFound, QuickListReadOnly, OwnerIsPresent.
        QuickListNameTaken, QuickListsFull: the actor has a list of this name, or 100 lists.
    """
    lock_account(actor.pk)
    lock_quick_list(pk)
    quick_list = get_quick_list(actor=actor, pk=pk)
    role = get_list_role(actor=actor, quick_list=quick_list)
    if role == ListRole.VIEW:
        raise QuickListReadOnly
    if role == ListRole.OWNER or not quick_list.has_lost_owner:
        raise OwnerIsPresent
    names = get_own_names(actor)
    if quick_list.name in names:
        raise QuickListNameTaken
    if len(names) >= MAX_LISTS:
        raise QuickListsFull
    _change_owner(quick_list, actor, actor=actor, text=f"从{quick_list.account.nickname}接管")
    return get_quick_list(actor=actor, pk=pk)


def _change_owner(quick_list: QuickList, owner: Account, *, actor: Account, text: str) -> None:
    """Set the owner, who is a member until now. The list is no longer shared with a department,
    because the new owner may belong to another one.
    """
    quick_list.members.filter(account=owner).delete()
    quick_list.account, quick_list.is_shared = owner, False
    quick_list.member_count = quick_list.members.count()
    quick_list.changed_by, quick_list.changed_text = actor, text[:60]
    quick_list.version += 1
    quick_list.save(
        update_fields=[
            "account",
            "is_shared",
            "member_count",
            "changed_by",
            "changed_text",
            "version",
            "updated_at",
        ]
    )


def _save_members(quick_list: QuickList) -> None:
    """Store the number of members and the enterprise of a locked list."""
    count = quick_list.members.count()
    QuickList.objects.filter(pk=quick_list.pk).update(
        member_count=count, enterprise=quick_list.enterprise_id
    )


def _publish_notice(
    quick_list: QuickList, *, actor: Account, to: int, once: str, title: str, text: str
) -> None:
    """Publish a notice to the account `to`. A notice with the same non-empty `once` is sent
    once.
    """
    payload = {
        "To": [to],
        "ActorId": get_event_actor_id(actor),
        "Title": title,
        "Text": text,
        "Link": f"/userCenter/order/quickList/{quick_list.pk}",
        "SubjectKey": f"quick_list:{quick_list.pk}",
    }
    if once:
        payload["Once"] = once
    outbox_publish(topic="quick_list.shared", key=str(quick_list.pk), payload=payload)
