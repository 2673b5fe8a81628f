"""Staff send a customer's account a one-time link to set the password. Staff never see or set a
password.
"""

from __future__ import annotations

from django.db import transaction

from apps.common.audit import NOTE, act_log
from apps.common.errors import ValidationFailed, WrongState
from apps.identity.services.invitation import Channel, Invitation, account_invite, account_reset
from apps.org.models import Account
from apps.org.services.staff import staff_as_group_admin

LINK_KIND = "password_link"
NOT_A_CUSTOMER = "运营人员的密码由超级管理员设置，或由本人修改"
REASON_MISSING = "请填写原因"


@transaction.atomic
def password_link_send(*, staff: Account, account: Account, reason: str, origin: str) -> Invitation:
    """Mail a one-time link to the account's owner. An existing password and all sign-ins end.
    The back office log has the reason.

    Raises:
        ValidationFailed: the reason is missing, or the account has no mail address.
        WrongState: it is not a customer's account, or it is disabled.
        ResetTooSoon: a letter was sent in the last minute.
    """
    if not reason.strip():
        raise ValidationFailed({"Reason": [REASON_MISSING]})
    if account.group_id is None:
        raise WrongState(NOT_A_CUSTOMER)
    with staff_as_group_admin(staff=staff, group_id=account.group_id) as actor:
        send = account_reset if account.has_usable_password() else account_invite
        invitation = send(actor=actor, pk=account.pk, channel=Channel.MAIL, origin=origin)
    note = f"一次性链接发送至 {invitation.account.email}；原因：{reason.strip()}"
    act_log(subject=invitation.account, staff=staff, changes={NOTE: ("", note)}, kind=LINK_KIND)
    return invitation
