"""Save and delete the views of a member of staff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.common.errors import (
    ListViewEmpty,
    ListViewNameInvalid,
    ListViewsFull,
    ListViewTooLong,
)
from apps.common.models import ListView

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_VIEWS = 20
MAX_NAME, MAX_QUERY = 20, 1000


@transaction.atomic
def list_view_save(*, owner: Account, page: str, name: str, query: str) -> ListView:
    """Save the query string of a list under a name and return the view. A view of the same name
    gets the new query.

    Raises:
        ValidationFailed: the name is empty or too long, the query is empty or too long, or the
            person has 20 views of the list.
    """
    name = name.strip()
    if not name or len(name) > MAX_NAME:
        raise ListViewNameInvalid(MAX_NAME)
    if not query:
        raise ListViewEmpty
    if len(query) > MAX_QUERY:
        raise ListViewTooLong
    others = ListView.objects.filter(owner=owner, page=page).exclude(name=name)
    if others.count() >= MAX_VIEWS:
        raise ListViewsFull(MAX_VIEWS)
    view, _ = ListView.objects.update_or_create(
        owner=owner, page=page, name=name, defaults={"query": query}
    )
    return view


def list_view_delete(*, owner: Account, page: str, pk: int) -> bool:
    """Delete a view of its owner. Return whether there was one."""
    return bool(ListView.objects.filter(owner=owner, page=page, pk=pk).delete()[0])
