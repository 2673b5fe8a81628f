"""Refusals of sign-in."""

from apps.common.errors import DomainError, NotFound


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
    """HTTP 200 on purpose: at 401 the page would try to refresh again."""

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


class ContactTooOften(ResetTooSoon):
    message = "获取验证码次数过多，请 1 小时后再试"


class NoWayToReach(DomainError):
    code = "wrong_state"
    message = "短信通道尚未开通，验证码需发送到您的邮箱，请先绑定邮箱"


class SignInNotFound(NotFound):
    """There is no such sign-in of the account that is still alive."""

    message = "该登录已退出或不存在，请刷新后查看"


class NotImpersonated(DomainError):
    code = "wrong_state"
    message = "该账号为运营账号或已停用，不能代为登录"


class WeChatWorkExpired(DomainError):
    """The state is not this browser's, or has been used, or the code has: begin again."""

    code = "wechat_work_expired"
    message = "登录请求已失效，或不是由本浏览器发起，请重新发起企业微信登录"


class WeChatWorkUnbound(DomainError):
    """The body names the member; WeChatWorkBind takes the password of his account."""

    code = "wechat_work_unbound"
    message = "该企业微信尚未绑定商城账号，请验证账号密码完成绑定"


class WeChatWorkRefused(DomainError):
    code = "wechat_work_refused"
    message = "不能使用企业微信登录，请使用账号密码登录"


class WeChatWorkUnavailable(DomainError):
    code = "wechat_work_unavailable"
    message = "企业微信暂时无法连接，请稍后重试，或使用账号密码登录"
