"""Queue writers of one group (addresses' defaults, group admins, rights, what hangs on a merged department), or of one enterprise."""

from django.db import connection

from apps.org.models import Enterprise, Group


def lock_group(group_id: int | None) -> None:
    """Lock the group's row until the transaction ends; rows that name the group may still be written by others meanwhile."""
    no_key = connection.features.has_select_for_no_key_update
    list(Group.objects.select_for_update(of=("self",), no_key=no_key).filter(pk=group_id or 0).values_list("pk"))


def lock_enterprises(*pks: int) -> None:
    """Lock these enterprises' rows, all of those in sight where none is named, until the transaction ends.

    Rows that name an enterprise may still be written meanwhile; an order on account waits here before it locks its budget.
    """
    no_key = connection.features.has_select_for_no_key_update
    rows = Enterprise.objects.select_for_update(of=("self",), no_key=no_key).order_by("pk")
    list((rows.filter(pk__in=pks) if pks else rows).values_list("pk"))
