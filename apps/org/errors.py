"""Errors of the organisation."""

from apps.common.errors import DomainError, NotFound, ValidationFailed, WrongState


class AddressNotFound(NotFound):
    """The actor cannot see an address with this id."""


class GroupNotFound(NotFound):
    """The group is not the actor's group."""


class EnterpriseNotFound(NotFound):
    """The actor cannot see an enterprise with this id."""


class DepartmentNotFound(NotFound):
    """The actor cannot see a department with this id."""


class AccountNotFound(NotFound):
    """The actor's data scope has no account with this id."""


class RoleNotFound(NotFound):
    """The group has no role with this id."""


class LastAdmin(WrongState):
    message = "这是贵司最后一个启用的集团管理员，请先将其他账号设为集团管理员"


class BeyondRights(WrongState):
    """The change would grant rights that the actor does not have, or change a person or role
    with such rights.
    """

    message = "该操作超出您自己的权限，请联系集团管理员"


class PurchasingRefused(DomainError):
    """The roles of the account do not allow this kind of purchasing. The body has the right that
    the account has (`Purchasing`).
    """

    code = "purchasing_refused"
    message = "您的角色没有采购权限，请联系集团管理员"


class RoleInUse(WrongState):
    message = "角色正在使用，不能删除"


class NameTaken(ValidationFailed):
    """User names are unique on the platform. `elsewhere` counts the refused names that other
    customers use.
    """

    def __init__(self, errors: dict[str, list[str]], *, elsewhere: int) -> None:
        super().__init__(errors)
        self.elsewhere = elsewhere


class NameLimitReached(DomainError):
    """The group received too many refusals for names of other customers. Free and taken names
    get the same answer. The body has the wait in seconds (RetryAfter).
    """

    code = "too_soon"
    message = (
        "今天与其他客户重复的账号名过多，暂不能新增账号，请 24 小时后再试，或联系商城客服。"
        "建议账号名带上公司特有的前缀，如 yunfan.zhang"
    )
