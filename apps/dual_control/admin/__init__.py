from apps.dual_control.admin import limits, proposals

__all__ = ["limits", "proposals"]
