"""Queue writers of one group (its defaults, its admins, rights, what hangs on a merged department), of one enterprise, or of one person."""

from apps.org.models import Account, Enterprise, Group


def lock_group(group_id: int | None) -> None:
    """Lock the group's row until the transaction ends; rows that name the group may still be written by others meanwhile."""
    list(Group.objects.select_for_update(of=("self",), no_key=True).filter(pk=group_id or 0).values_list("pk"))


def lock_enterprises(*pks: int) -> None:
    """Lock these enterprises' rows, all of those in sight where none is named, until the transaction ends.

    Rows that name an enterprise may still be written meanwhile; an order on account waits here before it locks its budget.
    """
    rows = Enterprise.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    list((rows.filter(pk__in=pks) if pks else rows).values_list("pk"))


def lock_account(account_id: int) -> None:
    """Lock the person's row until the transaction ends, so that of two of his tabs the second sees the first.

    Orders that refer to him are not held up by it.
    """
    Account.objects.select_for_update(no_key=True).filter(pk=account_id).values_list("pk").first()
