"""Errors of the selection."""

from apps.common.errors import DomainError, TooLarge


class ScenarioUnknown(DomainError):
    code = "validation"
    message = "该选品场景不存在或已停用，请重新选择场景"


class WishListTooLong(TooLarge):
    """The list has `lines` lines; one selection takes at most `limit`."""

    def __init__(self, lines: int, limit: int) -> None:
        super().__init__(f"清单共 {lines} 行，一次最多选品 {limit} 行，请拆分后分次选品")


class NoKindChosen(ScenarioUnknown):
    message = "请选择至少一种要配的商品"
