"""Errors of the organisation."""

from collections.abc import Mapping, Sequence

from apps.common.errors import (
    DomainError,
    FieldRefused,
    FileRefused,
    Forbidden,
    NotFound,
    Stale,
    ValidationFailed,
    WrongState,
    describe_row_errors,
)


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


class ParentUnavailable(ValidationFailed):
    """The actor manages no department with the id in `field`, a wire key."""

    def __init__(self, field: str) -> None:
        super().__init__({field: ["部门不存在，或不在您的管理范围内"]})


class ParentOfOtherEnterprise(ValidationFailed):
    def __init__(self, field: str) -> None:
        super().__init__({field: ["须是同一企业的部门"]})


class ParentInactive(ValidationFailed):
    def __init__(self, field: str) -> None:
        super().__init__({field: ["该部门已停用，请选择其他部门"]})


class DepartmentNameTaken(ValidationFailed):
    """An enabled sibling has the name. `parent` is the name of their parent; None: the top level.
    `field` is the wire key of the name.
    """

    def __init__(self, *, field: str, name: str, parent: str | None) -> None:
        above = f"“{parent}”下" if parent is not None else "顶级部门中"
        super().__init__({field: [f"{above}已有名为“{name}”的部门，请更换名称或合并到该部门"]})


class AddressSheetRefused(ValidationFailed):
    """Rows of a sheet of addresses have errors, by row number. Nothing is imported."""

    def __init__(self, rows: Mapping[int, Sequence[str]]) -> None:
        super().__init__(
            {"file": describe_row_errors(rows)[:20]}, f"有 {len(rows)} 行需要修改，未导入任何地址"
        )


class DepartmentMissing(FieldRefused):
    field = "DepartmentId"
    message = "请选择部门"


class AccountChangedMeanwhile(Stale):
    message = "该账号刚刚被其他管理员修改，请核对最新内容后重试"


class OwnAccountDisabled(WrongState):
    message = "不能停用自己的账号"


class AccountDisabledAlready(WrongState):
    message = "该账号已经停用"


class AccountEnabledAlready(WrongState):
    message = "该账号已经启用"


class DepartmentDisabled(WrongState):
    """An account of a disabled department cannot be enabled."""

    def __init__(self, name: str) -> None:
        super().__init__(f"其部门“{name}”已停用，请先将账号移到启用的部门，再启用")


class ActorChanged(BeyondRights):
    """The actor's own account was disabled or changed meanwhile."""

    message = "您的账号刚刚被停用或调整，请重新登录后再操作"


class AccountBeyondRights(BeyondRights):
    message = "该账号的权限超出您自己的权限，请联系集团管理员操作"


class AccountTermsBeyond(BeyondRights):
    """`lifted` are the terms of the actor's own orders that do not bind the account."""

    def __init__(self, lifted: Sequence[str]) -> None:
        super().__init__(f"该账号不受您自己的{'、'.join(lifted)}约束，请联系集团管理员操作")


class RolesLiftTerms(FieldRefused):
    """`lifted`: as in `AccountTermsBeyond`, after the change of the roles."""

    field = "RoleIds"

    def __init__(self, lifted: Sequence[str]) -> None:
        super().__init__(
            f"这样设置角色后，该账号不受您自己的{'、'.join(lifted)}约束，请联系集团管理员操作"
        )


class OwnDepartmentMoved(FieldRefused):
    field = "DepartmentId"
    message = "您不能更改自己的部门，请由其他管理员更改"


class ActorInsideDepartment(ValidationFailed):
    """The actor, who is not a group admin, is in the department or below it, so he neither merges
    it nor gives it another parent. `field` is the wire key of the other department.
    """

    def __init__(self, field: str) -> None:
        super().__init__(
            {
                field: [
                    "您在该部门或其下级部门中，不能更改其上级部门或将其合并，"
                    "请由集团管理员或不在该部门中的管理员操作"
                ]
            }
        )


class HeadOfOwnDepartment(FieldRefused):
    """The actor, who is not a group admin, is in the department or below it: its head approves the
    actor's orders and owns their budgets.
    """

    field = "HeadId"
    message = "您在该部门或其下级部门中，不能更改其负责人，请由集团管理员或不在该部门中的管理员操作"


