"""Errors of the workbench app."""

from apps.common.errors import FieldRefused


class ShortcutsRepeated(FieldRefused):
    field = "Codes"
    message = "同一个入口只能放一次"


class ShortcutUnavailable(FieldRefused):
    field = "Codes"
    message = "有的入口不存在，或您没有权限，请刷新后重试"
