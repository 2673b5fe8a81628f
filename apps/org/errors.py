"""Refusals of the organisation."""

from apps.common.errors import NotFound, WrongState


class AddressNotFound(NotFound):
    """There is no such address that the actor may see."""


class GroupNotFound(NotFound):
    """It is not the actor's group."""


class EnterpriseNotFound(NotFound):
    """There is no such enterprise that the actor may see."""


class DepartmentNotFound(NotFound):
    """There is no such department that the actor may see."""


class AccountNotFound(NotFound):
    """There is no such account in the actor's data scope."""


class RoleNotFound(NotFound):
    """There is no such role in the group."""


class LastAdmin(WrongState):
    message = "这是贵司最后一个启用的集团管理员，请先将其他账号设为集团管理员"


class BeyondRights(WrongState):
    """It would give, or take over, what the actor does not have himself."""

    message = "该操作超出您自己的权限，请联系集团管理员"


class RoleInUse(WrongState):
    message = "角色正在使用，不能删除"
