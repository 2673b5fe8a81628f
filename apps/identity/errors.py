"""Errors of sign-in."""

from datetime import datetime

from apps.common.errors import (
    DomainError,
    FieldRefused,
    Forbidden,
    NotFound,
    RateLimited,
    ValidationFailed,
    WrongState,
)


class WrongCredentials(DomainError):
    """The same answer for an unknown name and for a wrong password."""

    code = "wrong_credentials"
    message = "账号或密码不正确，请重新输入"


class AccountDisabled(DomainError):
    """Returned only if the password is right."""

    code = "account_disabled"
    message = "账号已停用，请联系贵司管理员"


class CaptchaRequired(DomainError):
    code = "captcha_required"
    message = "请先完成滑动验证"


class CaptchaFailed(DomainError):
    code = "captcha_required"
    message = "验证码验证失败，请重试"


class SignInSlowed(RateLimited):
    """Too many wrong passwords for a name. A solved captcha does not shorten the wait."""

    def __init__(self, *, seconds: int) -> None:
        minutes = -(-seconds // 60)
        text = (
            f"该账号密码错误次数过多，请 {minutes} 分钟后再试；也可以通过邮箱重置密码，"
            "或在以前登录过的设备上登录"
        )
        super().__init__(text, retry_after=seconds)


class SecondFactorRequired(DomainError):
    """The password is right, and a code or a passkey is needed, too. The body is {"SetUp": …,
    "Passkey": …}. `SetUp` is null, or the secret to enter into an authenticator, if the account
    must have a second factor and has none. `Passkey` is null, or the options of WebAuthn for a
    proof by one of the account's passkeys.
    """

    code = "second_factor_required"
    message = "请输入验证器 App 显示的 6 位验证码"


class WrongSecondFactor(DomainError):
    """A wrong or used code of the second factor."""

    code = "wrong_second_factor"
    message = (
        "验证码不正确或已使用：请输入验证器当前显示的 6 位数字（每个数字只能用一次，"
        "可等待下一个），或一个未用过的恢复码"
    )


class WrongPasskey(WrongSecondFactor):
    """A challenge, origin, credential or signature of a passkey is wrong, or was used."""

    message = "通行密钥验证未通过或已超时，请重试，或改用验证码"


class PasskeyCopied(WrongSecondFactor):
    """The signature counter of a passkey has not grown since its last use."""

    message = "该通行密钥可能已被复制，已拒绝使用：请改用验证码登录，并移除该通行密钥"


class PasskeyNotFound(NotFound):
    """The account has no passkey with this id."""

    message = "该通行密钥不存在或已移除，请刷新后查看"


class SecondFactorSlowed(RateLimited):
    """Too many wrong codes of the second factor of an account."""

    def __init__(self, *, seconds: int) -> None:
        super().__init__(f"验证码错误次数过多，请 {seconds} 秒后再试", retry_after=seconds)


class RefreshRefused(DomainError):
    """HTTP 200 on purpose: a 401 would make the page refresh again."""

    code = "not_logged_in"
    message = "登录已过期，请重新登录"


class UserMissing(RefreshRefused):
    message = "用户信息不存在"


class SecondFactorNowRequired(RefreshRefused):
    """The group requires a second factor since this sign-in began. The next one sets it up."""

    message = "贵司已要求两步验证：请重新登录，并按提示绑定手机验证器"


class SessionKeyInvalid(DomainError):
    code = "session_key_invalid"
    message = "自动登录失败，请手动登录"


class RedirectRefused(DomainError):
    code = "redirect_refused"
    message = "跳转地址不在允许的范围内"


class ResetTooSoon(DomainError):
    """The same answer for an unknown name. The body has the wait in seconds (RetryAfter)."""

    code = "too_soon"
    message = "验证码刚刚发送过，请 60 秒后再获取"


class ResetTooOften(ResetTooSoon):
    message = "该账号获取验证码次数过多，请 1 小时后再试，或联系贵司管理员重置密码"


class ContactTooOften(ResetTooSoon):
    message = "获取验证码次数过多，请 1 小时后再试"


class NoWayToReach(DomainError):
    code = "wrong_state"
    message = "短信通道尚未开通，验证码需发送到您的邮箱，请先绑定邮箱"


class NoOldAddress(DomainError):
    code = "wrong_state"
    message = "账号没有登记邮箱，请使用登录密码验证身份"


class ContactUndoUnknown(NotFound):
    """The key's signature is invalid, or its row no longer exists."""

    message = "链接无效，请从邮件中重新打开"


class ContactUndoSpent(WrongState):
    """The link was used, has expired, or was ended by the undo of an earlier change."""

    message = (
        "该链接已失效：撤销链接 72 小时内有效，且只能使用一次。如需更换联系方式，请联系贵司管理员"
    )


class ContactUndoTaken(WrongState):
    """Another account has the address. The link works again when that account's address
    changes.
    """

    message = "原邮箱已用于贵司其他账号，不能自动恢复，请联系贵司管理员处理"


class SignInNotFound(NotFound):
    """The account has no active sign-in with this id."""

    message = "该登录已退出或不存在，请刷新后查看"


class NotImpersonated(DomainError):
    code = "wrong_state"
    message = "该账号为运营账号或已停用，不能代为登录"


class WeChatWorkExpired(DomainError):
    """The state belongs to another browser, or the state or the code was already used. The
    person must begin again.
    """

    code = "wechat_work_expired"
    message = "登录请求已失效，或不是由本浏览器发起，请重新发起企业微信登录"


class WeChatWorkUnbound(DomainError):
    """The body names the member. WeChatWorkBind takes the password of the member's account."""

    code = "wechat_work_unbound"
    message = "该企业微信尚未绑定商城账号，请验证账号密码完成绑定"


class WeChatWorkRefused(DomainError):
    code = "wechat_work_refused"
    message = "不能使用企业微信登录，请使用账号密码登录"


class WeChatWorkUnavailable(DomainError):
    code = "wechat_work_unavailable"
    message = "企业微信暂时无法连接，请稍后重试，或使用账号密码登录"


class InvitationTooSoon(ResetTooSoon):
    message = "邮件刚刚发送过，请 60 秒后再试"


class SecondFactorSetUpRequired(SecondFactorRequired):
    """The account must have a second factor and has none. The body has the secret."""

    message = "贵司要求两步验证：请先设置验证器，再输入其显示的 6 位验证码"


class ProofMissing(ValidationFailed):
    """The caller's password is missing. `field` is its wire key and `label` its name."""

    def __init__(self, *, field: str, label: str) -> None:
        super().__init__({field: [f"请输入您的{label}，以证明是您本人操作"]})


class ProofSlowed(ValidationFailed):
    """Too many wrong passwords. `field` and `label`: as in ProofMissing."""

    def __init__(self, *, field: str, label: str) -> None:
        super().__init__({field: [f"{label}错误次数过多，请 15 分钟后再试"]})


class ProofWrong(ValidationFailed):
    """The caller's password is wrong. `field` and `label`: as in ProofMissing."""

    def __init__(self, *, field: str, label: str) -> None:
        super().__init__({field: [f"{label}不正确，请重新输入"]})


class MobileInvalid(FieldRefused):
    field = "Value"
    message = "请输入 11 位手机号码"


class ContactUnchanged(FieldRefused):
    """`label` is the name of the contact: 手机号码 or 邮箱."""

    field = "Value"

    def __init__(self, label: str) -> None:
        super().__init__(f"与当前{label}相同，无需更换")


class ContactUndone(ContactUndoSpent):
    """The change was undone at `at`, a local time."""

    def __init__(self, at: datetime) -> None:
        super().__init__(f"该更换已于 {at:%m-%d %H:%M} 撤销，无需重复操作")


class UndoOfDisabledAccount(ContactUndoSpent):
    message = "账号已停用，不能撤销，请联系贵司管理员"


class CurrentSignIn(FieldRefused):
    """A person ends the current sign-in by signing out."""

    field = "Id"
    message = "这是当前登录，请使用页面顶部的“退出登录”"


class OwnPasswordReset(WrongState):
    message = "请在个人中心修改自己的密码"


class InvitedAccountDisabled(WrongState):
    message = "该账号已停用，请先启用"


class PasswordSetAlready(WrongState):
    message = "该账号已设置密码，如需更换请使用“重置密码”"


class PasswordUnchanged(FieldRefused):
    field = "NewPassword"
    message = "新密码不能与原密码相同"


class PasswordUsedBefore(FieldRefused):
    """The password is one of the latest `count`."""

    field = "NewPassword"

    def __init__(self, count: int) -> None:
        super().__init__(f"不能使用最近 {count} 次用过的密码，请更换")


class AvatarUnavailable(FieldRefused):
    field = "Avatar"
    message = "请重新上传头像图片"


class SecondFactorSetUpAlready(WrongState):
    message = "验证器已启用；更换手机时请先移除再重新添加"


class SecondFactorMissing(WrongState):
    """An account that must have a second factor cannot set it up while it binds 企业微信."""

    message = "贵司要求两步验证：请先用账号和密码登录并完成设置，再绑定企业微信"


class SecondFactorCompulsory(Forbidden):
    message = "您的账号必须使用两步验证，不能关闭；更换手机请联系同事重置"


class ReasonMissing(FieldRefused):
    field = "reason"
    message = "请填写原因"


class OwnSecondFactorReset(Forbidden):
    message = "不能重置自己的两步验证，请由另一位同事办理"


class StaffSecondFactorReset(Forbidden):
    """Only a superuser resets the second factor of staff."""

    message = "运营账号的两步验证只能由超级管理员重置"


class NoSecondFactor(WrongState):
    message = "该账号没有开启两步验证，无需重置"


class SecondFactorMoved(WrongState):
    message = "两步验证的状态已变化，请刷新后重试"


class WrongSetUpCode(WrongSecondFactor):
    """The first code of an authenticator is wrong, perhaps because its clock is."""

    message = "验证码不正确：请确认手机时间准确，并输入 App 当前显示的 6 位数字"


class ImpersonationReasonMissing(FieldRefused):
    field = "reason"
    message = "请填写代登录原因，客户可查询"


class ReleaseReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写原因"


class NoStaffAccount(WrongState):
    message = "只有运营账号的后台登录需要解除限速"


class NotSlowedDown(WrongState):
    message = "该账号当前没有登录限速，无需操作"


class CountersUnavailable(WrongState):
    """The counters of the sign-in cannot be reached."""

    message = "计数服务暂时不可用，请稍后再试"


class WeChatWorkClosed(WeChatWorkRefused):
    """The group does not allow the sign-in with 企业微信."""

    message = "贵司未开放企业微信登录，请使用账号密码登录"


class PasskeyOrCodeRequired(SecondFactorRequired):
    message = "请使用通行密钥，或输入验证器显示的 6 位验证码"


class PasskeyRequired(SecondFactorRequired):
    """The account has passkeys and no authenticator."""

    message = "请使用通行密钥，或输入一个恢复码"


class AuthenticatorGone(WrongState):
    message = "验证器已移除，请刷新后查看"


class LastFactorCompulsory(Forbidden):
    message = "您的账号必须使用两步验证，不能移除最后一种验证方式：请先添加另一种"


class PasskeysOff(WrongState):
    """The settings name no domain for passkeys."""

    message = "本商城未启用通行密钥，请使用验证器"


class TooManyPasskeys(WrongState):
    def __init__(self, *, most: int) -> None:
        super().__init__(f"通行密钥最多 {most} 个，请先移除不用的")


class PasskeyNameMissing(FieldRefused):
    field = "Name"

    def __init__(self, *, most: int) -> None:
        super().__init__(f"请填写通行密钥的名称，不超过 {most} 个字")


class PasskeyNameTaken(FieldRefused):
    field = "Name"
    message = "您已有同名的通行密钥，请换一个名称"


class PasskeyTaken(WrongPasskey):
    """The credential is registered already, with this or another account."""

    message = "该通行密钥已经登记过，不能重复添加"


class OwnFactorMissing(ValidationFailed):
    """The account has a second factor, and the request has none."""

    def __init__(self) -> None:
        super().__init__({"SecondFactorCode": ["请输入验证码，或使用通行密钥"]})


class OwnFactorFirst(WrongState):
    """The group's admin would require of others what he does not have himself."""

    message = "请先在“个人中心 › 个人信息 › 两步验证”为自己的账号开启两步验证，再要求全集团使用"
