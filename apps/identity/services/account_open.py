"""Create accounts for colleagues and their invitations."""

from __future__ import annotations

from django.db import transaction

from apps.common.audit import NOTE, act_log
from apps.common.errors import ValidationFailed
from apps.identity.services.invitation import NO_MAIL, Channel, Invitation, invitation_issue
from apps.identity.services.staff_reset import LINK_KIND
from apps.org.models import Account
from apps.org.services.account import AccountForm, account_create
from apps.org.services.staff import staff_as_group_admin
from apps.org.services.user_names import refuse_over_name_limit


@transaction.atomic
def account_open(
    *, actor: Account, form: AccountForm, channel: Channel | None, origin: str
) -> tuple[Account, Invitation | None]:
    """Return the new account and its invitation. Without a channel there is no invitation.
    Callers wrap their transaction in `taken_names_limited`.

    Raises:
        ValidationFailed: as account_create, or the invitation goes by mail and the account has no
            address.
        NameTaken: as account_create.
        NameLimitReached: the group received too many refusals for names of other customers.
    """
    refuse_over_name_limit(actor=actor)
    if channel == Channel.MAIL and not form.fields.get("email"):
        raise ValidationFailed({"Email": [NO_MAIL]})
    account = account_create(actor=actor, form=form)
    invitation = (
        invitation_issue(actor=actor, account=account, channel=channel, origin=origin)
        if channel
        else None
    )
    return account, invitation


@transaction.atomic
def account_open_at_office(
    *, staff: Account, group_id: int, form: AccountForm, origin: str
) -> Account:
    """Return the new customer account, created by the supplier's staff. Its owner gets a
    one-time link to set the password.

    Raises:
        ValidationFailed: as account_create, or the account has no mail address.
    """
    with staff_as_group_admin(staff=staff, group_id=group_id) as actor:
        account, _invitation = account_open(
            actor=actor, form=form, channel=Channel.MAIL, origin=origin
        )
    act_log(
        subject=account,
        staff=staff,
        changes={NOTE: ("", f"新开账号，一次性链接发送至 {account.email}")},
        kind=LINK_KIND,
    )
    return account
