"""Errors of the selection."""

from apps.common.errors import DomainError


class ScenarioUnknown(DomainError):
    code = "validation"
    message = "该选品场景不存在或已停用，请重新选择场景"
