"""Arrange the shortcuts of the own workbench."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.workbench.errors import ShortcutsRepeated, ShortcutUnavailable
from apps.workbench.models import WorkbenchShortcuts, list_allowed_shortcuts

if TYPE_CHECKING:
    from apps.org.models import Account


def shortcuts_arrange(*, actor: Account, codes: Sequence[str]) -> None:
    """Save the shortcuts in this order. An empty list restores the default.

    Raises:
        ValidationFailed: a code appears twice, or is unknown or not allowed.
    """
    if len(set(codes)) != len(codes):
        raise ShortcutsRepeated
    if set(codes) - set(list_allowed_shortcuts(actor=actor)):
        raise ShortcutUnavailable
    if not codes:
        WorkbenchShortcuts.objects.filter(account=actor).delete()
        return
    WorkbenchShortcuts.objects.update_or_create(
        group_id=actor.group_id, account=actor, defaults={"codes": [*codes]}
    )
