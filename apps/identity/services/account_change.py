"""An administrator changes a colleague's account. If the mail address changes, codes sent to
the former address end and a letter goes to it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from apps.common.errors import ValidationFailed
from apps.identity.models import ContactKind
from apps.identity.services.contact_changed import LABELS, contact_changed, contacts_of
from apps.org.locks import lock_account, lock_group
from apps.org.models import Account
from apps.org.services.account import WIRE, AccountForm, account_update

OWN_CONTACT = "更换自己的{label}请到“个人中心 - 个人信息”办理，需要验证身份"


@transaction.atomic
def account_change(
    *, actor: Account, pk: int, form: AccountForm, seen_at: datetime | None
) -> Account:
    """Return the changed account. Codes that were sent to the former mail address no longer
    work, because the address may belong to a stranger.

    Raises:
        AccountNotFound, Stale, BeyondRights, LastAdmin: as account_update.
        ValidationFailed: as account_update, or the change affects the actor's own mobile or mail
            address. That needs a proof of identity (contact_change).
    """
    lock_group(actor.group_id)
    # A concurrent change by the person runs before or after this one.
    lock_account(pk)
    known = Account.objects.filter(pk=pk).first()
    before = contacts_of(known) if known is not None else {}
    if pk == actor.pk:
        _refuse_own(before, form)
    account = account_update(actor=actor, pk=pk, form=form, seen_at=seen_at)
    contact_changed(account=account, before=before, by=actor)
    return account


def _refuse_own(before: dict[str, str], form: AccountForm) -> None:
    wrong = [
        kind for kind in ContactKind.values if form.fields.get(kind, before[kind]) != before[kind]
    ]
    if wrong:
        raise ValidationFailed(
            {WIRE[kind]: [OWN_CONTACT.format(label=LABELS[kind])] for kind in wrong}
        )