class HeadIsActor(FieldRefused):
    field = "HeadId"
    message = "您不能将自己设为部门负责人，请由集团管理员或其他部门管理员操作"


class TargetContainsActor(ValidationFailed):
    """The actor, who is not a group admin, is in the receiving department or below it. `field` is
    its wire key.
    """

    def __init__(self, field: str) -> None:
        super().__init__(
            {
                field: [
                    "您在所选部门或其下级部门中，不能将其他部门并入或移到该部门下，"
                    "请由集团管理员或不在该部门中的管理员操作"
                ]
            }
        )


class TargetHeadedByActor(ValidationFailed):
    """The actor, who is not a group admin, would become a head above the department. `field` is the
    wire key of the receiving department.
    """

    def __init__(self, field: str) -> None:
        super().__init__(
            {
                field: [
                    "您是所选部门或其上级部门的负责人，不能将其他部门并入或移到该部门下，"
                    "请由集团管理员或其他部门管理员操作"
                ]
            }
        )


class DepartmentOutOfScope(FieldRefused):
    field = "DepartmentId"
    message = "请选择您数据范围内的启用部门"


class RoleUnavailable(FieldRefused):
    field = "RoleIds"
    message = "所选角色不存在或已删除，请刷新后重新选择"


class GroupAdminByAdminOnly(FieldRefused):
    field = "UserType"
    message = "只有集团管理员可以设置或取消集团管理员"


class RoleBeyondRights(FieldRefused):
    """`excess` are the labels of the rights that the actor does not have."""

    field = "RoleIds"

    def __init__(self, *, name: str, excess: Sequence[str]) -> None:
        super().__init__(f"不能授予角色“{name}”，它包含您自己没有的权限：{'、'.join(excess)}")


class AccountSheetEmpty(FileRefused):
    message = "表格中没有账号，请从第二行开始填写"


class OwnAddressesFull(FieldRefused):
    field = "Receiver"

    def __init__(self, limit: int) -> None:
        super().__init__(f"最多保存 {limit} 个收货地址，请先删除不用的地址")


class SharedAddressReadOnly(Forbidden):
    message = "这是共用地址，请联系有“收货地址”权限的管理员修改"


class AddressScopeBeyondRights(Forbidden):
    message = "您没有维护该范围共用地址的权限，请联系贵司管理员"


class AddressSheetEmpty(FileRefused):
    message = "表格没有数据行，请按模板填写后重试"


class TopLevelUnmovable(Forbidden):
    message = "您不能移动顶级部门，请联系贵司管理员"


class MovedBelowItself(FieldRefused):
    field = "ParentId"
    message = "不能移动到本部门或其下级部门"


class DepartmentsReadOnly(Forbidden):
    """The actor's data scope is only the own documents."""

    message = "您的数据范围仅本人，不能维护部门，请联系贵司管理员"


class EnterpriseMissing(FieldRefused):
    field = "EnterpriseId"
    message = "请选择企业"


class ParentMissing(FieldRefused):
    field = "ParentId"
    message = "请选择上级部门"


class HeadUnavailable(FieldRefused):
    field = "HeadId"
    message = "负责人不存在或已停用，请重新选择"


class DepartmentCodeTaken(FieldRefused):
    field = "Code"
    message = "部门编码在本企业已存在，请更换"


class ParentDisabled(WrongState):
    def __init__(self, name: str) -> None:
        super().__init__(f"上级部门“{name}”已停用，请先启用上级部门")


class DisabledByUpdate(WrongState):
    """A department is disabled by its own act, which names the department that takes over."""

    message = "停用部门请使用“停用”，并说明成员交给哪个部门"


class DepartmentInUse(WrongState):
    message = "该部门已有下级、成员或业务数据，不能删除，可以停用或合并到其他部门"


class TopLevelBeyondScope(Forbidden):
    message = "您不能设置顶级部门，请选择上级部门"


class DepartmentImportBeyondScope(Forbidden):
    message = "导入部门需要“本企业”以上的数据范围，请联系贵司管理员"


class DepartmentSheetEmpty(FileRefused):
    message = "表格里没有部门，请填写后重试"


class MergedIntoItself(FieldRefused):
    field = "TargetId"
    message = "请选择本部门及其下级以外的部门"


