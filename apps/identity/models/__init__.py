"""Token families, captcha puzzles, session keys, one-time tickets and codes, 企业微信.

Platform tables: they are read before any tenant is known.
"""

from apps.identity.models.captcha import Captcha
from apps.identity.models.one_time import OldMallTicket, ResetCode, SessionKey
from apps.identity.models.token_family import TokenFamily
from apps.identity.models.wechat_work import WeChatWorkAccount, WeChatWorkState

__all__ = ["Captcha", "OldMallTicket", "ResetCode", "SessionKey", "TokenFamily", "WeChatWorkAccount", "WeChatWorkState"]
