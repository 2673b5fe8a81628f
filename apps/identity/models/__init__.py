"""Token families, captcha puzzles, session keys, one-time tickets and codes, former passwords, 企业微信.

Platform tables: they are read before any tenant is known.
"""

from apps.identity.models.captcha import Captcha
from apps.identity.models.former_password import FormerPassword
from apps.identity.models.one_time import ContactCode, ContactKind, OldMallTicket, ResetCode, ResetCodeKind, SessionKey
from apps.identity.models.token_family import TokenFamily
from apps.identity.models.wechat_work import WeChatWorkAccount, WeChatWorkState

__all__ = [
    "Captcha",
    "ContactCode",
    "ContactKind",
    "FormerPassword",
    "OldMallTicket",
    "ResetCode",
    "ResetCodeKind",
    "SessionKey",
    "TokenFamily",
    "WeChatWorkAccount",
    "WeChatWorkState",
]
