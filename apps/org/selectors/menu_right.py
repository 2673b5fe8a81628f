"""The right that a page needs, and the people who can grant it. The "no permission" page shows
both.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.org.menus import MENU_TREE
from apps.org.models import Account
from apps.org.selectors.accounts import group_admins

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class MenuRight:
    """`group` is the menu group of the entry. `granted_by` has the nicknames of the group's
    admins.
    """

    code: str
    name: str
    group: str
    is_allowed: bool
    granted_by: list[str]


def menu_right(*, actor: Account, code: str) -> MenuRight:
    """Return the right of a menu code. Two queries. Admins of the actor's own enterprise come
    first.
    """
    group, entries = MENU_TREE[code.partition(".")[0]]
    name = dict(entries).get(code, group)
    admins = (
        group_admins(group=actor.group_id).values_list("enterprise_id", "nickname")
        if actor.group_id
        else ()
    )
    near_first = sorted(admins, key=lambda row: row[0] != actor.enterprise_id)
    return MenuRight(
        code,
        name,
        group,
        actor.has_menu_code(code),
        [nickname for _, nickname in near_first[:MOST_NAMED]],
    )
