"""Token families, captcha puzzles, session keys, one-time tickets and codes, former passwords,
and 企业微信.

These are platform tables, because the code reads them before the tenant is known.
"""

from apps.identity.models.captcha import Captcha
from apps.identity.models.former_password import FormerPassword
from apps.identity.models.one_time import (
    ContactCode,
    ContactKind,
    ContactUndo,
    OldMallTicket,
    ResetCode,
    ResetCodeKind,
    SessionKey,
)
from apps.identity.models.token_family import TokenFamily
from apps.identity.models.wechat_work import WeChatWorkAccount, WeChatWorkState

__all__ = [
    "Captcha",
    "ContactCode",
    "ContactKind",
    "ContactUndo",
    "FormerPassword",
    "OldMallTicket",
    "ResetCode",
    "ResetCodeKind",
    "SessionKey",
    "TokenFamily",
    "WeChatWorkAccount",
    "WeChatWorkState",
]
