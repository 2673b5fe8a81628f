"""Errors of the reports app."""

from collections.abc import Sequence

from apps.common.errors import FieldRefused, Forbidden, NotFound, WrongState


class ViewNotFound(NotFound):
    message = "视图不存在或已删除"


class SubscriptionNotFound(NotFound):
    message = "订阅不存在或已删除"


class LetterLinkUnknown(NotFound):
    message = "退订链接无效，请从邮件中重新打开；如订阅已删除则无需退订"


class ExportNotFound(NotFound):
    message = "导出任务不存在或已清除"


class ExportEnded(WrongState):
    message = "该导出任务已结束，不能取消"


class TooManyExports(WrongState):
    """The owner has `limit` unfinished exports. `is_staff_asking`: staff read the message."""

    def __init__(self, limit: int, *, is_staff_asking: bool) -> None:
        owner_text = "该用户" if is_staff_asking else "您"
        super().__init__(f"{owner_text}有 {limit} 个导出任务尚未完成，请等待完成或取消后再导出")


class ExportNotAllowed(WrongState):
    message = "该用户已停用或没有该报表的权限，不能重新排队"


class SavedViewsFull(WrongState):
    def __init__(self, limit: int) -> None:
        super().__init__(f"每人最多保存 {limit} 个视图，请先删除不再使用的")


class ViewHasSubscriptions(WrongState):
    def __init__(self, count: int) -> None:
        super().__init__(f"您有 {count} 个订阅使用该视图，请先在“订阅”中删除这些订阅或改用其他视图")


class ViewNotOwn(Forbidden):
    def __init__(self, owner: str) -> None:
        super().__init__(f"该视图由{owner}共享，只有本人可以修改或删除；您可以另存为自己的视图")


class ViewNameTaken(FieldRefused):
    field = "Name"
    message = "该报表下已有同名视图，请换一个名称"


class SubscriptionWithoutView(WrongState):
    message = "该订阅的视图已删除，请先选择其他视图"


class SubscriptionSending(WrongState):
    message = "该订阅正在发送，请在发送记录中查看进度"


class ViewUnavailable(FieldRefused):
    field = "ViewId"
    message = "视图不存在或已删除，请重新选择"


class SubscriptionsFull(WrongState):
    def __init__(self, limit: int) -> None:
        super().__init__(f"每人最多保留 {limit} 个订阅，请先删除不再使用的")


class RecipientMissing(FieldRefused):
    field = "PeopleIds"
    message = "请至少选择一位同事或填写一个邮箱"


class RecipientsFull(FieldRefused):
    """The limits of colleagues and of mail addresses."""

    field = "PeopleIds"

    def __init__(self, *, people: int, addresses: int) -> None:
        super().__init__(f"最多 {people} 位同事、{addresses} 个邮箱")


class RecipientUnavailable(FieldRefused):
    field = "PeopleIds"
    message = "所选同事不存在或已停用，请重新选择"


class RecipientsWithoutRight(FieldRefused):
    field = "PeopleIds"

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"{'、'.join(names)}没有该报表的权限，请联系管理员授权或移出名单")


class RecipientsWithoutMail(FieldRefused):
    field = "PeopleIds"

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"{'、'.join(names)}还没有登记邮箱，请其在账号设置中登记后再选择")


class AddressesUnsupported(FieldRefused):
    """`domain` is the part behind @ in the example of the message."""

    field = "Addresses"

    def __init__(self, addresses: Sequence[str], *, domain: str) -> None:
        super().__init__(
            f"{'、'.join(addresses)} 的写法不支持，请填写普通的企业邮箱地址，如 name@{domain}"
        )


class AddressesOfColleagues(FieldRefused):
    """The addresses are those of accounts of the group. `accounts`: mail, nickname, is_active."""

    field = "Addresses"

    def __init__(self, accounts: Sequence[tuple[str, str, bool]]) -> None:
        owners = "、".join(
            f"{mail} 是{nickname}{'' if is_active else '（已停用）'}的账号邮箱"
            for mail, nickname, is_active in accounts
        )
        super().__init__(f"{owners}，请在“同事”中选择，以按其本人的数据范围发送")


class AddressesOutside(FieldRefused):
    """`domains` are the mail domains of the group; empty: no account has a mail address."""

    field = "Addresses"

    def __init__(self, addresses: Sequence[str], *, domains: Sequence[str]) -> None:
        allowed_domains = (
            "、".join(f"@{name}" for name in domains) or "（贵司账号尚未登记企业邮箱）"
        )
        super().__init__(f"{'、'.join(addresses)} 不是贵司的企业邮箱，只能发送到 {allowed_domains}")


class OriginalViewDeleted(FieldRefused):
    field = "ViewId"
    message = "原视图已删除，请选择其他视图后再启用"


class NeverDue(FieldRefused):
    """The schedule has no day to send in the next two years."""

    field = "Shift"
    message = "按该频率与节假日安排，近两年内没有可发送的日子，请调整"


class ColumnUnsortable(FieldRefused):
    field = "Sort"
    message = "该报表不支持按此列排序"
