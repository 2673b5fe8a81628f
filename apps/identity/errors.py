"""Refusals of sign-in (api.md, RetCode of failures)."""

from apps.common.errors import DomainError


class WrongCredentials(DomainError):
    """One answer for an unknown name and for a wrong password."""

    code = "wrong_credentials"
    message = "账号或密码不正确，请重新输入"


class AccountDisabled(DomainError):
    """Told only to who knows the password."""

    code = "account_disabled"
    message = "账号已停用，请联系贵司管理员"


class CaptchaRequired(DomainError):
    code = "captcha_required"
    message = "请先完成滑动验证"


class CaptchaFailed(DomainError):
    code = "captcha_required"
    message = "验证码验证失败，请重试"


class RefreshRefused(DomainError):
    """HTTP 200 on purpose: at 401 the page would try to refresh again (architecture.md, The wire)."""

    code = "not_logged_in"
    message = "登录已过期，请重新登录"


class UserMissing(RefreshRefused):
    message = "用户信息不存在"


class SessionKeyInvalid(DomainError):
    code = "session_key_invalid"
    message = "自动登录失败，请手动登录"


class RedirectRefused(DomainError):
    code = "redirect_refused"
    message = "跳转地址不在允许的范围内"


class ResetTooSoon(DomainError):
    """The same for a name that nobody has; the body says after how many seconds (RetryAfter)."""

    code = "too_soon"
    message = "验证码刚刚发送过，请 60 秒后再获取"


class ResetTooOften(ResetTooSoon):
    message = "该账号获取验证码次数过多，请 1 小时后再试，或联系贵司管理员重置密码"


class NotImpersonated(DomainError):
    code = "wrong_state"
    message = "该账号为运营账号或已停用，不能代为登录"
