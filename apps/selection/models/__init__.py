"""The scenarios of 一键选品."""

from apps.selection.models.scenario import ScenarioKind, SelectionScenario

__all__ = [
    "ScenarioKind",
    "SelectionScenario",
]
