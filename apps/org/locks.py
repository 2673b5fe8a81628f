"""Queue writers of one group: addresses' defaults, group admins, rights, what hangs on a department that is merged."""

from django.db import connection

from apps.org.models import Group


def lock_group(group_id: int | None) -> None:
    """Lock the group's row until the transaction ends; rows that name the group may still be written by others meanwhile."""
    no_key = connection.features.has_select_for_no_key_update
    list(Group.objects.select_for_update(of=("self",), no_key=no_key).filter(pk=group_id or 0).values_list("pk"))
