"""Refusals: a class each, with a stable code and a Chinese message that says what to do (api.md, RetCode of failures)."""

from typing import Any, ClassVar


class DomainError(Exception):
    """A refusal that the user can do something about; nothing was written."""

    code: ClassVar[str] = "bad_request"
    status: ClassVar[int] = 200
    message: ClassVar[str] = "请求失败"

    def __init__(self, message: str | None = None, *, body: Any = None) -> None:
        self.text = message or self.message
        self.body = body
        super().__init__(self.text)


class ValidationFailed(DomainError):
    """Fields were refused; `errors` maps a wire key to its messages."""

    code = "validation"
    message = "填写的内容有误，请检查后重新提交"

    def __init__(self, errors: dict[str, list[str]], message: str | None = None) -> None:
        super().__init__(message or next((texts[0] for texts in errors.values() if texts), None), body={"Errors": errors})


class NotFound(DomainError):
    code = "not_found"
    status = 404
    message = "请求的内容不存在或已删除"


class Forbidden(DomainError):
    code = "forbidden"
    status = 403
    message = "拒绝访问"


class NotInPerson(DomainError):
    """Staff act as the customer, and this is for himself alone."""

    code = "not_in_person"
    message = "代客户登录期间不能执行此操作，请由客户本人登录后办理"


class NotLoggedIn(DomainError):
    code = "not_logged_in"
    status = 401
    message = "未登录或登录已过期，请重新登录"


class RateLimited(DomainError):
    """Too many calls; the body is the spec's security block info (Ip, CurrentTime, Target, Guid)."""

    code = "rate_limited"
    status = 429
    message = "系统识别到您的访问存在安全隐患"


class WrongState(DomainError):
    code = "wrong_state"
    message = "当前状态不允许此操作，请刷新后重试"


class Stale(DomainError):
    """Someone changed it first; the body has the present one."""

    code = "stale"
    message = "内容已被他人修改，请刷新后重试"


class IdempotencyMismatch(DomainError):
    code = "idempotency_mismatch"
    message = "请求内容与首次提交不一致，请刷新页面后重新提交"


class FileRefused(DomainError):
    code = "file_refused"
    message = "不支持的文件类型"


class TooLarge(DomainError):
    code = "too_large"
    message = "提交的内容过大"


class QuantityExceeded(DomainError):
    code = "quantity_exceeded"
    message = "数量超出可操作的范围"