class DepartmentNotEmpty(WrongState):
    """`numbers` maps the name of a kind of content to its count: members, subdepartments."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        content = "、".join(f"{number} 个{name}" for name, number in numbers.items() if number)
        super().__init__(f"该部门还有{content}，请选择接收的部门后再停用")


class SubdepartmentNameTaken(FieldRefused):
    """Both departments have a subdepartment of this name."""

    field = "TargetId"

    def __init__(self, name: str) -> None:
        super().__init__(f"两个部门都有名为“{name}”的下级部门，请先改名或合并后再试")


class LastEnterprise(WrongState):
    message = "集团至少要有一家启用的企业"


class EnterpriseInUse(WrongState):
    message = "该企业已有部门、账号或业务数据，不能删除，请改为停用"


class GroupBeyondScope(Forbidden):
    message = "您的数据范围不是全集团，不能修改集团资料，请联系集团管理员"


class LimitsByAdminOnly(BeyondRights):
    message = "只有集团管理员可以设置采购限额，请联系集团管理员"


class TooManyLimits(FieldRefused):
    field = "Limits"

    def __init__(self, limit: int) -> None:
        super().__init__(f"最多设置 {limit} 个限额")


class LimitsRepeated(FieldRefused):
    field = "Limits"
    message = "每个类目的每个周期只能设置一个限额"


class LimitCategoryUnknown(FieldRefused):
    field = "Limits"
    message = "类目不存在，请重新选择"


class RoleTermsByAdminOnly(BeyondRights):
    """Only a group admin sets the payment kinds and the addresses of a role."""

    message = "只有集团管理员可以设置可用付款方式和收货地址，请联系集团管理员"


class RolesFull(FieldRefused):
    field = "Name"

    def __init__(self, limit: int) -> None:
        super().__init__(f"最多 {limit} 个角色，请先删除不用的角色")


class RoleChangedMeanwhile(Stale):
    message = "该角色刚刚被其他管理员修改，请核对最新内容后重试"


class RoleHasHolders(RoleInUse):
    def __init__(self, holders: int) -> None:
        super().__init__(f"还有 {holders} 个账号使用该角色，请先为他们更换角色再删除")


class RoleTooPowerful(BeyondRights):
    def __init__(self, verb: str) -> None:
        super().__init__(f"该角色的权限超出您自己的权限，请联系集团管理员{verb}")


class HoldersOutOfScope(BeyondRights):
    """`holders` accounts with the role are outside the actor's data scope."""

    def __init__(self, *, holders: int, verb: str) -> None:
        super().__init__(
            f"该角色还有 {holders} 人不在您的数据范围内，请联系集团管理员{verb}，"
            "或复制为新角色后调整"
        )


class RoleCodeTaken(FieldRefused):
    field = "Code"
    message = "角色编码已被使用，请更换"


class RoleNameTaken(FieldRefused):
    field = "Name"
    message = "已有同名角色，请更换名称"


class PurchasingBeyondRights(FieldRefused):
    field = "Purchasing"

    def __init__(self, label: str) -> None:
        super().__init__(f"不能授予您自己没有的采购权限“{label}”，请选择更低的权限")


class RoleFreesHolders(FieldRefused):
    """The role may order now, and people who have it are not bound by the actor's own terms."""

    field = "Purchasing"

    def __init__(self, names: Sequence[str]) -> None:
        result, more = "、".join(names[:3]), f"等 {len(names)} 人" if len(names) > 3 else ""
        super().__init__(
            f"改为“下单”后，{result}{more}不受您自己的采购限额、付款方式或收货地址限制，"
            "请联系集团管理员操作"
        )


class MenuCodesBeyondRights(FieldRefused):
    """`excess` are the labels of the rights that the actor does not have."""

    field = "MenuCodes"

    def __init__(self, excess: Sequence[str]) -> None:
        super().__init__(f"不能授予您自己没有的权限：{'、'.join(excess)}")


class RoleIsApprover(RoleInUse):
    message = "该角色被审批规则指定为审批人，请先修改审批规则再删除"


class OwnStaffAccountDisabled(WrongState):
    message = "不能停用自己的账号或取消自己的超级管理员权限，请由其他超级管理员操作"


class OwnStaffAccountDeleted(WrongState):
    message = "不能删除自己的账号"


class StaffBySuperuserOnly(Forbidden):
    message = "运营人员的账号与权限只能由超级管理员维护"
