"""The shortcuts that each account chose for its workbench."""

from apps.workbench.models.shortcuts import WorkbenchShortcuts

__all__ = ["WorkbenchShortcuts"]
